"""What fits: entries are loaded whole or not at all, within the tokens that memory may take of a turn (ENTRY-14)."""

from dataclasses import dataclass

from memory.reasons import Reason


@dataclass(frozen=True, slots=True)
class Limits:
    """Tokens that memory may take of a turn, the boundary text included, and that core entries may take of these."""

    total: int
    core: int


class Budget:
    """The room that is left. The boundary text takes its part of it with the first entry."""

    def __init__(self, limits: Limits, boundary_tokens: int) -> None:
        self.limits = limits
        self.tokens = 0
        self.core_tokens = 0
        self._boundary_tokens = boundary_tokens

    def take(self, tokens: int, *, core: bool) -> Reason | None:
        """Take room for an entry, or say why it doesn't fit."""
        total = (self.tokens or self._boundary_tokens) + tokens
        if core and self.core_tokens + tokens > self.limits.core:
            return Reason.OVER_CORE_BUDGET
        if total > self.limits.total:
            return Reason.OVER_BUDGET
        self.tokens = total
        self.core_tokens += tokens if core else 0
        return None
