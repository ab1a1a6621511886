"""What the measurements are made of: rows of a table, and the small statistics in them."""

import json
import os
import platform
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import psutil

RESULTS = Path(__file__).parent / "results.md"


@dataclass(frozen=True)
class Row:
    """One figure. ``reached`` is None where the statement sets no limit."""

    id: str
    what: str
    figure: str
    limit: str = ""
    reached: bool | None = None

    def cells(self) -> list[str]:
        mark = {None: "", True: "yes", False: "**no**"}[self.reached]
        return [self.id, self.what, self.figure, self.limit, mark]


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest of ``values`` that ``share`` (0 to 1) of them don't exceed; not a number for none."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("nan")


def median(values: Iterable[float]) -> float:
    return percentile(values, 0.5)


def spread(values: Sequence[float], unit: str = "ms") -> str:
    """Median, 95th percentile and maximum in words."""
    if not values:
        return "none"
    return f"median {median(values):.1f}, p95 {percentile(values, 0.95):.1f}, max {max(values):.1f} {unit}"


@dataclass
class Shares:
    """How much of one core each process took during a measurement, so that the client's own part is known."""

    processes: dict[str, int]  # name → process id
    used: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    def __str__(self) -> str:
        return ", ".join(f"{name} {100 * used / self.seconds:.0f} %" for name, used in self.used.items())


@contextmanager
def shares(**processes: int) -> Iterator[Shares]:
    """Measure the share of a core that this process and ``processes`` (name=process id) take inside the block."""
    measured = Shares({"client": os.getpid(), **processes})
    before = {name: _cpu_seconds(pid) for name, pid in measured.processes.items()}
    began = time.monotonic()
    try:
        yield measured
    finally:
        measured.seconds = time.monotonic() - began
        measured.used = {name: _cpu_seconds(pid) - before[name] for name, pid in measured.processes.items()}


def _cpu_seconds(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def table(rows: Iterable[Row]) -> str:
    lines = [["id", "what", "figure", "to reach", "reached"], ["---"] * 5, *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def document(rows: Sequence[Row], command: str, loads: tuple[float, float]) -> str:
    """The whole of ``results.md``; ``loads`` are the machine's load averages before and after."""
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    before, after = loads
    return (
        "# Measured figures\n\n"
        f"{date.today().isoformat()}, `{command}`, {machine}. The client and the fake model endpoint share these cores with\n"
        f"what they measure. Load average before {before:.1f}, after {after:.1f}: the measurements themselves make about 2,\n"
        "what is above that came from other work and makes the figures worse.\n\n"
        f"{table(rows)}\n"
    )


def last_json(output: str) -> dict[str, object]:
    """The JSON object in the last line of a command's output."""
    value: dict[str, object] = json.loads(output.strip().splitlines()[-1])
    return value
