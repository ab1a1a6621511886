"""Links: which addresses may be followed, bare addresses, and images turned into links."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_SAFE_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s]", re.IGNORECASE)
_BARE_ADDRESS = re.compile(r"(?:https?://[A-Za-z0-9\[]|mailto:[A-Za-z0-9])[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*")
_SCHEME_BEFORE_COLON = re.compile(r"(?<![A-Za-z0-9])(?:https?|mailto)$")
_LONGEST_SCHEME = len("mailto")
_TRAILING = "?!.,:;*_~'"


def is_safe_address(url: str) -> bool:
    """Say whether a link may be made of this address: absolute http, https or mailto, nothing else."""
    return _SAFE_ADDRESS.match(url) is not None


def add_link_rules(md: MarkdownIt) -> None:
    """Add to a parser: the address check, links from bare addresses, images shown as links (SEC-3)."""
    md.validateLink = is_safe_address  # type: ignore[method-assign]
    md.inline.ruler.before("autolink", "bare_address", _bare_address)
    md.core.ruler.after("inline", "images_as_links", _images_as_links)


def _bare_address(state: StateInline, silent: bool) -> bool:
    """Link ``https://…`` and ``mailto:…`` where they stand alone; stop before anything not ASCII (``。``, ``）``)."""
    if silent or state.linkLevel > 0 or state.src[state.pos] != ":":
        return False
    scheme = _SCHEME_BEFORE_COLON.search(state.src[max(0, state.pos - _LONGEST_SCHEME - 1) : state.pos])
    if scheme is None or not state.pending.endswith(scheme.group()):
        return False
    start = state.pos - len(scheme.group())
    found = _BARE_ADDRESS.match(state.src, start, state.posMax)
    if found is None:
        return False
    address = _without_trailing_marks(found.group())
    href = state.md.normalizeLink(address)
    if not state.md.validateLink(href):
        return False
    state.pending = state.pending[: -len(scheme.group())]
    state.push("link_open", "a", 1).attrs = {"href": href}
    state.push("text", "", 0).content = state.md.normalizeLinkText(address)
    state.push("link_close", "a", -1)
    state.pos = start + len(address)
    return True


def _without_trailing_marks(address: str) -> str:
    """Cut the punctuation that ends the sentence, not the address, and a bracket that was opened before it."""
    end = len(address)
    unmatched = {
        ")": address.count(")") - address.count("("),
        "]": address.count("]") - address.count("["),
    }
    while end:
        last = address[end - 1]
        if unmatched.get(last, 0) > 0:
            unmatched[last] -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    return address[:end]


def _images_as_links(state: StateCore) -> None:
    """Replace every image by a link with its description: nothing is loaded from elsewhere without a click."""
    for block in state.tokens:
        if block.type != "inline" or not block.children:
            continue
        if any(token.type == "image" for token in block.children):
            block.children = _replace_images(block.children, state.md)


def _replace_images(tokens: list[Token], md: MarkdownIt) -> list[Token]:
    replaced: list[Token] = []
    links_open = 0
    for token in tokens:
        if token.type != "image":
            links_open += {"link_open": 1, "link_close": -1}.get(token.type, 0)
            replaced.append(token)
            continue
        address = str(token.attrs.get("src", ""))
        label = _plain_text(token.children or []) or md.normalizeLinkText(address)
        text = Token("text", "", 0, content=label)
        if links_open:
            replaced.append(text)
        else:
            replaced += [
                Token("link_open", "a", 1, attrs={"href": address}),
                text,
                Token("link_close", "a", -1),
            ]
    return replaced


def _plain_text(tokens: list[Token]) -> str:
    return "".join(_plain_text(token.children) if token.children else token.content for token in tokens).strip()
