"""How settings are read, and that their table is current (OPS-7)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from adminchat.settings.environment import Environment
from tests.servers import ROOT


@pytest.fixture
def env() -> Environment:
    return Environment()


def test_the_table_of_settings_is_current() -> None:  # OPS-7
    call_command("document_settings", check=True)


def test_a_value_may_come_from_a_file(
    env: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:  # OPS-7
    file = tmp_path / "key"
    file.write_text("from the file\n")
    monkeypatch.setenv("X_FILE", str(file))
    assert env.text("X", about="x") == "from the file"


def test_an_empty_limit_is_switched_off(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:  # OPS-7
    monkeypatch.setenv("X", "")
    assert env.optional_number("X", 5, about="x") is None


def test_a_limit_has_its_default(env: Environment) -> None:  # OPS-7
    assert env.optional_number("X", 5, about="x") == 5


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda env: env.number("X", 1, about="x"), "one"),
        (lambda env: env.number("X", 1, about="x", lowest=1), "0"),
        (lambda env: env.optional_number("X", 1, about="x"), "one"),
        (lambda env: env.seconds("X", 1, about="x"), "-5"),
        (lambda env: env.switch("X", True, about="x"), "perhaps"),
        (lambda env: env.choice("X", "a", ("a", "b"), about="x"), "c"),
        (lambda env: env.database("X", "sqlite:///x", about="x", shown=""), "nonsense"),
    ],
    ids=["number", "too small", "optional", "seconds", "switch", "choice", "database"],
)
def test_what_does_not_parse_is_named_and_not_shown(
    env: Environment, monkeypatch: pytest.MonkeyPatch, read: object, value: str
) -> None:  # OPS-7
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match=r"^X ") as refusal:
        read(env)  # type: ignore[operator]
    if len(value) > 1:
        assert value not in str(refusal.value)


BROKER = ("redis", "rediss", "unix")


@pytest.mark.parametrize(
    "value",
    ["foo", "foo.example.org", "https:chat.org", "HTTPS://chat.org", "ftp://chat.org", "https://", "https:///path"]
    + ["https://chat.org:eighty", "https://chat.org:99999", "https://[::1", "https://chat.org and.org"],
)
def test_a_web_address_that_is_none_is_refused(
    env: Environment, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:  # OPS-7
    monkeypatch.setenv("X", value)
    for read in (env.address, env.origins):
        with pytest.raises(ImproperlyConfigured, match=r"^X is not an address that begins with http:// or https://"):
            read("X", "", about="x")  # type: ignore[operator]


@pytest.mark.parametrize(
    "value", ["foo", "host:6379", "http://host:6379", "redis://", "redis://host:x/0", "redis://host/main", "unix://"]
)
def test_the_address_of_a_broker_that_is_none_is_refused(
    env: Environment, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:  # OPS-7
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match=r"^X is not an address that begins with redis:// or"):
        env.address("X", "", BROKER, about="x")


@pytest.mark.parametrize(
    "value",
    ["foo", "mysql://host/name", "postgresql://", "postgresql://host", "postgres:name", "sqlite://", "sqlite:name"],
)
def test_the_address_of_a_database_that_is_none_is_refused(
    env: Environment, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:  # OPS-7
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match=r"^X is not the address of a database"):
        env.database("X", "sqlite:///x", about="x", shown="")


@pytest.mark.parametrize("value", ["https://chat.example.org", "http://10.0.0.7:8000", "http://[::1]:8000/v1"])
def test_a_web_address_is_taken(env: Environment, monkeypatch: pytest.MonkeyPatch, value: str) -> None:  # OPS-7
    monkeypatch.setenv("X", value)
    assert env.address("X", "", about="x") == value


@pytest.mark.parametrize(
    "value", ["redis://host", "rediss://user:a%2Fb@host:6380/15?ssl_cert_reqs=none", "unix:///run/valkey.sock?db=1", ""]
)
def test_the_address_of_a_broker_is_taken(
    env: Environment, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:  # OPS-7
    monkeypatch.setenv("X", value)
    assert env.address("X", "", BROKER, about="x") == value


def test_a_missing_secret_is_named(env: Environment) -> None:  # OPS-7
    with pytest.raises(ImproperlyConfigured, match="X is not set"):
        env.text("X", about="x")


def test_words_are_stripped_and_empty_ones_dropped(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:  # OPS-7
    monkeypatch.setenv("X", " a, b,,")
    assert env.words("X", [], about="x") == ["a", "b"]


def test_given_host_names_come_on_top_of_the_local_ones() -> None:  # OPS-7
    program = "from adminchat.settings.test import ALLOWED_HOSTS; print(*ALLOWED_HOSTS)"
    given = {"ALLOWED_HOSTS": "chat.example.org,10.0.0.7", "ADMINCHAT_BASE_URL": "http://chat.test"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=os.environ | given, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == {
        *("localhost", "127.0.0.1", "[::1]"),
        *("chat.example.org", "10.0.0.7", "chat.test"),
    }
