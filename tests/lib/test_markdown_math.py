"""Formulas where they are meant, and only there."""

import pytest

from adminchat.lib.markdown import render
from adminchat.lib.markdown.math import MAX_FORMULA_CHARACTERS, to_mathml


@pytest.mark.parametrize(
    "source",
    [
        "$x^2$",
        "其中$x$是变量",
        "$5$ of them",
        "$\\frac{1}{2}$, then",
        "$a < b$",
        "$f(x) = 2x$",
        "\\(a+b\\)",
        "\\[ \\sum_{i=1}^n i \\]",
        "$$E = mc^2$$",
        "so:\n$$\na\n+ b\n$$\nthus",
        "\\[\n\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}\n\\]",
        "- item $x_1$\n- $$y$$",
        "> $$\n> z\n> $$",
    ],
)
def test_formulas_become_mathml(source: str) -> None:  # CHAT-10
    markup = render(source)
    assert "<math display=" in markup
    assert "$" not in markup


@pytest.mark.parametrize(
    "source",
    [
        "$5 and $6",
        "it costs $5, or $6 with tax",
        "$5-$6",
        "$5 (or 6$)",
        "US$5=HK$39",
        "$HOME/$USER",
        "${HOME}/$USER",
        "$PATH:$HOME",
        "echo $x; echo $y",
        "a $ b $ c",
        "$ x$ and $x $",
        "\\$x\\$",
        "`$x$`",
        "$price and total$",
        "\\[not a link\\](x)",
        "f\\(some words\\)",
        "$x\ny$",
        "$$",
        "$$ open and\n\nnever closed",
        "\\[ open",
        "100$",
    ],
)
def test_money_and_variables_stay_text(source: str) -> None:  # CHAT-10
    assert "<math" not in render(source)


def test_emphasis_does_not_reach_into_a_formula() -> None:  # CHAT-10
    assert "<em>" not in render("$a_1 * b_1$ and $a_2 * b_2$")


@pytest.mark.parametrize(
    "latex",
    [
        "\\frac{",
        "\\foo{x}",
        "\\def\\a{\\a\\a}\\a",
        "\\newcommand{\\a}{b}\\a",
        "x" * (MAX_FORMULA_CHARACTERS + 1),
        "{" * 900,
    ],
)
def test_source_is_shown_when_a_formula_cannot_be(latex: str) -> None:  # CHAT-10
    assert to_mathml(latex, block=True) is None
    markup = render(f"$$\n{latex}\n$$")
    assert '<code class="math-source">' in markup
    assert "<math" not in markup


def test_aligned_lines_are_a_table() -> None:  # CHAT-10
    assert "<mtable" in (to_mathml("\\begin{aligned}a&=b\\\\c&=d\\end{aligned}", block=True) or "")


def test_less_than_and_markup_stay_characters() -> None:  # SEC-3
    assert "<mo>&lt;</mo>" in (to_mathml("a<b", block=False) or "")
    assert "<b>" not in (to_mathml("\\text{<b>x}", block=False) or "")
