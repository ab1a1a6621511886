"""Settings of the test suite, and of the servers that tests start (they get the rest by environment)."""

import atexit
import os
import shutil
import tempfile

os.environ.setdefault("SECRET_KEY", "only-for-tests-only-for-tests-only-for-tests-only-for-tests")
os.environ.setdefault("FIELD_ENCRYPTION_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
if "ADMINCHAT_DATA_DIR" not in os.environ:
    os.environ["ADMINCHAT_DATA_DIR"] = tempfile.mkdtemp(prefix="adminchat-test-")
    atexit.register(shutil.rmtree, os.environ["ADMINCHAT_DATA_DIR"], ignore_errors=True)

from adminchat.settings.base import *
from adminchat.settings.base import ADMINCHAT_DATA_DIR, DATABASES

# A file, not memory: threads and other processes of a test see the same database.
DATABASES["default"]["TEST"] = (
    {"NAME": str(ADMINCHAT_DATA_DIR / "test.sqlite3")}
    if DATABASES["default"]["ENGINE"] == "adminchat.lib.sqlite"
    else {"NAME": f"test_adminchat_{os.getpid()}"}
)

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = False
