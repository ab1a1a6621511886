"""The one gate that everything written by a model or a person passes before it reaches a page (SEC-3)."""

from __future__ import annotations

import re

import nh3
from django.utils.safestring import SafeString, mark_safe
from pygments.token import STANDARD_TYPES

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

_TEXT_TAGS = (
    "p br hr strong em s code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 a input div span button "
    "table thead tbody tr th td"
)
_MATH_TAGS = (
    "math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts "
    "mprescripts none mtable mtr mlabeledtr mtd mpadded mphantom mstyle menclose"
)
_MATH_ATTRIBUTES = (
    "display mathvariant mathsize mathcolor displaystyle scriptlevel stretchy fence separator form accent accentunder "
    "lspace rspace minsize maxsize movablelimits symmetric largeop linethickness columnalign columnlines columnspacing "
    "rowlines rowspacing rowalign frame width height depth voffset notation linebreak"
)

_ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "title"},
    "ol": {"start"},
    "input": {"type", "checked", "disabled", "aria-label"},
    "button": {"type", "data-copy"},
    "pre": {"tabindex"},
    "div": {"role", "tabindex", "aria-label"},
    **{tag: set(_MATH_ATTRIBUTES.split()) for tag in _MATH_TAGS.split()},
}
_CLASSES: dict[str, set[str]] = {
    "div": {"code-block", "code-head", "table-scroll", "math-block"},
    "p": {"plain-note"},
    "span": {"code-language", "plain"} | {name for name in STANDARD_TYPES.values() if name},
    "button": {"copy"},
    "li": {"task"},
    "th": {"align-left", "align-center", "align-right"},
    "td": {"align-left", "align-center", "align-right"},
    "code": {"math-source"},
}

_cleaner = nh3.Cleaner(
    tags=set(_TEXT_TAGS.split()) | set(_MATH_TAGS.split()),
    attributes=_ATTRIBUTES,
    allowed_classes=_CLASSES,
    url_schemes={"http", "https", "mailto"},
    url_relative="deny",
    link_rel="noopener noreferrer nofollow",
    set_tag_attribute_values={
        "a": {"target": "_blank"},
        "button": {"type": "button"},
        "input": {"type": "checkbox", "disabled": ""},
    },
)


def sanitise(markup: str) -> SafeString:
    """Return the markup with nothing left but the tags, attributes and classes that the renderer uses.

    A lone surrogate, which no page can carry, becomes U+FFFD.
    """
    if not markup.isascii():
        markup = _LONE_SURROGATE.sub("\ufffd", markup)
    return mark_safe(_cleaner.clean(markup))
