"""Texts that are orders to a model rather than facts (LEARN-14): claims of permission or identity, redirections, promotion,
orders that wait for a later word, forged marks of a prompt. A working habit ("always run the linter first") is none.

Texts are in compatibility form; case doesn't matter.
"""

from collections.abc import Iterator

from memory.patterns import patterns

KINDS = ("override", "identity", "permission", "redirection", "promotion", "delayed", "forged")


def orders(text: str) -> Iterator[tuple[int, int]]:
    """Where a text gives orders to a model or claims rights."""
    for kind in KINDS:
        for match in patterns("orders")[kind].finditer(text):
            yield match.span()
