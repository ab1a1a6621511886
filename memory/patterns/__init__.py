"""Regular expressions that are too long for code, one file per subject."""

import tomllib
from functools import cache
from pathlib import Path

import regex

_PART = regex.compile(r"<<(\w+)>>")


@cache
def patterns(subject: str) -> dict[str, regex.Pattern[str]]:
    """The patterns of a file, compiled; case doesn't matter. ``<<name>>`` stands for one that stands above."""
    texts = tomllib.loads((Path(__file__).parent / f"{subject}.toml").read_text(encoding="utf-8"))
    whole: dict[str, str] = {}
    for name, text in texts.items():
        whole[name] = _PART.sub(lambda part: f"(?:{whole[part[1]]})", text)
    return {
        name: regex.compile(text, regex.VERBOSE | regex.VERSION1 | regex.IGNORECASE) for name, text in whole.items()
    }
