"""A list that is still being written: every finished item is rendered once, only the last one again.

Whether a list is loose (its items hold paragraphs) depends on all of its items, so none is final before the list
ends; but an item's tokens are, and turning the list from tight to loose only shows or hides the paragraphs in them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from adminchat.lib.markdown.sanitiser import sanitise

MARKER = re.compile(r"(?:([-+*])|(\d{1,9})([.)]))(?=[ \t\n])")
"""A list marker at the start of a line: a bullet, or a number and what follows it."""

_PARAGRAPH_LEVEL = 2


@dataclass(slots=True)
class _Item:
    tokens: list[Token]
    loose: bool


class GrowingList:
    """Renders the source lines of one top-level list, given again and again, each time with more at the end."""

    def __init__(self, parser: MarkdownIt, references: dict[str, object]) -> None:
        self._parser = parser
        self._references = references
        self._finished: list[_Item] = []
        self._finished_html = ""
        self._loose = False
        self._shown_loose = False
        self._current: list[str] = []
        self._lines_seen = 0
        self._usable = True

    def render(self, lines: list[str], unfinished: str) -> str | None:
        """Return safe markup for the complete ``lines`` and the ``unfinished`` one after them.

        Returns ``None`` when the lines are not one plain list, and whenever asked after that.
        """
        if not (self._usable and (first := MARKER.match(lines[0] if lines else unfinished))):
            return None
        marker = first.group(1) or f"1{first.group(3)}"
        for line in lines[self._lines_seen :]:
            if self._current and _continues(line, marker):
                self._finish_item(marker)
            self._current.append(line)
        self._lines_seen = len(lines)
        last = [*self._current, unfinished]
        if self._current and _continues(unfinished, marker):
            self._finish_item(marker)
            last = [unfinished]
        item = self._parse_item("".join(last), marker, last=True)
        self._usable = self._usable and item is not None
        return self._join(item, first) if self._usable and item else None

    @property
    def last_item_size(self) -> int:
        """Characters in the complete lines of the item that is still open: what rendering again costs."""
        return sum(map(len, self._current))

    def _finish_item(self, marker: str) -> None:
        item = self._parse_item("".join(self._current), marker, last=False)
        self._current = []
        if item is None:
            self._usable = False
            return
        self._finished.append(item)
        self._finished_html += self._render_item(item, loose=self._shown_loose)
        self._loose = self._loose or item.loose

    def _parse_item(self, source: str, marker: str, *, last: bool) -> _Item | None:
        """Parse one item beside a stand-in, whose paragraph tells whether the item makes the list loose."""
        stand_in = f"{marker} x\n"
        text = stand_in + source if last else source + stand_in
        tokens = self._parser.parse(text, {"references": dict(self._references)})
        edges = [index for index, token in enumerate(tokens) if token.level == 1 and token.type.startswith("list_item")]
        if len(edges) != 4 or tokens[-1].level or any(token.level == 0 for token in tokens[1:-1]):
            return None
        item = tokens[edges[2] : edges[3] + 1] if last else tokens[edges[0] : edges[1] + 1]
        other = tokens[edges[0] + 1] if last else tokens[edges[2] + 1]
        return _Item(item, loose=not other.hidden)

    def _render_item(self, item: _Item, *, loose: bool) -> str:
        for token in item.tokens:
            if token.level == _PARAGRAPH_LEVEL and token.type in ("paragraph_open", "paragraph_close"):
                token.hidden = not loose
        return sanitise(self._parser.renderer.render(item.tokens, self._parser.options, {}))

    def _join(self, last: _Item, first_marker: re.Match[str]) -> str:
        loose = self._loose or last.loose
        if loose != self._shown_loose:
            self._shown_loose = loose
            self._finished_html = "".join(self._render_item(item, loose=loose) for item in self._finished)
        items = self._finished_html + self._render_item(last, loose=loose)
        if first_marker.group(1):
            return f"<ul>\n{items}</ul>\n"
        number = int(first_marker.group(2))
        return f"<ol>\n{items}</ol>\n" if number == 1 else f'<ol start="{number}">\n{items}</ol>\n'


def _continues(line: str, marker: str) -> bool:
    found = MARKER.match(line)
    return found is not None and (found.group(1) or found.group(3)) == marker[-1]
