"""Which entries extraction is shown beside a message: those that it may be about (LEARN-9)."""

from memory.loading import ARCHIVE, CORE, Candidate
from memory.relevance import Document, rank

MOST = 12


def related(entries: list[Candidate], message: str, workspace: str | None) -> list[Candidate]:
    """At most twelve entries of this place: what the message has words in common with, then what shares a topic with
    these, then core entries, the most recently changed first, since a correction needs not repeat what it corrects."""
    here = [entry for entry in entries if entry.workspace in (None, workspace) and entry.tier != ARCHIVE]
    known = {entry.id: entry for entry in here}
    ranked = [known[match.id] for match in rank(message, [Document(e.id, e.text, e.topic) for e in here])]
    topics = {entry.topic for entry in ranked} - {""}
    neighbours = [entry for entry in here if entry.topic in topics]
    core = sorted((entry for entry in here if entry.tier == CORE), key=lambda entry: entry.updated_at, reverse=True)
    return list({entry.id: entry for entry in (*ranked, *neighbours, *core)}.values())[:MOST]
