"""The colours of highlighted code can be read in both themes, and every class has one or inherits the ink."""

import re
from pathlib import Path

import pytest

CSS = Path(__file__).parents[2] / "static" / "css"
PAIR = re.compile(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{3,6}),\s*(#[0-9a-f]{3,6})\)")


def colours(name: str) -> dict[str, tuple[str, str]]:
    return {found[1]: (found[2], found[3]) for found in PAIR.finditer((CSS / name).read_text())}


def luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


CODE = colours("code.css")
PAPER = colours("tokens.css")
WORDS = [name for name in CODE if name not in ("code-added", "code-removed")]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("paper", ["paper", "paper-sunken", "paper-raised", "code-added", "code-removed"])
@pytest.mark.parametrize("word", [*WORDS, "ink"])
def test_code_is_legible(word: str, paper: str, theme: int) -> None:  # CHAT-10
    both = {**PAPER, **CODE}
    assert contrast(both[word][theme], both[paper][theme]) >= 4.5


def test_the_stylesheet_names_its_colours() -> None:  # CHAT-10
    assert len(WORDS) >= 7
    assert "ink" in PAPER
