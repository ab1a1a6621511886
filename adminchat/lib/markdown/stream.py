r"""Markdown that is still being written: finished blocks are rendered once and frozen, the last one as it grows.

How the text is cut:

1. A top-level block is over when nothing that may follow can change it. After a blank line that is so as soon as the
   next line starts at the left edge, unless an open fence or a list that the line continues holds it open.
2. A code fence at the left edge ends whatever stands before it, and its closing line ends the fence.
3. A list that follows a paragraph without a blank line ends the paragraph.

What ``tail`` shows of the open block:

- an open fence: its code in one colour, coloured when it closes;
- a list: finished items from a cache, the last item anew;
- anything else: rendered anew, until it is longer than ``FULL_RENDER_CHARACTERS``; from there on only when it has
  grown by an eighth, the newest words standing after it as plain text in between. So the work stays linear in the
  length of the reply, whatever it consists of.

Beyond the bound on what is rendered (``bound``) the text is shown as it was written, and frozen in pieces.

One thing is known only at the end: a link reference that is defined after its use. ``finish`` renders the whole text
at once and is the truth.
"""

from __future__ import annotations

import html
import re

from django.utils.safestring import SafeString, mark_safe
from markdown_it.token import Token

from adminchat.lib.markdown import bound
from adminchat.lib.markdown.code import code_frame
from adminchat.lib.markdown.growing_list import MARKER, GrowingList
from adminchat.lib.markdown.parser import build_parser
from adminchat.lib.markdown.preview import complete, plain_paragraph
from adminchat.lib.markdown.sanitiser import sanitise

FULL_RENDER_CHARACTERS = 2000
PLAIN_CHARACTERS = 4000  # beyond the bound: what is frozen at once
_GROWTH = 8

_FENCE = re.compile(r"(`{3,})([^`\n]*)\n|(~{3,})([^\n]*)\n")
_INDENTED_FENCE = re.compile(r" {1,3}(?:`{3}|~{3})")
_LOOKS_AHEAD = re.compile(r" {0,3}(?:\$\$|\\\[)")
_INTERRUPTS_PARAGRAPH = re.compile(r"(?:[-+*]|1[.)])[ \t]+[^ \t\n]")
_MAY_BECOME_MARKER = re.compile(r"[-+*]|\d{1,9}[.)]?")

_parser = build_parser(breaks=False)


class _OpenBlock:
    """The source of what is not frozen yet, and what is known about it."""

    def __init__(self, references: dict[str, object]) -> None:
        self.lines: list[str] = []
        self.size = 0
        self.after_blank = False
        self.in_list = False
        self.may_split = True
        self.list = GrowingList(_parser, references)
        self.rendered, self.rendered_size = "", 0
        self.fence_end: re.Pattern[str] | None = None
        self.code: list[str] = []
        self.code_frame = ("", "")

    def append(self, line: str) -> None:
        self.lines.append(line)
        self.size += len(line)
        self.after_blank = False

    def open_fence(self, mark: str, info: str) -> None:
        self.fence_end = re.compile(rf" {{0,3}}{re.escape(mark)}{re.escape(mark[0])}*[ \t]*\n")
        frame = sanitise("".join(code_frame(info)))
        before, tag, after = frame.rpartition("</code>")
        self.code_frame = (before, tag + after)


class StreamRenderer:
    """Renders a reply while it arrives (CHAT-6, CHAT-10). Not for use by several threads at once."""

    def __init__(self) -> None:
        self.frozen: list[SafeString] = []
        """The finished blocks, in order; only ever appended to."""
        self._received: list[str] = []
        self._length = 0
        self._plain: str | None = None  # beyond the bound: what is not frozen yet
        self._held_return = ""
        self._references: dict[str, object] = {}
        self._block = _OpenBlock(self._references)
        self._unfinished: list[str] = []
        self._tail: SafeString | None = None

    @property
    def open_characters(self) -> int:
        """Characters of source in the open block, which is rendered whole each time that something comes."""
        return self._block.size + sum(map(len, self._unfinished)) + len(self._plain or "")

    def feed(self, text: str) -> None:
        """Take the next piece of the reply, cut anywhere."""
        room = bound.MAX_RENDERED_CHARACTERS - self._length
        self._received.append(text)
        self._length += len(text)
        self._take(text[: max(room, 0)])
        if len(text) > room:
            self._take_plain(text[max(room, 0) :])

    def _take(self, text: str) -> None:
        if self._held_return or "\r" in text:
            text = self._held_return + text
            self._held_return = "\r" if text.endswith("\r") else ""
            text = text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
        if not text:
            return
        self._tail = None
        *complete_lines, rest = text.split("\n")
        for line in complete_lines:
            self._take_line(self._take_unfinished() + line + "\n")
        if rest:
            self._unfinished.append(rest)
            if self._block.after_blank:
                self._decide("".join(self._unfinished), is_complete=False)

    def tail(self) -> SafeString:
        """Return the open block as it looks now; rendered again only when new text came."""
        if self._tail is None and self._plain is not None:
            self._tail = bound.plain(self._plain) if self._plain else SafeString("")
        elif self._tail is None:
            unfinished = "".join(self._unfinished)
            in_code = self._block.fence_end is not None
            self._tail = mark_safe(self._show_code(unfinished) if in_code else self._show_text(unfinished))
        return self._tail

    def finish(self) -> SafeString:
        """Freeze what is left and return the whole reply, the same as ``render`` of all that was fed."""
        if self._plain is None:
            self._freeze_unfinished()
        elif self._plain:
            self.frozen.append(bound.plain(self._plain))
            self._plain = ""
        self._tail = SafeString("")
        return bound.render_bounded(_parser, "".join(self._received))

    def _take_plain(self, text: str) -> None:
        """Take what comes after the bound; the first of it ends all blocks, an unfinished line goes along."""
        self._tail = None
        if self._plain is None:
            rendered, text = bound.split("".join(self._received))
            if rendered.endswith(("\n", "\r")) and not self._held_return:
                self._take_unfinished()
            self._freeze_unfinished()
            self.frozen.append(bound.note())
            self._plain = ""
        self._plain += text
        if len(self._plain) > PLAIN_CHARACTERS:
            end = self._plain.rfind("\n") + 1 or len(self._plain)
            self.frozen.append(bound.plain(self._plain[:end]))
            self._plain = self._plain[end:]

    def _freeze_unfinished(self) -> None:
        rest = self._take_unfinished()
        if rest or self._held_return:
            self._take_line(rest + "\n")
        self._held_return = ""
        self._freeze_lines()

    def _take_unfinished(self) -> str:
        text = "".join(self._unfinished)
        self._unfinished.clear()
        return text

    # Cutting the source into blocks: each method returns with the line it was given taken care of.

    def _take_line(self, line: str) -> None:
        block = self._block
        if block.fence_end is None and block.after_blank and line.strip(" \t\n"):
            self._decide(line, is_complete=True)
        block = self._block
        if block.fence_end is not None:
            self._take_code(line)
        elif not line.strip(" \t\n"):
            if block.lines:
                block.append(line)
                block.after_blank = True
        elif fence := _FENCE.match(line):
            self._take_fence(line, fence)
        else:
            block.append(line)
            if block.may_split and len(block.lines) > 1 and _INTERRUPTS_PARAGRAPH.match(line):
                self._split_before_list(line)

    def _decide(self, line: str, *, is_complete: bool) -> None:
        """Freeze the block before a blank line, unless ``line``, which may still grow, can belong to it."""
        block = self._block
        if not is_complete and _MAY_BECOME_MARKER.fullmatch(line):
            return
        block.after_blank = False
        if line[0] in " \t":
            return
        continues_list = MARKER.match(line) is not None
        if continues_list and block.in_list:
            return
        tokens = self._parse(block.lines)
        last = _last_block(tokens)
        if self._reopen_fence(last):
            return
        if continues_list and last is not None and last.type.endswith("_list_open"):
            block.in_list = True
        else:
            self._freeze(tokens)

    def _take_fence(self, line: str, fence: re.Match[str]) -> None:
        """Open a fence at the left edge, or let the line be code or the end of a fence that stands further in."""
        lines = self._block.lines
        if any(map(_INDENTED_FENCE.match, lines)) and self._reopen_fence(_last_block(self._parse(lines))):
            self._take_code(line)
            return
        self._freeze_lines()
        self._block.append(line)
        self._block.open_fence(fence[1] or fence[3], fence[2] or fence[4] or "")

    def _reopen_fence(self, last: Token | None) -> bool:
        """Treat the open block as the code it turned out to be, when its ``last`` part is a fence without an end."""
        lines = self._block.lines
        if last is None or last.type != "fence" or last.map is None:
            return False
        first_line, end_line = last.map
        block = _OpenBlock(self._references)
        block.open_fence(last.markup, last.info)
        if end_line - 1 > first_line and block.fence_end and block.fence_end.fullmatch(lines[end_line - 1]):
            return False
        self._block.lines = lines[:first_line]
        self._freeze_lines()
        self._block = block
        block.append(lines[first_line])
        for line in lines[first_line + 1 :]:
            self._take_code(line)
        return True

    def _take_code(self, line: str) -> None:
        block = self._block
        block.append(line)
        if block.fence_end and block.fence_end.fullmatch(line):
            self._freeze_lines()
        else:
            block.code.append(html.escape(line, quote=False))

    def _split_before_list(self, line: str) -> None:
        """Freeze the paragraph that the list starting with ``line`` has interrupted."""
        block = self._block
        block.may_split = False
        if MARKER.match(block.lines[0]) or any(map(_LOOKS_AHEAD.match, block.lines)):
            return
        last = _last_block(self._parse(block.lines))
        if last is None or not last.type.endswith("_list_open") or last.map is None:
            return
        if last.map[0] == len(block.lines) - 1:
            block.lines.pop()
            self._freeze_lines()
            self._block.append(line)

    def _parse(self, lines: list[str]) -> list[Token]:
        return _parser.parse("".join(lines), {"references": self._references})

    def _freeze_lines(self) -> None:
        if self._block.lines:
            self._freeze(self._parse(self._block.lines))

    def _freeze(self, tokens: list[Token]) -> None:
        if tokens:
            self.frozen.append(sanitise(_parser.renderer.render(tokens, _parser.options, {})))
        self._block = _OpenBlock(self._references)

    # Showing the open block

    def _show_code(self, unfinished: str) -> str:
        before, after = self._block.code_frame
        if not unfinished.strip(" `~"):
            unfinished = ""
        return "".join([before, *self._block.code, html.escape(unfinished, quote=False), after])

    def _show_text(self, unfinished: str) -> str:
        block = self._block
        size = block.size + len(unfinished)
        start = block.lines[0] if block.lines else unfinished
        if size <= FULL_RENDER_CHARACTERS and len(block.lines) < 2:
            plain = plain_paragraph(start + unfinished if block.lines else start)
            if plain is not None:
                return plain
        if MARKER.match(start) and block.list.last_item_size + len(unfinished) <= FULL_RENDER_CHARACTERS:
            shown = block.list.render(block.lines, complete(unfinished))
            if shown is not None:
                return shown
        grown = size - block.rendered_size
        if size > FULL_RENDER_CHARACTERS and grown < block.rendered_size // _GROWTH:
            text = "".join([*block.lines, unfinished])
            known = len(text[: block.rendered_size].rstrip())  # white space at an end is not rendered
            newest = html.escape(text[known:], quote=False)
            return _with_newest(block.rendered, newest)
        env = {"references": dict(self._references)}
        block.rendered = sanitise(_parser.render("".join([*block.lines, complete(unfinished)]), env))
        block.rendered_size = size
        return block.rendered


def _with_newest(rendered: str, newest: str) -> str:
    """``rendered`` with more of its text, not rendered yet: in the paragraph that it ends with, else below."""
    paragraph = rendered.removesuffix("</p>\n")
    if paragraph != rendered:
        return f"{paragraph}{newest}</p>\n"
    return f"{rendered}<p>{newest}</p>\n" if newest.strip() else rendered


def _last_block(tokens: list[Token]) -> Token | None:
    """Return the token that opens the last top-level block."""
    for token in reversed(tokens):
        if token.level == 0 and token.nesting >= 0:
            return token
    return None
