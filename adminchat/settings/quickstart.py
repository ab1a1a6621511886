"""One machine, nothing to configure: keys are made once and kept in the data directory (OPS-2, OPS-8)."""

import os
from pathlib import Path

from environs import FileAwareEnv

from adminchat.settings import keyfiles

_root = Path(__file__).resolve().parent.parent.parent
_data = Path(os.environ.get("ADMINCHAT_DATA_DIR") or _root / "data").absolute()

_database = FileAwareEnv(strip_whitespace=True).str("DATABASE_URL", "") or f"sqlite:///{_data / 'adminchat.sqlite3'}"

keyfiles.refuse_lost_key(_data / "field_encryption_key", _database)
keyfiles.provide("FIELD_ENCRYPTION_KEY", _data / "field_encryption_key", keyfiles.new_encryption_key())
keyfiles.provide("SECRET_KEY", _data / "secret_key", keyfiles.new_secret_key())
os.environ.setdefault("ADMINCHAT_ALLOWED_PRIVATE_HOSTS", "localhost,127.0.0.1,::1")
os.environ.setdefault("ADMINCHAT_LOG_FORMAT", "text")

from adminchat.logs import configuration  # noqa: E402
from adminchat.settings.base import *  # noqa: E402
from adminchat.settings.base import ADMINCHAT_HOST, ADMINCHAT_LOG_FORMAT, ADMINCHAT_LOG_LEVEL, ALLOWED_HOSTS  # noqa: E402

if ADMINCHAT_HOST not in ("127.0.0.1", "localhost", "0.0.0.0", "::", ""):
    ALLOWED_HOSTS = [*ALLOWED_HOSTS, ADMINCHAT_HOST]

# Lines go to each process's file, errors to the terminal as well.
LOGGING = configuration(ADMINCHAT_LOG_LEVEL, ADMINCHAT_LOG_FORMAT, errors_to_stderr=True)
