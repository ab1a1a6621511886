"""What makes a message worth a look, per language: data files beside this module, compiled once (LEARN-3).

A file ``xx.toml`` is a language: nothing else knows about it. Its patterns see folded text (``folding``). A pattern that
begins with ``{open}`` is tried where a clause opens, after words such as "please"; one with ``{asked}`` only after words
with which people ask for something, such as "could you", and it counts in a question, too; any other is searched for.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_OPEN, _ASKED = "{open}", "{asked}"
_PART = re.compile(r"\{([a-z_]+)\}")
_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Patterns:
    """Some patterns that mean the same, by where they are tried."""

    opening: re.Pattern[str]
    asked: re.Pattern[str]
    anywhere: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Language:
    """A compiled file. ``families`` is empty where only wishes are known."""

    code: str
    version: int
    cues: tuple[str, ...]
    refusal_cues: tuple[str, ...]
    start: re.Pattern[str]
    lead: re.Pattern[str]
    ask: re.Pattern[str]
    question: re.Pattern[str]
    nod: re.Pattern[str]
    turn: re.Pattern[str]
    introduces: re.Pattern[str]
    asides: Patterns
    refusal: Patterns
    everything: Patterns
    families: Mapping[str, Patterns]
    wishes: re.Pattern[str]


@cache
def languages() -> tuple[Language, ...]:
    """Every language there is a file for."""
    return tuple(_compiled(source) for source in sources())


def sources() -> Iterator[dict[str, Any]]:
    """The files as they are, with their examples."""
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        yield tomllib.loads(path.read_text(encoding="utf-8"))


def _compiled(source: dict[str, Any]) -> Language:
    parts: dict[str, list[str]] = source.get("parts", {})

    def one(patterns: Iterable[str]) -> re.Pattern[str]:
        joined = "|".join(_filled(pattern, parts) for pattern in patterns)
        return re.compile(joined) if joined else _NEVER

    def several(patterns: Iterable[str]) -> Patterns:
        opening, asked, anywhere = [], [], []
        for pattern in patterns:
            if pattern.startswith(_OPEN):
                opening.append(pattern.removeprefix(_OPEN))
            elif pattern.startswith(_ASKED):
                asked.append(pattern.removeprefix(_ASKED))
            else:
                anywhere.append(pattern)
        return Patterns(one(opening), one(asked), one(anywhere))

    return Language(
        code=source["language"],
        version=source["version"],
        cues=tuple(source["cues"]),
        refusal_cues=tuple(source["refusal_cues"]),
        start=one(parts.get("start", [])),
        lead=one(parts.get("leads", [])),
        ask=one(parts.get("ask", [])),
        question=one(source.get("question", [])),
        nod=one(source.get("nod", [])),
        turn=one(source.get("turn", [])),
        introduces=one(source.get("introduces", [])),
        asides=several(pattern for aside in source.get("aside", {}).values() for pattern in aside["patterns"]),
        refusal=several(source.get("refusal", {}).get("patterns", [])),
        everything=several(source.get("everything", {}).get("patterns", [])),
        families={name: several(family["patterns"]) for name, family in source.get("families", {}).items()},
        wishes=one(source.get("wishes", {}).get("patterns", [])),
    )


def _filled(pattern: str, parts: Mapping[str, list[str]]) -> str:
    """``pattern`` with the alternatives in place of the names of parts, which may name others."""
    return _PART.sub(lambda match: f"(?:{'|'.join(_filled(one, parts) for one in parts[match[1]])})", pattern)
