from django.apps import AppConfig


class SiteConfig(AppConfig):
    """The site itself: composition, checks and commands; it has no models."""

    name = "adminchat"
    verbose_name = "AdminChat"

    def ready(self) -> None:
        from adminchat import checks  # noqa: F401
