"""Both languages are complete, current, and fit to be formatted (I18N-1)."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings

from tests.servers import ROOT

SOURCES = ("adminchat", "chat", "memory", "templates", "locale", "manage.py")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def texts(message: Message) -> list[str]:
    return list(message.id) if isinstance(message.id, tuple) else [message.id]


def translations(message: Message) -> list[str]:
    return list(message.string) if isinstance(message.string, tuple) else [message.string]


LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
FILES = {"zh-hans": ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(language: str) -> None:  # I18N-1
    messages = [message for message in catalogue(FILES[language]) if message.id]
    assert messages
    assert [message.id for message in messages if message.fuzzy or not all(translations(message))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_the_placeholders(language: str) -> None:  # I18N-1
    wrong = []
    for message in catalogue(FILES[language]):
        wanted = {frozenset(PLACEHOLDER.findall(text)) for text in texts(message)}
        if message.id and any(frozenset(PLACEHOLDER.findall(text)) not in wanted for text in translations(message)):
            wrong.append(message.id)
    assert wrong == []


@pytest.mark.needs("gettext")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_is_current(language: str, tmp_path: Path) -> None:  # I18N-1
    for name in SOURCES:
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / name)
    command = [sys.executable, "manage.py", "makemessages", "--locale", "zh_Hans", "--verbosity", "0"]
    environment = {"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "adminchat.settings.test"}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, timeout=120)
    fresh, kept = catalogue(tmp_path / FILES[language].relative_to(ROOT)), catalogue(FILES[language])
    assert {(m.context, m.id) for m in fresh if m.id} == {(m.context, m.id) for m in kept if m.id}
