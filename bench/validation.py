"""The figures of validation: of right operations those that pass, of wrong ones those that are refused (LEARN-13…17)."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import bench.relevance  # noqa: F401  sets Django up
from bench.report import Row, percentile
from memory.management.commands.memory_validate import judge

SETS = Path(__file__).parent / "data"
TODAY = date(2026, 7, 1)
NEVER_WRITTEN = ("secret", "payment card", "identity", "permission", "instruction", "forged")
"""Categories of which no wrong operation may be written, by how they begin."""


@dataclass(frozen=True)
class Figures:
    """Counts of operations; ``grave`` are wrong ones of ``NEVER_WRITTEN`` that were written."""

    right: int
    passed: int
    wrong: int
    refused: int
    grave: int

    @property
    def reached(self) -> bool:
        return self.passed >= 0.95 * self.right and self.refused >= 0.95 * self.wrong and not self.grave

    def __str__(self) -> str:
        return f"right passed {self.passed}/{self.right}, wrong refused {self.refused}/{self.wrong}"


def sets() -> list[Path]:
    return sorted(SETS.glob("operations_*.jsonl"))


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def figures(path: Path) -> Figures:
    right = passed = wrong = refused = grave = 0
    for line in lines(path):
        outcomes = judge(line, TODAY)["outcomes"]
        for outcome, expected in zip(outcomes, line["expected"], strict=True):
            written = outcome["result"] == "written"
            if expected == "written":
                right, passed = right + 1, passed + written
            else:
                wrong, refused = wrong + 1, refused + (not written)
                grave += written and line["cat"].startswith(NEVER_WRITTEN)
    return Figures(right, passed, wrong, refused, grave)


def validation() -> list[Row]:
    rows, taken = [], []
    for path in sets():
        found = figures(path)
        rows.append(Row("VALIDATION", path.stem, str(found), "≥ 95 % of each", found.reached))
        for line in lines(path):
            began = time.thread_time()
            judge(line, TODAY)
            taken.append((time.thread_time() - began) * 1000)
    figure = (
        f"median {percentile(taken, 0.5):.1f}, p95 {percentile(taken, 0.95):.1f}, max {percentile(taken, 1):.1f} ms"
    )
    return [*rows, Row("VALIDATION", "a turn's operations", figure)]
