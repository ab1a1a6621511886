from django.apps import AppConfig
from django.db.models.signals import post_migrate


class SiteConfig(AppConfig):
    """The site itself: composition, checks and commands; it has no models."""

    name = "adminchat"
    verbose_name = "AdminChat"

    def ready(self) -> None:
        from adminchat import checks, keycheck, tenancy  # noqa: F401
        from adminchat.accounts.tenants import tenant_created

        tenant_created.connect(tenancy.set_up, dispatch_uid="adminchat.tenancy")
        post_migrate.connect(keycheck.store, dispatch_uid="adminchat.keycheck")
