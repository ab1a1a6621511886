"""What fits into the tokens that memory may take of a turn."""

from hypothesis import given
from hypothesis import strategies as st

from memory.budget import Budget, Limits
from memory.reasons import Reason

sizes = st.integers(min_value=0, max_value=1200)
wanted = st.lists(st.tuples(st.integers(min_value=1, max_value=400), st.booleans()), max_size=100)


def test_a_smaller_later_one_may_still_fit() -> None:  # ENTRY-14
    budget = Budget(Limits(total=100, core=50), boundary_tokens=20)
    assert budget.take(60, core=False) is None
    assert budget.take(21, core=False) is Reason.OVER_BUDGET
    assert budget.take(20, core=False) is None
    assert budget.tokens == 100


def test_core_entries_have_a_cap_of_their_own() -> None:  # ENTRY-14
    budget = Budget(Limits(total=1000, core=50), boundary_tokens=20)
    assert budget.take(51, core=True) is Reason.OVER_CORE_BUDGET
    assert budget.take(50, core=True) is None
    assert budget.take(1, core=True) is Reason.OVER_CORE_BUDGET
    assert budget.take(1, core=False) is None
    assert (budget.tokens, budget.core_tokens) == (71, 50)


def test_core_entries_stay_within_the_whole_budget() -> None:  # ENTRY-14
    assert Budget(Limits(total=60, core=50), boundary_tokens=20).take(41, core=True) is Reason.OVER_BUDGET


def test_nothing_loaded_takes_nothing() -> None:  # ENTRY-21
    budget = Budget(Limits(total=10, core=5), boundary_tokens=20)
    assert budget.take(1, core=False) is Reason.OVER_BUDGET
    assert budget.tokens == 0


@given(total=sizes, core=sizes, boundary=st.integers(min_value=1, max_value=200), entries=wanted)
def test_no_limit_is_ever_passed(
    total: int, core: int, boundary: int, entries: list[tuple[int, bool]]
) -> None:  # ENTRY-14
    budget = Budget(Limits(total, core), boundary)
    taken = [(tokens, is_core) for tokens, is_core in entries if budget.take(tokens, core=is_core) is None]
    assert budget.tokens == (boundary + sum(tokens for tokens, _ in taken) if taken else 0) <= total
    assert budget.core_tokens == sum(tokens for tokens, is_core in taken if is_core) <= core


@given(total=sizes, core=sizes, boundary=st.integers(min_value=1, max_value=200), entries=wanted)
def test_what_is_refused_would_not_have_fitted(
    total: int, core: int, boundary: int, entries: list[tuple[int, bool]]
) -> None:  # ENTRY-14
    budget = Budget(Limits(total, core), boundary)
    for tokens, is_core in entries:
        before, core_before = budget.tokens or boundary, budget.core_tokens
        refusal = budget.take(tokens, core=is_core)
        assert (refusal is Reason.OVER_CORE_BUDGET) == (is_core and core_before + tokens > core)
        if refusal is Reason.OVER_BUDGET:
            assert before + tokens > total
