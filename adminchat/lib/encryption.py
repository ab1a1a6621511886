"""Encryption at rest: the only field for secret texts, and what key rotation needs (OPS-8, SEC-2).

The texts are stored in the format of django-encrypted-model-fields: Fernet tokens. Its field returns the ciphertext
when the key is wrong, decrypts what a form sends, and writes plain text through ``bulk_update`` and expressions;
the field here inherits the format from it and none of that.

``FIELD_ENCRYPTION_KEY`` is a list of Fernet keys: the first encrypts, all decrypt. It is read at every use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import NotSupportedError, models
from django.db.models.functions import Cast
from encrypted_model_fields import fields as library

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler

    LibraryField = models.TextField[str, str]  # as which the untyped library's field behaves
else:
    LibraryField = library.EncryptedTextField


class DecryptionError(Exception):
    """A stored text cannot be read with any of the configured keys. Carries neither text nor key."""

    def __init__(self) -> None:
        super().__init__("A stored text cannot be decrypted with the configured keys.")


class ExpressionRefusedError(NotSupportedError):
    """An encrypted field was to be written by the database: ``bulk_update``, ``F()`` or another expression."""

    def __init__(self) -> None:
        super().__init__("Encrypted fields are written with plain values only, not by bulk_update() or expressions.")


def encrypt(text: str) -> str:
    """Encrypt a text with the first key."""
    return _keyring().encrypt(text.encode()).decode("ascii")


def decrypt(token: str) -> str:
    """Decrypt with whichever key fits. Raises DecryptionError when none does."""
    try:
        return _keyring().decrypt(token).decode()
    except (InvalidToken, ValueError):
        raise DecryptionError from None


def reencrypt(token: str) -> str:
    """Encrypt again with the first key what any key can read. Raises DecryptionError when none can."""
    try:
        return _keyring().rotate(token).decode("ascii")
    except (InvalidToken, ValueError):
        raise DecryptionError from None


def uses_first_key(token: str) -> bool:
    """Say whether the first key alone can read this token, so that rotation may pass over it."""
    try:
        _fernets(_configured_keys())[0].decrypt(token)
    except (InvalidToken, ValueError):
        return False
    return True


def encrypted_fields() -> Iterator[tuple[type[models.Model], EncryptedTextField]]:
    """Yield every encrypted field of every installed model, each once, on the model whose table holds it."""
    for model in apps.get_models(include_auto_created=True):
        if model._meta.proxy:
            continue
        for field in model._meta.local_fields:
            if isinstance(field, EncryptedTextField):
                yield model, field


class Readable(models.Model):
    """A model with encrypted fields whose rows ``read`` gives: one that no key can read comes without them."""

    is_readable = True

    class Meta:
        abstract = True


Row = TypeVar("Row", bound=Readable)


def read(rows: models.QuerySet[Row]) -> list[Row]:
    """All of ``rows``, also those that no key can read, so that one of them doesn't take the others away (OPS-8)."""
    try:
        return list(rows)
    except DecryptionError:
        return _read_one_by_one(rows)


def _read_one_by_one(rows: models.QuerySet[Row]) -> list[Row]:
    """The same in two queries: the rows without what is encrypted, and the tokens of the fields that were asked for."""
    names, deferred = rows.query.deferred_loading
    encrypted = [field.name for field in rows.model._meta.fields if isinstance(field, EncryptedTextField)]
    wanted = [name for name in encrypted if (name in names) != deferred]
    bare = list(rows.defer(None).defer(*encrypted))  # None first: after only(), defer() would let some be read
    raw = {f"token_{name}": Cast(name, models.TextField()) for name in wanted}
    stored = rows.model._base_manager.filter(pk__in=[row.pk for row in bare]).annotate(**raw)
    tokens = {row["pk"]: row for row in stored.values("pk", *raw)}
    for row in bare:
        try:
            texts = {name: decrypt(tokens[row.pk][f"token_{name}"]) for name in wanted}
        except (DecryptionError, KeyError):  # or deleted in between
            row.is_readable = False
        else:
            vars(row).update(texts)
    return bare


class EncryptedTextField(LibraryField):
    """A text that the database holds as ciphertext; the only kind of encrypted field in use.

    Reading raises DecryptionError on a wrong key. Writing refuses expressions with ExpressionRefusedError. Of the
    lookups only ``isnull`` exists; another raises FieldError, as for an unknown one.
    """

    description = "Encrypted text"

    def to_python(self, value: Any) -> Any:
        """Convert what a form or a fixture gives; never decrypts, so that nobody can ask what a token says."""
        return models.TextField.to_python(self, value)

    def from_db_value(self, value: str | None, expression: Any, connection: BaseDatabaseWrapper) -> str | None:
        """Decrypt a loaded value."""
        return None if value is None else decrypt(value)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return the value to save; refuse an expression, which the database would evaluate on ciphertext."""
        return _plain_value(super().pre_save(model_instance, add))

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> str | None:
        """Encrypt a value on its way to the database."""
        prepared = models.TextField.get_db_prep_save(self, _plain_value(value), connection)
        return None if prepared is None else encrypt(str(prepared))

    def get_placeholder(self, value: Any, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> str:
        """Return the placeholder; Django asks for it with the value that ``update()`` is about to write."""
        _plain_value(value)
        return "%s"

    def get_lookup(self, lookup_name: str) -> Any:
        """Know ``isnull`` only: two encryptions of one text differ."""
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None

    def get_transform(self, lookup_name: str) -> Any:
        """Know no transforms."""
        return None


def _plain_value(value: Any) -> Any:
    if hasattr(value, "resolve_expression"):
        raise ExpressionRefusedError
    return value


def _configured_keys() -> tuple[str, ...]:
    keys: Sequence[str] | str = settings.FIELD_ENCRYPTION_KEY
    return (keys,) if isinstance(keys, str) else tuple(keys)


def _keyring() -> MultiFernet:
    return _keyring_of(_configured_keys())


@lru_cache(maxsize=8)
def _keyring_of(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet(_fernets(keys))


@lru_cache(maxsize=8)
def _fernets(keys: tuple[str, ...]) -> tuple[Fernet, ...]:
    try:
        fernets = tuple(Fernet(key) for key in keys)
    except ValueError:
        raise ImproperlyConfigured("FIELD_ENCRYPTION_KEY must hold Fernet keys.") from None
    if not fernets:
        raise ImproperlyConfigured("FIELD_ENCRYPTION_KEY must hold at least one key.")
    return fernets
