"""The Markdown dialect: CommonMark with tables, task lists, strikethrough and formulas, without raw HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from adminchat.lib.markdown.cjk import CjkParserInline
from adminchat.lib.markdown.code import code_block
from adminchat.lib.markdown.labels import mark
from adminchat.lib.markdown.links import add_link_rules
from adminchat.lib.markdown.math import add_math_rules, to_mathml

# Quotes and lists nest this deep (a list counts twice); what is deeper is shown as text.
MAX_NESTING = 24


class Renderer(RendererHTML):
    """Turns tokens into markup; the result still has to pass the sanitiser."""

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Render a fenced code block."""
        return code_block(tokens[idx].content, tokens[idx].info)

    def code_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Render an indented code block."""
        return code_block(tokens[idx].content, "")

    def math_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Render a formula within a line."""
        token = tokens[idx]
        return _formula(token, block=token.markup in ("$$", r"\["))

    def math_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Render a formula that stands by itself."""
        return f'<div class="math-block" tabindex="0">{_formula(tokens[idx], block=True)}</div>\n'

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Open a table in a box of its own that scrolls, also by keyboard."""
        return f'<div class="table-scroll" role="region" tabindex="0" aria-label="{mark("table")}"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Close a table and its box."""
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Open a head cell."""
        return _cell(tokens[idx])

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Open a body cell."""
        return _cell(tokens[idx])

    def list_item_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Open a list item, with its box when it is a task."""
        if "checked" not in tokens[idx].meta:
            return self.renderToken(tokens, idx, options, env)
        done = tokens[idx].meta["checked"]
        label = mark("done" if done else "todo")
        return f'<li class="task"><input type="checkbox" disabled aria-label="{label}"{" checked" if done else ""}> '


def build_parser(*, breaks: bool) -> MarkdownIt:
    """Return a parser of the dialect; with ``breaks`` every line break of the source is one of the page."""
    md = MarkdownIt(
        "commonmark",
        {
            "html": False,
            "breaks": breaks,
            "tasklists": True,
            "maxNesting": MAX_NESTING,
            "xhtmlOut": False,
        },
        renderer_cls=Renderer,
    )
    inline = CjkParserInline()
    inline.ruler.enableOnly(md.inline.ruler.get_active_rules())
    inline.ruler2.enableOnly(md.inline.ruler2.get_active_rules())
    md.inline = inline
    md.enable(["table", "strikethrough"])
    md.block.ruler.before("table", "too_deep", _too_deep)
    add_math_rules(md)
    add_link_rules(md)
    return md


def _cell(token: Token) -> str:
    alignment = str(token.attrs.get("style", "")).removeprefix("text-align:")
    return f'<{token.tag} class="align-{alignment}">' if alignment else f"<{token.tag}>"


def _formula(token: Token, *, block: bool) -> str:
    markup = to_mathml(token.content, block=block)
    if markup is None:
        return f'<code class="math-source">{html.escape(token.content)}</code>'
    return markup


def _too_deep(state: StateBlock, first_line: int, end_line: int, silent: bool) -> bool:
    """Show what is nested beyond the limit as text, where the library would drop it."""
    if silent or state.level < MAX_NESTING - 2:
        return False
    text = state.getLines(first_line, end_line, state.blkIndent, False).strip()
    state.line = end_line
    state.push("paragraph_open", "p", 1).map = [first_line, end_line]
    inline = state.push("inline", "", 0)
    inline.map, inline.content, inline.children = (
        [first_line, end_line],
        "",
        [Token("text", "", 0, content=text)],
    )
    state.push("paragraph_close", "p", -1)
    return True
