"""Encrypts everything again with the first key, while the service runs (OPS-8)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection, models, transaction

from adminchat.accounts.models import KeyCheck
from adminchat.lib.encryption import DecryptionError, encrypted_fields, reencrypt, uses_first_key

BATCH_ROWS = 200


@dataclass
class Progress:
    """What became of the values of one column."""

    column: str
    rotated: int = 0
    current: int = 0  # encrypted with the first key already
    changed: int = 0  # written by somebody else in the meantime, and so with the first key
    unreadable: int = 0


def columns() -> list[tuple[type[models.Model], models.Field[Any, Any]]]:
    """Return every column that holds ciphertext, the key check last: it turns over when all the rest has."""
    check = KeyCheck._meta.get_field("token")
    assert isinstance(check, models.Field)
    return [*encrypted_fields(), (KeyCheck, check)]


def rotate(
    model: type[models.Model], field: models.Field[Any, Any], batch_rows: int = BATCH_ROWS
) -> Iterator[Progress]:
    """Rotate one column, and yield the progress after each batch.

    1. Rows are read in the order of their keys, a batch at a time, as the database has them.
    2. A value is replaced only if it is still the one that was read, so a write in between is never lost.
    3. Stopped at any point, the next run skips what is done and goes on.
    """
    progress = Progress(f"{model._meta.label}.{field.name}")
    last: Any = None
    while rows := _batch(model, field, last, batch_rows):
        with transaction.atomic():
            for key, token in rows:
                _rotate_value(model, field, key, token, progress)
        last = rows[-1][0]
        yield progress


def _rotate_value(
    model: type[models.Model], field: models.Field[Any, Any], key: Any, token: str, progress: Progress
) -> None:
    try:
        if uses_first_key(token):
            progress.current += 1
            return
        fresh = reencrypt(token)
    except DecryptionError:
        progress.unreadable += 1
        return
    table, column, primary = _quoted(model, field)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET {column} = %s WHERE {primary} = %s AND {column} = %s",  # noqa: S608 (quoted names)
            [fresh, key, token],
        )
        if cursor.rowcount:
            progress.rotated += 1
        else:
            progress.changed += 1


def _batch(model: type[models.Model], field: models.Field[Any, Any], last: Any, size: int) -> list[tuple[Any, str]]:
    table, column, primary = _quoted(model, field)
    after = "" if last is None else f" AND {primary} > %s"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {primary}, {column} FROM {table} WHERE {column} IS NOT NULL AND {column} <> ''{after} "  # noqa: S608
            f"ORDER BY {primary} LIMIT {int(size)}",
            [] if last is None else [last],
        )
        rows: list[tuple[Any, str]] = cursor.fetchall()
        return rows


def _quoted(model: type[models.Model], field: models.Field[Any, Any]) -> tuple[str, str, str]:
    """Return the names of the table, the column and the primary key's column, quoted for SQL."""
    names = (model._meta.db_table, str(field.column), str(model._meta.pk.column))
    table, column, primary = (str(connection.ops.quote_name(name)) for name in names)
    return table, column, primary
