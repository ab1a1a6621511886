"""PERF-8: how long quickstart takes to be ready the second time, and what its processes hold."""

import subprocess
import sys
import time
from pathlib import Path

import psutil

from bench.installation import ROOT, environment_of, free_port
from bench.report import Row

SETTLE_SECONDS = 10.0  # until what starts late has started


def second_start(directory: Path) -> list[Row]:
    """Start twice in the empty ``directory``; the second time counts."""
    environment = environment_of(directory, ADMINCHAT_PORT=str(free_port()))
    _start(environment, settle=0)
    seconds, resident, proportional, count = _start(environment, settle=SETTLE_SECONDS)
    return [
        Row("PERF-8", "second start to ready, without the built-in model", f"{seconds:.1f} s", "≤ 8 s", seconds <= 8),
        Row(
            "PERF-8",
            f"memory of all {count} processes",
            f"{resident:.0f} MB resident, {proportional:.0f} MB with shared pages counted once",
            "≤ 350 MB",
            resident <= 350,
        ),
    ]


def _start(environment: dict[str, str], *, settle: float) -> tuple[float, float, float, int]:
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "manage.py", "quickstart"],
        cwd=ROOT,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        if not any("AdminChat is ready" in line for line in process.stdout):
            raise RuntimeError("quickstart ended without being ready")
        seconds = time.monotonic() - began
        time.sleep(settle)
        parent = psutil.Process(process.pid)
        found = [item.memory_full_info() for item in (parent, *parent.children(recursive=True))]
        resident, proportional = sum(item.rss for item in found), sum(item.pss for item in found)
        return seconds, resident / 1e6, proportional / 1e6, len(found)
    finally:
        process.terminate()
        process.wait(90)
