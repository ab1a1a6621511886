"""How everyday a word is in general language, and where the words of a Chinese text end.

The frequencies are wordfreq's short lists: the words that occur at least once in a million. They are read on first
use, which takes 0.2 s and 20 MB with the library.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

import Stemmer

RARE = 2.5
"""The Zipf value of a word that no list holds: less than once in a million words."""

_LONGEST_HAN_WORD = 5
_UNKNOWN_HAN = 1.0
"""The Zipf value of a character that no list holds, where the words of a run are looked for."""

_OF_ALL_WORDS = 9.0
"""The Zipf value of all words together: one less it, it is the logarithm of a word's share of all words."""


def stem(word: str) -> str:
    """The stem of a case-folded English word. A stemmer may not be shared between threads, and is made at once."""
    stemmed: str = Stemmer.Stemmer("english", 0).stemWord(word)
    return stemmed


def zipf(stemmed: str) -> float:
    """How common an English stem is: the logarithm of its occurrences per thousand million words."""
    return _english().get(stemmed, RARE)


def zipf_han(word: str) -> float:
    """How common a word in simplified characters is."""
    return _chinese().get(word, RARE)


def is_word(han: str) -> bool:
    return han in _chinese()


def words(run: str) -> list[str]:
    """Split a run of simplified characters into its most likely words; what no list holds falls into characters."""
    zipfs = _chinese()
    best = [0.0] + [-math.inf] * len(run)
    begins = [0] * (len(run) + 1)
    for begin in range(len(run)):
        for end in range(begin + 1, min(len(run), begin + _LONGEST_HAN_WORD) + 1):
            zipf = zipfs.get(run[begin:end], _UNKNOWN_HAN if end == begin + 1 else None)
            if zipf is not None and best[begin] + zipf - _OF_ALL_WORDS > best[end]:
                best[end], begins[end] = best[begin] + zipf - _OF_ALL_WORDS, begin
    found = []
    end = len(run)
    while end:
        found.append(run[begins[end] : end])
        end = begins[end]
    return found[::-1]


@cache
def _english() -> Mapping[str, float]:
    stemmer = Stemmer.Stemmer("english")
    frequencies: dict[str, float] = defaultdict(float)
    for word, frequency in _frequencies("en").items():
        frequencies[stemmer.stemWord(word)] += frequency
    return {word: math.log10(frequency) + _OF_ALL_WORDS for word, frequency in frequencies.items()}


@cache
def _chinese() -> Mapping[str, float]:
    return {word: math.log10(frequency) + _OF_ALL_WORDS for word, frequency in _frequencies("zh").items()}


def _frequencies(language: str) -> Mapping[str, float]:
    import wordfreq

    frequencies = wordfreq.get_frequency_dict(language, "small")
    # It would keep all lists that it has read, a second time.
    wordfreq.get_frequency_list.cache_clear()
    wordfreq.get_frequency_dict.cache_clear()
    return frequencies
