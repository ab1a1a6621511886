"""Code blocks: highlighted on the server, with a language label and a copy button."""

from __future__ import annotations

import html
from functools import lru_cache

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from adminchat.lib.markdown.labels import mark

# Lexers are stacks of regular expressions, and many take quadratic time or worse on hostile text. Only those of
# everyday languages are used (each measured on repeated punctuation), and only within these bounds.
MAX_HIGHLIGHTED_CHARACTERS = 20_000
MAX_HIGHLIGHTED_LINE = 500
_MANY_EMPTY_LINES = "\n" * 20
_LANGUAGE_NAMES = (
    "apacheconf awk bash batch c clojure cmake console cpp csharp css dart diff django docker elixir erlang fsharp go "
    "graphql groovy haskell html http ini java javascript jinja json jsx julia kotlin less lua make matlab mysql nasm "
    "nginx objective-c ocaml perl php postgresql powershell properties protobuf pycon python r ruby rust scala scheme "
    "scss sql swift tex toml tsx typescript vim vue xml yaml"
)
_LANGUAGES = frozenset(_LANGUAGE_NAMES.split())

_MAX_LANGUAGE_CHARACTERS = 30
_PLAIN_LANGUAGES = frozenset({"", "text", "plain", "plaintext", "txt"})
_formatter: HtmlFormatter[str] = HtmlFormatter(nowrap=True)


def code_block(code: str, info: str) -> str:
    """Return the markup of one code block; ``info`` is what follows the opening fence, its first word the language.

    Not safe by itself: it still goes through the sanitiser.
    """
    opening, closing = code_frame(info)
    body = _highlight(code, language_of(info))
    return f"{opening}{html.escape(code, quote=False) if body is None else body}{closing}"


def code_frame(info: str) -> tuple[str, str]:
    """Return what stands before and after the code itself."""
    language = language_of(info)
    label = html.escape(language) if language not in _PLAIN_LANGUAGES else mark("code")
    opening = (
        f'<div class="code-block"><div class="code-head"><span class="code-language">{label}</span>'
        f'<button type="button" class="copy" data-copy="code">{mark("copy")}</button></div><pre tabindex="0"><code>'
    )
    return opening, "</code></pre></div>\n"


def language_of(info: str) -> str:
    """Return the language named after an opening fence, in lower case, or an empty string."""
    words = info.split(maxsplit=1)
    return words[0].strip("{}.").lower()[:_MAX_LANGUAGE_CHARACTERS] if words else ""


def _highlight(code: str, language: str) -> str | None:
    if language in _PLAIN_LANGUAGES or len(code) > MAX_HIGHLIGHTED_CHARACTERS or _MANY_EMPTY_LINES in code:
        return None
    if any(len(line) > MAX_HIGHLIGHTED_LINE for line in code.splitlines()):
        return None
    lexer = _lexer(language)
    return None if lexer is None else highlight(code, lexer, _formatter)


@lru_cache(maxsize=128)
def _lexer(language: str) -> Lexer | None:
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
    return lexer if _LANGUAGES.intersection(lexer.aliases) else None
