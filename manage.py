#!/usr/bin/env python
"""Django's command line for AdminChat."""

import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.utils import translation

from adminchat.management.language import terminal_language


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adminchat.settings.quickstart")
    try:
        django.setup()
        translation.activate(terminal_language())
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"AdminChat cannot start. {error}")


if __name__ == "__main__":
    main()
