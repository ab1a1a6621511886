"""Dates, times, numbers and quantities of a folded text, by value, in English and Chinese (LEARN-13).

A value has keys, and two values agree when they share one: ``t:19:00`` is "7 pm" and 晚上七点, ``n:35000`` is 三万五千,
``q:m:12000`` is "12 km". What depends on the day of the turn is resolved by it: "tomorrow" has the key ``d:2026-07-02``.
Keys that begin with ``e:`` are days that something may last until.
"""

import calendar
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

import regex

from memory.analysis import numeral_value

HAN_NUMERALS = "零〇一二两三四五六七八九十百千万亿"


@dataclass(frozen=True, slots=True)
class Value:
    """A value that stands in ``text[start:end]``."""

    keys: frozenset[str]
    start: int
    end: int

    def agrees(self, other: "Value") -> bool:
        return not self.keys.isdisjoint(other.keys)


# --- numbers ----------------------------------------------------------------------------------------------------------

_UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
_WORTH = (
    {word: value for value, word in enumerate([*_UNITS, *_TEENS], 1)}
    | {word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)}
    | {word: value for value, word in enumerate(_ORDINALS, 1)}
    | {"zero": 0, "a": 1, "half": Decimal("0.5"), "dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000}
)
_U, _B = "|".join(_UNITS), "|".join([*_TEENS, *_UNITS])
_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{_U}))?|{_B})"
_THOUSAND = rf"(?:(?:{_U}|a)[ ]hundred(?:[ ](?:and[ ])?{_HUNDRED})?|{_HUNDRED})"
_ENGLISH = (
    rf"(?:(?:{_THOUSAND}|a)[ ](?:thousand|million)(?:[ ](?:and[ ])?{_THOUSAND})?"
    rf"|{_THOUSAND}(?:[ ]and[ ]a[ ]half)?|(?:a|one)[ ]dozen|a[ ]million|zero|dozen|half)"
)
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_HAN = rf"(?:\d+(?:\.\d+)?[ ]?[百千万亿]+(?:[ ]?\d+[百千])?|[{HAN_NUMERALS}]+(?:点[{HAN_NUMERALS}]+(?!分|刻))?)"
_NUMBER = rf"(?:{_HAN}|{_DIGITS}|\b{_ENGLISH}\b)"
_ALONE = r"(?<![\w--\p{Han}])(?<![\w--\p{Han}][./:_@-])(?<![#@])"
_ENDS = r"(?![\w--\p{Han}]|[./:_@-][\w--\p{Han}])"


def number(written: str) -> Decimal:
    """The number that digits, Chinese numerals or English words write."""
    written = written.replace(",", "").strip()
    if regex.fullmatch(r"\d+(\.\d+)?", written):
        return Decimal(written)
    if regex.search(rf"[{HAN_NUMERALS}]", written):
        return _han_number(written)
    total, section = Decimal(0), Decimal(0)
    for word in regex.findall(r"[a-z]+", written):
        if word in ("thousand", "million"):
            total, section = total + (section or 1) * _WORTH[word], Decimal(0)
        elif word in ("hundred", "dozen"):
            section = (section or 1) * _WORTH[word]
        elif word in _WORTH and not (word == "a" and section):
            section += _WORTH[word]
    return total + section


def _han_number(written: str) -> Decimal:
    written = written.replace(" ", "")
    if mixed := regex.fullmatch(r"(\d+(?:\.\d+)?)([百千万亿]+)(?:(\d+)([百千]))?", written):
        rest = number(mixed[3]) * Decimal(numeral_value("一" + mixed[4])) if mixed[3] else 0
        return number(mixed[1]) * Decimal(numeral_value("一" + mixed[2])) + rest
    whole, _, fraction = written.partition("点")
    return Decimal(numeral_value(whole) + (f".{numeral_value(fraction)}" if fraction else ""))


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _number_keys(written: str) -> set[str]:
    if regex.fullmatch(r"0\d+|\d+\.\d+", written):
        return {f"n:{written}"}  # 0021 is a name, and 3.10 is no 3.1
    value = number(written)
    keys = {f"n:{_plain(value)}"}
    if value == int(value) and 0 < value <= 12:
        keys.add(f"t:{int(value):02}:00")
    return keys


# --- quantities -------------------------------------------------------------------------------------------------------

_MEASURES: dict[str, tuple[str, str]] = {
    "kilometres kilometre kilometers kilometer km kms 公里 千米": ("m", "1000"),
    "metres metre meters meter m 米": ("m", "1"),
    "centimetres centimetre centimeters centimeter cm 厘米 公分": ("m", "0.01"),
    "millimetres millimetre millimeters millimeter mm 毫米": ("m", "0.001"),
    "miles mile 英里": ("m", "1609.344"),
    "feet foot ft 英尺": ("m", "0.3048"),
    "inches inch 英寸": ("m", "0.0254"),
    "kilograms kilogram kilos kilo kg kgs 公斤 千克": ("g", "1000"),
    "grams gram g 克": ("g", "1"),
    "tonnes tonne tons ton t 吨": ("g", "1000000"),
    "斤": ("g", "500"),
    "litres litre liters liter l 升": ("l", "1"),
    "millilitres millilitre milliliters milliliter ml 毫升": ("l", "0.001"),
    "kilobytes kilobyte kb": ("b", "1"),
    "megabytes megabyte mb": ("b", "1000"),
    "gigabytes gigabyte gb g内存": ("b", "1000000"),
    "terabytes terabyte tb": ("b", "1000000000"),
    "percent per[ ]cent %": ("%", "1"),
    "seconds second secs sec s 秒钟 秒": ("s", "1"),
    "minutes minute mins min 分钟": ("s", "60"),
    "hours hour hrs hr h 个小时 个钟头 小时 钟头": ("s", "3600"),
    "days day 个工作日 工作日 天": ("s", "86400"),
    "weeks week 个星期 个礼拜 星期 礼拜 周": ("s", "604800"),
    "months month 个月": ("mo", "1"),
    "years year 年": ("mo", "12"),
    "euros euro eur €  欧元": ("eur", "1"),
    "dollars dollar usd 美元 美金": ("usd", "1"),
    "pounds pound gbp 英镑": ("gbp", "1"),
    "yuan rmb cny 元人民币 元 块钱 块": ("cny", "1"),
    "francs franc chf 法郎": ("chf", "1"),
    "yen jpy 日元": ("jpy", "1"),
    "degrees[ ]celsius °c ℃ 摄氏度": ("c", "1"),
}
_MEASURE = {
    word.replace("[ ]", " "): (dimension, Decimal(factor))
    for words, (dimension, factor) in _MEASURES.items()
    for word in words.split()
}
_UNIT = "|".join(
    regex.escape(word) + (r"(?![\p{L}\p{Nd}--\p{Han}])" if word.isascii() and word.isalpha() else "")
    for word in sorted(_MEASURE, key=len, reverse=True)
)
_SIGNS = {
    "€": "eur",
    "$": "usd",
    "£": "gbp",
    "¥": "cny",
    "usd": "usd",
    "eur": "eur",
    "rmb": "cny",
    "gbp": "gbp",
    "chf": "chf",
}
_DAY = timedelta(days=1)


def _quantity(match: regex.Match[str], today: date) -> set[str]:
    amount, (dimension, factor) = number(match["n"]), _MEASURE[match["unit"]]
    if match["unit"] == "年" and 1900 <= amount < 2100:
        return {f"n:{_plain(amount)}", f"e:{int(amount)}-12-31"}
    keys = {f"q:{dimension}:{_plain(amount * factor)}"}
    if match["unit"] in ("块", "周"):
        keys.add(f"n:{_plain(amount)}")
    if amount == int(amount) and 0 < amount < 1000:
        keys |= _days_ahead(dimension, int(amount * factor), today)
    return keys


def _days_ahead(dimension: str, amount: int, today: date) -> set[str]:
    """The days on which a span of time that begins today may end."""
    if dimension == "s" and amount % 86400 == 0:
        day = today + _DAY * (amount // 86400)
    elif dimension == "mo" and amount < 1200:
        day = _months_on(today, amount)
    else:
        return set()
    return {f"d:{day}", f"d:{day - _DAY}"}


def _months_on(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


# --- times of day -----------------------------------------------------------------------------------------------------

_PART = r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|早|晚)"
_LATE = r"(?:p\.?[ ]?m\.?(?![a-z])|(?:in[ ]the[ ]|at[ ])(?:afternoon|evening|night))"
_EARLY = r"(?:a\.?[ ]?m\.?(?![a-z])|in[ ]the[ ]morning)"
_TIME = rf"""
    (?P<part>{_PART})?[ ]?(?P<h>\d{{1,2}}|[{HAN_NUMERALS}]{{1,3}})[ ]?(?:点钟?|時|时(?=[ ]?(?:整|[\d{HAN_NUMERALS}]+[ ]?分)))
        [ ]?(?:(?P<half>半)|(?P<q>[一三])刻|(?P<m>\d{{1,2}}|[{HAN_NUMERALS}]{{1,3}})[ ]?分?(?!\d)|整)?
  | (?P<part>{_PART})?[ ]?{_ALONE}(?P<h>\d{{1,2}})[:.](?P<m>\d\d)(?:[ ]?(?:(?P<late>{_LATE})|(?P<early>{_EARLY}))|{_ENDS})
  | {_ALONE}(?P<h>\d{{1,2}}|{_B})[ ]?(?:(?P<late>{_LATE})|(?P<early>{_EARLY})|o'clock)
  | \b(?P<half>half|quarter)[ ]past[ ](?P<h>{_B}|\d{{1,2}})\b(?:[ ]?(?:(?P<late>{_LATE})|(?P<early>{_EARLY})))?
  | \b(?P<noon>noon|midday|midnight)\b | (?P<noon>正午|零点|午夜)
"""


def _time(match: regex.Match[str], today: date) -> set[str]:
    if noon := match["noon"]:
        return {"t:12:00"} if noon in ("noon", "midday", "正午") else {"t:00:00", "t:24:00"}
    hour = int(number(match["h"]))
    minute = (
        int(number(match["m"])) if match["m"] else {"半": 30, "half": 30, "quarter": 15}.get(match["half"] or "", 0)
    )
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
    if match["half"] is None and match["m"] is None and "点" in match[0] and not part:
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
_N = rf"\d{{1,2}}|[{HAN_NUMERALS}]{{1,3}}"
_ORDINAL = r"(?:st|nd|rd|th)?"
_DATE = rf"""
    {_ALONE}(?P<y>\d{{4}})[-/.](?P<mo>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?!\d|[-/.]\d)
  | (?:(?P<y>\d{{4}})[ ]?年[ ]?|(?P<rel>今年|明年))?(?P<mo>{_N})[ ]?月[ ]?(?P<d>{_N})[ ]?[日号]?
  | (?P<rel>本月|这个?月|下个?月|每个?月)[ ]?(?P<d>{_N})[ ]?[日号]
  | \b(?P<d>\d{{1,2}}){_ORDINAL}(?:[ ]of)?[ ](?P<name>{_MONTH})\b(?:,?[ ](?P<y>\d{{4}})\b)?
  | \b(?P<name>{_MONTH})[ ](?:the[ ])?(?P<d>\d{{1,2}}){_ORDINAL}(?![\d:%])\b(?:,?[ ](?P<y>\d{{4}})\b)?
  | {_ALONE}(?P<a>\d{{1,2}})[./](?P<b>\d{{1,2}})[./](?P<y>\d{{4}}){_ENDS}
"""


def _date(match: regex.Match[str], today: date) -> set[str]:
    if match["a"]:
        pairs = {(int(match["a"]), int(match["b"])), (int(match["b"]), int(match["a"]))}
        days = (_day(int(match["y"]), month, day) for month, day in pairs)
        return {f"d:{day}" for day in days if day}
    day = int(number(match["d"]))
    relative = match["rel"] or ""
    if match["name"]:
        month = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(match["name"].rstrip(".")))
    elif match["mo"]:
        month = int(number(match["mo"]))
    else:
        month = _months_on(today.replace(day=1), 1).month if relative.startswith("下") else today.month
        if relative.startswith("每"):
            return {f"n:{day}", f"each:{day}"}
    year = int(match["y"]) if match["y"] else today.year + (relative == "明年")
    found = _day(year, month, day)
    if not found:
        return set()
    if match["y"] or relative:
        return {f"d:{found}"}
    coming = found if found >= today else _day(year + 1, month, day)
    return {f"d:--{month:02}-{day:02}", f"d:{coming or found}"}


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_PERIOD = r"(?P<period>week|month|quarter|year|周|星期|礼拜|个?月|季度?|年)"
_RELATIVE = rf"""
    \b(?P<near>(?:the[ ])?day[ ]after[ ]tomorrow|tomorrow|today|tonight|yesterday)\b | (?P<near>大后天|后天|明[天日晚早]|今[天日晚早]|昨[天日晚])
  | (?P<end>)\b(?:the[ ])?end[ ]of[ ](?:(?P<which>this|the|next)[ ])?{_PERIOD}\b
  | \bend[ ]of[ ](?P<name>{_MONTH})\b(?:[ ](?P<y>\d{{4}})\b)? | (?P<mo>{_N})[ ]?月[ ]?(?:底|末|月底)
  | (?P<end>)(?P<which>本|这个?|下个?|今|明)?{_PERIOD}(?:底|末)
  | (?P<which>this|next|last|the[ ]following)[ ](?P<wd>{_WEEKDAY})\b
  | (?P<which>这个?|本|下下?个?|上个?)?(?:周|星期|礼拜)(?P<wd>[一二三四五六日天])
  | \b(?P<wd>{_WEEKDAY})(?![a-z])
  | \b(?P<which>this|next)[ ]{_PERIOD}\b | (?P<which>本|这个?|下个?|今|明)(?P<period>周|星期|礼拜|月|季度|年)
  | \b(?P<name>{"|".join(_MONTHS[:4] + _MONTHS[5:])}|(?<=in[ ]|until[ ]|by[ ]|from[ ]|since[ ]|every[ ])may)\b(?:[ ](?P<y>\d{{4}})\b)?
  | (?P<mo>{_N})[ ]?月份?
"""
_NEAR = {"今": 0, "明": 1, "后": 2, "大": 3, "昨": -1, "tod": 0, "ton": 0, "tom": 1, "yes": -1, "the": 2, "day": 2}
_NEXT, _LAST = ("next", "the following", "下", "下个", "下下", "下下个", "明"), ("last", "上", "上个")


def _relative(match: regex.Match[str], today: date) -> set[str]:
    which = match["which"] or ""
    if near := match["near"]:
        return {f"d:{today + _DAY * _NEAR.get(near[:3], _NEAR.get(near[0], 0))}"}
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
        return {f"d:{last}", *({f"d:{last - 2 * _DAY}"} if period == "week" else ())}
    return {f"p:{period}:{last}", f"e:{last}", *({f"m:{last.month}"} if period == "month" else ())}


def _weekday(written: str, which: str, today: date) -> set[str]:
    if len(written) == 1:
        day = "一二三四五六日天".index(written) % 7 if written != "天" else 6
        monday = today - _DAY * today.weekday()
        weeks = {"": 0, "上": -1, "下": 1}.get(which[:1], 0) + which.startswith("下下")
        meant = {monday + _DAY * (7 * weeks + day)}
        if not which and min(meant) < today:
            meant = {min(meant) + 7 * _DAY}
    else:
        day = next(at for at, name in enumerate(_WEEKDAYS) if name.startswith(written[:3]))
        coming = today + _DAY * ((day - today.weekday()) % 7 or 7)
        meant = {coming}
        if which in _NEXT and coming.isocalendar().week == today.isocalendar().week:
            meant.add(coming + 7 * _DAY)
        if which in _LAST:
            meant = {coming - 7 * _DAY}
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
        return today + _DAY * (6 - today.weekday() + 7 * ahead)
    months = {"month": 1, "quarter": 3, "year": 12}[period]
    first = today.replace(day=1, month=(today.month - 1) // months * months + 1)
    return _months_on(first, months * (ahead + 1)) - _DAY


# --- all of them ------------------------------------------------------------------------------------------------------

Read = Callable[[regex.Match[str], date], set[str]]
_FLAGS = regex.VERBOSE | regex.VERSION1
_SIGN = "|".join(map(regex.escape, _SIGNS))
_READERS: list[tuple[regex.Pattern[str], Read]] = [
    (regex.compile(_DATE, _FLAGS), _date),
    (regex.compile(_TIME, _FLAGS), _time),
    (regex.compile(rf"百分之(?P<n>{_NUMBER})", _FLAGS), lambda match, _: {f"q:%:{_plain(number(match['n']))}"}),
    (
        regex.compile(rf"(?P<sign>{_SIGN})[ ]?(?P<n>{_DIGITS})(?![\w--\p{{Han}}])", _FLAGS),
        lambda match, _: {f"q:{_SIGNS[match['sign']]}:{_plain(number(match['n']))}"},
    ),
    (
        regex.compile(
            rf"(?:{_ALONE}(?P<n>{_NUMBER})|(?P<n>{_HAN}))[ -]?(?P<unit>{_UNIT})(?![ ]?(?:[一二三四五六日]\b))", _FLAGS
        ),
        _quantity,
    ),
    (regex.compile(_RELATIVE, _FLAGS), _relative),
    (
        regex.compile(rf"{_ALONE}(?P<n>\d+)k{_ENDS}", _FLAGS),
        lambda match, _: {f"n:{_plain(number(match['n']) * 1000)}"},
    ),
    (
        regex.compile(rf"{_ALONE}(?P<n>\d{{1,2}})(?:st|nd|rd|th)\b|(?P<n>{_N})[ ]?[号日](?![\w])", _FLAGS),
        lambda match, today: _number_keys(match["n"]) | _coming(int(number(match["n"])), today),
    ),
    (
        regex.compile(
            rf"{_ALONE}(?P<n>{_DIGITS}){_ENDS}|(?P<n>{_HAN})|\b(?P<n>{_ENGLISH}|{'|'.join(_ORDINALS)})\b", _FLAGS
        ),
        lambda match, _: _number_keys(match["n"]),
    ),
]


def _coming(day: int, today: date) -> set[str]:
    """The next day that is the ``day``-th of its month."""
    for months in (0, 1):
        first = _months_on(today.replace(day=1), months)
        found = _day(first.year, first.month, day)
        if found and found >= today:
            return {f"d:{found}"}
    return set()


def values(text: str, today: date) -> list[Value]:
    """The values of a folded text in the order of their places; they don't overlap."""
    taken = bytearray(len(text))
    found = []
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            start, end = match.span()
            while start < end and text[start] == " ":
                start += 1
            if any(taken[start:end]):
                continue
            if keys := read(match, today):
                taken[start:end] = b"\x01" * (end - start)
                found.append(Value(frozenset(keys), start, end))
    return sorted(found, key=lambda value: value.start)


def lasting(found: list[Value], text: str) -> Iterator[date]:
    """The days that something may last until, according to the values of ``text``: no beginnings."""
    for value in found:
        if _BEGINS_BEFORE.search(text[: value.start][-20:]) or _BEGINS_AFTER.match(text, value.end):
            continue
        before = _BEFORE_IT.search(text[: value.start][-20:]) or _BEFORE_AFTER.match(text, value.end)
        for key in value.keys:
            if key.startswith(("d:2", "e:2")):
                day = date.fromisoformat(key[2:])
                yield day
                if before:
                    yield day - _DAY


_BEGINS_BEFORE = regex.compile(r"\b(?:from|since|starting|as of|beginning|after)(?: on)? (?:the )?$|自从?$|从 ?$")
_BEGINS_AFTER = regex.compile(r" ?(?:起|开始|之?以?后|onwards?|and after)")
_BEFORE_IT = regex.compile(r"\bbefore (?:the )?$")
_BEFORE_AFTER = regex.compile(r" ?之?以?前")
