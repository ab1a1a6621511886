"""Keys that quickstart makes once, each a file of the data directory that only its owner can read (OPS-8)."""

import base64
import contextlib
import os
import secrets
import sqlite3
from pathlib import Path

import dj_database_url
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured


def new_secret_key() -> str:
    return secrets.token_urlsafe(50)


def new_encryption_key() -> str:
    """Return a Fernet key: 32 random bytes in URL-safe base64."""
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def refuse_bad_keys(keys: list[str]) -> None:
    """Raise ImproperlyConfigured when there is no key, or one that is none; it is told by its place, never shown."""
    for place, key in enumerate(keys, start=1):
        try:
            Fernet(key)
        except ValueError as error:
            raise ImproperlyConfigured(
                f"FIELD_ENCRYPTION_KEY: key {place} of {len(keys)} is not a Fernet key (32 random bytes in URL-safe "
                "base64). `manage.py make_key`, with the variable unset, prints a new one."
            ) from error
    if not keys:
        raise ImproperlyConfigured(
            "FIELD_ENCRYPTION_KEY holds no key. `manage.py make_key`, with the variable unset, prints one."
        )


def refuse_lost_key(path: Path, database_url: str) -> None:
    """Raise ImproperlyConfigured when ``path`` is missing though the database was written with the key that it held.

    A new key would hide the loss: nothing that is encrypted could be read any more (REL-7). A database that can't be
    asked is refused, too. Does nothing where the environment gives the key.
    """
    if path.exists() or any(name in os.environ for name in ("FIELD_ENCRYPTION_KEY", "FIELD_ENCRYPTION_KEY_FILE")):
        return
    try:
        lost = _was_written(database_url)
    except DatabaseAway as error:
        raise ImproperlyConfigured(
            f"There is no key file {path} yet, and the database doesn't tell whether it was written with one. Check "
            "DATABASE_URL, and that the server runs and lets this user in."
        ) from error
    if lost:
        raise ImproperlyConfigured(
            f"The key file {path} is missing, but the database was written with it. Give back the file from a backup, "
            "or set FIELD_ENCRYPTION_KEY to the key that it held. No new key was made."
        )


def provide(name: str, path: Path, new_key: str) -> None:
    """Let the variable ``name`` be read from the file ``path``, made with ``new_key`` when it isn't there yet.

    What the environment gives itself is left alone. Raises ImproperlyConfigured when the file can be neither read nor
    made.
    """
    if name in os.environ or f"{name}_FILE" in os.environ:
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            _write_once(path, new_key)
        path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data directory {path.parent} cannot be used ({error.strerror}). Make it writable for this user, or "
            "set ADMINCHAT_DATA_DIR to a directory that is."
        ) from error
    os.environ[f"{name}_FILE"] = str(path)


class DatabaseAway(Exception):
    """The database can't be asked."""


def _was_written(database_url: str) -> bool:
    """Whether the database has been prepared before. Asked without Django, whose settings are only being read."""
    if database_url.startswith(("postgresql://", "postgres://")):
        import psycopg

        try:
            with psycopg.connect(database_url, connect_timeout=5) as server:
                return server.execute("SELECT to_regclass('accounts_keycheck')").fetchone() != (None,)
        except psycopg.Error as error:
            raise DatabaseAway from error
    try:
        file = Path(str(dj_database_url.parse(database_url)["NAME"]))
    except ValueError:
        return False  # refused by name as soon as it is read
    if not file.is_file():
        return False
    try:
        with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
            return bool(database.execute("SELECT 1 FROM sqlite_master WHERE name = 'accounts_keycheck'").fetchone())
    except sqlite3.Error as error:
        raise DatabaseAway from error


def _write_once(path: Path, key: str) -> None:
    """Write the file whole, or leave the one that another process made in the meantime."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(key + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
