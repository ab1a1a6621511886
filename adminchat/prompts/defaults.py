"""The prompts that come with AdminChat (PROMPT-3): a file per range in ``shipped/``, there without any row or set-up.

A text that has been in a release is never edited: it gets a version of its own, so that a code always means one text.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from adminchat.prompts.models import PromptVersion, Range

_FOLDER = Path(__file__).parent / "shipped"


def shipped() -> list[PromptVersion]:
    """Every version that comes along, as instances that aren't stored and belong to whoever asked for them."""
    return [PromptVersion(range=range_name, **fields) for range_name, fields in _read()]


@cache
def _read() -> list[tuple[str, dict[str, Any]]]:
    return [
        (range_name, {**fields, "text": fields["text"].strip()})
        for range_name in Range.values
        for fields in tomllib.loads((_FOLDER / f"{range_name}.toml").read_text(encoding="utf-8"))["version"]
    ]
