"""Counting tokens without a network (OPS-12, ENTRY-19).

The vocabularies of OpenAI's models lie in ``vocab/`` under the names that tiktoken gives to its cache, so that the
library finds them there and proves them by its own checksums. For other models an estimate is made that is meant to be
too high rather than too low.
"""

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

VOCABULARIES = Path(__file__).parent / "vocab"
FILES = {
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
}

_O200K = re.compile(r"(chatgpt-|gpt-(4o|4\.1|4\.5|5|6)|o[1345]($|-))")
_CL100K = re.compile(r"gpt-(4|3\.5|35)($|-)")
_PIECES = re.compile(
    r"(?P<word>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<cjk>[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+)"
    r"|(?P<space>\s+)|(?P<sign>[\x21-\x7e])|(?P<other>[^\x00-\x7f\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+)"
)
_RUN = 512  # characters; tiktoken is quadratic in a run of one kind
_LONG_RUN = re.compile(rf"(\S{{{_RUN}}})(?=\S)")


class VocabularyMissing(Exception):
    """A vocabulary isn't where the installation puts it."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    """How many tokens, by which tokenizer, and whether that is exact or an estimate."""

    tokens: int
    exact: bool
    tokenizer: str


def count(text: str, model_name: str) -> TokenCount:
    """The tokens of ``text`` for the model of that name, with or without a provider's prefix."""
    name = model_name.rpartition("/")[2].lower()
    encoding = "o200k_base" if _O200K.match(name) else "cl100k_base" if _CL100K.match(name) else ""
    if not encoding:
        return TokenCount(estimate(text), exact=False, tokenizer="estimate")
    short = not _LONG_RUN.search(text)
    parts = [text] if short else [part for part in _LONG_RUN.split(text) if part]
    tokens = sum(len(_encoding(encoding).encode_ordinary(part)) for part in parts)
    return TokenCount(tokens, exact=short, tokenizer=encoding)


def estimate(text: str) -> int:
    """A number of tokens that no common tokenizer exceeds for ordinary texts in English, Chinese and code."""
    total = 0.0
    for piece in _PIECES.finditer(text):
        length = piece.end() - piece.start()
        match piece.lastgroup:
            case "word":
                total += 1 + max(0, length - 6) / 3
            case "digits":
                total += length
            case "cjk":
                total += 1.5 * length
            case "space":
                total += 0.2 if length == 1 else 1 + length / 16
            case "sign":
                total += 0.9
            case _:
                total += 0.8 * len(piece.group().encode())
    return int(total) + 1 if text else 0


@cache
def _encoding(name: str) -> "Encoding":
    """Raises ``VocabularyMissing`` instead of fetching what isn't there."""
    if not (VOCABULARIES / FILES[name]).is_file():
        raise VocabularyMissing(name)
    os.environ["TIKTOKEN_CACHE_DIR"] = str(VOCABULARIES)
    import tiktoken

    return tiktoken.get_encoding(name)
