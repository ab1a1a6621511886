"""Secrets are masked before a model sees a message from which it is to learn (LEARN-9)."""

from collections.abc import Iterable
from dataclasses import dataclass

from memory.safety import Danger, findings, is_secret

MASK = "█████"
"""What stands for a secret. Nothing that holds it becomes an entry."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets, and of which kinds they were."""

    text: str
    dangers: tuple[Danger, ...]


def mask(text: str) -> Masked:
    """``text`` with every secret that is found replaced by ``MASK``."""
    found = [finding for finding in findings(text) if is_secret(finding.danger)]
    pieces, place = [], 0
    for start, end in _joined((finding.start, finding.end) for finding in found):
        pieces += [text[place:start], MASK]
        place = end
    return Masked("".join([*pieces, text[place:]]), tuple(dict.fromkeys(finding.danger for finding in found)))


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in their order, overlapping ones as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
