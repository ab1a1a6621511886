"""Texts as what can be searched for in them: words, Chinese words, identifiers and numbers (ENTRY-17).

Width and case don't matter, traditional characters count as simplified ones, English words as their stems, Chinese
numerals as digits. A token carries how much it says: an everyday word says little, a rare one or an identifier much.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

import regex

from memory import everyday

EVERYDAY = 6.6
"""The Zipf value from which a word says nothing. One with a value lower by n says n."""

LEAST = 0.2
"""What says less is no token."""

IDENTIFIER = 4.5
"""How much an identifier says as a whole."""

NAMING_NUMBER = 3.5
"""How much a number says that names something, such as an account."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it was written, and by what it is found in another text.

    ``key`` finds it as a whole, which says ``information``. Where the other text doesn't hold it, each of ``parts`` that
    it holds says less.
    """

    written: str
    key: str
    information: float
    parts: tuple[tuple[str, float], ...] = ()
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Analysis:
    """The clauses of a text, each as the tokens that say something."""

    clauses: tuple[tuple[Token, ...], ...]

    def tokens(self) -> Iterator[Token]:
        for clause in self.clauses:
            yield from clause

    def keys(self) -> frozenset[str]:
        return frozenset(key for token in self.tokens() for key in (token.key, *(part for part, _ in token.parts)))


_CLAUSE_END = regex.compile(r"(?<=[.!?;:,])\s+|(?<=[。！？；：，!?;\n])")
_PIECE = regex.compile(
    r"""
      (?P<numerals>[零〇一二两三四五六七八九十][零〇一二两三四五六七八九十百千万亿]+)
    | (?P<han>\p{Han}+?(?=[零〇一二两三四五六七八九十][零〇一二两三四五六七八九十百千万亿]|\P{Han}|$))
    | (?P<number>\p{Nd}+(?:[.,:]\p{Nd}+)*)(?:st|nd|rd|th)?(?![\w--\p{Han}]|[-./\\:@+]+[\w--\p{Han}])
    | (?P<latin>[\w--\p{Han}]+(?:['’]\p{L}+)?(?:[-./\\:@+]+[\w--\p{Han}]+)*)
    """,
    regex.VERBOSE | regex.VERSION1,
)
_POSSESSIVE = regex.compile(r"['’]\p{L}+$")
_PLAIN = regex.compile(r"(?:\p{Lu}?\p{Ll}+|\p{Lu}+)")
_COMPOUND = regex.compile(r"\p{L}\p{Ll}*(?:-\p{L}\p{Ll}*)+|\p{Ll}+(?:/\p{Ll}+)+")
_PATH = regex.compile(r"[/\\:@+]+")
_SEPARATORS = regex.compile(r"[-./\\:@+_]+")
_CASES = regex.compile(r"\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Nd}+|\p{L}+")
_DATE_OR_TIME = regex.compile(r"(?:19|20)\d\d|\d{1,2}:\d\d(?::\d\d)?")
_DIGITS = {numeral: str(value) for value, numeral in enumerate("零一二三四五六七八九")} | {"〇": "0", "两": "2"}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_LARGE_UNITS = {"万": 10_000, "亿": 100_000_000}


def analyse(text: str) -> Analysis:
    """Find what can be searched for in a text of any script."""
    clauses = (tuple(_tokens(unicodedata.normalize("NFKC", clause))) for clause in _CLAUSE_END.split(text))
    return Analysis(tuple(clause for clause in clauses if clause))


def _tokens(clause: str) -> Iterator[Token]:
    for piece in _PIECE.finditer(clause.translate(simplified())):
        written = clause[piece.start() : piece.end()]
        match piece.lastgroup:
            case "numerals":
                found = [_number(written, numeral_value(piece[0]))]
            case "han":
                found = list(_han(written, piece[0]))
            case "number":
                found = [_number(written, piece["number"])]
            case _:
                found = list(_latin(piece[0]))
        yield from (token for token in found if token.information > LEAST)


def _latin(written: str) -> Iterator[Token]:
    written = _POSSESSIVE.sub("", written)
    if _PLAIN.fullmatch(written):
        yield _word(written)
    elif _COMPOUND.fullmatch(written):
        yield from map(_word, regex.split("[-/]", written))
    else:
        yield _identifier(written)


def _word(written: str) -> Token:
    stem = everyday.stem(written.casefold())
    return Token(written, stem, _says(everyday.zipf(stem)))


def _identifier(written: str) -> Token:
    """An identifier, path or version; its parts are what stands between separators and between changes of case.

    Without separators it may be a word or a name as well, such as APIs or PostgreSQL.
    """
    word = _word(written) if written.isalpha() else None
    key = word.key if word else written.casefold()
    parts: dict[str, float] = {}
    for name in _PATH.split(written):
        parts[name.casefold()] = IDENTIFIER * len(name) / len(written)
    for part in filter(None, _SEPARATORS.split(written)):
        if not part.isalpha() and not part.isdigit():
            parts[part.casefold()] = IDENTIFIER * len(part) / len(written)
        for inner in _CASES.findall(part):
            token = _number(inner, inner) if inner.isdigit() else _word(inner)
            parts.setdefault(token.key, min(token.information, IDENTIFIER * len(inner) / len(written)))
    parts.pop(key, None)
    return Token(written, key, word.information if word else IDENTIFIER, tuple(parts.items()))


def _number(written: str, value: str) -> Token:
    """A number says little by itself, since everybody counts; but long ones that are not round are names."""
    digits = "".join(filter(str.isdigit, value)).lstrip("0")
    is_name = len(digits) > 3 and len(digits.rstrip("0")) > 2 and not _DATE_OR_TIME.fullmatch(value)
    says = NAMING_NUMBER if is_name else 0.5 * min(len(digits) or 1, 3)
    return Token(written, value.replace(",", ""), says, is_number=True)


def _han(written: str, run: str) -> Iterator[Token]:
    """The words of a run of characters. What no dictionary knows is matched by its pairs of characters."""
    begin = 0
    singles: list[tuple[str, str]] = []
    for word in everyday.words(run):
        shown = written[begin : begin + len(word)]
        begin += len(word)
        if len(word) == 1 and _single(word):
            singles.append((shown, word))
            continue
        yield from _unknown_han(singles)
        singles.clear()
        yield _han_word(shown, word)
    yield from _unknown_han(singles)


@lru_cache(maxsize=10_000)
def _han_word(written: str, word: str) -> Token:
    """A word of the dictionary, with the shorter ones in it."""
    inner = (
        word[start:end]
        for start in range(len(word) - 1)
        for end in range(start + 2, len(word) + 1)
        if end - start < len(word)
    )
    parts = tuple((part, _says(everyday.zipf_han(part))) for part in inner if everyday.is_word(part))
    return Token(written, word, _says(everyday.zipf_han(word)), parts)


def _unknown_han(singles: list[tuple[str, str]]) -> Iterator[Token]:
    if len(singles) == 1:
        shown, char = singles[0]
        yield Token(shown, char, _single(char))
    for (shown, char), (next_shown, next_char) in pairwise(singles):
        commonest = max(everyday.zipf_han(char), everyday.zipf_han(next_char))
        parts = ((char, _single(char)), (next_char, _single(next_char)))
        yield Token(shown + next_shown, char + next_char, _says(commonest - 0.8), parts)


def _single(char: str) -> float:
    return _says(everyday.zipf_han(char)) / 2


def _says(zipf: float) -> float:
    return max(0.0, EVERYDAY - zipf)


def numeral_value(numerals: str) -> str:
    """The number that Chinese numerals write; numerals without units are read as digits."""
    if not set(numerals) & {*_UNITS, *_LARGE_UNITS}:
        return "".join(_DIGITS[numeral] for numeral in numerals)
    total = section = digit = 0
    for numeral in numerals:
        if numeral in _LARGE_UNITS:
            total, section, digit = (total + section + digit or 1) * _LARGE_UNITS[numeral], 0, 0
        elif numeral in _UNITS:
            section, digit = section + (digit or 1) * _UNITS[numeral], 0
        else:
            digit = int(_DIGITS[numeral])
    return str(total + section + digit)


@cache
def simplified() -> dict[int, str]:
    """From each traditional character to its simplified one, character by character, so that places stay the same."""
    from opencc import OpenCC

    characters = [chr(code) for code in (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000))]
    simplified = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    return {ord(one): other for one, other in zip(characters, simplified, strict=True) if one != other}
