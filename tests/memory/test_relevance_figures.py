"""The figures of choosing entries, on books and questions in English, Chinese and both."""

from functools import partial
from pathlib import Path

import pytest

from bench import relevance

# The sets that have to be reached; the others, which nothing was adjusted to, are measured by the bench.
TO_REACH = [path for path in relevance.sets() if path.stem.startswith("work_")]


@pytest.mark.parametrize("path", TO_REACH, ids=lambda path: path.stem)
def test_the_right_entries_are_loaded_and_few_others(path: Path) -> None:  # ENTRY-18
    entries, questions = relevance.load(path)
    plain = [question for question in questions if not question.get("hard")]
    figures = relevance.figures(entries, plain, relevance.ours)
    assert figures.reached, str(figures)


@pytest.mark.parametrize("path", TO_REACH, ids=lambda path: path.stem)
def test_choosing_is_many_times_faster_than_looking_through_the_book_anew(path: Path) -> None:  # PERF-5
    entries, questions = relevance.load(path)
    relevance.selection(entries, "")  # the book is analysed once
    ours = sum(relevance.milliseconds(partial(relevance.selection, entries, one["text"])) for one in questions)
    plain = sum(relevance.milliseconds(partial(relevance.plain_bm25, entries, one["text"])) for one in questions)
    assert ours < plain / 3  # it is a tenth; milliseconds differ too much between machines
