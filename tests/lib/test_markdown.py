"""What Markdown looks like on a page, and what never gets there."""

import re
from html.parser import HTMLParser

import pytest
from django.utils import translation
from django.utils.safestring import SafeString
from hypothesis import given, settings
from hypothesis import strategies as st

from adminchat.lib.markdown import localised, render, render_user

LINK_TAIL = ' target="_blank" rel="noopener noreferrer nofollow">'


class Elements(HTMLParser):
    """Every element of a fragment with its attributes."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def tags(markup: str) -> set[str]:
    return {tag for tag, _ in Elements(markup).found}


def text_of(markup: str) -> str:
    return re.sub(r"<[^>]*>", "", markup)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a **b** _c_ ~~d~~ `e`", "<p>a <strong>b</strong> <em>c</em> <s>d</s> <code>e</code></p>"),
        (
            "# One\n\n> two\n\n1. three",
            "<h1>One</h1>\n<blockquote>\n<p>two</p>\n</blockquote>\n<ol>\n<li>three</li>\n</ol>",
        ),
        ("3. three\n4. four", '<ol start="3">\n<li>three</li>\n<li>four</li>\n</ol>'),
        ("a\nb", "<p>a\nb</p>"),
        ("a  \nb", "<p>a<br>\nb</p>"),
        ("---", "<hr>"),
    ],
)
def test_common_markdown_is_rendered(source: str, expected: str) -> None:  # CHAT-10
    assert render(source).strip() == expected
    assert isinstance(render(source), SafeString)


def test_line_breaks_of_a_person_count() -> None:  # CHAT-10
    assert render_user("a\nb").strip() == "<p>a<br>\nb</p>"


def test_tasks_have_boxes_with_names() -> None:  # CHAT-10
    boxes = [
        attributes for tag, attributes in Elements(localised(render("- [ ] open\n- [x] shut"))).found if tag == "input"
    ]
    assert [("checked" in box, box["aria-label"], "disabled" in box) for box in boxes] == [
        (False, "To do", True),
        (True, "Done", True),
    ]


def test_table_scrolls_in_a_named_box_and_aligns_by_class() -> None:  # CHAT-10
    markup = localised(render("| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |"))
    assert '<div class="table-scroll" role="region" tabindex="0" aria-label="Table"><table>' in markup
    assert [attributes.get("class") for tag, attributes in Elements(markup).found if tag == "td"] == [
        "align-left",
        "align-center",
        "align-right",
    ]
    assert "style" not in markup


@pytest.mark.parametrize("info", ["python", "py", "PYTHON", "{.python}", "python title=x"])
def test_code_is_highlighted_by_class_with_label_and_copy_button(info: str) -> None:  # CHAT-10
    markup = localised(render(f"```{info}\nif x < 1: print('<b>')\n```"))
    assert '<span class="k">if</span>' in markup
    assert re.search(r'<span class="code-language">(py|python)</span>', markup)
    assert '<button type="button" class="copy" data-copy="code">Copy</button>' in markup
    assert "<b>" not in markup


@pytest.mark.parametrize(
    "source", ["```nonsense\n<i>\n```", "```\n<i>\n```", "    <i>", "~~~text\n<i>", "```abap\n<i>\n```"]
)
def test_other_code_is_shown_as_it_is(source: str) -> None:  # CHAT-10
    markup = render(source)
    assert '<pre tabindex="0"><code>&lt;i&gt;' in markup
    assert "data-copy" in markup


def test_labels_are_in_the_language_of_the_reader_not_of_the_rendering() -> None:  # CHAT-10, I18N-2
    with translation.override("en"):
        kept = render("```\nx\n```\n\n- [ ] a")
    with translation.override("zh-hans"):
        assert ">复制</button>" in localised(kept)
    with translation.override("en"):
        assert ">Copy</button>" in localised(kept)


def test_mark_that_somebody_typed_is_harmless() -> None:  # SEC-3
    assert localised(render("\ue000copy\ue001 \ue000<script>\ue001")) == "<p>Copy \ue000&lt;script&gt;\ue001</p>\n"


@pytest.mark.parametrize(
    ("source", "strong"),
    [
        ("**重要：**请看", "重要："),
        ("**「标题」**内容", "「标题」"),
        ("他说**“你好”**。", "“你好”"),
        ("这是**数据(data)**的说明", "数据(data)"),
        ("请用**`kubectl`**命令", "<code>kubectl</code>"),
        ("点击**【保存】**，然后", "【保存】"),
        ("中文**强调**中文", "强调"),
        ("**注意!**这里", "注意!"),
    ],
)
def test_emphasis_beside_chinese_punctuation(source: str, strong: str) -> None:  # CHAT-10
    assert f"<strong>{strong}</strong>" in render(source)


@pytest.mark.parametrize("source", ["2 * 3 * 4", "snake_case_name", "** not bold **", "a**(b)**c"])
def test_other_emphasis_is_as_in_commonmark(source: str) -> None:  # CHAT-10
    assert tags(render(source)) == {"p"}


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("[a](https://e.com/x)", "https://e.com/x"),
        ("<https://e.com/x>", "https://e.com/x"),
        ("see https://e.com/x.", "https://e.com/x"),
        ("(https://e.com/a_(b))", "https://e.com/a_(b)"),
        ("请看https://e.com/x。然后", "https://e.com/x"),
        ("（https://e.com/x）", "https://e.com/x"),
        ("mailto:a@e.com", "mailto:a@e.com"),
        ("[r]\n\n[r]: https://e.com/x", "https://e.com/x"),
    ],
)
def test_links_open_apart_and_tell_nothing(source: str, address: str) -> None:  # SEC-3
    assert f'<a href="{address}"{LINK_TAIL}' in render(source)


@pytest.mark.parametrize(
    "source",
    [
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](java&#115;cript:alert(1))",
        "[a](data:text/html;base64,xx)",
        "![a](data:image/png;base64,xx)",
        "[a](vbscript:x)",
        "[a](file:///etc/passwd)",
        "[a](/accounts/logout/)",
        "[a](//e.com)",
        "[a](#top)",
        "<javascript:alert(1)>",
        "[a]\n\n[a]: javascript:alert(1)",
        "www.e.com and a@e.com and ftp://e.com",
    ],
)
def test_unsafe_addresses_are_text(source: str) -> None:  # SEC-3
    markup = render(source)
    assert "a" not in tags(markup)
    assert tags(markup) <= {"p"}


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<a href="javascript:alert(1)">x</a>',
        "<svg/onload=alert(1)>",
        "<math><mtext><table><mglyph><style><img src onerror=alert(1)>",
        "a <b onmouseover=alert(1)>b</b>",
        "<!-- x --><iframe srcdoc='<script>'>",
        "<form action=/x><button formaction=/y>",
        "$\\text{<img src=x onerror=alert(1)>}$",
        '```x"><img src=x onerror=alert(1)>\ny\n```',
    ],
)
def test_raw_html_is_shown_as_text(source: str) -> None:  # SEC-3
    for markup in (render(source), render_user(source)):
        for tag, attributes in Elements(markup).found:
            assert tag not in {"script", "img", "svg", "iframe", "style", "form", "b", "table"}
            assert not [name for name in attributes if name.startswith("on")]
    assert "&lt;" in render(source) or source.startswith("```")


def test_images_are_links_with_their_description() -> None:  # SEC-3
    markup = render("![a *cat*](https://e.com/c.png) and ![](https://e.com/d.png)")
    assert "img" not in tags(markup)
    assert f'<a href="https://e.com/c.png"{LINK_TAIL}a cat</a>' in markup
    assert f'<a href="https://e.com/d.png"{LINK_TAIL}https://e.com/d.png</a>' in markup


def test_image_in_a_link_leaves_one_link() -> None:  # SEC-3
    markup = render("[![badge](https://e.com/b.png)](https://e.com)")
    assert markup.strip() == f'<p><a href="https://e.com"{LINK_TAIL}badge</a></p>'


def test_what_is_nested_too_deep_is_not_lost() -> None:  # CHAT-10, SEC-7
    for source in (
        "> " * 200 + "end",
        "- " * 200 + "end",
        "".join("  " * depth + "- x\n" for depth in range(60)) + "end",
    ):
        markup = render(source)
        assert "end" in text_of(markup)
        assert max(markup.count("<blockquote>"), markup.count("<ul>")) <= 24


_TEXT_TAGS = """
p br hr strong em s code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 a input div span button table thead tbody tr th td
"""
_MATH_TAGS = """
math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mpadded
mphantom mstyle menclose
"""
_ALLOWED = {*_TEXT_TAGS.split(), *_MATH_TAGS.split()}


@given(st.text(alphabet=st.sampled_from(list("<>&\"'/=[]()*_`~!$\\|-#: \n\tabjx中：\u00a0\ud800\0")), max_size=80))
@settings(max_examples=300, deadline=None)
def test_no_text_gets_markup_through(source: str) -> None:  # SEC-3
    for tag, attributes in Elements(render(source)).found:
        assert tag in _ALLOWED
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "id")]
        assert (attributes.get("href") or "https:").startswith(("http:", "https:", "mailto:"))
