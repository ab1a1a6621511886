"""PERF-4: two hundred slow replies at once."""

import asyncio
import time

import aiohttp

from bench.client import FakeRecords, Person, Watched
from bench.installation import Installation
from bench.report import Row, percentile, shares, spread
from bench.turns import warm_up

STREAMS, TOKENS, INTERVAL = 200, 200, 0.05  # seconds


async def slow_streams(http: aiohttp.ClientSession, installation: Installation, database: str) -> list[Row]:
    """In every session somebody asks at the same moment and reads the stream to its end."""
    records = FakeRecords(http, installation.fake.url)
    await warm_up(Person(http, installation, 0))
    await records.clear()
    sessions = installation.prepare("slow_sessions", str(STREAMS), installation.slow_model)["sessions"]
    sent: dict[str, int] = {}
    errors: list[str] = []

    async def use(number: int) -> Watched | None:
        person, message = Person(http, installation, number), f"slow {number}"
        try:
            sent[message] = time.monotonic_ns()
            watched = await person.watch(await person.ask(f"/sessions/{sessions[number]}/", message))
        except (aiohttp.ClientError, RuntimeError, TimeoutError) as error:
            errors.append(f"{type(error).__name__}: {error}")
            return None
        if watched.end != "done" or not watched.tokens or watched.tokens[-1][0] != TOKENS - 1:
            errors.append(f"ended as {watched.end or 'cut'}")
        return watched

    memory = asyncio.create_task(_peak_memory(installation))
    with shares(web=installation.web.pid, fake=installation.fake.process.pid) as used:
        streams = [watched for watched in await asyncio.gather(*map(use, range(STREAMS))) if watched]
    memory.cancel()
    await asyncio.wait({memory})
    arrived = await records.turns()
    waits = [(arrived[message]["at_ns"] - at) / 1e6 for message, at in sent.items() if message in arrived]
    gaps = [
        (later[1] - earlier[1] - INTERVAL) * 1000
        for watched in streams
        for earlier, later in zip(watched.tokens, watched.tokens[1:], strict=False)
    ]
    at_once = _at_once([(record["at"], record["finished_at"]) for record in arrived.values()])
    peak = memory.result() / 1e6
    if errors:
        print("PERF-4 errors:", sorted(set(errors))[:5])
    what = f"{STREAMS} streams on {database}"
    return [
        Row("PERF-4", f"{what}: errors", f"{len(errors)}; of a core: {used}", "0", not errors),
        Row("PERF-4", f"{what}: running at once at the endpoint", str(at_once), "200", at_once == STREAMS),
        Row("PERF-4", f"{what}: POST → endpoint", spread(waits), "≤ 3000 ms", max(waits, default=0) <= 3000),
        Row("PERF-4", f"{what}: added gap", spread(gaps), "p95 ≤ 150 ms", percentile(gaps, 0.95) <= 150),
        Row("PERF-4", f"{what}: web process", f"{peak:.0f} MB at most", "≤ 200 MB", peak <= 200),
    ]


def _at_once(spans: list[tuple[float, float]]) -> int:
    """The most requests that were open at one moment."""
    steps = sorted([(began, 1) for began, _ in spans] + [(ended, -1) for _, ended in spans])
    most = now = 0
    for _, step in steps:
        now += step
        most = max(most, now)
    return most


async def _peak_memory(installation: Installation) -> int:
    """The web process's largest resident size until cancelled, in bytes."""
    peak = 0
    try:
        while True:
            peak = max(peak, installation.web.memory_info().rss)
            await asyncio.sleep(0.25)
    except asyncio.CancelledError:
        return peak
