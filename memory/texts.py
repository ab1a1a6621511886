"""The texts of entries: what they may hold, and how long they may be (ENTRY-7, ENTRY-8)."""

import unicodedata

import regex
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LINE_BREAK = regex.compile(r"[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")

JOINING_SCRIPTS = (
    "Arab Syrc Mong Nkoo Mand Thaa Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Bali Java Newa"
)
"""Scripts whose letters are shaped by joiners, by their ISO 15924 codes."""

_JOINING = "".join(rf"\p{{scx={script}}}" for script in JOINING_SCRIPTS.split())
_EMOJI = r"[\p{Extended_Pictographic}\p{Emoji_Modifier}]"
_NEEDED = regex.compile(
    rf"""
      (?<=[{_JOINING}--[\p{{DI}}\p{{Zs}}]])[\u200c\u200d](?![\p{{DI}}])           # within words of such scripts
    | (?<={_EMOJI}\ufe0f?)\u200d(?=\p{{Extended_Pictographic}})                   # between the parts of an emoji
    | (?<=\p{{Emoji}})[\ufe0e\ufe0f](?![\ufe00-\ufe0f])                              # how an emoji looks
    | (?<=[\p{{scx=Hani}}\p{{scx=Mymr}}\p{{scx=Phag}}\p{{Sm}}])[\ufe00-\ufe02](?![\ufe00-\ufe0f\U000e0100-\U000e01ef])
    | (?<=[\p{{scx=Mong}}--\p{{DI}}])[\u180b-\u180f](?![\u180b-\u180f])               # forms of Mongolian letters
    | (?<=\p{{scx=Hani}})[\U000e0100-\U000e01ef](?![\ufe00-\ufe0f\U000e0100-\U000e01ef])
    """,
    regex.VERBOSE | regex.VERSION1,
)
_HIDDEN = regex.compile(r"[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{DI}\p{Bidi_Control}\u2800\ufffc]", regex.VERSION1)


def has_hidden_characters(text: str) -> bool:
    """Whether ``text`` holds characters that cannot be seen or that turn others around.

    Joiners and variation selectors are fine where a script or an emoji needs them; line breaks are not looked at.
    """
    return bool(_HIDDEN.search(_NEEDED.sub("", LINE_BREAK.sub(" ", text))))


def clean_line(text: str, limit: int) -> str:
    """Return ``text`` as it is stored: one line, trimmed, in NFC, of at most ``limit`` code points.

    Raises ``ValidationError`` for the reader: ``line_break``, ``hidden`` or ``too_long``. An empty one is returned.
    """
    if len(text) > 20 * limit + 1000:  # before any work; normalising shortens by a factor of four at most
        raise _too_long(len(text), limit)
    text = unicodedata.normalize("NFC", text).strip()
    if LINE_BREAK.search(text):
        raise ValidationError(_("Write it in one line, without line breaks."), code="line_break")
    if has_hidden_characters(text):
        raise ValidationError(
            _("There are hidden characters in it. Type it again, or paste it as plain text."), code="hidden"
        )
    if len(text) > limit:
        raise _too_long(len(text), limit)
    return text


def _too_long(length: int, limit: int) -> ValidationError:
    return ValidationError(
        _("That is %(length)d characters; at most %(limit)d are allowed."),
        code="too_long",
        params={"length": length, "limit": limit},
    )


def same(one: str, other: str) -> bool:
    """Whether two texts are the same but for case, width and white space."""
    return folded(one) == folded(other)


def folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
