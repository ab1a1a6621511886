"""Values that are kept by texts."""

from hypothesis import given
from hypothesis import strategies as st

from adminchat.lib.textcache import TextCache


def test_a_value_is_made_once() -> None:  # PERF-5
    made = []
    cache: TextCache[int] = TextCache(2)
    for _ in range(3):
        cache.get("text", lambda: made.append(1) or len(made))
    assert made == [1]


def test_the_longest_unused_goes_first() -> None:  # PERF-5
    cache: TextCache[str] = TextCache(2)
    for text in ("a", "b", "a", "c"):
        cache.get(text, lambda text=text: text)
    assert cache.get("a", lambda: "new") == "a"
    assert cache.get("b", lambda: "new") == "new"


def test_no_text_is_kept() -> None:  # SEC-2
    cache: TextCache[int] = TextCache(2)
    cache.get("the secret word", lambda: 1)
    assert "secret" not in repr(vars(cache))


@given(st.lists(st.text(st.characters(exclude_categories=())), max_size=20))
def test_each_text_has_its_own_value(texts: list[str]) -> None:
    cache: TextCache[str] = TextCache(20)
    for _ in range(2):
        assert [cache.get(text, lambda text=text: text) for text in texts] == texts
