"""RELEVANCE and PERF-5: what is loaded for the questions of ``data/relevance``, beside a plain BM25, and how fast.

The parameters of ``memory/relevance.py`` are the same for all sets and languages: round numbers that were chosen once for the
sets ``work_*`` and those whose names end in ``_a``. The other sets are only measured: nothing is adjusted to them.
"""

import json
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import django
import regex

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adminchat.settings.test")
django.setup()

from adminchat.lib.tokens import estimate  # noqa: E402
from bench.report import Row, percentile  # noqa: E402
from memory import everyday  # noqa: E402
from memory.budget import Limits  # noqa: E402
from memory.loading import TOPIC, Candidate, Selection, select  # noqa: E402
from memory.management.commands.memory_rank import WORKSPACE, candidates  # noqa: E402
from memory.relevance import Document, rank  # noqa: E402

SETS = Path(__file__).parent / "data" / "relevance"
LIMITS = Limits(total=1000, core=300)
NOW = datetime(2026, 12, 1, tzinfo=UTC)

PASTED = 6_000
"""Characters of a text that is pasted whole."""

STOP_WORD = 6.0
"""The Zipf value from which a word is a stop word of the plain BM25."""

Choose = Callable[[Sequence[Candidate], str], list[str]]


@dataclass(frozen=True)
class Figures:
    """Shares from 0 to 1, as ``09-quality`` and the README of the sets define them."""

    recall: float
    """Of the relevant topic entries of the questions, those loaded."""
    recall_at_5: float
    precision: float
    """Of the topic entries loaded for questions that have relevant entries, the relevant ones."""
    quiet: float
    """Of the unrelated questions, those for which no topic entry was loaded."""

    @property
    def reached(self) -> bool:
        return self.recall >= 0.95 and self.precision >= 0.8 and self.quiet >= 0.9

    def __str__(self) -> str:
        return f"recall {self.recall:.1%}, quiet {self.quiet:.1%}, precision {self.precision:.1%}"


def sets() -> list[Path]:
    return sorted(SETS.glob("*.json"))


def load(path: Path) -> tuple[list[Candidate], list[dict[str, Any]]]:
    data = json.loads(path.read_text(encoding="utf-8"))
    return candidates(data["entries"]), data["questions"]


def figures(entries: Sequence[Candidate], questions: Sequence[dict[str, Any]], choose: Choose) -> Figures:
    topics = {entry.id for entry in entries if entry.tier == TOPIC}
    relevant_loaded = relevant_in_all = loaded_in_all = unrelated = quiet = 0
    at_5 = []
    for question in questions:
        loaded = [one for one in choose(entries, question["text"]) if one in topics]
        relevant = topics & set(question["relevant"])
        if not question["relevant"]:
            unrelated += 1
            quiet += not loaded
            continue
        relevant_loaded += len(relevant & set(loaded))
        relevant_in_all += len(relevant)
        loaded_in_all += len(loaded)
        if relevant:
            at_5.append(len(relevant & set(loaded[:5])) / len(relevant))
    return Figures(
        recall=_share(relevant_loaded, relevant_in_all),
        recall_at_5=_share(sum(at_5), len(at_5)),
        precision=_share(relevant_loaded, loaded_in_all),
        quiet=_share(quiet, unrelated),
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 1.0


def selection(entries: Sequence[Candidate], question: str) -> Selection:
    return select(entries, question, workspace=WORKSPACE, now=NOW, limits=LIMITS, count_tokens=estimate)


def ours(entries: Sequence[Candidate], question: str) -> list[str]:
    return [one.entry.id for one in selection(entries, question).loaded]


def plain_bm25(entries: Sequence[Candidate], question: str) -> list[str]:
    """BM25 over stemmed words without stop words, and pairs of Chinese characters; cut at half of the best score."""
    terms = {entry.id: Counter(_terms(f"{entry.topic} {entry.text}")) for entry in entries if entry.tier == TOPIC}
    holding = Counter(term for counts in terms.values() for term in counts)
    mean = sum(counts.total() for counts in terms.values()) / len(terms)
    scores = {}
    for entry_id, counts in terms.items():
        length = 1.2 * (0.25 + 0.75 * counts.total() / mean)
        scores[entry_id] = sum(
            math.log(1 + (len(terms) - holding[term] + 0.5) / (holding[term] + 0.5))
            * 2.2
            * counts[term]
            / (counts[term] + length)
            for term in sorted(set(_terms(question)))
            if term in counts
        )
    best = max(scores.values())
    return [one for one in sorted(scores, key=lambda one: -scores[one]) if scores[one] > 0 and scores[one] >= best / 2]


def _terms(text: str) -> Iterator[str]:
    for piece in regex.findall(r"\p{Han}+|[\w--\p{Han}]+", text.casefold(), regex.VERSION1):
        if regex.match(r"\p{Han}", piece):
            yield from (char for char in piece if everyday.zipf_han(char) < STOP_WORD)
            yield from (piece[start : start + 2] for start in range(len(piece) - 1))
        elif everyday.zipf(everyday.stem(piece)) < STOP_WORD:
            yield everyday.stem(piece)


def relevance() -> list[Row]:
    rows = []
    for path in sets():
        entries, questions = load(path)
        plain = [question for question in questions if not question.get("hard")]
        hard = [question for question in questions if question.get("hard")]
        for what, asked in (("", plain), (", hard questions", hard), (", all questions", questions)):
            found, other = figures(entries, asked, ours), figures(entries, asked, plain_bm25)
            limit = "" if what else "recall ≥ 95 %, quiet ≥ 90 %, precision ≥ 80 %"
            figure = f"{found}; plain BM25: {other}"
            rows.append(Row("RELEVANCE", f"{path.stem}{what}", figure, limit, None if what else found.reached))
    return rows


def speed() -> list[Row]:
    """Every question of every set, with what was found in the entries before; and what people paste."""
    ranking, choosing, pasted = [], [], []
    for path in sets():
        entries, questions = load(path)
        documents = [Document(entry.id, entry.text, entry.topic) for entry in entries]
        selection(entries, "")
        rank("", documents)
        for question in questions:
            ranking.append(milliseconds(lambda text=question["text"], book=documents: rank(text, book)))
            choosing.append(milliseconds(lambda text=question["text"], book=entries: selection(book, text)))
        pasted += [milliseconds(partial(rank, text, documents)) for text in _pasted(entries)]
    return [
        _row("ranking 80 entries", ranking, 2),
        _row("question → selection, 80 entries", choosing, 10),
        _row(f"ranking 80 entries for a pasted text of {PASTED} characters", pasted, None),
    ]


def _pasted(entries: Sequence[Candidate]) -> Iterator[str]:
    """The texts of a whole book in a row; a log, a table and a program are no slower."""
    texts = " ".join(entry.text for entry in entries)
    yield (texts * (PASTED // len(texts) + 1))[:PASTED]


def _row(what: str, values: list[float], limit: int | None) -> Row:
    median, p95, most = (percentile(values, share) for share in (0.5, 0.95, 1))
    figure = f"median {median:.2f}, p95 {p95:.2f}, max {most:.2f} ms"
    return Row("PERF-5", what, figure, f"p95 ≤ {limit} ms" if limit else "", p95 <= limit if limit else None)


def milliseconds(work: Callable[[], object]) -> float:
    """The processor's time, of the shortest of three runs: others use these cores, too."""
    taken = []
    for _ in range(3):
        began = time.thread_time()
        work()
        taken.append(time.thread_time() - began)
    return min(taken) * 1000
