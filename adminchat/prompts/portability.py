"""All prompts of a tenant as one JSON file, and back (PROMPT-5).

An import adds versions and changes nothing else: which one is active and how they scored is in the file for reading.
"""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from adminchat.accounts.models import User
from adminchat.connections import selectors as connections
from adminchat.connections.models import ChatModel
from adminchat.prompts import selectors
from adminchat.prompts.defaults import shipped
from adminchat.prompts.forms import VersionForm, escaped
from adminchat.prompts.models import PromptVersion, Range
from adminchat.prompts.versions import VERSIONS_LIMIT, Content

FORMAT, VERSION = "adminchat-prompts", 1
FILE_LIMIT = 2_000_000  # bytes
ERRORS_SHOWN = 50
_NUMBER = (int, float, type(None))
_TYPES: dict[str, tuple[type, ...]] = {
    "range": (str,),
    "code": (str,),
    "text": (str,),
    "model": (dict, type(None)),
    "temperature": _NUMBER,
    "top_p": _NUMBER,
    "max_tokens": (int, type(None)),
    "stop": (list,),
    "note": (str,),
    "active": (bool,),
    "score": (dict, type(None)),
}
_NEEDED = {"range", "code", "text"}


@dataclass
class Plan:
    """What an import would do: versions to add by code, each with range and content; how many are there already; and
    what is wrong, for people. With errors nothing is to be added."""

    added: dict[str, tuple[str, Content]] = field(default_factory=dict)
    same: int = 0
    errors: list[str] = field(default_factory=list)


def export(tenant_id: UUID) -> bytes:
    """Every version, those that come with AdminChat as well, as the JSON of a file."""
    texts = {version.code: version for version in [*shipped(), *selectors.versions(tenant_id)]}
    prompts = [
        _item(texts[version.code], version, active=version.code == shelf.active)
        for shelf in selectors.shelves(tenant_id)
        for version in reversed(shelf.versions)
        if version.code in texts
    ]
    whole = {"format": FORMAT, "version": VERSION, "prompts": prompts}
    return orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def plan(actor: User, document: bytes) -> Plan:
    """Check a file whole, without writing anything."""
    found = Plan()
    items = _items(document, found.errors)
    models = connections.models(actor).filter(enabled=True, connection__enabled=True)
    known = {version.code: version for version in [*shipped(), *selectors.versions(actor.tenant_id)]}
    counts = {each.value: 0 for each in Range}
    for version in known.values():
        counts[version.range] += not version.is_shipped
    seen: set[str] = set()
    for number, item in enumerate(items, start=1):
        wrong = _shape(item)
        name = item["code"][:80] if isinstance(item, dict) and isinstance(item.get("code"), str) else f"{number}"
        if not wrong:
            wrong = _check(actor, item, found, seen, known, models)
        found.errors += [_("Prompt %(name)s: %(problem)s") % {"name": name, "problem": problem} for problem in wrong]
    for range_name, _content in found.added.values():
        counts[range_name] += 1
    for range_name, count in counts.items():
        if count > VERSIONS_LIMIT:
            found.errors.append(
                _("“%(range)s” would have %(count)d versions; at most %(limit)d are possible.")
                % {"range": Range(range_name).label, "count": count, "limit": VERSIONS_LIMIT}
            )
    more = len(found.errors) - ERRORS_SHOWN
    if more > 0:
        rest = ngettext("And %(count)d more problem.", "And %(count)d more problems.", more) % {"count": more}
        found.errors = [*found.errors[:ERRORS_SHOWN], rest]
    return found


def _item(version: PromptVersion, listed: PromptVersion, *, active: bool) -> dict[str, Any]:
    model, score = version.model, listed.score
    return {
        "range": version.range,
        "code": version.code,
        "text": version.text,
        "model": {"connection": model.connection.name, "model": model.name} if model else None,
        "temperature": version.temperature,
        "top_p": version.top_p,
        "max_tokens": version.max_tokens,
        "stop": version.stop,
        "note": version.note,
        "active": active,
        "score": {"value": score.value, **score.figures, "tested_at": score.tested_at} if score else None,
    }


def _items(document: bytes, errors: list[str]) -> list[Any]:
    """The prompts of a file, not yet looked at."""
    if len(document) > FILE_LIMIT:
        errors.append(_("The file is larger than %(limit)d MB.") % {"limit": FILE_LIMIT // 1_000_000})
        return []
    try:
        whole = orjson.loads(document.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        where = {"line": error.lineno, "column": error.colno}
        errors.append(_("This is no JSON: line %(line)d, column %(column)d.") % where)
        return []
    if not isinstance(whole, dict) or whole.get("format") != FORMAT or not isinstance(whole.get("prompts"), list):
        errors.append(_("This is no file with prompts of AdminChat."))
        return []
    if whole.get("version") != VERSION:
        errors.append(_("The file comes from another version of AdminChat, whose files can’t be read here."))
        return []
    items: list[Any] = whole["prompts"]
    limit = VERSIONS_LIMIT * (len(Range) + 1)
    if len(items) > limit:
        errors.append(_("There are more than %(limit)d prompts in the file.") % {"limit": limit})
        return []
    return items


def _shape(item: Any) -> list[str]:
    """What is wrong with the fields of a prompt and their types."""
    if not isinstance(item, dict):
        return [_("it is no object.")]
    wrong = [_("the field “%(field)s” is missing.") % {"field": each} for each in sorted(_NEEDED - {*item})]
    for name, value in item.items():
        if name not in _TYPES:
            wrong.append(_("the field “%(field)s” is unknown.") % {"field": name[:80]})
        elif not isinstance(value, _TYPES[name]) or (isinstance(value, bool) and bool not in _TYPES[name]):
            wrong.append(_("the field “%(field)s” is of the wrong type.") % {"field": name})
    if not all(isinstance(each, str) for each in item.get("stop") or []):
        wrong.append(_("the field “%(field)s” is of the wrong type.") % {"field": "stop"})
    return wrong


def _check(
    actor: User,
    item: dict[str, Any],
    found: Plan,
    seen: set[str],
    known: dict[str, PromptVersion],
    models: QuerySet[ChatModel],
) -> list[str]:
    """What is wrong with a prompt of the right shape; one that isn't there yet is added to the plan."""
    code, range_name = item["code"], item["range"]
    if not selectors.is_code(code):
        return [_("its code is none; one looks like this: %(example)s") % {"example": "2026.11.30.1-T1.2-A3"}]
    if range_name not in Range.values:
        return [_("there is no range “%(range)s”.") % {"range": range_name[:80]}]
    if code in seen:
        return [_("it is in the file twice.")]
    seen.add(code)
    wrong, model = [], None
    if wanted := item.get("model"):
        model = _model(wanted, models)
        if model is None:
            names = {"connection": str(wanted.get("connection"))[:80], "model": str(wanted.get("model"))[:80]}
            wrong.append(
                _("its model “%(model)s” of the connection “%(connection)s” isn’t there, or is switched off.") % names
            )
    form = VersionForm(_typed(item, model), actor=actor)
    for name, sentences in form.errors.items():
        label, problem = form.fields[name].label, " ".join(map(str, sentences))
        wrong.append(_("in the field “%(field)s”: %(problem)s") % {"field": label, "problem": problem})
    if wrong:
        return wrong
    content, there = form.content(), known.get(code)
    if there is None:
        found.added[code] = (range_name, content)
    elif there.range == range_name and Content.of(there) == content:
        found.same += 1
    else:
        return [_("there is another prompt with this code already.")]
    return []


def _model(wanted: dict[str, Any], models: QuerySet[ChatModel]) -> ChatModel | None:
    connection, name = wanted.get("connection"), wanted.get("model")
    if not isinstance(connection, str) or not isinstance(name, str):
        return None
    return models.filter(connection__name=connection, name=name).first()


def _typed(item: dict[str, Any], model: ChatModel | None) -> dict[str, Any]:
    """The prompt as if somebody had typed it."""
    return {**item, "stop": escaped(item.get("stop") or []), "model": model.pk if model else None}
