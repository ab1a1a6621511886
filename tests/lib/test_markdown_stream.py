"""A reply while it grows: whatever is cut wherever, the page ends up the same, and the work stays small."""

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adminchat.lib.markdown import StreamRenderer, bound, render, stream
from adminchat.lib.markdown.preview import complete

PIECES = [
    *"ab1-`*_|$\\:\t",
    *(
        "\n",
        "\n\n",
        "- ",
        "* ",
        "+ ",
        "1. ",
        "2) ",
        "9. ",
        "- [ ] ",
        "> ",
        "# ",
        "  ",
        "    ",
        "\r\n",
        "- - -",
        "***",
        "===",
    ),
    *(
        "```",
        "~~~",
        "\n```\n",
        "\n```py\n",
        " ```\n",
        "`x`",
        "**b**",
        "**",
        "~~",
        "| a | b |",
        "|--|--|",
        "$$",
        "\\[",
        "\\]",
    ),
    *("$x$", "中文", "：", "<b>", "&amp;", "[a](http://x)", "![i](http://y)", "http://z.com ", "word and word", "---"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def normal(markup: str) -> str:
    """Markup without white space, and code without its colours."""
    return re.sub(r"\s+|</?span[^>]*>", "", markup)


def fed(*pieces: str) -> StreamRenderer:
    renderer = StreamRenderer()
    for piece in pieces:
        renderer.feed(piece)
    return renderer


@given(text=TEXTS, cuts=st.lists(st.integers(1, 9), min_size=1), look=st.randoms(use_true_random=False))
@settings(max_examples=400, deadline=None)
def test_frozen_blocks_add_up_to_the_whole_however_cut(text: str, cuts: list[int], look) -> None:  # type: ignore[no-untyped-def]  # CHAT-6
    renderer, position, turn = StreamRenderer(), 0, 0
    seen: list[str] = []
    while position < len(text):
        step = cuts[turn % len(cuts)]
        renderer.feed(text[position : position + step])
        position, turn = position + step, turn + 1
        if look.random() < 0.5:
            renderer.tail()
        assert renderer.frozen[: len(seen)] == seen
        seen = list(renderer.frozen)
    assert renderer.finish() == render(text)
    assert renderer.tail() == ""
    assert normal("".join(renderer.frozen)) == normal(render(text))


@given(text=TEXTS)
@settings(max_examples=300, deadline=None)
def test_page_is_right_after_every_line(text: str) -> None:  # CHAT-6
    renderer, so_far = StreamRenderer(), ""
    for line in text.replace("\r", "").split("\n")[:-1]:
        for character in line:
            renderer.feed(character)
            renderer.tail()
        renderer.feed("\n")
        so_far += line + "\n"
        assert normal("".join(renderer.frozen) + renderer.tail()) == normal(render(so_far))


def test_finished_blocks_are_frozen_at_once() -> None:  # CHAT-6
    renderer = fed("One **two**.\n\nTh")
    assert renderer.frozen == ["<p>One <strong>two</strong>.</p>\n"]
    assert renderer.tail() == "<p>Th</p>\n"
    renderer.feed("ree\n- a\n- b\n")
    assert renderer.frozen[1] == "<p>Three</p>\n"
    renderer.feed("```py\nx\n")
    assert renderer.frozen[2].startswith("<ul>")
    renderer.feed("```\n")
    assert '<span class="n">x</span>' in renderer.frozen[3]
    assert renderer.tail() == ""


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("- a\n\n", "- b"),
        ("- a\n\n", "  still a"),
        ("1. a\n\n", "2"),
        ("a\n", "==="),
        ("| a |\n", "|---|\n"),
        ("> a\n", "lazy"),
        ("    code\n\n", "    more"),
        ("```\n\n", "a\n\n"),
        (" ~~~\na\n\n", "b\n\n"),
        ("[a]: http://e.com\n", '"title"'),
    ],
)
def test_blocks_that_may_change_are_not_frozen(text: str, more: str) -> None:  # CHAT-6
    renderer = fed(text, more)
    renderer.tail()
    assert renderer.frozen == []


def test_open_code_is_plain_until_it_closes() -> None:  # CHAT-6
    renderer = fed("```python\nif x < 1:\n", "    pass")
    assert "<code>if x &lt; 1:\n    pass</code>" in renderer.tail()
    assert '<span class="code-language">python</span>' in renderer.tail()
    renderer.feed("\n``")
    assert "``" not in renderer.tail()


def test_list_turns_loose_as_a_whole() -> None:  # CHAT-6
    renderer = fed("3. a\n4. b\n")
    assert normal(renderer.tail()) == '<olstart="3"><li>a</li><li>b</li></ol>'
    renderer.feed("\n5. c")
    assert normal(renderer.tail()) == '<olstart="3"><li><p>a</p></li><li><p>b</p></li><li><p>c</p></li></ol>'


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("a **bol", "a **bol**"),
        ("a **bold*", "a **bold**"),
        ("a **", "a "),
        ("a **b** c", "a **b** c"),
        ("a **b ", "a **b**"),
        ("run `ls -", "run `ls -`"),
        ("run `", "run "),
        ("`a ** b`", "`a ** b`"),
        ("~~gone", "~~gone~~"),
        ("see [the page](https://e", "see the page"),
        ("see ![a](https://e.com", "see a"),
        ("see [a](https://e.com) x", "see [a](https://e.com) x"),
        ("-", ""),
        ("12.", ""),
        ("```", ""),
        ("##", ""),
        ("| --", ""),
        ("- a", "- a"),
    ],
)
def test_unfinished_markup_does_not_flicker(line: str, shown: str) -> None:  # CHAT-6
    assert complete(line) == shown


def test_reference_defined_later_is_linked_at_the_end() -> None:  # CHAT-10
    renderer = fed("See [docs].\n\n", "[docs]: https://e.com\n\n", "Again [docs].\n\nEnd")
    assert "<a" not in renderer.frozen[0]
    assert '<a href="https://e.com"' in renderer.frozen[-1]
    assert renderer.finish().count("<a ") == 2


def test_nothing_is_rendered_again_without_new_text(monkeypatch: pytest.MonkeyPatch) -> None:  # CHAT-6
    calls: list[str] = []
    monkeypatch.setattr(stream, "sanitise", lambda markup: calls.append(markup) or markup)
    renderer = fed("a *b* c")
    assert renderer.tail() is renderer.tail()
    renderer.feed("")
    renderer.tail()
    assert len(calls) == 1


def test_size_of_the_open_block_is_known() -> None:  # CHAT-6
    renderer = fed("done\n\n", "abc\n", "de")
    assert renderer.open_characters == 6


@given(text=TEXTS, cuts=st.lists(st.integers(1, 40), min_size=1), limit=st.integers(1, 60))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_text_beyond_the_bound_is_shown_as_it_was_written_however_cut(
    monkeypatch: pytest.MonkeyPatch, text: str, cuts: list[int], limit: int
) -> None:  # CHAT-10, PERF-10
    monkeypatch.setattr(bound, "MAX_RENDERED_CHARACTERS", limit)
    monkeypatch.setattr(stream, "PLAIN_CHARACTERS", 7)
    renderer, position, turn = StreamRenderer(), 0, 0
    while position < len(text):
        step = cuts[turn % len(cuts)]
        renderer.feed(text[position : position + step])
        renderer.tail()
        position, turn = position + step, turn + 1
    assert renderer.finish() == render(text)
    assert renderer.tail() == ""
    pieces = "".join(renderer.frozen).replace('</span><span class="plain">', "")
    assert normal(pieces) == normal(render(text))
    if len(text) > limit:
        _rendered, rest = bound.split(text)
        assert render(text).endswith(bound.plain(rest))


def test_a_hundred_thousand_items_are_streamed_in_seconds_and_none_is_lost() -> None:  # PERF-10
    text = "".join(f"- item {number}\n" for number in range(100_000))
    assert seconds(lambda: stream_through(text)) < 20
    markup = str(render(text))
    assert markup.count("plain-note") == 1
    assert [int(number) for number in re.findall(r"item (\d+)", markup)] == list(range(100_000))


def test_hostile_text_beyond_the_bound_stays_text() -> None:  # SEC-3
    text = "word " * 20_000 + "\n<script>alert(1)</script> [x](javascript:alert(1)) & **b**\ud800"
    markup = str(render(text))
    assert "&lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1)) &amp; **b**\ufffd" in markup


def test_newest_words_of_a_long_block_are_shown_as_text() -> None:  # PERF-10
    renderer = fed("*a* <b>\n" * 600)
    renderer.tail()
    renderer.feed("newest *words* <i>")
    assert renderer.tail().endswith("&lt;b&gt;\nnewest *words* &lt;i&gt;</p>\n")


def seconds(work: Callable[[], object]) -> float:
    """The best of two runs, in CPU time, so that a busy machine counts little."""
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def stream_through(text: str) -> None:
    renderer = StreamRenderer()
    for start in range(0, len(text), 64):
        renderer.feed(text[start : start + 64])
        renderer.tail()
    renderer.finish()


HOSTILE = {
    "stars": "*",
    "stars apart": "*a ",
    "strong": "**a **",
    "underscores": "_a ",
    "tildes": "~~a ",
    "brackets": "[",
    "half links": "[a](b ",
    "images": "![",
    "links": "[a](http://b.c) ",
    "dollars": "$",
    "dollars apart": "$a ",
    "formulas": "$x$ ",
    "display": "$$a\n",
    "display brackets": "\\[a\n",
    "backticks": "`a ",
    "quotes": "> ",
    "quoted lines": "> > a\n",
    "list in list": "- ",
    "list": "- a\n",
    "loose list": "- a\n\n",
    "numbers": "1. a\n",
    "fences": "```\n",
    "indented fence": " ```\na\n\n",
    "empty lines": "\n",
    "table": "|a|b|\n|-|-|\n",
    "lines": "a\n",
    "addresses": "http://a.b ",
    "colons": "http:",
    "entities": "&a;",
    "slashes": "\\",
    "definitions": "[a]: b\n",
    "headings": "a\n=\n",
    "plain": "word ",
    "emphasis in chinese": "**重要：**请看",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_rendering_takes_linear_time(unit: str) -> None:  # PERF-10, SEC-7
    assert growth(render, unit, 4_000) < 9  # four times the text; a quadratic way would take sixteen times as long


@pytest.mark.parametrize(
    "text",
    [
        "word ",
        "**a** `b` ",
        "a\n",
        "- **b**\n",
        "1. **b**\n\n   c\n\n",
        "- a\n  - b\n    - c\n",
        "> **d**\n",
        "```py\n§a = 1\n",
    ]
    + ["| a |\n|---|\n§| **d** |\n", "- §word ", "intro\n\n1. §\n\n- c", " ```\n§a\n\n"],
    ids=repr,
)
def test_streaming_takes_linear_time(text: str) -> None:  # PERF-10
    prefix, _, unit = text.rpartition("§")
    assert growth(stream_through, unit, 3_000, prefix) < 9


def growth(work: Callable[[str], object], unit: str, size: int, prefix: str = "") -> float:
    """How many times longer four times as much text takes; what takes milliseconds is not measured closely."""
    small, large = (prefix + unit * (characters // len(unit)) for characters in (size, 4 * size))
    work(small)
    once = seconds(lambda: work(small))
    return seconds(lambda: work(large)) / max(once, 0.003)


def test_a_megabyte_is_rendered_in_seconds() -> None:  # PERF-10
    paragraph = "The **quick** fox runs `away` from [here](https://e.com/x), 然后**停下：**看。\n\n"
    assert seconds(lambda: render(paragraph * (1_000_000 // len(paragraph)))) < 15


def test_plain_paragraph_is_cheap() -> None:  # PERF-2
    paragraph = ("The quick brown fox jumps over the lazy dog and runs on. " * 4)[:200]

    def work() -> None:
        for _ in range(200):
            fed(paragraph).tail()

    assert fed(paragraph).tail() == render(paragraph)
    assert seconds(work) / 200 < 0.000_15


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=60))
@settings(max_examples=300, deadline=None)
def test_cheap_paragraphs_equal_rendered_ones(text: str) -> None:  # CHAT-10
    if (cheap := stream.plain_paragraph(text)) is not None:
        assert cheap == render(text)
