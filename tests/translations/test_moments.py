"""How long ago something was, in both languages (I18N-2)."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from adminchat.templatetags.moments import ago

MOMENTS = [
    (timedelta(seconds=-5), "just now", "刚刚"),  # another machine's clock
    (timedelta(seconds=59), "just now", "刚刚"),
    (timedelta(seconds=60), "1 minute ago", "1 分钟前"),
    (timedelta(minutes=59, seconds=59), "59 minutes ago", "59 分钟前"),
    (timedelta(hours=1), "1 hour ago", "1 小时前"),
    (timedelta(hours=23), "23 hours ago", "23 小时前"),
    (timedelta(days=1), "1 day ago", "1 天前"),
    (timedelta(days=29), "29 days ago", "29 天前"),
    (timedelta(days=31), "1 month ago", "1 个月前"),
    (timedelta(days=364), "12 months ago", "12 个月前"),
    (timedelta(days=800), "2 years ago", "2 年前"),
]


@pytest.mark.parametrize(("age", "english", "chinese"), MOMENTS)
def test_a_moment_is_told_in_its_largest_unit(age: timedelta, english: str, chinese: str) -> None:  # I18N-2
    moment = timezone.now() - age
    assert ago(moment) == english
    with translation.override("zh-hans"):
        assert ago(moment) == chinese
