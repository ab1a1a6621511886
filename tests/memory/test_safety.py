"""What should not be stored is found, and ordinary work is left alone (LEARN-14, LEARN-15, SEC-10)."""

import socket
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.safety import TEXT_LIMIT, Danger, dangers, findings
from tests.memory import safety_examples as examples

FOUND = [
    (Danger.PASSWORD, examples.PASSWORDS),
    (Danger.PERHAPS_PASSWORD, examples.PERHAPS_PASSWORDS),
    (Danger.PRIVATE_KEY, examples.PRIVATE_KEYS),
    (Danger.CREDENTIAL, examples.CREDENTIALS),
    (Danger.PAYMENT_CARD, examples.CARDS),
    (Danger.IDENTITY_NUMBER, examples.IDENTITIES),
    (Danger.SPECIAL_CATEGORY, examples.SPECIAL_CATEGORIES),
    (Danger.CONTACT, examples.CONTACTS),
    (Danger.ORDER, examples.ORDERS),
]


@pytest.mark.parametrize(("danger", "text"), [(danger, text) for danger, texts in FOUND for text in texts])
def test_what_should_not_be_stored_is_found(danger: Danger, text: str) -> None:  # LEARN-14
    assert danger in dangers(text)


@pytest.mark.parametrize("text", examples.HARMLESS)
def test_ordinary_work_is_left_alone(text: str) -> None:  # LEARN-14
    assert dangers(text) == []


def test_only_private_keys_and_passwords_are_refused_from_a_person() -> None:  # LEARN-15
    assert {danger for danger in Danger if danger.is_refused} == {Danger.PRIVATE_KEY, Danger.PASSWORD}


def test_a_finding_says_where_the_secret_stands() -> None:  # LEARN-9
    text = "记住密钥ｓｋ－ｐｒｏｊ－９ｆＫ２ｍＱ７ｘＶ１ｂＴ４，谢谢"
    (found,) = {(item.start, item.end) for item in findings(text)}

    assert text[found[0] : found[1]] == "ｓｋ－ｐｒｏｊ－９ｆＫ２ｍＱ７ｘＶ１ｂＴ４"


def test_hidden_characters_hide_nothing() -> None:  # LEARN-14
    assert dangers("password: hun\u200bter2") == [Danger.PASSWORD]


def test_nothing_is_asked_over_the_network(monkeypatch: pytest.MonkeyPatch) -> None:  # SEC-10
    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for _danger, texts in FOUND:
        for text in texts:
            findings(text)


@given(st.text(max_size=400))
def test_findings_lie_within_the_text(text: str) -> None:
    assert all(0 <= item.start < item.end <= len(text) for item in findings(text))


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "password ",
        "sk-",
        "1234 ",
        "eyJ",
        "密码",
        "password for x y z ",
        "A1b2",
        "://a:",
        "=",
        "ﬃ",
        "is a ",
        "小王",
        "when anyone ",
        "recommend ",
        "我的",
    ],
)
def test_no_text_takes_long(piece: str) -> None:  # SEC-7
    text = piece * TEXT_LIMIT
    start = time.process_time()
    findings(text)

    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("text", examples.CALLED_SECRET)
def test_what_is_called_a_secret_is_warned_of(text: str) -> None:  # LEARN-14, LEARN-15
    assert dangers(text)
