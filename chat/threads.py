"""The conversation as a page shows it and a model gets it: one path through the tree of turns.

A message's parent is the reply before it. Turns of one message are versions of the reply; messages with one parent are
versions of the question (CHAT-8). The shape of the tree is read as bare ids in one query, texts only where needed, so
that a session of thousands of messages stays usable (PERF-10).
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from chat.models import Message, Session, Turn
from memory.selectors import is_recorded

PAGE_EXCHANGES = 50


@dataclass(frozen=True)
class Siblings:
    """Where one version stands among the others, ``‹ index/count ›``, with the turns that show its neighbours."""

    index: int
    count: int
    previous: UUID | None
    next: UUID | None


ONLY = Siblings(index=1, count=1, previous=None, next=None)


@dataclass(frozen=True)
class Exchange:
    """A turn on the path, and the other versions of its message and of its reply."""

    turn: Turn
    message_siblings: Siblings
    reply_siblings: Siblings

    @property
    def message(self) -> Message:
        return self.turn.message

    @property
    def reply(self) -> Message:
        return self.turn.reply


@dataclass(frozen=True)
class Thread:
    """The exchanges that a page shows, oldest first; ``earlier`` is the oldest of them when there are more before it."""

    exchanges: list[Exchange]
    earlier: UUID | None


class Node(NamedTuple):
    """A turn as bare ids; ``parent`` is the reply before its message."""

    turn: UUID
    message: UUID
    reply: UUID
    parent: UUID | None


class Tree:
    """The shape of one session, or of those ``turns`` of it."""

    def __init__(self, session: Session, turns: QuerySet[Turn] | None = None) -> None:
        turns = (session.turns.all() if turns is None else turns).order_by("created_at", "pk")
        self.nodes = [Node(*row) for row in turns.values_list("pk", "message", "reply", "message__parent")]
        self._by_reply = {node.reply: node for node in self.nodes}
        self._versions: dict[UUID, list[Node]] = defaultdict(list)
        self._questions: dict[UUID | None, list[UUID]] = defaultdict(list)
        for node in self.nodes:
            if node.message not in self._versions:
                self._questions[node.parent].append(node.message)
            self._versions[node.message].append(node)

    def path(self, reply: UUID | None) -> list[Node]:
        """The nodes from the first question down to ``reply``; without one, to the newest."""
        node = self._by_reply.get(reply) if reply else None
        if node is None and self.nodes:
            node = self.nodes[-1]
        path = []
        while node:
            path.append(node)
            node = self._by_reply.get(node.parent) if node.parent else None
        return path[::-1]

    def path_to(self, turn: UUID | None) -> list[Node]:
        """The nodes from the first question down to ``turn``; none for an unknown one."""
        node = next((node for node in self.nodes if node.turn == turn), None)
        return self.path(node.reply) if node else []

    def newest_leaf(self, turn: UUID) -> UUID | None:
        """The reply at the end of the newest branch that goes through ``turn``; None for an unknown turn."""
        node = next((node for node in self.nodes if node.turn == turn), None)
        reply = None
        while node:
            reply = node.reply
            questions = self._questions.get(reply)
            node = self._versions[questions[-1]][-1] if questions else None
        return reply

    def reply_siblings(self, node: Node) -> Siblings:
        turns = [version.turn for version in self._versions[node.message]]
        return _siblings(turns, turns.index(node.turn))

    def message_siblings(self, node: Node) -> Siblings:
        questions = self._questions[node.parent]
        return _siblings([self._versions[question][-1].turn for question in questions], questions.index(node.message))


def _siblings(turns: list[UUID], at: int) -> Siblings:
    return Siblings(
        index=at + 1,
        count=len(turns),
        previous=turns[at - 1] if at else None,
        next=turns[at + 1] if at + 1 < len(turns) else None,
    )


def thread(session: Session, *, before: UUID | None = None, limit: int = PAGE_EXCHANGES) -> Thread:
    """The last ``limit`` exchanges of the shown path, or those before the turn ``before``."""
    tree = Tree(session)
    path = tree.path(session.head_id)
    if before:
        end = next((at for at, node in enumerate(path) if node.turn == before), 0)
        path = path[:end]
    shown = path[-limit:]
    return Thread(_exchanges(session, tree, shown), earlier=shown[0].turn if len(path) > len(shown) else None)


@dataclass(frozen=True)
class Changes:
    """What a page lacks: the turns that have left the path that it shows, and the exchanges that follow instead."""

    left: list[UUID]
    thread: Thread
    whole: bool = False  # the exchanges take the place of everything


def changes(session: Session, *, last: UUID | None) -> Changes | None:
    """What a page lacks that ends with the turn ``last``; None when it shows the path as it is."""
    tree = Tree(session)
    path, known = tree.path(session.head_id), tree.path_to(last)
    common = next((at for at, pair in enumerate(zip(path, known, strict=False)) if pair[0] != pair[1]), None)
    if common is None:
        common = min(len(path), len(known))
    new, left = path[common:], known[common:]
    if not new and not left:
        return None
    if not common or max(len(new), len(left)) >= PAGE_EXCHANGES:
        return Changes([], thread(session), whole=True)
    return Changes([node.turn for node in left], Thread(_exchanges(session, tree, new), earlier=None))


def running_elsewhere(session: Session) -> Turn | None:
    """The open turn of the session when it belongs to another version than the one that is shown (CHAT-7)."""
    return session.turns.filter(state__in=Turn.OPEN).exclude(reply=session.head_id).first()


def exchange(turn: Turn) -> Exchange:
    """One turn as the page shows it, from its siblings alone. Raises ``Turn.DoesNotExist`` when it has been deleted."""
    tree = Tree(turn.session, turn.session.turns.filter(message__parent=turn.message.parent_id))
    node = next((node for node in tree.nodes if node.turn == turn.pk), None)
    if node is None:
        raise Turn.DoesNotExist
    return Exchange(turn, tree.message_siblings(node), tree.reply_siblings(node))


def new_exchange(turn: Turn) -> Exchange:
    """A turn that was just started at the end of a conversation, where it has no siblings."""
    return Exchange(turn, ONLY, ONLY)


def ancestors(turn: Turn) -> list[Node]:
    """The exchanges before ``turn``, newest first."""
    if turn.message.parent_id is None:
        return []
    return Tree(turn.session).path(turn.reply_id)[-2::-1]


def texts(nodes: list[Node], batch: int = 40) -> Iterator[tuple[str, str]]:
    """The (message, reply) texts of ``nodes`` in their order, read in batches as far as they are taken."""
    for start in range(0, len(nodes), batch):
        part = nodes[start : start + batch]
        keys = [key for node in part for key in (node.message, node.reply)]
        found = dict(Message.objects.filter(pk__in=keys).values_list("pk", "text"))
        yield from ((found.get(node.message, ""), found.get(node.reply, "")) for node in part)


def _exchanges(session: Session, tree: Tree, nodes: list[Node]) -> list[Exchange]:
    turns = _load(session, nodes)
    return [
        Exchange(turns[node.turn], tree.message_siblings(node), tree.reply_siblings(node))
        for node in nodes
        if node.turn in turns
    ]


def _load(session: Session, nodes: list[Node]) -> dict[UUID, Turn]:
    turns = Turn.objects.filter(pk__in=[node.turn for node in nodes]).select_related("message", "reply", "model")
    turns = turns.annotate(is_recorded=is_recorded(session.user))
    found: dict[UUID, Turn] = {}
    for turn in turns:
        turn.session = session
        found[turn.pk] = turn
    return found
