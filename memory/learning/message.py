"""A message as evidence: what of it are its author's own words, and where a quote of it stands (LEARN-1, LEARN-13)."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property

import regex

from memory.learning.folding import Folded
from memory.learning.languages import words
from memory.learning.passages import Kind, passages
from memory.learning.reading import Reading, folded, read
from memory.patterns import patterns
from memory.safety import findings, is_secret

OTHERS = (Kind.CODE_BLOCK, Kind.BLOCK_QUOTE)


@dataclass(frozen=True)
class Message:
    """A message of a user, as it was typed on ``today`` in a session of ``workspace``, if any."""

    original: str
    today: date
    workspace: str | None = None

    @cached_property
    def folded(self) -> Folded:
        return folded(self.original)

    @cached_property
    def blocked(self) -> bytes:
        """One byte for each character of the folded text; 1 where the words are not the author's own."""
        blocked = bytearray(len(self.original) + 1)
        for passage in passages(self.original):
            if passage.kind in OTHERS or (
                passage.kind is Kind.QUOTATION and self._is_others(passage.start, passage.end)
            ):
                blocked[passage.start : passage.end] = b"\x01" * (passage.end - passage.start)
        result = bytearray(blocked[place] for place in self.folded.places[:-1])
        for match in words().patterns["pasted"].finditer(self.folded.text):
            end = self.folded.text.find("\n\n", match.end())
            end = end if end >= 0 else len(self.folded.text)
            result[match.end() : end] = b"\x01" * (end - match.end())
        return bytes(result)

    def _is_others(self, start: int, end: int) -> bool:
        """Whether somebody else says what is quoted: a verb of speech is near, and its subject isn't the author."""
        before = folded(self.original[max(0, start - 60) : start]).text
        before = regex.split(r"[.。!?\n]", before)[-1]
        after = regex.split(r"[.。!?\n]", folded(self.original[end : end + 30]).text)[0]
        speech = f"(?:{words().patterns['speech'].pattern})"
        if regex.search(rf"{speech}\W*[\w, :]{{0,12}}$", before, regex.VERSION1):
            return not regex.search(
                rf"(?:\b(?:i|we)(?:'d|'ll)?|我们?(?:会|都|常|要)?) ?{speech}", before, regex.VERSION1
            )
        if before.rstrip().endswith(":") and patterns("people")["other"].search(before):
            return True
        return bool(regex.match(rf"[ ,]*(?:(?:\w+ ){{0,3}}|\p{{Han}}{{0,4}}){speech}", after, regex.VERSION1))

    @cached_property
    def place(self) -> str:
        """The folded name of the workspace, or ""."""
        return folded(self.workspace or "").text.strip()

    @cached_property
    def reading(self) -> Reading:
        return read(self.folded.text, self.today, self.blocked, self.place)

    @cached_property
    def secrets(self) -> bytes:
        """As ``blocked``: 1 where a secret stands, which was masked before a model saw it (LEARN-9)."""
        secret = bytearray(len(self.original) + 1)
        for finding in findings(self.original):
            if is_secret(finding.danger):
                secret[finding.start : finding.end] = b"\x01" * (finding.end - finding.start)
        return bytes(secret[place] for place in self.folded.places[:-1])

    def spans(self, quote: str) -> list[tuple[int, int]]:
        """Where a quote stands in the folded text, whatever the white space, and not within a word or number."""
        wanted = _squeezed(folded(quote).text.strip(" \n.,;:。!?\"'"))[0]
        text, places = _squeezed(self.folded.text)
        found = []
        at = text.find(wanted) if wanted else -1
        while at >= 0:
            start, end = places[at], places[at + len(wanted) - 1] + 1
            if not (_is_cut(self.folded.text, start) or _is_cut(self.folded.text, end)):
                found.append((start, end))
            at = text.find(wanted, at + 1)
        return found


def _squeezed(text: str) -> tuple[str, list[int]]:
    places = [at for at, char in enumerate(text) if not char.isspace()]
    return "".join(text[at] for at in places), places


_JOINED = regex.compile(r"[\p{L}\p{Nd}--\p{Han}]", regex.VERSION1)


def _is_cut(text: str, place: int) -> bool:
    """Whether a word or a number goes on at ``place``."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if before in ".:,-_/" and text[place - 2 : place - 1].isdigit() and after.isdigit():
        return True
    if after in ".:,-_/" and before.isdigit() and text[place + 1 : place + 2].isdigit():
        return True
    return bool(_JOINED.match(before) and _JOINED.match(after))
