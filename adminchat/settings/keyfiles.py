"""Keys that quickstart makes once, each a file of the data directory that only its owner can read (OPS-8)."""

import base64
import contextlib
import os
import secrets
from pathlib import Path

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
