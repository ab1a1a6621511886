"""What words do in a sentence, one file per language (LEARN-13). Messages mix languages, so all are read as one."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import regex

from memory import everyday

LANGUAGES = ("en", "zh")
_WORDS = ("function", "framing", "forget_framing", "third_persons", "symmetric", "lasting")
_NO_PATTERNS = {*_WORDS, "loose", "irregular"}


@dataclass(frozen=True)
class Words:
    """The lists of all languages. ``stems`` leads from irregular forms to what they are forms of."""

    function: frozenset[str]
    framing: frozenset[str]
    forget_framing: frozenset[str]
    third_persons: frozenset[str]
    symmetric: frozenset[str]
    lasting: frozenset[str]
    stems: dict[str, str]
    loose: tuple[regex.Pattern[str], ...]
    patterns: dict[str, regex.Pattern[str]]

    def stem(self, word: str) -> str:
        return everyday.stem(self.stems.get(word, word))

    def has(self, pattern: str, text: str) -> bool:
        """Whether the pattern of this name is in a folded text."""
        return bool(self.patterns[pattern].search(text))


@cache
def words() -> Words:
    files = [_read(language) for language in LANGUAGES]
    stems = {
        form: word
        for file in files
        for word, _, forms in (line.partition(":") for line in file["irregular"].split())
        for form in forms.split(",")
    }
    lists = {
        name: frozenset(everyday.stem(stems.get(word, word)) for file in files for word in file[name].split())
        for name in _WORDS
    }
    patterns = {
        name: regex.compile("|".join(f"(?:{file[name]})" for file in files), regex.VERSION1)
        for name in files[0].keys() - _NO_PATTERNS
    }
    loose = tuple(regex.compile(pattern, regex.VERSION1) for file in files for pattern in file["loose"])
    return Words(**lists, stems=stems, loose=loose, patterns=patterns)


def _read(language: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / f"{language}.toml").read_text(encoding="utf-8"))
