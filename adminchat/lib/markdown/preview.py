"""How unfinished Markdown looks while it is being written: nothing flickers that the next words would settle."""

from __future__ import annotations

import re

_PLAIN_PARAGRAPH = re.compile(r"[^\W\d_](?:[^\s\0&<>*_`~\[\]\\$:\ud800-\udfff]| |:(?!/))*")
_UNDECIDED_LINE = re.compile(r"[ \t]*(?:[-+*=_`~#>]+|\d{1,9}[.)]?|\|[-:| \t]*)[ \t]*")
_HALF_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*$")
_CODE_MARK = re.compile(r"`+")
_CODE = re.compile(r"(`+)[^`]+\1")


def plain_paragraph(text: str) -> str | None:
    """Return the markup of a paragraph in which no character means anything to Markdown, else ``None``.

    The cheap way for most of what is streamed; the same as what the parser and the sanitiser make of it.
    """
    line = text.rstrip(" \n")
    return f"<p>{line}</p>\n" if _PLAIN_PARAGRAPH.fullmatch(line) and "mailto:" not in line else None


def complete(line: str) -> str:
    """Close or hide the markup at the end of an unfinished line: ``**bol`` is bold, ``[a](htt`` is its label.

    A line that holds nothing but a marker so far is hidden, since what it will be is open.
    """
    if _UNDECIDED_LINE.fullmatch(line):
        return ""
    line = _HALF_LINK.sub(r"\1", line)
    open_code = _open_code_mark(line)
    if open_code:
        return line.removesuffix(open_code) if line.endswith(open_code) else line + open_code
    for mark in ("**", "~~"):
        if _CODE.sub("", line).count(mark) % 2:
            line = line.rstrip(" \t")
            if line.endswith(mark):
                line = line.removesuffix(mark)
            else:
                line += mark[1:] if line.endswith(mark[0]) else mark
    return line


def _open_code_mark(line: str) -> str:
    opened = ""
    for mark in _CODE_MARK.findall(line):
        if not opened:
            opened = mark
        elif mark == opened:
            opened = ""
    return opened
