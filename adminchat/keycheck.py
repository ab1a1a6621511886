"""Proves that the encryption keys are those that the database was written with (OPS-8)."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from adminchat.accounts.models import KeyCheck
from adminchat.lib.encryption import DecryptionError, decrypt, encrypt

KNOWN_TEXT = "AdminChat can read what it wrote."


class WrongKey(Exception):
    """None of the keys of FIELD_ENCRYPTION_KEY decrypts the stored check."""

    advice = _(
        "FIELD_ENCRYPTION_KEY does not fit this database. Give back the key that it was written with (in quickstart "
        "the file field_encryption_key in the data directory), before or after any newer keys, separated by commas."
    )

    def __str__(self) -> str:
        return str(self.advice)


def verify() -> None:
    """Raise WrongKey when the stored check can't be decrypted; a database without one has nothing to check yet."""
    for check in KeyCheck.objects.all():
        try:
            if decrypt(check.token) == KNOWN_TEXT:
                return
        except DecryptionError:
            pass
        raise WrongKey


def store(**signal: Any) -> None:
    """Store the check once; the receiver of ``post_migrate``, so that every database has it from its start."""
    if not KeyCheck.objects.exists():
        KeyCheck.objects.create(token=encrypt(KNOWN_TEXT))
