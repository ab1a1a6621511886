"""PERF-1, PERF-2 and PERF-3: what a turn costs when the machine is quiet, and how many of them go through."""

import asyncio
import time
from itertools import count, cycle
from pathlib import Path

import aiohttp

from bench.client import FakeRecords, Person
from bench.installation import Installation
from bench.report import Row, median, percentile, shares, spread

SESSIONS, TURNS = 20, 5  # PERF-1: so many sessions, with so many turns each
BOOK = Path(__file__).parent / "data" / "relevance" / "work_en.json"
PAUSE = 0.05  # seconds of quiet between two turns
REPLIES, REPLY_TOKENS, INTERVAL, DELAY = 10, 60, 0.05, 0.5  # PERF-2; seconds
USERS, SECONDS, WARM_UP = 32, 15, 3  # PERF-3


async def arrival(http: aiohttp.ClientSession, installation: Installation) -> list[Row]:
    """PERF-1: from the browser's POST to the arrival at the model endpoint."""
    records, person = FakeRecords(http, installation.fake.url), Person(http, installation, 0)
    questions = cycle(installation.prepare("entries", "user0", str(BOOK))["questions"])
    await warm_up(person)
    await records.clear()
    sent, first = {}, set()
    for number in range(SESSIONS):
        message = f"{next(questions)} (first {number})"
        first.add(message)
        sent[message] = time.monotonic_ns()
        session = await person.start_session(message, memory_mode="read_only")
        await person.watch(await person.first_turn(session))
        for further in range(1, TURNS):
            await asyncio.sleep(PAUSE)
            message = f"{next(questions)} (further {number} {further})"
            sent[message] = time.monotonic_ns()
            await person.watch(await person.ask(session, message))
        await asyncio.sleep(PAUSE)
    arrived = await records.turns()
    took = {message: (arrived[message]["at_ns"] - at) / 1e6 for message, at in sent.items()}
    starts = [value for message, value in took.items() if message in first]
    further_ones = [value for message, value in took.items() if message not in first]
    limit = "median ≤ 30, p95 ≤ 60 ms"
    return [
        _arrival_row("POST in a session → endpoint, 80 entries, Read only", further_ones, limit),
        _arrival_row("POST that starts a session → endpoint, 80 entries, Read only", starts, limit),
    ]


def _arrival_row(what: str, took: list[float], limit: str) -> Row:
    return Row("PERF-1", what, spread(took), limit, median(took) <= 30 and percentile(took, 0.95) <= 60)


async def warm_up(person: Person) -> None:
    """Let the process have done everything once."""
    session = await person.start_session("warm up", memory_mode="read_only")
    await person.watch(await person.first_turn(session))
    for _ in range(5):
        await person.watch(await person.ask(session, "warm up"))


async def first_token(http: aiohttp.ClientSession, installation: Installation) -> list[Row]:
    """PERF-2: added to the model's first token, and to each later one."""
    records, person = FakeRecords(http, installation.fake.url), Person(http, installation, 0)
    session = await person.start_session("warm up", memory_mode="read_only")
    await person.watch(await person.first_turn(session))
    await asyncio.sleep(1)  # its title has been asked for by then
    await records.clear()
    offset = time.time() - time.monotonic()
    chunks = [f"tok{number} " for number in range(REPLY_TOKENS)]
    firsts: list[float] = []
    later: list[float] = []
    for number in range(REPLIES):
        message = f"reply {number}"
        await records.enqueue(chunks=chunks, delay=DELAY, interval=INTERVAL, model="tokens-100")
        watched = await person.watch(await person.ask(session, message))
        began = (await records.turns())[message]["first_token_at"] - offset
        shown = -1
        for newest, at in watched.tokens:
            for token in range(shown + 1, newest + 1):
                added = (at - began - token * INTERVAL) * 1000
                (firsts if token == 0 else later).append(added)
            shown = max(shown, newest)
    return [
        Row("PERF-2", "added to the first token", spread(firsts), "median ≤ 5 ms", median(firsts) <= 5),
        Row("PERF-2", "added to each later token", spread(later), "median ≤ 60 ms", median(later) <= 60),
    ]


async def throughput(http: aiohttp.ClientSession, installation: Installation) -> list[Row]:
    """PERF-3: finished turns per second, each watched to its end; ten turns to a session, which the user opens."""
    await warm_up(Person(http, installation, 0))
    numbers, finished, errors = count(), [], []
    deadline = time.monotonic() + WARM_UP + SECONDS

    async def use(number: int) -> None:
        person, session, asked = Person(http, installation, number), "", 0
        while time.monotonic() < deadline:
            try:
                if asked % 10 == 0:
                    session = await person.start_session(f"question {next(numbers)}")
                    turn = await person.first_turn(session)
                else:
                    turn = await person.ask(session, f"question {next(numbers)}")
                asked += 1
                watched = await person.watch(turn)
                if watched.end != "done":
                    errors.append(watched.end or "cut")
                finished.append(time.monotonic())
            except (aiohttp.ClientError, RuntimeError, TimeoutError) as error:
                errors.append(f"{type(error).__name__}: {error}")
                asked = 0

    with shares(web=installation.web.pid, fake=installation.fake.process.pid) as used:
        await asyncio.gather(*(use(number) for number in range(USERS)))
    counted = [at for at in finished if deadline - SECONDS <= at <= deadline]
    rate = len(counted) / SECONDS
    if errors:
        print("PERF-3 errors:", sorted(set(errors))[:5])
    each = 1000 * used.used["web"] / max(len(finished), 1)
    figure = f"{rate:.1f} per second, {len(errors)} errors; {each:.1f} ms of the web process each; of a core: {used}"
    return [Row("PERF-3", "turns, 32 users, 100 tokens at once", figure, "≥ 31, no error", rate >= 31 and not errors)]
