"""The language of the terminal, which commands answer in (I18N-1)."""

import os

from django.conf import settings
from django.utils.translation import get_supported_language_variant


def terminal_language() -> str:
    """Return the interface language that the locale of the environment asks for, else the site's."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((os.environ[name] for name in names if os.environ.get(name)), "")
    try:
        return get_supported_language_variant(locale.partition(".")[0].partition("@")[0].replace("_", "-").lower())
    except LookupError:
        return settings.LANGUAGE_CODE
