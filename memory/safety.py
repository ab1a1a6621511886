"""What should not be stored: credentials, payment cards, identity numbers, data about people, orders to a model
(LEARN-14, LEARN-15).

Everything runs here: known forms of keys and tokens by the rules of ``detect-secrets``, whose verification over the
network is never called (SEC-10), numbers with check digits by ``python-stdnum``. What is left is written below:
passwords in words, connection strings, encoded and random-looking strings; in ``people`` and ``orders`` what sentences
tell.

Texts are folded first (full-width letters hide nothing). What is looked at has a bound, and so has the work.
"""

import base64
import binascii
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from stdnum import iban, luhn
from stdnum.cn import ric

from memory.orders import orders
from memory.people import contacts, special_categories

TEXT_LIMIT = 10_000  # characters that are looked at
DECODED_DEPTH = 1  # how often something encoded is looked into

CHARACTERS_PER_KEY = 8  # shortest part of a known form that counts
BITS_PER_CHARACTER = 3.6  # entropy from which a string of letters and digits looks random


class Danger(TextChoices):
    """What a text may hold, with what to tell the person who wrote it."""

    PRIVATE_KEY = "private_key", _("This holds a private key. Private keys are never stored here.")
    PASSWORD = "password", _("This holds a password. Passwords are never stored here: keep them in a password manager.")
    PERHAPS_PASSWORD = "perhaps_password", _("This may hold a password. Everything stored here is shown to models.")
    CREDENTIAL = "credential", _("This looks like a key, a token or another credential, which a model would be shown.")
    PAYMENT_CARD = "payment_card", _("This looks like the number of a payment card, which a model would be shown.")
    IDENTITY_NUMBER = (
        "identity_number",
        _("This looks like an identity or account number, which a model would be shown."),
    )
    SPECIAL_CATEGORY = (
        "special_category",
        _("This seems to tell of somebody's health, belief or another private matter, which a model would be shown."),
    )
    CONTACT = "contact", _("This seems to tell how to reach another person, which a model would be shown.")
    ORDER = (
        "order",
        _(
            "This reads like an order to the model or a claim of permission. Memory unlocks nothing and grants no rights."
        ),
    )

    @property
    def is_refused(self) -> bool:
        """Whether it is refused even from a person who wants it stored."""
        return self in (Danger.PRIVATE_KEY, Danger.PASSWORD)


SECRETS = frozenset(Danger) - {Danger.SPECIAL_CATEGORY, Danger.CONTACT, Danger.ORDER}
"""What is masked before a model sees a message from which it is to learn (LEARN-9)."""


def is_secret(danger: Danger) -> bool:
    return danger in SECRETS


@dataclass(frozen=True, slots=True)
class Finding:
    """A danger and where it stands: ``text[start:end]``."""

    danger: Danger
    start: int
    end: int


def findings(text: str) -> list[Finding]:
    """Everything in ``text`` that should not be stored, in the order of their places."""
    folded, places = _fold(text[:TEXT_LIMIT])
    found = {
        Finding(danger, places[start], places[end - 1] + 1)
        for danger, start, end in (*_look(folded, DECODED_DEPTH), *_sentences(folded))
        if start < end
    }
    return sorted(found, key=lambda item: (item.start, item.end, item.danger))


def dangers(text: str) -> list[Danger]:
    """The kinds of danger in ``text``, each once, the refused ones first."""
    kinds = dict.fromkeys(finding.danger for finding in findings(text))
    return sorted(kinds, key=lambda danger: not danger.is_refused)


def _fold(text: str) -> tuple[str, list[int]]:
    """``text`` in compatibility form without hidden characters, and for each character where it came from."""
    pieces, places = [], []
    for at, character in enumerate(text):
        if unicodedata.category(character) in ("Cf", "Mn"):
            continue
        piece = unicodedata.normalize("NFKC", character)
        pieces.append(piece)
        places += [at] * len(piece)
    return "".join(pieces), places


Look = Iterator[tuple[Danger, int, int]]


def _look(text: str, depth: int) -> Look:
    looks = (_private_keys, _passwords, _said_to_be_secret, _known_forms, _connections)
    for look in (*looks, _cards, _identity_numbers, _random_looking):
        yield from look(text)
    if depth:
        yield from _encoded(text, depth)


def _sentences(text: str) -> Look:
    for danger, look in (
        (Danger.SPECIAL_CATEGORY, special_categories),
        (Danger.CONTACT, contacts),
        (Danger.ORDER, orders),
    ):
        for start, end in look(text):
            yield danger, start, end


_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[A-Z0-9]{20,}")


def _private_keys(text: str) -> Look:
    for match in _PRIVATE_KEY.finditer(text):
        yield Danger.PRIVATE_KEY, match.start(), match.end()


# --- passwords in words -----------------------------------------------------------------------------------------------

_VALUE = r"""(?:["'“‘`](?P<quoted>[^"'”’`\s]{3,80})["'”’`]|(?P<bare>[!-~]{3,80}))"""
_WORD = r"(?<![A-Za-z0-9])(?:password|passwd|passphrase|passcode|pass\s?word|pwd|pass|pin(?:\s?code|\s?number)?)\b"
_CHINESE_WORD = r"(?:密码|密碼|口令|通行码|PIN\s?码|解锁码|验证码|驗證碼)"
_NAMED_PASSWORDS = [
    re.compile(
        rf"""{_WORD}(?:\s+(?:for|of|on|to|at)(?:\s+[\w.@/-]{{1,40}}){{1,5}}?)?
             (?:\s*(?:=|:|->|=>)\s*|\s+(?:is|was|are|will\s+be)\s+(?:(?:now|still|just|(?:changed|set|reset)\s+to)\s+)?)
             {_VALUE}""",
        re.VERBOSE | re.IGNORECASE,
    ),
    re.compile(
        rf"{_CHINESE_WORD}(?:[\u4e00-\u9fff]{{0,4}}?(?:是|为|為|叫|设成|设为|改成|改为)了?|\s*[:=])\s*{_VALUE}",
        re.IGNORECASE,
    ),
]
_FOLLOWED_BY = re.compile(rf"(?:{_WORD}\s+|{_CHINESE_WORD}\s*){_VALUE}", re.IGNORECASE)
ORDINARY = """
    a an and any as at be but by can correct default different disabled due empty enabled expired fine for from gone
    good hashed hidden how if in incorrect invalid it kept known less like long longer lost manager managers
    mandatory missing more much my never no none not of on only optional or our policies policy protected public
    quite required reset right rotated safe same saved secret secure set shared short should so stored strong that
    the their there this to too unique unknown used valid very weak when where which who why with wrong you your
"""
_ORDINARY = frozenset(ORDINARY.split())


_SAID_TO_BE_SECRET = [
    re.compile(
        r"""\b(?:pw|root\ pw|pass\s?phrase|(?:seed|recovery|backup)\ (?:phrase|words?|codes?)|mnemonic
            |(?:door|gate|safe|alarm|unlock|entry)\ codes?)\b(?:\s+(?:for|of|to)\ [\w ]{1,30}?)?\s*(?:\bis\b|\bare\b|:|=)\s*
            (?P<value>[^\s,.;]{3,40})""",
        re.VERBOSE | re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:login|log-in|credentials)\s*(?:is|are|:)\s*\S+\s*(?:/|and|,|with)\s*(?P<value>[^\s\d]*[\d!@#$%]\S{0,40})",
        re.IGNORECASE,
    ),
    re.compile(
        r"""(?:密码|密碼|口令|助记词|助記詞|恢复码|备份码|开锁码|門禁碼|门禁码)(?:就?是|为|為|叫|[:：])\s*
            (?P<value>(?!必填|保密|什么|多少|默认|空|错|对|不|由|每|需|要|可|加密|安全|管理|策略|规则|过期|自动|统一|随机)
            [^\s，。；！？,.;!?]{2,40})(?=\s|[，。；！？,.;!?]|$)""",
        re.VERBOSE,
    ),
    re.compile(r"(?:密码|密碼|口令|开锁码|门禁码)(?P<value>[A-Za-z]{0,12}\d{3,}[^\s，。；]{0,20})"),
]


def _said_to_be_secret(text: str) -> Look:
    """What a sentence calls a password, a code or a phrase, whatever it looks like."""
    for pattern in _SAID_TO_BE_SECRET:
        for match in pattern.finditer(text):
            if match["value"].lower() not in _ORDINARY:
                yield Danger.PERHAPS_PASSWORD, match.start("value"), match.end("value")


def _passwords(text: str) -> Look:
    for pattern in (*_NAMED_PASSWORDS, _FOLLOWED_BY):
        for match in pattern.finditer(text):
            name = "quoted" if match["quoted"] else "bare"
            value = match[name].rstrip(".,;:!?)")
            kind = _password_kind(value, named=pattern is not _FOLLOWED_BY, quoted=name == "quoted")
            if kind:
                yield kind, match.start(name), match.start(name) + len(value)


def _password_kind(value: str, *, named: bool, quoted: bool) -> Danger | None:
    """What ``value`` after the word "password" is; ``named`` when a verb or a colon stands between them."""
    if len(value) < 4 or value.lower() in _ORDINARY:
        return None
    letters, digits = any(c.isalpha() for c in value), any(c.isdigit() for c in value)
    signs = any(not c.isalnum() and c not in "-_.'/" for c in value)
    if "://" in value or re.fullmatch(r"v?\d+(?:[.-]\d+)+|\d{4}-\d\d-\d\d", value):
        return None
    if (letters and digits) or (signs and (letters or digits)):
        return Danger.PASSWORD if named or len(value) >= 6 else None
    if not named:
        return None
    if digits or quoted:
        return Danger.PASSWORD
    return None if value.lower().endswith(("ed", "ing", "ly")) else Danger.PERHAPS_PASSWORD


# --- credentials ------------------------------------------------------------------------------------------------------

_KNOWN = re.compile(
    r"""(?<![\w-])(?: sk-[A-Za-z0-9_-]{12,200} | gl(?:pat|dt|rt|ptt|cbt)-[\w-]{16,} | gh[pousr]_\w{20,} | github_pat_\w{20,}
        | xox[abeprs]-[\w-]{10,} | AIza[\w-]{30,} | ya29\.[\w-]{20,} | hf_[A-Za-z0-9]{20,} | dop_v1_\w{30,} | npm_\w{30,}
        | (?:AKIA|ASIA|AROA)[A-Z0-9]{12,} | LTAI[A-Za-z0-9]{12,} | AKID[A-Za-z0-9]{12,}
        | eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)? | (?:rk|pk|sk)_(?:live|test)_\w{16,} | shp(?:at|ca|pa|ss)_\w{20,}
        | SG\.[\w-]{16,}\.[\w-]{16,} )""",
    re.VERBOSE,
)
_NAMED = re.compile(
    r"""\b(?:(?:api|access|secret|auth|account|shared\s?access|client|private|signing|encryption|license)[\s_-]?(?:key|token|secret)s?
        |token|secret|bearer|密钥|密鑰|令牌|秘钥)
        (?:\s*(?:=|:|is|是|为|為)\s*|\s+)["'“`]?(?P<value>[A-Za-z0-9+/_=.~-]{8,200})""",
    re.VERBOSE | re.IGNORECASE,
)
_NAMED_CHINESE = re.compile(
    r"(?:密钥|密鑰|令牌|秘钥|访问码|授权码)[\u4e00-\u9fff]{0,3}?(?:是|为|為)?[\s:=]*[\"'“`]?(?P<value>[A-Za-z0-9+/_=.~-]{8,200})"
)
_CONNECTION = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@]{1,80}:(?P<password>[^\s/@]{1,100})@|"
    r"\b(?:AccountKey|SharedAccessKey|Pwd|Password)\s*=\s*(?P<key>[^\s;]{4,200})(?=;|\s|$)",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"<[^>]*>|\$\{?\w+\}?|\{\{?\w+\}?\}|x{3,}|\*{3,}|\.{3,}|(?i:password|secret|token|changeme|redacted)"
)


@cache
def _rules() -> list[Callable[[str], Iterator[str]]]:
    """The rules of ``detect-secrets`` that know a form; loaded at first use."""
    from detect_secrets.plugins import (
        aws,
        azure_storage_key,
        cloudant,
        discord,
        github_token,
        gitlab_token,
        ibm_cloud_iam,
        jwt,
        mailchimp,
        npm,
        openai,
        pypi_token,
        sendgrid,
        slack,
        softlayer,
        square_oauth,
        stripe,
        telegram_token,
        twilio,
    )

    plugins = (
        aws.AWSKeyDetector,
        azure_storage_key.AzureStorageKeyDetector,
        cloudant.CloudantDetector,
        discord.DiscordBotTokenDetector,
        github_token.GitHubTokenDetector,
        gitlab_token.GitLabTokenDetector,
        ibm_cloud_iam.IbmCloudIamDetector,
        jwt.JwtTokenDetector,
        mailchimp.MailchimpDetector,
        npm.NpmDetector,
        openai.OpenAIDetector,
        pypi_token.PypiTokenDetector,
        sendgrid.SendGridDetector,
        slack.SlackDetector,
        softlayer.SoftlayerDetector,
        square_oauth.SquareOAuthDetector,
        stripe.StripeDetector,
        telegram_token.TelegramBotTokenDetector,
        twilio.TwilioKeyDetector,
    )
    return [plugin().analyze_string for plugin in plugins]


def _known_forms(text: str) -> Look:
    for match in _KNOWN.finditer(text):
        yield Danger.CREDENTIAL, match.start(), match.end()
    for pattern in (_NAMED, _NAMED_CHINESE):
        for match in pattern.finditer(text):
            if _is_mixed(match["value"]) and not _PLACEHOLDER.search(match["value"]):
                yield Danger.CREDENTIAL, match.start("value"), match.end("value")
    for rule in _rules():
        for secret in rule(text):
            start = text.find(secret)
            if len(secret) >= CHARACTERS_PER_KEY and start >= 0:
                yield Danger.CREDENTIAL, start, start + len(secret)


def _connections(text: str) -> Look:
    for match in _CONNECTION.finditer(text):
        name = "password" if match["password"] else "key"
        if not _PLACEHOLDER.fullmatch(match[name]):
            yield Danger.CREDENTIAL, match.start(name), match.end(name)


def _is_mixed(value: str) -> bool:
    """Whether ``value`` has what words have not: letters and digits in one."""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


_STRING = re.compile(r"(?<![\w/.@-])[A-Za-z0-9+_=-]{20,200}(?![\w/@]|\.\w)")
_IDENTIFIER = re.compile(
    r"[0-9a-f]{40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+(?:[-_][a-z0-9]+){2,}", re.IGNORECASE
)


def _random_looking(text: str) -> Look:
    for match in _STRING.finditer(text):
        value = match[0]
        if _is_mixed(value) and not _IDENTIFIER.fullmatch(value) and _entropy(value) >= BITS_PER_CHARACTER:
            yield Danger.CREDENTIAL, match.start(), match.end()


def _entropy(value: str) -> float:
    """Bits per character."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


_BASE64 = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{12,2000}={0,2}(?![\w+/=])")


def _encoded(text: str, depth: int) -> Look:
    """What stands encoded in the text and, decoded, holds a danger."""
    for match in _BASE64.finditer(text):
        value = match[0]
        if len(value) % 4:
            continue
        try:
            decoded = base64.b64decode(value, validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if decoded.isprintable() and any(True for _found in _look(decoded, depth - 1)):
            yield Danger.CREDENTIAL, match.start(), match.end()


# --- numbers with check digits ----------------------------------------------------------------------------------------

_CARD = re.compile(
    r"(?<![\d.,-])(?:[3-6]\d{3}([ -]?)\d{4}\1\d{4}\1\d{1,7}|3[47]\d{2}([ -]?)\d{6}\2\d{5})(?![\d.,-]*\d)"
)
_RESIDENT = re.compile(r"(?<!\d)\d{6}(?:19|20)\d{2}\d{7}[\dXx](?![\dA-Za-z])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
_SSN = re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")


def _cards(text: str) -> Look:
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if 13 <= len(digits) <= 19 and luhn.is_valid(digits):
            yield Danger.PAYMENT_CARD, match.start(), match.end()


def _identity_numbers(text: str) -> Look:
    for match in _RESIDENT.finditer(text):
        if ric.is_valid(match[0]):
            yield Danger.IDENTITY_NUMBER, match.start(), match.end()
    for match in _IBAN.finditer(text):
        if iban.is_valid(match[0]):
            yield Danger.IDENTITY_NUMBER, match.start(), match.end()
    for match in _SSN.finditer(text):
        yield Danger.IDENTITY_NUMBER, match.start(), match.end()
