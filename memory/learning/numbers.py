"""Numbers and quantities by value, in digits, English words and Chinese numerals (LEARN-13). Texts are folded.

A quantity has its dimension and its amount in the dimension's unit as key: ``q:m:12000`` is "12 km" and 十二公里.
"""

import calendar
from datetime import date, timedelta
from decimal import Decimal

import regex

from memory.analysis import numeral_value

HAN_NUMERALS = "零〇一二两三四五六七八九十百千万亿"

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
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
NTH = rf"(?:(?:twent|thirt)(?:ieth|y[ -](?:{'|'.join(_ORDINALS[:9])}))|{'|'.join(_ORDINALS)})"
_NUMBERS: dict[str, int] = (
    {word: value for value, word in enumerate([*_UNITS, *_TEENS], 1)}
    | {word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)}
    | {word: value for value, word in enumerate(_ORDINALS, 1)}
    | {
        "twentieth": 20,
        "thirtieth": 30,
        "zero": 0,
        "a": 1,
        "dozen": 12,
        "hundred": 100,
        "thousand": 1000,
        "million": 1_000_000,
    }
)
_WORTH = {word: Decimal(value) for word, value in _NUMBERS.items()} | {"half": Decimal("0.5")}
_U, SMALL = "|".join(_UNITS), "|".join([*_TEENS, *_UNITS])
_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{_U}))?|{SMALL})"
_THOUSAND = rf"(?:(?:{_U}|a)[ ]hundred(?:[ ](?:and[ ])?{_HUNDRED})?|{_HUNDRED})"
ENGLISH = (
    rf"(?:(?:{_THOUSAND}|a)[ ](?:thousand|million)(?:[ ](?:and[ ])?{_THOUSAND})?"
    rf"|{_THOUSAND}(?:[ ]and[ ]a[ ]half)?|(?:a|one)[ ]dozen|a[ ]million|zero|dozen|half)"
)
DIGITS = r"(?:(?<!\d)\d{1,12}(?:\.\d{1,6})?k(?![\w-])|(?<!\d)\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<!\d)\d++(?:\.\d+)?)"
_LONGEST = 16  # characters of a number in Chinese
_HAN_START = rf"(?<![{HAN_NUMERALS}])"
HAN = (
    rf"(?:(?<!\d)\d{{1,12}}(?:\.\d{{1,6}})?[ ]?[百千万亿]{{1,2}}(?:[ ]?\d{{1,4}}[百千])?"
    rf"|{_HAN_START}[{HAN_NUMERALS}]{{1,{_LONGEST}}}(?:点[{HAN_NUMERALS}]{{1,6}}(?!分|刻))?)"
)
NUMBER = rf"(?:{HAN}|{DIGITS}|\b{ENGLISH}\b)"
ALONE = r"(?<![\w--\p{Han}])(?<![\w--\p{Han}][./:_@-])(?<![#@])"
ENDS = r"(?![\w--\p{Han}]|[./:_@-][\w--\p{Han}])"


def number(written: str) -> Decimal:
    """The number that digits, Chinese numerals or English words write."""
    written = written.replace(",", "").strip()
    if regex.fullmatch(r"[\d.]+k", written):
        return Decimal(written[:-1]) * 1000
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
    if short := regex.fullmatch(r".*(?P<unit>[百千万])(?P<digit>[一二三四五六七八九])", written):
        written += {"百": "十", "千": "百", "万": "千"}[short["unit"]]  # 两万三 is 两万三千
    whole, _, fraction = written.partition("点")
    return Decimal(numeral_value(whole) + (f".{numeral_value(fraction)}" if fraction else ""))


def plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def number_keys(written: str) -> set[str]:
    if regex.fullmatch(r"0\d+|\d+\.\d+|\d{16,}", written):
        return {f"n:{written}"}  # 0021 is a name, and 3.10 is no 3.1
    value = number(written)
    keys = {f"n:{plain(value)}"}
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
UNIT = "|".join(
    regex.escape(word) + (r"(?![\p{L}\p{Nd}--\p{Han}])" if word.isascii() and word.isalpha() else "")
    for word in sorted(_MEASURE, key=len, reverse=True)
)
SIGNS = {
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
DAY = timedelta(days=1)


def quantity_keys(match: regex.Match[str], today: date) -> set[str]:
    amount, (dimension, factor) = number(match["n"]), _MEASURE[match["unit"]]
    if match["unit"] == "年" and 1900 <= amount < 2100:
        return {f"n:{plain(amount)}", f"e:{int(amount)}-12-31"}
    keys = {f"q:{dimension}:{plain(amount * factor)}"}
    if match["unit"] in ("块", "周"):
        keys.add(f"n:{plain(amount)}")
    if amount == int(amount) and 0 < amount < 1000:
        keys |= _days_ahead(dimension, int(amount * factor), today)
    return keys


def _days_ahead(dimension: str, amount: int, today: date) -> set[str]:
    """The days on which a span of time that begins today may end."""
    if dimension == "s" and amount % 86400 == 0:
        day = today + DAY * (amount // 86400)
    elif dimension == "mo" and amount < 1200:
        day = months_on(today, amount)
    else:
        return set()
    return {f"d:{day}", f"d:{day - DAY}"}


def months_on(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))
