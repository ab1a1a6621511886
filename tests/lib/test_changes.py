import time

from hypothesis import given
from hypothesis import strategies as st

from adminchat.lib.changes import changes

LINES = st.lists(st.sampled_from(["one", "two", "three", ""]), max_size=12)


def test_lines_are_marked() -> None:  # PROMPT-5, SYS-8
    assert changes("a\nb\nc", "a\nx\nc\nd") == [(" ", "a"), ("-", "b"), ("+", "x"), (" ", "c"), ("+", "d")]


@given(LINES, LINES)
def test_both_texts_are_whole(old: list[str], new: list[str]) -> None:  # PROMPT-5
    found = changes("\n".join(old), "\n".join(new))
    assert [line for sign, line in found if sign != "+"] == "\n".join(old).splitlines()
    assert [line for sign, line in found if sign != "-"] == "\n".join(new).splitlines()


def test_texts_that_share_nothing_take_no_time() -> None:  # SEC-7
    begun = time.monotonic()
    changes("\n".join(f"a{n}" for n in range(5000)), "\n".join(f"b{n}" for n in range(5000)))
    changes("a\n" * 10_000, "a\nb\n" * 5000)
    assert time.monotonic() - begun < 2
