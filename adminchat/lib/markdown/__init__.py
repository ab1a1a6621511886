"""Markdown, rendered on the server and passed through one sanitiser (CHAT-10, SEC-3).

``render`` is for what a model or a page of the guide says, ``render_user`` for what a person typed into a message,
``StreamRenderer`` for a text that is still growing. All of them leave marks for their labels, which ``localised`` fills
in when the HTML is shown.
"""

from __future__ import annotations

from django.utils.safestring import SafeString

from adminchat.lib.markdown.bound import render_bounded
from adminchat.lib.markdown.labels import localised
from adminchat.lib.markdown.parser import build_parser
from adminchat.lib.markdown.stream import StreamRenderer

__all__ = ["StreamRenderer", "localised", "render", "render_user"]

_parser = build_parser(breaks=False)
_user_parser = build_parser(breaks=True)


def render(text: str) -> SafeString:
    """Render Markdown to safe HTML, in time linear in its length and up to a bound; the rest follows as plain text."""
    return render_bounded(_parser, text)


def render_user(text: str) -> SafeString:
    """Render what a person typed: as ``render``, and every line break counts."""
    return render_bounded(_user_parser, text)
