from django.apps import AppConfig
from django.db.models.signals import post_migrate


class SiteConfig(AppConfig):
    """The site itself: composition, checks and commands; it has no models."""

    name = "adminchat"
    verbose_name = "AdminChat"

    def ready(self) -> None:
        from adminchat import checks, keycheck  # noqa: F401

        post_migrate.connect(keycheck.store, dispatch_uid="adminchat.keycheck")
