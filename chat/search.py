"""Search in titles and messages (CHAT-2).

Plain substring search in the database: it finds two-character Chinese words, which word indexes do not, and parts of
identifiers. Upper and lower case are the same as far as the database knows them (SQLite: ASCII letters).
"""

import re
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from adminchat.accounts.models import User
from chat import selectors
from chat.models import Message, Session
from chat.sidebar import Cursor, page_of
from chat.texts import one_line

QUERY_LIMIT = 200  # characters
TERM_LIMIT = 8
SNIPPET_BEFORE, SNIPPET_AFTER = 50, 110  # characters around the first hit

_INSIDE_WORD = re.compile(r"[!-~]{2}")  # between two letters of a word that spaces set off


@dataclass(frozen=True)
class Hit:
    """A session that was found: its title and a piece of one message, both escaped, hits in ``<mark>``."""

    session: Session
    title: SafeString
    snippet: SafeString


@dataclass(frozen=True)
class Results:
    hits: list[Hit]
    cursor: Cursor | None


def search(user: User, query: str, *, archived: bool = False, before: Cursor | None = None) -> Results:
    """Sessions that have every word of ``query`` in title or messages, most recently active first, in two queries.

    Without words all sessions are listed. ``archived`` narrows it to archived ones; without it a search looks in
    archived sessions too, a plain list leaves them out. Temporary sessions are never listed (CHAT-4).
    """
    terms = one_line(query[:QUERY_LIMIT]).split()[:TERM_LIMIT]
    sessions = selectors.sessions(user).filter(temporary=False)
    if archived or not terms:
        sessions = sessions.filter(archived_at__isnull=not archived)
    for term in terms:
        in_message = Message.objects.filter(session=OuterRef("pk"), text__icontains=term)
        sessions = sessions.filter(Q(title__icontains=term) | Exists(in_message))
    rows, cursor = page_of(sessions, before)
    pattern = _pattern(terms)
    texts = _found_texts(rows, terms)
    hits = [Hit(row, marked(row.title, pattern), snippet(texts.get(row.pk, ""), pattern)) for row in rows]
    return Results(hits, cursor)


def _found_texts(rows: list[Session], terms: list[str]) -> dict[UUID, str]:
    """For each session the text of its newest message with one of ``terms``."""
    if not terms or not rows:
        return {}
    any_term = Q()
    for term in terms:
        any_term |= Q(text__icontains=term)
    newest: QuerySet[Message] = Message.objects.filter(any_term, session=OuterRef("pk")).order_by("-created_at")
    found = Session.objects.filter(pk__in=[row.pk for row in rows]).annotate(hit=Subquery(newest.values("text")[:1]))
    return {pk: text for pk, text in found.values_list("pk", "hit") if text}


def _pattern(terms: list[str]) -> re.Pattern[str] | None:
    if not terms:
        return None
    longest_first = sorted(terms, key=len, reverse=True)
    return re.compile("(" + "|".join(re.escape(term) for term in longest_first) + ")", re.IGNORECASE)


def marked(text: str, pattern: re.Pattern[str] | None) -> SafeString:
    """``text``, escaped, with the hits of ``pattern`` in ``<mark>``."""
    parts = pattern.split(text) if pattern else [text]
    return format_html_join(
        "", "{}", ((format_html("<mark>{}</mark>", part) if at % 2 else part,) for at, part in enumerate(parts))
    )


def snippet(text: str, pattern: re.Pattern[str] | None) -> SafeString:
    """The surroundings of the first hit in ``text``, in one line."""
    hit = pattern.search(text) if pattern else None
    at = hit.start() if hit else 0
    start, end = max(0, at - SNIPPET_BEFORE), at + SNIPPET_AFTER
    before, after = text[start:at], text[at:end]
    if start and _INSIDE_WORD.match(text[start - 1 : start + 1]):
        before = before.partition(" ")[2] or before
    if _INSIDE_WORD.match(text[end - 1 : end + 1]):
        after = after.rpartition(" ")[0] or after
    return marked(("…" if start else "") + one_line(before + after) + ("…" if end < len(text) else ""), pattern)
