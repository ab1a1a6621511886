"""What a turn loads of a book, and why it doesn't load the rest."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adminchat.lib.tokens import count, estimate
from memory.block import block, line
from memory.budget import Limits
from memory.loading import Candidate, Selection, select
from memory.reasons import Reason

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
LIMITS = Limits(total=1000, core=300)
OURS, THEIRS = "our workspace", "their workspace"


@pytest.fixture(scope="module", autouse=True)
def _lists_are_read() -> None:
    chosen([topical("a", "words 词")], "words 词")


def entry(name: str, text: str = "", **fields: Any) -> Candidate:
    given: dict[str, Any] = {
        "topic": "",
        "tier": "core",
        "workspace": None,
        "pinned": False,
        "fact_key": f"key of {name}",
        "expires_at": None,
        "updated_at": NOW - timedelta(days=1),
    }
    return Candidate(id=name, text=text or f"Fact {name}.", **{**given, **fields})


def topical(name: str, text: str, topic: str = "backup schedule", **fields: Any) -> Candidate:
    return entry(name, text, tier="topic", topic=topic, **fields)


def chosen(entries: Sequence[Candidate], question: str = "Hello", **options: Any) -> Selection:
    settings: dict[str, Any] = {"workspace": OURS, "now": NOW, "limits": LIMITS, "count_tokens": estimate}
    return select(entries, question, **{**settings, **options})


def loaded(selection: Selection) -> list[str]:
    return [one.entry.id for one in selection.loaded]


def reasons(selection: Selection) -> dict[str, str]:
    return {one.entry.id: one.why.value for one in selection.not_loaded}


def test_core_entries_stand_in_their_order() -> None:  # ENTRY-15
    old, new = NOW - timedelta(days=9), NOW - timedelta(days=2)
    entries = [
        entry("global, old", updated_at=old),
        entry("global, new", updated_at=new),
        entry("workspace, old", workspace=OURS, updated_at=old),
        entry("workspace, new", workspace=OURS, updated_at=new),
        entry("pinned, global", pinned=True, updated_at=old),
        entry("pinned, workspace", pinned=True, workspace=OURS, updated_at=old),
    ]
    selection = chosen(entries)
    assert loaded(selection) == [
        "pinned, workspace",
        "pinned, global",
        "workspace, new",
        "workspace, old",
        "global, new",
        "global, old",
    ]
    assert [one.why for one in selection.loaded] == [Reason.PINNED_CORE] * 2 + [Reason.CORE] * 4


def test_topic_entries_need_a_link_and_say_which() -> None:  # ENTRY-15, ENTRY-22
    entries = [
        topical("tapes", "Backup tapes travel to the Swindon vault every Friday."),
        topical("salaries", "Salaries are transferred on the 27th.", "payroll"),
        entry("tone"),
    ]
    selection = chosen(entries, "When do tapes go to Swindon?")
    assert loaded(selection) == ["tone", "tapes"]
    assert selection.loaded[1].why is Reason.TOPIC
    assert {"tapes", "Swindon"} <= set(selection.loaded[1].words)
    assert reasons(selection) == {"salaries": "not_relevant"}


def test_every_reason_from_the_closed_list() -> None:  # ENTRY-23, ENTRY-12
    entries = [
        entry("archived", tier="archive"),
        entry("expired", expires_at=NOW),
        entry("theirs", workspace=THEIRS),
        entry("overridden", fact_key="the same"),
        entry("ours", workspace=OURS, fact_key="the same"),
        topical("elsewhere", "Salaries are transferred on the 27th.", "payroll"),
        entry("too much of core", "core " * 60),
        topical("too much", "tapes " * 60),
        entry("in time", expires_at=NOW + timedelta(seconds=1)),
    ]
    selection = chosen(entries, "Where are the tapes?", limits=Limits(total=130, core=40))
    assert reasons(selection) == {
        "archived": "archived",
        "expired": "expired",
        "theirs": "other_workspace",
        "overridden": "overridden_by_workspace",
        "elsewhere": "not_relevant",
        "too much of core": "over_core_budget",
        "too much": "over_budget",
    }
    assert loaded(selection) == ["ours", "in time"]
    assert {*Reason.values} - {Reason.CORE, Reason.PINNED_CORE, Reason.TOPIC} == set(reasons(selection).values())


def test_without_a_workspace_only_global_entries_load() -> None:  # ENTRY-15
    selection = chosen([entry("ours", workspace=OURS), entry("mine")], workspace=None)
    assert loaded(selection) == ["mine"]
    assert reasons(selection) == {"ours": "other_workspace"}


def test_only_the_same_fact_key_overrides() -> None:  # ENTRY-16
    entries = [
        entry("global", "Meetings are at ten.", fact_key="a"),
        entry("workspace", "Meetings are at ten.", fact_key="b", workspace=OURS),
        entry("no key", fact_key=""),
        entry("no key either", fact_key="", workspace=OURS),
    ]
    assert not reasons(chosen(entries))


def test_what_cannot_load_overrides_nothing() -> None:  # ENTRY-12, ENTRY-16
    entries = [
        entry("global"),
        entry("of another workspace", workspace=THEIRS, fact_key="key of global"),
        entry("archived", workspace=OURS, tier="archive", fact_key="key of global"),
        entry("expired", workspace=OURS, expires_at=NOW - timedelta(days=1), fact_key="key of global"),
    ]
    assert loaded(chosen(entries)) == ["global"]


def test_a_topic_entry_of_the_workspace_overrides_even_unasked() -> None:  # ENTRY-16
    entries = [entry("global", fact_key="a"), topical("workspace", "Tapes.", workspace=OURS, fact_key="a")]
    assert reasons(chosen(entries)) == {"global": "overridden_by_workspace", "workspace": "not_relevant"}


def test_tokens_are_those_of_the_block() -> None:  # ENTRY-14, ENTRY-22
    entries = [entry(str(number), f"Fact number {number} of some length, 共有几条。") for number in range(5)]
    for model in ("gpt-4o", "gpt-4", "qwen3-8b", "unknown"):
        selection = chosen(entries, count_tokens=lambda text, model=model: count(text, model).tokens)
        shown = block([line(one.entry.text, one.entry.topic) for one in selection.loaded])
        assert count(shown, model).tokens <= selection.tokens <= count(shown, model).tokens + 2 * len(entries) + 4
        assert selection.core_tokens == sum(one.tokens for one in selection.loaded)


def test_nothing_to_load_takes_no_tokens() -> None:  # ENTRY-21
    selection = chosen([topical("tapes", "Tapes.")], "Why do cats purr?")
    assert (selection.loaded, selection.tokens) == ((), 0)


def test_the_short_boundary_leaves_more_room() -> None:  # OPS-4
    entries = [entry("a", "A fact.")]
    assert chosen(entries, short=True).tokens < chosen(entries).tokens


books = st.lists(
    st.builds(
        lambda text, topic, tier, workspace, pinned, key, days, left: {
            "text": text,
            "topic": topic if tier == "topic" else "",
            "tier": tier,
            "workspace": workspace,
            "pinned": pinned,
            "fact_key": key,
            "updated_at": NOW - timedelta(days=days),
            "expires_at": None if left is None else NOW + timedelta(days=left),
        },
        st.sampled_from(
            ["Backup tapes travel on Friday.", "报销单每月25日截止。", "rotate_keys runs daily. " * 9, "x"]
        ),
        st.sampled_from(["backup schedule", "报销流程"]),
        st.sampled_from(["core", "topic", "archive"]),
        st.sampled_from([None, OURS, THEIRS]),
        st.booleans(),
        st.sampled_from(["", "a", "b", "c"]),
        st.integers(min_value=0, max_value=5),
        st.sampled_from([None, None, -1, 1]),
    ),
    max_size=30,
).map(lambda rows: [Candidate(id=f"{number:02}", **row) for number, row in enumerate(rows)])
questions = st.sampled_from(["Hello", "When do the backup tapes travel?", "报销流程", "rotate_keys", "Friday and 报销"])


@given(entries=books, question=questions, total=st.integers(0, 600), core=st.integers(0, 300))
def test_every_entry_is_loaded_whole_or_has_a_reason(
    entries: list[Candidate], question: str, total: int, core: int
) -> None:  # ENTRY-14, ENTRY-23
    selection = chosen(entries, question, limits=Limits(total, core))
    assert sorted([*loaded(selection), *reasons(selection)]) == [one.id for one in entries]
    assert selection.tokens <= total and selection.core_tokens <= core
    for one in selection.loaded:
        assert one.entry.tier != "archive" and one.entry.workspace in (None, OURS)
        assert one.entry.expires_at is None or one.entry.expires_at > NOW
        assert one.tokens == estimate(line(one.entry.text, one.entry.topic) + "\n")


@given(entries=books, question=questions, seed=st.integers())
def test_the_order_of_the_book_does_not_matter(entries: list[Candidate], question: str, seed: int) -> None:  # ENTRY-17
    entries = [one for one in entries if one.tier != "core"]  # core entries changed at one moment keep the book's order
    shuffled = list(entries)
    random.Random(seed).shuffle(shuffled)
    one, other = chosen(entries, question), chosen(shuffled, question)
    assert one.loaded == other.loaded
    assert reasons(one) == reasons(other)
