"""Prints the figures that AdminChat promises, measured from real processes over HTTP: ``python -m bench``.

Without arguments all of them; ``--only PERF-3`` (several times if wanted) measures some and writes no file.
"""

import argparse
import os
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import uvloop

from bench import pages, relevance, report, starts, streams, triage, turns, validation
from bench.client import http_session
from bench.installation import Fake, Installation, fake_endpoint, installed, postgresql
from bench.report import Row

POSTGRESQL = os.environ.get("BENCH_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432")
USERS = 32
FIGURES = (
    *("PERF-1", "PERF-2", "PERF-3", "PERF-4", "PERF-5", "PERF-6", "PERF-8", "PERF-9", "PERF-10"),
    *("RELEVANCE", "ELIGIBILITY", "VALIDATION"),
)
WITHOUT_SERVER = {"PERF-5", "PERF-6", "PERF-8", "RELEVANCE", "ELIGIBILITY", "VALIDATION"}


@contextmanager
def directory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="bench", ignore_cleanup_errors=True) as path:
        yield Path(path)


async def on_sqlite(installation: Installation, wanted: set[str]) -> list[Row]:
    rows: list[Row] = []
    async with http_session() as http:
        if "PERF-1" in wanted:
            rows += await turns.arrival(http, installation)
        if "PERF-2" in wanted:
            rows += await turns.first_token(http, installation)
        if "PERF-4" in wanted:
            rows += await streams.slow_streams(http, installation, "SQLite")
        if "PERF-3" in wanted:
            rows += await turns.throughput(http, installation)
        if "PERF-9" in wanted:
            rows += await pages.first_load(installation)
        if wanted & {"PERF-9", "PERF-10"}:
            rows += await pages.growth(http, installation)
    return rows


async def on_postgresql(installation: Installation) -> list[Row]:
    async with http_session() as http:
        return await streams.slow_streams(http, installation, "PostgreSQL")


def measure(wanted: set[str]) -> list[Row]:
    rows: list[Row] = []
    if "RELEVANCE" in wanted:
        rows += relevance.relevance()
    if "VALIDATION" in wanted:
        rows += validation.validation()
    if "PERF-5" in wanted:
        rows += relevance.speed()
    if "ELIGIBILITY" in wanted:
        rows += triage.eligibility()
    if "PERF-6" in wanted:
        rows += triage.speed()
    if wanted - WITHOUT_SERVER:
        with fake_endpoint() as fake:
            with directory() as place, installed(place, fake, users=USERS) as installation:
                rows += uvloop.run(on_sqlite(installation, wanted))
            if "PERF-4" in wanted:
                rows += _with_postgresql(fake, on_postgresql)
    if "PERF-8" in wanted:
        with directory() as place:
            rows += starts.second_start(place)
    return sorted(rows, key=lambda row: FIGURES.index(row.id))


def _with_postgresql(fake: Fake, work: Callable[[Installation], Coroutine[None, None, list[Row]]]) -> list[Row]:
    try:
        with (
            postgresql(POSTGRESQL) as url,
            directory() as place,
            installed(place, fake, database_url=url, users=USERS) as installation,
        ):
            return uvloop.run(work(installation))
    except psycopg.OperationalError:
        return [Row("PERF-4", "200 streams on PostgreSQL", "not measured: no server at BENCH_POSTGRESQL")]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", action="append", choices=FIGURES)
    only = parser.parse_args().only
    load = os.getloadavg()[0]
    rows = measure(set(only or FIGURES))
    print(report.table(rows))
    if not only:
        report.RESULTS.write_text(report.document(rows, "make bench", (load, os.getloadavg()[0])))


if __name__ == "__main__":
    main()
