"""ELIGIBILITY and PERF-6: which messages of ``data/utterances_*.jsonl`` are let through to learning, and how fast.

The README of the data says what the figures were when each set was new to the patterns.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adminchat.settings.test")
django.setup()

from bench.relevance import milliseconds  # noqa: E402
from bench.report import Row, percentile  # noqa: E402
from memory.learning.eligibility import LIMIT, judge  # noqa: E402

DATA = Path(__file__).parent / "data"
LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Figures:
    """Shares from 0 to 1."""

    precision: float
    """Of the messages let through, those that should be."""
    recall: float
    """Of the messages that should be let through, those that are."""

    @property
    def reached(self) -> bool:
        return self.precision >= 0.95 and self.recall >= 0.95

    def __str__(self) -> str:
        return f"precision {self.precision:.1%}, recall {self.recall:.1%}"


def load(path: Path, language: str) -> list[dict[str, Any]]:
    """The lines of a file in one language, without those whose label can be argued both ways."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line["lang"] == language and "eligible" not in line.get("either", [])]


def own(language: str) -> list[dict[str, Any]]:
    return load(DATA / f"utterances_{language}.jsonl", language)


def figures(lines: list[dict[str, Any]]) -> Figures:
    passed = [line["eligible"] for line in lines if judge(line["text"]).eligible]
    wanted = sum(line["eligible"] for line in lines)
    return Figures(sum(passed) / len(passed) if passed else 1.0, sum(passed) / wanted if wanted else 1.0)


def eligibility() -> list[Row]:
    rows = []
    for language in LANGUAGES:
        lines = own(language)
        for name in sorted({line["set"] for line in lines}):
            found = figures([line for line in lines if line["set"] == name])
            what = f"{language}, {name.replace('_', ' ')}"
            rows.append(Row("ELIGIBILITY", what, str(found), "both ≥ 95 %", found.reached))
    return rows


def speed() -> list[Row]:
    rows = []
    for what, text in long_messages():
        judge(text)
        taken = [milliseconds(partial(judge, text)) for _ in range(20)]
        median, p95 = percentile(taken, 0.5), percentile(taken, 0.95)
        figure = f"median {median:.2f}, p95 {p95:.2f} ms"
        rows.append(Row("PERF-6", f"eligibility of {LIMIT} characters, {what}", figure, "median ≤ 3 ms", median <= 3))
    return rows


def long_messages() -> Iterator[tuple[str, str]]:
    """Ordinary work with a request at its end, and one near miss after the other."""
    for language in LANGUAGES:
        lines = [line["text"] for line in own(language) if "\n" not in line["text"]]
        requests = [line["text"] for line in own(language) if line["eligible"] and "\n" not in line["text"]]
        work = json.loads((DATA / "relevance" / f"work_{language}.json").read_text(encoding="utf-8"))
        prose = " ".join(entry["text"] for entry in work["entries"])
        yield f"{language}, prose", _of_full_length(prose, " " + requests[0])
        yield f"{language}, only triggers and near misses", _of_full_length("\n".join(lines), "")


def _of_full_length(text: str, end: str) -> str:
    return (text * (LIMIT // len(text) + 1))[: LIMIT - len(end)] + end
