"""The key check, and the rotation of keys (OPS-8)."""

from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client

from adminchat import keycheck, keyrotation
from adminchat.accounts.models import KeyCheck
from adminchat.checks import check_stored_key
from adminchat.connections.models import Connection
from adminchat.lib.encryption import uses_first_key
from adminchat.settings.keyfiles import new_encryption_key, refuse_bad_keys
from tests.factories import ConnectionFactory

pytestmark = pytest.mark.django_db


def stored_key(connection_id: Any) -> str:
    field = Connection._meta.get_field("api_key")
    assert field.column
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT api_key FROM {Connection._meta.db_table}")
        (token,) = cursor.fetchone()
    return str(token)


def rotate(**options: Any) -> str:
    output = StringIO()
    call_command("rotate_keys", stdout=output, **options)
    return output.getvalue()


@pytest.fixture
def stored_check() -> None:
    keycheck.store()


@pytest.mark.usefixtures("stored_check")
def test_the_right_key_passes() -> None:  # OPS-8
    keycheck.verify()
    assert check_stored_key(databases=["default"]) == []


@pytest.mark.usefixtures("stored_check")
def test_a_wrong_key_is_refused_with_what_to_do(settings: Any) -> None:  # OPS-8, REL-7
    settings.FIELD_ENCRYPTION_KEY = [new_encryption_key()]
    with pytest.raises(keycheck.WrongKey, match="Give back the key"):
        keycheck.verify()
    assert [error.id for error in check_stored_key(databases=["default"])] == ["adminchat.E001"]


@pytest.mark.usefixtures("stored_check")
def test_a_wrong_key_makes_the_site_unready(client: Client, settings: Any) -> None:  # OPS-8, OPS-10
    settings.FIELD_ENCRYPTION_KEY = [new_encryption_key()]
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["keys"]) == (503, "wrong")


@pytest.mark.usefixtures("stored_check")
def test_a_newer_key_in_front_passes(settings: Any) -> None:  # OPS-8
    settings.FIELD_ENCRYPTION_KEY = [new_encryption_key(), *settings.FIELD_ENCRYPTION_KEY]
    keycheck.verify()


def test_the_check_is_stored_once() -> None:  # OPS-8
    keycheck.store()
    keycheck.store()
    assert KeyCheck.objects.count() == 1


@pytest.mark.parametrize(
    "keys", [[], ["not a key"], [new_encryption_key(), "short"]], ids=["none", "bad", "bad second"]
)
def test_a_key_that_is_none_stops_the_start(keys: list[str]) -> None:  # OPS-7
    with pytest.raises(ImproperlyConfigured, match="FIELD_ENCRYPTION_KEY") as refusal:
        refuse_bad_keys(keys)
    assert not any(key in str(refusal.value) for key in keys)


@pytest.mark.usefixtures("stored_check")
def test_rotation_encrypts_all_with_the_first_key(settings: Any) -> None:  # OPS-8
    kept = ConnectionFactory.create(api_key="sk-kept")
    old = settings.FIELD_ENCRYPTION_KEY
    settings.FIELD_ENCRYPTION_KEY = [new_encryption_key(), *old]
    assert "1 rotated" in rotate()
    settings.FIELD_ENCRYPTION_KEY = settings.FIELD_ENCRYPTION_KEY[:1]
    assert Connection.objects.get(pk=kept.pk).api_key == "sk-kept"
    keycheck.verify()


@pytest.mark.usefixtures("stored_check")
def test_rotation_goes_on_where_it_was_stopped(settings: Any) -> None:  # OPS-8
    ConnectionFactory.create_batch(5, api_key="sk")
    settings.FIELD_ENCRYPTION_KEY = [new_encryption_key(), *settings.FIELD_ENCRYPTION_KEY]
    field = Connection._meta.get_field("api_key")
    assert next(iter(keyrotation.rotate(Connection, field, batch_rows=2))).rotated == 2  # type: ignore[arg-type]
    assert "3 rotated, 2 already with the first key" in rotate(batch_rows=2)


def test_rotation_never_overwrites_a_write_in_between(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # OPS-8
    edited = ConnectionFactory.create(api_key="sk-old")
    settings.FIELD_ENCRYPTION_KEY = [new_encryption_key(), *settings.FIELD_ENCRYPTION_KEY]
    reencrypt = keyrotation.reencrypt

    def edit_first(token: str) -> str:
        Connection.objects.filter(pk=edited.pk).update(api_key="sk-new")
        return reencrypt(token)

    monkeypatch.setattr(keyrotation, "reencrypt", edit_first)
    rotate()
    assert Connection.objects.get(pk=edited.pk).api_key == "sk-new"
    assert uses_first_key(stored_key(edited.pk))


def test_rotation_fails_when_a_key_is_missing(settings: Any) -> None:  # OPS-8
    ConnectionFactory.create(api_key="sk")
    settings.FIELD_ENCRYPTION_KEY = [new_encryption_key()]
    with pytest.raises(CommandError, match="Keep all old keys"):
        rotate()
