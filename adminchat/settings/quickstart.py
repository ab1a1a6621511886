"""One machine, nothing to configure: keys are made once and kept in the data directory (OPS-2, OPS-8)."""

import os

os.environ.setdefault("SECRET_KEY", "quickstart-placeholder")
os.environ.setdefault("FIELD_ENCRYPTION_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")

from adminchat.settings.base import *  # noqa: E402, F403
