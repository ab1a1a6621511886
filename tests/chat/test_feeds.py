"""A running turn's text, put together from pieces that may come late, twice or out of order."""

import asyncio
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adminchat.lib.markdown import render
from chat.feeds import SLICE_CHARACTERS, Feed

TEXTS = st.text(alphabet="ab *`\n#-你好。", max_size=120)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 120), st.integers(0, 40)), max_size=30))
def test_pieces_in_any_order_never_lose_or_double_a_character(
    text: str, pieces: list[tuple[int, int]]
) -> None:  # CHAT-6
    feed = Feed(uuid4())
    for at, length in pieces:
        at = min(at, len(text))
        known = feed.text_length
        taken = feed.put(at, text[at : at + length])
        assert taken == (at <= known)
        assert feed.text == text[: feed.text_length]
    feed.put(0, text)
    assert feed.text == text


@given(TEXTS, st.lists(st.integers(0, 120), max_size=10))
def test_page_that_attaches_at_any_time_ends_with_the_whole_reply(text: str, cuts: list[int]) -> None:  # CHAT-6
    asyncio.run(_attaches(text, cuts))


async def _attaches(text: str, cuts: list[int]) -> None:
    feed, seen, blocks, tail = Feed(uuid4()), 0, list[str](), ""
    for cut in sorted({*(min(cut, len(text)) for cut in cuts), len(text)}):
        feed.put(feed.text_length, text[feed.text_length : cut])
        if feed.text_length:
            view = await feed.view(seen)
            blocks, tail, seen = blocks + list(view.new_blocks), view.tail, view.seen
    late = await feed.view(0)
    assert "".join(late.new_blocks) == "".join(blocks)
    assert late.tail == tail


async def test_finished_blocks_are_rendered_once() -> None:  # CHAT-6, LOOK
    feed = Feed(uuid4())
    feed.put(0, "First.\n\nSecond.\n\nThi")
    before = await feed.view(0)
    feed.put(feed.text_length, "rd")
    after = await feed.view(before.seen)
    assert [str(block).strip() for block in before.new_blocks] == ["<p>First.</p>", "<p>Second.</p>"]
    assert after.new_blocks == []
    assert "Third" in after.tail
    assert str(render("First.")).strip() == str(before.new_blocks[0]).strip()


def test_change_wakes_every_page_that_waits() -> None:  # CHAT-6
    async def scenario() -> None:
        feed = Feed(uuid4())
        waiting = [feed.changed(), feed.changed()]
        feed.notify()
        assert all(future.done() for future in waiting)
        assert not feed.changed().done()

    asyncio.run(scenario())


async def test_long_backlog_is_rendered_in_pieces_that_others_can_wait_for() -> None:  # REL-5
    feed = Feed(uuid4())
    feed.put(0, "- item\n" * 5_000)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(count())
    await feed.view(0)
    other.cancel()
    assert turns >= 5_000 * 7 / 4_000


@pytest.mark.parametrize(
    "text", ["word **bold** `code` " * 3_000, "| a | b |\n| - | - |\n" + "| cell | `x` |\n" * 3_000]
)
async def test_long_open_block_keeps_nobody_waiting_and_survives_pages_that_go(text: str) -> None:  # CHAT-6, REL-8
    feed, turns = Feed(uuid4()), 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0.001)

    working = asyncio.create_task(others())
    for at in range(0, len(text), 16_000):
        feed.put(at, text[at : at + 16_000])
        page = asyncio.create_task(feed.view(0))
        await asyncio.sleep(0.01)
        page.cancel()
    view = await feed.view(0)
    working.cancel()
    assert turns > len(text) / SLICE_CHARACTERS  # rendered by the event loop it would be five
    assert "".join([*view.new_blocks, view.tail]) == render(text)
