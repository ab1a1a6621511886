#!/usr/bin/env python
"""Django's command line for AdminChat."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adminchat.settings.quickstart")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"AdminChat cannot start. {error}")


if __name__ == "__main__":
    main()
