"""The figures of choosing entries, on books and questions in English, Chinese and both."""

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


def test_choosing_is_fast() -> None:  # PERF-5
    ranking, choosing = relevance.speed()
    assert ranking.reached and choosing.reached, f"{ranking.figure}; {choosing.figure}"
