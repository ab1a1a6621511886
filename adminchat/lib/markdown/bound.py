"""A bound on what is rendered of one text: what comes after it is shown as it was written, below a note that says so.

Rendering takes time in proportion to the length, and 100,000 list items would keep a processor busy for many seconds
(PERF-10). No text is lost: not on the page, and not where it is copied or exported.
"""

from __future__ import annotations

import html

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

from adminchat.lib.markdown.labels import mark
from adminchat.lib.markdown.sanitiser import sanitise

MAX_RENDERED_CHARACTERS = 100_000


def split(text: str) -> tuple[str, str]:
    """Return what of ``text`` is rendered, whole lines where there are any, and the rest."""
    if len(text) <= MAX_RENDERED_CHARACTERS:
        return text, ""
    end = max(text.rfind(line_end, 0, MAX_RENDERED_CHARACTERS) for line_end in "\n\r") + 1
    end = end or MAX_RENDERED_CHARACTERS
    return text[:end], text[end:]


def render_bounded(parser: MarkdownIt, text: str) -> SafeString:
    """Render ``text`` up to the bound; the rest follows as plain text."""
    rendered, rest = split(text)
    markup = sanitise(parser.render(rendered))
    return markup + note() + plain(rest) if rest else markup


def note() -> SafeString:
    """What stands before the rest."""
    return sanitise(f'<p class="plain-note">{mark("plain")}</p>\n')


def plain(text: str) -> SafeString:
    """A piece of the rest; several of them, one after the other, look like one."""
    return sanitise(f'<span class="plain">{html.escape(text, quote=False)}</span>')
