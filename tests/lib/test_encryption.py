"""What the encrypted field promises, on a real table."""

from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import FieldError, ImproperlyConfigured
from django.db import connection, models
from django.db.models import F, Value
from django.db.models.functions import Concat, Lower
from django.test.utils import isolate_apps
from pytest_django import Settings

from adminchat.lib.encryption import (
    DecryptionError,
    EncryptedTextField,
    ExpressionRefusedError,
    decrypt,
    encrypt,
    encrypted_fields,
    reencrypt,
    uses_first_key,
)

OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()
SECRET = "密码 and 🔑"


@pytest.fixture(scope="module")
def secret_model() -> Iterator[Any]:
    with isolate_apps("tests"):

        class Secret(models.Model):
            text = EncryptedTextField(blank=True, default="")
            maybe = EncryptedTextField(null=True)
            plain = models.TextField(default="")

            class Meta:
                app_label = "tests"
                db_table = "tests_encryption_secret"

        yield Secret


@pytest.fixture
def secrets(transactional_db: None, secret_model: Any) -> Iterator[Any]:
    with connection.schema_editor() as editor:
        editor.create_model(secret_model)
    yield secret_model.objects
    with connection.schema_editor() as editor:
        editor.delete_model(secret_model)


def raw(column: str = "text") -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT text, maybe FROM tests_encryption_secret ORDER BY id")
        return [row[column == "maybe"] for row in cursor.fetchall()]


def test_text_is_ciphertext_in_the_database_and_plain_when_loaded(
    secrets: Any,
) -> None:  # SEC-2
    row = secrets.create(text=SECRET)
    assert SECRET not in raw()[0]
    assert decrypt(raw()[0]) == SECRET
    assert secrets.get(pk=row.pk).text == SECRET
    assert list(secrets.values_list("text", flat=True)) == [SECRET]


def test_every_way_of_writing_a_plain_value_encrypts(secrets: Any) -> None:  # SEC-2
    secrets.bulk_create([secrets.model(text="one"), secrets.model(text="two")])
    row = secrets.create(text="three")
    row.text = "four"
    row.save(update_fields=["text"])
    secrets.filter(text__isnull=False, pk=row.pk).update(maybe="five", plain="five")
    assert [decrypt(value) for value in raw()] == ["one", "two", "four"]
    assert decrypt(raw("maybe")[2]) == "five"


def test_null_stays_null_and_can_be_asked_for(secrets: Any) -> None:  # OPS-8
    secrets.create(text="")
    assert raw("maybe") == [None]
    assert secrets.get(maybe__isnull=True).maybe is None
    assert raw()[0] != ""


def test_wrong_key_raises_without_content(secrets: Any, settings: Settings) -> None:  # OPS-8
    settings.FIELD_ENCRYPTION_KEY = [OLD]
    secrets.create(text=SECRET)
    token = raw()[0]
    settings.FIELD_ENCRYPTION_KEY = [NEW]
    with pytest.raises(DecryptionError) as caught:
        secrets.get()
    assert token not in str(caught.value)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("stored", ["never encrypted", "", "gAAAA", "é"])
def test_what_is_no_ciphertext_raises(secrets: Any, stored: str) -> None:  # OPS-8
    secrets.create(text="x")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tests_encryption_secret SET text = %s", [stored])
    with pytest.raises(DecryptionError):
        secrets.get()


def test_deferred_field_loads_only_when_touched(secrets: Any, settings: Settings) -> None:  # OPS-8
    settings.FIELD_ENCRYPTION_KEY = [OLD]
    secrets.create(text=SECRET, plain="seen")
    settings.FIELD_ENCRYPTION_KEY = [NEW]
    row = secrets.defer("text", "maybe").get()
    assert row.plain == "seen"
    with pytest.raises(DecryptionError):
        _ = row.text
    settings.FIELD_ENCRYPTION_KEY = [NEW, OLD]
    assert row.text == SECRET


def test_a_token_that_someone_types_is_kept_as_typed(secrets: Any) -> None:  # SEC-2
    token = encrypt("the secret of someone else")
    row = secrets.create(text=token)
    row.refresh_from_db()
    assert row.text == token
    assert secrets.model._meta.get_field("text").clean(token, row) == token


def test_bulk_update_is_refused_and_changes_nothing(secrets: Any) -> None:  # OPS-8
    row = secrets.create(text=SECRET)
    before = raw()
    row.text = "other"
    with pytest.raises(ExpressionRefusedError):
        secrets.bulk_update([row], ["text"])
    assert raw() == before


@pytest.mark.parametrize(
    "expression",
    [F("plain"), F("text"), Value("x"), Lower("text"), Concat("text", Value("x"))],
    ids=repr,
)
def test_expressions_are_refused_and_change_nothing(secrets: Any, expression: Any) -> None:  # OPS-8
    row = secrets.create(text=SECRET)
    before = raw()
    with pytest.raises(ExpressionRefusedError):
        secrets.update(text=expression)
    row.text = expression
    with pytest.raises(ExpressionRefusedError):
        row.save()
    with pytest.raises(ExpressionRefusedError):
        secrets.create(text=expression)
    assert raw() == before


@pytest.mark.parametrize(
    "lookup",
    ["", "__exact", "__iexact", "__contains", "__in", "__gt", "__regex", "__length"],
)
def test_lookups_are_refused(secrets: Any, lookup: str) -> None:  # OPS-8
    with pytest.raises(FieldError):
        secrets.filter(**{f"text{lookup}": "x"}).count()


def test_first_key_encrypts_and_all_decrypt(settings: Settings) -> None:  # OPS-8
    settings.FIELD_ENCRYPTION_KEY = [OLD]
    token = encrypt(SECRET)
    settings.FIELD_ENCRYPTION_KEY = [NEW, OLD]
    assert decrypt(token) == SECRET
    assert not uses_first_key(token)
    rotated = reencrypt(token)
    assert uses_first_key(rotated)
    assert uses_first_key(encrypt("x"))
    settings.FIELD_ENCRYPTION_KEY = [NEW]
    assert decrypt(rotated) == SECRET
    with pytest.raises(DecryptionError):
        reencrypt(token)
    assert not uses_first_key("nonsense")


@pytest.mark.parametrize("keys", [[], ["short"], [OLD, ""]])
def test_unusable_keys_are_named_but_not_shown(settings: Settings, keys: list[str]) -> None:  # OPS-8
    settings.FIELD_ENCRYPTION_KEY = keys
    with pytest.raises(ImproperlyConfigured) as caught:
        encrypt("x")
    assert "FIELD_ENCRYPTION_KEY" in str(caught.value)
    assert OLD not in str(caught.value)


def test_field_can_be_rebuilt_by_a_migration(secret_model: Any) -> None:  # OPS-9
    name, path, args, kwargs = secret_model._meta.get_field("text").deconstruct()
    assert (name, path) == ("text", "adminchat.lib.encryption.EncryptedTextField")
    rebuilt = EncryptedTextField(*args, **kwargs)
    assert rebuilt.deconstruct()[1:] == (path, args, kwargs)
    assert rebuilt.get_internal_type() == "TextField"


def test_all_encrypted_fields_are_found_and_nothing_else() -> None:  # OPS-8
    found = {(model._meta.label, field.name) for model, field in encrypted_fields()}
    assert ("connections.Connection", "api_key") in found
    assert all(isinstance(field, EncryptedTextField) for _, field in encrypted_fields())


def test_no_model_uses_another_kind_of_encrypted_field() -> None:  # OPS-8
    from django.apps import apps
    from encrypted_model_fields.fields import EncryptedMixin

    for model in apps.get_models():
        for field in model._meta.local_fields:
            assert not isinstance(field, EncryptedMixin) or isinstance(field, EncryptedTextField)
