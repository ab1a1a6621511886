"""Dates, times, numbers and quantities are compared by value (LEARN-13)."""

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.learning.reading import folded
from memory.learning.values import lasting, values

TODAY = date(2026, 7, 1)  # a Wednesday


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("7 pm", "19:00"),
        ("晚上七点", "19:00"),
        ("half past ten", "十点半"),
        ("quarter to six", "5:45"),
        ("下午5:30", "17:30"),
        ("三万五千", "35,000"),
        ("3.5万", "35000"),
        ("两万三", "23000"),
        ("a hundred and forty", "140"),
        ("twenty-five thousand euros", "€25,000"),
        ("1.2k euros", "1200 EUR"),
        ("十二公里", "12 km"),
        ("32 gigabytes", "32GB"),
        ("百分之十五", "15%"),
        ("90 minutes", "1.5 hours"),
        ("两周", "14 days"),
        ("二十四小时", "24-hour"),
        ("14 August 2026", "2026-08-14"),
        ("2026年8月14日", "Aug 14th, 2026"),
        ("14 August", "2026-08-14"),
        ("tomorrow", "2026-07-02"),
        ("后天", "2026-07-03"),
        ("下周一", "2026-07-06"),
        ("next Monday", "2026-07-06"),
        ("the end of this month", "2026-07-31"),
        ("年底", "2026-12-31"),
        ("周四", "Thursdays"),
        ("the twenty-fifth", "25"),
        ("at seven", "07:00"),
    ],
)
def test_the_same_value_in_another_form(one: str, other: str) -> None:  # LEARN-13
    (first,), (second,) = (values(folded(text).text, TODAY) for text in (one, other))

    assert first.agrees(second)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 pm", "05:00"),
        ("12 km", "12 m"),
        ("5 euros", "5 dollars"),
        ("15%", "15"),
        ("3.10", "3.1"),
        ("0021", "21"),
        ("14 August 2026", "2027-08-14"),
        ("tomorrow", "2026-07-03"),
        ("周四", "周五"),
        ("八千五百", "5800"),
    ],
)
def test_another_value_is_another(one: str, other: str) -> None:  # LEARN-13
    (first,), (second,) = (values(folded(text).text, TODAY) for text in (one, other))

    assert not first.agrees(second)


@pytest.mark.parametrize("text", ["10.8.0.1", "v2.3.1", "555-0134", "you may go", "utf-8"])
def test_names_are_no_values(text: str) -> None:
    assert values(text, TODAY) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [("until 14 August", date(2026, 8, 14)), ("下周五之前", date(2026, 7, 10)), ("for two weeks", date(2026, 7, 15))],
)
def test_until_when_something_lasts(text: str, day: date) -> None:  # LEARN-13
    text = folded(text).text

    assert day in set(lasting(values(text, TODAY), text))


@pytest.mark.parametrize("text", ["from tomorrow on", "从明天起", "since 3 May"])
def test_a_beginning_is_no_end(text: str) -> None:  # LEARN-13
    assert not set(lasting(values(text, TODAY), text))


@given(st.text(alphabet=st.sampled_from("0123456789:.,-/ 年月日点半万千一二两十周末号pmkat"), max_size=60), st.dates())
def test_values_lie_within_any_text_and_dont_overlap(text: str, today: date) -> None:
    end = 0
    for value in values(text, min(max(today, date(1970, 1, 1)), date(2100, 1, 1))):
        assert end <= value.start < value.end <= len(text)
        end = value.end


@pytest.mark.parametrize("piece", ["1", "one ", "一", "10:", "twenty ", "2026-", "next ", "万", "half past "])
def test_no_text_takes_long(piece: str) -> None:  # SEC-7
    text = (piece * 4000)[:4000]
    began = time.process_time()
    values(text, TODAY)

    assert time.process_time() - began < 1.0
