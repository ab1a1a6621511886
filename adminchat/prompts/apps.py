from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PromptsConfig(AppConfig):
    name = "adminchat.prompts"
    label = "prompts"
    verbose_name = _("Prompts")
