"""The text of running turns as this process knows it, for the pages that watch.

A feed is *owned* where the turn runs and *followed* in every other process. A page never gets a queue of its own: it
waits for the feed to change and takes what is new since it last looked, so that a slow reader costs nothing and a late
one starts from the beginning (CHAT-6, REL-8).
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar
from uuid import UUID

from django.utils.safestring import SafeString

from adminchat.lib.markdown import StreamRenderer

SLICE_CHARACTERS = 4_000
LONG_BLOCK = 4_000  # characters of an open block from which on the event loop can't wait until it is rendered

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class View:
    """What a page that has ``seen`` finished blocks still needs: the new ones, and the last block as it looks now."""

    new_blocks: list[SafeString]
    tail: SafeString
    seen: int


class Feed:
    """One turn's growing text. Belongs to the event loop."""

    def __init__(self, turn_id: UUID) -> None:
        self.turn_id = turn_id
        self.text_length = 0  # characters known
        self.status = ""  # a code of what the turn waits for, or ""
        self.has_report = False  # whether it is recorded what the turn loaded
        self.ended = False
        self.viewers = 0
        self._parts: list[str] = []
        self._rendered = 0  # characters given to the renderer
        self._renderer = StreamRenderer()
        self._rendering = asyncio.Lock()
        self._changed: asyncio.Future[None] | None = None

    @property
    def text(self) -> str:
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    def put(self, offset: int, text: str) -> bool:
        """Take ``text`` that begins ``offset`` characters into the reply. False when something before it is missing.

        What is known already is not taken twice.
        """
        if offset > self.text_length:
            return False
        new = text[self.text_length - offset :]
        if new:
            self._parts.append(new)
            self.text_length += len(new)
        return True

    async def view(self, seen: int) -> View:
        """Render what has come and return what a page needs that has ``seen`` finished blocks."""
        if self._rendering.locked() or self._is_long():
            # A task of its own: a page that goes away in between must not leave the renderer to a thread and the next page.
            count, tail = await asyncio.shield(asyncio.ensure_future(self._rendered_in_pieces()))
        else:
            if piece := self._next_piece():
                self._renderer.feed(piece)
            count, tail = len(self._renderer.frozen), self._renderer.tail()
        return View(self._renderer.frozen[seen:count], tail, count)

    def _is_long(self) -> bool:
        """Whether the event loop can't wait until what has come is rendered."""
        return self.text_length - self._rendered > SLICE_CHARACTERS or self._renderer.open_characters > LONG_BLOCK

    def _next_piece(self) -> str:
        piece = self.text[self._rendered : self._rendered + SLICE_CHARACTERS]
        self._rendered += len(piece)
        return piece

    async def _rendered_in_pieces(self) -> tuple[int, SafeString]:
        """How many blocks are finished, and how the open one looks."""
        async with self._rendering:
            while piece := self._next_piece():
                await self._render(self._renderer.feed, piece)
                await asyncio.sleep(0)  # others wait for the event loop
            tail = await self._render(self._renderer.tail)
            return len(self._renderer.frozen), tail

    async def _render(self, work: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
        if self._renderer.open_characters <= LONG_BLOCK:
            return work(*args, **options)
        return await asyncio.to_thread(work, *args, **options)

    def notify(self) -> None:
        """Wake the pages that wait."""
        if self._changed and not self._changed.done():
            self._changed.set_result(None)
        self._changed = None

    def end(self) -> None:
        """Say that the database has the outcome."""
        self.ended = True
        self.notify()

    def changed(self) -> "asyncio.Future[None]":
        """A future that is done at the next change."""
        if self._changed is None:
            self._changed = asyncio.get_running_loop().create_future()
        return self._changed
