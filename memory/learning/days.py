"""Times of day and days by value, in English and Chinese (LEARN-13). Texts are folded.

``t:19:00`` is "7 pm" and 晚上七点, ``d:2026-07-02`` a day, ``d:--08-14`` one of any year, ``w:0`` a Monday, ``m:8`` August. What
depends on the day of the turn is resolved by it. ``e:`` is a day that something may last until.
"""

import calendar
from datetime import date

import regex

from memory.learning.numbers import ALONE, DAY, ENDS, HAN_NUMERALS, SMALL, months_on, number

_PART = r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|早|晚)"
_LATE = r"(?:p\.?[ ]?m\.?(?![a-z])|(?:in[ ]the[ ]|at[ ])(?:afternoon|evening|night))"
_EARLY = r"(?:a\.?[ ]?m\.?(?![a-z])|in[ ]the[ ]morning)"
TIME = rf"""
    (?P<part>{_PART})?[ ]?(?P<h>\d{{1,2}}|[{HAN_NUMERALS}]{{1,3}})[ ]?(?:点钟?|時|时(?=[ ]?(?:整|[\d{HAN_NUMERALS}]+[ ]?分)))
        [ ]?(?:(?P<half>半)|(?P<q>[一三])刻|(?P<m>\d{{1,2}}|[{HAN_NUMERALS}]{{1,3}})[ ]?分?(?!\d)|整)?
  | (?P<part>{_PART})?[ ]?{ALONE}(?P<h>\d{{1,2}})[:.](?P<m>\d\d)(?:[ ]?(?:(?P<late>{_LATE})|(?P<early>{_EARLY}))|{ENDS})
  | {ALONE}(?P<h>\d{{1,2}}|{SMALL})[ ]?(?:(?P<late>{_LATE})|(?P<early>{_EARLY})|o'clock)
  | \b(?P<m>half|quarter|five|ten|twenty|twenty-five)[ ](?P<way>past|to)[ ](?P<h>{SMALL}|\d{{1,2}})\b
        (?:[ ]?(?:(?P<late>{_LATE})|(?P<early>{_EARLY})))?
  | \b(?P<noon>noon|midday|midnight)\b | (?P<noon>正午|零点|午夜)
"""


def time_keys(match: regex.Match[str], today: date) -> set[str]:
    if noon := match["noon"]:
        return {"t:12:00"} if noon in ("noon", "midday", "正午") else {"t:00:00", "t:24:00"}
    hour = int(number(match["h"]))
    minute = 30 if match["half"] else 0
    if written := match["m"]:
        minute = {"half": 30, "quarter": 15}.get(written) or int(number(written))
    if match["way"] == "to":
        hour, minute = (hour - 1) % 12 or 12, 60 - minute
    if match["q"]:
        minute = 15 * int(number(match["q"]))
    if hour > 24 or minute > 59:
        return set()
    part = match["part"] or ""
    if (part in ("下午", "傍晚", "晚上", "夜里", "晚", "中午") or match["late"]) and hour < (
        11 if part == "中午" else 12
    ):
        hour += 12
    if match["early"] and hour == 12:
        hour = 0
    keys = {f"t:{hour:02}:{minute:02}"}
    if regex.fullmatch(r"\d{1,2}\.\d\d", match[0]):
        keys = {f"n:{match[0]}", *keys}
    if "点" in match[0] and not (match["half"] or match["m"] or part):
        keys.add(f"n:{hour}")
    return keys


# --- days -------------------------------------------------------------------------------------------------------------

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = "|".join(f"{name}|{name[:3]}\\.?|{name[:4]}\\.?" for name in _MONTHS)
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAY = "|".join(f"{name}s?|{name[:3]}\\.?" for name in _WEEKDAYS) + "|tues|thurs|weds"
UP_TO_99 = rf"(?<!\d)\d{{1,2}}|(?<![{HAN_NUMERALS}])[{HAN_NUMERALS}]{{1,3}}"
_ORDINAL = r"(?:st|nd|rd|th)?"
DATE = rf"""
    {ALONE}(?P<y>\d{{4}})[-/.](?P<mo>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?!\d|[-/.]\d)
  | (?:(?P<y>\d{{4}})[ ]?年[ ]?|(?P<rel>今年|明年))?(?P<mo>{UP_TO_99})[ ]?月[ ]?(?P<d>{UP_TO_99})[ ]?[日号]?
  | (?P<rel>本月|这个?月|下个?月|每个?月)[ ]?(?P<d>{UP_TO_99})[ ]?[日号]
  | \b(?P<d>\d{{1,2}}){_ORDINAL}(?:[ ]of)?[ ](?P<name>{_MONTH})\b(?:,?[ ](?P<y>\d{{4}})\b)?
  | \b(?P<name>{_MONTH})[ ](?:the[ ])?(?P<d>\d{{1,2}}){_ORDINAL}(?![\d:%])\b(?:,?[ ](?P<y>\d{{4}})\b)?
  | {ALONE}(?P<a>\d{{1,2}})[./](?P<b>\d{{1,2}})[./](?P<y>\d{{4}}){ENDS}
"""


def date_keys(match: regex.Match[str], today: date) -> set[str]:
    if match["a"]:
        pairs = {(int(match["a"]), int(match["b"])), (int(match["b"]), int(match["a"]))}
        days = (day_of(int(match["y"]), month, day) for month, day in pairs)
        return {f"d:{day}" for day in days if day}
    day = int(number(match["d"]))
    relative = match["rel"] or ""
    if match["name"]:
        month = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(match["name"].rstrip(".")))
    elif match["mo"]:
        month = int(number(match["mo"]))
    else:
        month = months_on(today.replace(day=1), 1).month if relative.startswith("下") else today.month
        if relative.startswith("每"):
            return {f"n:{day}", f"each:{day}"}
    year = int(match["y"]) if match["y"] else today.year + (relative == "明年")
    found = day_of(year, month, day)
    if not found:
        return set()
    if match["y"] or relative:
        return {f"d:{found}"}
    coming = found if found >= today else day_of(year + 1, month, day)
    return {f"d:--{month:02}-{day:02}", f"d:{coming or found}"}


def day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_PERIOD = r"(?P<period>week|month|quarter|year|周|星期|礼拜|个?月|季度?|年)"
RELATIVE = rf"""
    \b(?P<near>(?:the[ ])?day[ ]after[ ]tomorrow|tomorrow|today|tonight|yesterday)\b |
    (?P<near>大后天|后天|明[天日晚早]|今[天日晚早]|昨[天日晚])
  | (?P<end>)\b(?:the[ ])?end[ ]of[ ](?:(?P<which>this|the|next)[ ])?{_PERIOD}\b
  | \bend[ ]of[ ](?P<name>{_MONTH})\b(?:[ ](?P<y>\d{{4}})\b)? | (?P<mo>{UP_TO_99})[ ]?月[ ]?(?:底|末|月底)
  | (?P<end>)(?P<which>本|这个?|下个?|今|明)?{_PERIOD}(?:底|末)
  | (?P<which>this|next|last|the[ ]following)[ ](?P<wd>{_WEEKDAY})\b
  | (?P<which>这个?|本|下下?个?|上个?)?(?:周|星期|礼拜)(?P<wd>[一二三四五六日天])
  | \b(?P<wd>{_WEEKDAY})(?![a-z])
  | \b(?P<which>this|next)[ ]{_PERIOD}\b | (?P<which>本|这个?|下个?|今|明)(?P<period>周|星期|礼拜|月|季度|年)
  | \b(?P<name>{"|".join(_MONTHS[:4] + _MONTHS[5:])}
      |(?<=in[ ]|until[ ]|by[ ]|from[ ]|since[ ]|every[ ])may)\b(?:[ ](?P<y>\d{{4}})\b)?
  | (?P<mo>{UP_TO_99})[ ]?月份?
"""
_NEAR = {"今": 0, "明": 1, "后": 2, "大": 3, "昨": -1, "tod": 0, "ton": 0, "tom": 1, "yes": -1, "the": 2, "day": 2}
_NEXT, _LAST = ("next", "the following", "下", "下个", "下下", "下下个", "明"), ("last", "上", "上个")


def relative_keys(match: regex.Match[str], today: date) -> set[str]:
    which = match["which"] or ""
    if near := match["near"]:
        return {f"d:{today + DAY * _NEAR.get(near[:3], _NEAR.get(near[0], 0))}"}
    if written := match["wd"]:
        return _weekday(written, which, today)
    if match["name"] or match["mo"]:
        return _month(match, today)
    ahead = int(which in _NEXT)
    period = {
        "周": "week",
        "星": "week",
        "礼": "week",
        "月": "month",
        "个": "month",
        "季": "quarter",
        "年": "year",
    }.get(match["period"][0], match["period"])
    last = _last_day(period, ahead, today)
    if match["end"] is not None:
        return {f"d:{last}", *({f"d:{last - 2 * DAY}"} if period == "week" else ())}
    return {f"p:{period}:{last}", f"e:{last}", *({f"m:{last.month}"} if period == "month" else ())}


def _weekday(written: str, which: str, today: date) -> set[str]:
    if len(written) == 1:
        day = "一二三四五六日天".index(written) % 7 if written != "天" else 6
        monday = today - DAY * today.weekday()
        weeks = {"": 0, "上": -1, "下": 1}.get(which[:1], 0) + which.startswith("下下")
        meant = {monday + DAY * (7 * weeks + day)}
        if not which and min(meant) < today:
            meant = {min(meant) + 7 * DAY}
    else:
        day = next(at for at, name in enumerate(_WEEKDAYS) if name.startswith(written[:3]))
        coming = today + DAY * ((day - today.weekday()) % 7 or 7)
        meant = {coming}
        if which in _NEXT and coming.isocalendar().week == today.isocalendar().week:
            meant.add(coming + 7 * DAY)
        if which in _LAST:
            meant = {coming - 7 * DAY}
    return {f"w:{day}"} | {f"d:{one}" for one in meant}


def _month(match: regex.Match[str], today: date) -> set[str]:
    if match["name"]:
        month = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(match["name"].rstrip(".")))
    else:
        month = int(number(match["mo"]))
    if not 1 <= month <= 12:
        return set()
    year = int(match["y"]) if match["y"] else today.year + (month < today.month)
    last = date(year, month, calendar.monthrange(year, month)[1])
    if match[0].startswith("end") or match[0].endswith(("底", "末")):
        return {f"d:{last}"}
    return {f"m:{month}", f"e:{last}"}


def _last_day(period: str, ahead: int, today: date) -> date:
    if period == "week":
        return today + DAY * (6 - today.weekday() + 7 * ahead)
    months = {"month": 1, "quarter": 3, "year": 12}[period]
    first = today.replace(day=1, month=(today.month - 1) // months * months + 1)
    return months_on(first, months * (ahead + 1)) - DAY


def coming(day: int, today: date) -> set[str]:
    """The next day that is the ``day``-th of its month."""
    for months in (0, 1):
        first = months_on(today.replace(day=1), months)
        found = day_of(first.year, first.month, day)
        if found and found >= today:
            return {f"d:{found}"}
    return set()
