"""What is done to texts that people type, before they are stored or shown in one line."""

import re
import unicodedata

TITLE_WORDS = 60  # characters of a first message that serve as a title (CHAT-14)

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_TURNING = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # what follows, or is around, the other way
_MARKS = re.compile(r"^[\s#>*`~|=+-]+")
_INVISIBLE = {"Cc", "Cf", "Zs", "Zl", "Zp"}
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def cleaned(text: str) -> str:
    """``text`` with plain line ends, without control characters other than tab and line feed, and without blank ends.

    Control characters come along when terminal output is pasted; they mean nothing to a model, and PostgreSQL can't
    store NUL, so they are dropped rather than made the writer's problem. Indentation of the first line is kept.
    """
    text = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = text.rstrip().split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)


def is_blank(text: str) -> bool:
    """Whether nothing of ``text`` can be seen, zero-width characters included."""
    return all(unicodedata.category(character) in _INVISIBLE for character in text)


def one_line(text: str) -> str:
    """``text`` with every run of white space and control characters as one space, and without bidi controls."""
    return " ".join(_CONTROLS.sub(" ", _TURNING.sub("", text)).split())


def first_words(text: str, limit: int = TITLE_WORDS) -> str:
    """The beginning of a message as a title: one line of at most ``limit`` characters that ends with a whole word.

    Between Chinese, Japanese or Korean characters any place ends a word.
    """
    start = text[: limit * 20]
    line = next(
        (words for part in start.splitlines() if (words := one_line(_MARKS.sub("", part)))),
        one_line(start),
    )
    if len(line) <= limit:
        return line
    end = limit - 1
    while end > limit // 2 and _splits_word(line, end):
        end -= 1
    if _splits_word(line, end):  # one very long word
        end = limit - 1
    while end > 1 and _joined(line[end]):
        end -= 1
    return line[:end].rstrip(" ,;:，、；：") + "…"


def _splits_word(line: str, at: int) -> bool:
    before, after = line[at - 1], line[at]
    return not (before.isspace() or after.isspace() or _CJK.match(before) or _CJK.match(after))


def _joined(character: str) -> bool:
    """Whether ``character`` belongs to the one before it: a combining mark, a joiner, a variation selector."""
    return unicodedata.category(character) in {"Mn", "Mc", "Me", "Cf"}
