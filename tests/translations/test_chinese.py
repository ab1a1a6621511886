"""The Chinese catalogue reads as Chinese, in the words of the glossary (I18N-1)."""

import re
from collections.abc import Callable

import pytest
from babel.messages.catalog import Message

from tests.servers import ROOT
from tests.translations.test_catalogues import FILES, PLACEHOLDER, catalogue, texts, translations

HAN = r"[\u3400-\u9fff]"
UNTRANSLATED = {"Anthropic", "JSON", "Markdown", "%(count)s %(name)s", ": ", ", "}  # the last two are full-width marks
TERM = re.compile(r"^\| ([^|]+?) \| ([^|]+?) \|", re.MULTILINE)


def messages() -> list[Message]:
    return [message for message in catalogue(FILES["zh-hans"]) if message.id]


def plain(text: str) -> str:
    """The text as it is read: without tags, each placeholder a Latin letter."""
    return PLACEHOLDER.sub("X", re.sub(r"<[^>]+>", "", text))


def glossary() -> dict[str, str]:
    rows = TERM.findall((ROOT / "docs" / "glossary.md").read_text())
    return {english.lower(): chinese for english, chinese in rows if english not in ("English", "---")}


MISTAKES: dict[str, Callable[[str], object]] = {
    "half-width punctuation": re.compile(rf"{HAN} ?[,;:!?]|{HAN}\.|[,;:!?] ?{HAN}|{HAN} ?\(|\) ?{HAN}").search,
    "straight quotation marks": re.compile(r"[\"'「」『』]").search,
    "no space beside Latin letters or digits": re.compile(rf"{HAN}[A-Za-z0-9]|[A-Za-z0-9]{HAN}").search,
    "a space beside full-width punctuation": re.compile(r" [，。：；？（）“”、]|[，。：；？（）“”、] ").search,
    "exclamation mark": re.compile(r"[!！]").search,
    "formal address": re.compile("您").search,
    "an ellipsis that is not Chinese": re.compile(r"(?<!…)…(?!…)|\.\.\.").search,
    "a word that the glossary rules out": re.compile("登陆|登出|帐号|账户|配置文件|个人资料|系统消息|会话").search,
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_typography_is_chinese(mistake: str) -> None:  # I18N-1
    found = MISTAKES[mistake]
    assert [text for message in messages() for text in translations(message) if found(plain(text))] == []


def test_sentences_end_as_their_source_does() -> None:  # I18N-1
    """A label stays a label, and a question a question."""
    wrong = []
    for message in messages():
        source, text = texts(message)[0], translations(message)[0]
        if source.endswith("?") != text.endswith("？") or (text.endswith("。") and not source.endswith(".")):
            wrong.append(text)
    assert wrong == []


def test_nothing_is_left_in_english() -> None:  # I18N-1
    left = [message.id for message in messages() for text in translations(message) if not re.search(HAN, text)]
    assert set(left) == UNTRANSLATED


def test_terms_follow_the_glossary() -> None:  # I18N-1
    terms = glossary()
    used = [message for message in messages() if message.context is None and str(message.id).lower() in terms]
    assert len(used) > 20
    wrong = {message.id: message.string for message in used if message.string != terms[str(message.id).lower()]}
    assert wrong == {}
