"""System checks: ids, hints, and a clean bill for what the documentation tells to set (OPS-7, SEC-4)."""

import os
import subprocess
import sys
from typing import Any

import pytest

from adminchat import checks
from adminchat.settings.keyfiles import new_encryption_key, new_secret_key
from tests.servers import ROOT

PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "adminchat.settings.base",
    "SECRET_KEY": new_secret_key(),
    "FIELD_ENCRYPTION_KEY": new_encryption_key(),
    "DATABASE_URL": "postgresql://adminchat@localhost/adminchat",
    "REDIS_URL": "redis://localhost:6379/0",
    "ADMINCHAT_BASE_URL": "https://chat.example.org",
    "ADMINCHAT_TRUSTED_PROXIES": "1",
}


def manage(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *words]
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    return subprocess.run(
        command, cwd=ROOT, env=kept | environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_the_documented_production_settings_pass_the_deployment_check() -> None:  # OPS-7, SEC-4
    done = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr


def test_secrets_come_from_files(tmp_path: Any) -> None:  # OPS-7
    key = tmp_path / "key"
    key.write_text(new_secret_key() + "\n")
    environment = {name: value for name, value in PRODUCTION.items() if name != "SECRET_KEY"}
    assert manage("check", SECRET_KEY_FILE=str(key), **environment).returncode == 0


def test_a_missing_key_is_named() -> None:  # OPS-7
    environment = {name: value for name, value in PRODUCTION.items() if name != "SECRET_KEY"}
    done = manage("check", **environment)
    assert done.returncode == 1
    assert done.stderr.startswith("AdminChat cannot start. SECRET_KEY is not set.")


def test_https_makes_cookies_secure_and_keeps_browsers_there() -> None:  # SEC-4
    wanted = [
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "SECURE_SSL_REDIRECT",
        "SECURE_HSTS_SECONDS",
        "ALLOWED_HOSTS",
    ]
    code = f"from django.conf import settings; print([getattr(settings, name) for name in {wanted}])"
    done = manage("shell", "--no-imports", "--command", code, **PRODUCTION)
    assert done.stdout.strip() == str(
        [True, True, True, 31_536_000, ["localhost", "127.0.0.1", "[::1]", "chat.example.org"]]
    )


def test_the_output_of_a_command_is_its_result_alone() -> None:  # OPS-10, 10-interfaces
    code = "import logging; logging.getLogger('adminchat').info('Said on the way'); print('{}')"
    done = manage("shell", "--no-imports", "--command", code, ADMINCHAT_LOG_LEVEL="INFO", **PRODUCTION)
    assert done.stdout.strip() == "{}"
    assert "Said on the way" in done.stderr


@pytest.mark.parametrize(
    ("check", "changes", "found"),
    [
        (checks.check_preset_model, {"ADMINCHAT_MODEL_KIND": "openai", "ADMINCHAT_MODEL_NAME": ""}, "adminchat.E002"),
        (checks.check_signs_of_life, {"ADMINCHAT_TURN_STALE_SECONDS": 5}, "adminchat.E003"),
        (checks.check_proxy, {"SECURE": True, "ADMINCHAT_TRUSTED_PROXIES": 0}, "adminchat.W001"),
        (checks.check_broker, {"REDIS_URL": ""}, "adminchat.W002"),
    ],
    ids=["preset without a model", "signs of life", "proxy", "broker"],
)
def test_a_mistake_is_reported_with_a_hint(settings: Any, check: Any, changes: Any, found: str) -> None:  # OPS-7
    for name, value in changes.items():
        setattr(settings, name, value)
    (message,) = check(None)
    assert message.id == found
    assert message.hint


@pytest.mark.parametrize(
    "check",
    [checks.check_preset_model, checks.check_signs_of_life, checks.check_proxy],
    ids=lambda check: check.__name__,
)
def test_the_defaults_are_fine(check: Any) -> None:  # OPS-7
    assert check(None) == []
