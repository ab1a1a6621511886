"""Commands, refusals and checks answer in the language of the terminal (I18N-1)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adminchat.management.language import terminal_language
from tests.servers import ROOT


def manage(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command with the settings of the tests and ``environment``."""
    given = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "adminchat.settings.test", "PYTHONUTF8": "1"}
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(
        command, cwd=ROOT, env=given | environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh-hans"),
        ({"LANG": "zh_SG"}, "zh-hans"),
        ({"LANG": "en_GB.UTF-8@euro"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh-hans"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
    ids=str,
)
def test_the_locale_chooses_the_language(
    locale: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # I18N-1
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    assert terminal_language() == language


@pytest.mark.parametrize(("locale", "said"), [("zh_CN.UTF-8", "所有加密字段"), ("C.UTF-8", "Encrypts all")])
def test_help_is_in_the_language_of_the_terminal(locale: str, said: str) -> None:  # I18N-1
    assert said in manage("rotate_keys", "--help", LANG=locale).stdout


def test_a_check_says_what_to_do_in_chinese() -> None:  # I18N-1, OPS-7
    done = manage("check", "--tag", "adminchat", LANG="zh_CN.UTF-8", ADMINCHAT_MODEL_KIND="openai")
    assert done.returncode != 0
    assert "预置的模型连接没有指定模型" in done.stderr and "ADMINCHAT_MODEL_NAME" in done.stderr


def test_a_refused_start_says_what_to_do_in_chinese(tmp_path: Path) -> None:  # I18N-1, REL-7
    (tmp_path / "data").write_text("not a directory")
    done = manage("quickstart", LANG="zh_CN.UTF-8", ADMINCHAT_DATA_DIR=str(tmp_path / "data"))
    assert done.returncode != 0
    assert "无法写入数据目录" in done.stderr
