"""All prompts as one file, and back (PROMPT-5)."""

from typing import Any
from unittest.mock import patch

import orjson
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from adminchat.accounts.models import User
from adminchat.prompts import portability, selectors, versions
from adminchat.prompts.models import ActivePrompt, PromptChange, PromptVersion, Range, Score
from adminchat.prompts.versions import Content, Figures
from tests.factories import ChatModelFactory, ConnectionFactory, PromptVersionFactory

pytestmark = pytest.mark.django_db
IMPORT = "/prompts/import/"
CODE = "2026.11.30.1-T1.2-A3"


def _file(*prompts: dict[str, Any], **whole: Any) -> bytes:
    return orjson.dumps({"format": "adminchat-prompts", "version": 1, "prompts": list(prompts), **whole})


def _prompt(**fields: Any) -> dict[str, Any]:
    return {"range": "session-title", "code": CODE, "text": "Name it.", **fields}


def _upload(client: Client, document: bytes) -> Any:
    return client.post(IMPORT, {"file": SimpleUploadedFile("prompts.json", document)})


@pytest.fixture
def furnished(root: User, default: PromptVersion) -> PromptVersion:
    """A version with everything, active and scored."""
    model = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=root.tenant, name="Ours"), name="gpt")
    content = Content("Name it.\n好。", model, 0.2, 0.9, 300, ("\n\n", "\\n", "END"), "Kürzer")
    version = PromptVersionFactory.create(tenant=root.tenant, code=CODE, **content.fields())
    versions.activate(root, version, seen=default.code)
    versions.keep_score(root.tenant_id, CODE, Figures(1.0, 0.5, 0, 2.0, "Ours", "gpt"))
    return version


def test_file_holds_everything_and_adds_nothing_where_it_came_from(  # PROMPT-5
    as_root: Client, root: User, furnished: PromptVersion
) -> None:
    answer = as_root.get("/prompts/export/")
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="adminchat-prompts-')
    prompts = {each["code"]: each for each in orjson.loads(answer.content)["prompts"]}
    assert len(prompts) == 4
    assert prompts[CODE]["model"] == {"connection": "Ours", "model": "gpt"}
    assert prompts[CODE]["active"] and prompts[CODE]["score"]["recall"] == 0.5
    plan = portability.plan(root, answer.content)
    assert (plan.added, plan.same, plan.errors) == ({}, 4, [])
    assert "There is nothing to add." in _upload(as_root, answer.content).content.decode()


def test_file_is_taken_over_elsewhere(  # PROMPT-5
    as_root: Client, as_dave: Client, dave: User, furnished: PromptVersion
) -> None:
    model = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=dave.tenant, name="Ours"), name="gpt")
    document = as_root.get("/prompts/export/").content
    page = _upload(as_dave, document).content.decode()
    assert CODE in page and "This version would be added." in page
    assert not PromptVersion.objects.filter(tenant=dave.tenant_id).exists(), "looking at a file adds nothing"
    page = as_dave.post(IMPORT, {"document": document.decode(), "confirm": "on"}, follow=True).content.decode()
    assert "1 version was added." in page
    taken = PromptVersion.objects.get(tenant=dave.tenant_id)
    assert Content.of(taken) == Content(furnished.text, model, 0.2, 0.9, 300, ("\n\n", "\\n", "END"), "Kürzer")
    assert not ActivePrompt.objects.filter(tenant=dave.tenant_id).exists()
    assert not Score.objects.filter(tenant=dave.tenant_id).exists()
    change = PromptChange.objects.get(tenant=dave.tenant_id)
    assert (change.action, change.code, change.actor) == ("imported", CODE, dave)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (b"", "The submitted file is empty."),
        (b"{", "This is no JSON: line 1, column 2."),
        (b"\xff\xfe", "This is no JSON"),
        (b"[" * 100_000, "This is no JSON"),
        (b"[]", "This is no file with prompts of AdminChat."),
        (_file(format="other"), "This is no file with prompts of AdminChat."),
        (_file(version=2), "The file comes from another version of AdminChat"),
        (_file("x"), "Prompt 1: it is no object."),  # type: ignore[arg-type]
        (_file({"code": CODE}), f"Prompt {CODE}: the field “range” is missing."),
        (_file(_prompt(secret=1)), "the field “secret” is unknown."),
        (_file(_prompt(text=1)), "the field “text” is of the wrong type."),
        (_file(_prompt(max_tokens=True)), "the field “max_tokens” is of the wrong type."),
        (_file(_prompt(stop=[1])), "the field “stop” is of the wrong type."),
        (_file(_prompt(code="T1")), "Prompt T1: its code is none"),
        (_file(_prompt(range="lunch")), "there is no range “lunch”."),
        (_file(_prompt(), _prompt()), "it is in the file twice."),
        (_file(_prompt(text=" ")), "in the field “Text”: This field is required."),
        (_file(_prompt(temperature=9)), "in the field “Temperature”: Ensure this value is less than or equal to 2.0."),
        (_file(_prompt(model={"connection": "Ours", "model": "no"})), "its model “no” of the connection “Ours”"),
        (_file(_prompt(model={"connection": 1})), "its model"),
        (_file(_prompt(code="2026.12.01.2-T1-A1")), "there is another prompt with this code already."),
        (b" " * (portability.FILE_LIMIT + 1), "The file is larger than 2 MB."),
    ],
)
def test_wrong_file_is_refused_with_the_reason(  # PROMPT-5, SEC-7
    as_root: Client, default: PromptVersion, document: bytes, words: str
) -> None:
    answer = _upload(as_root, document)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not PromptVersion.objects.exists()


def test_all_problems_are_told_and_nothing_is_written(as_root: Client, default: PromptVersion) -> None:  # PROMPT-5
    wrong = [_prompt(code=f"2026.11.30.1-T1-A{number}", text="") for number in range(1, 61)]
    document = _file(_prompt(), *wrong)
    for answer in (_upload(as_root, document), as_root.post(IMPORT, {"document": document.decode(), "confirm": "on"})):
        page = answer.content.decode()
        assert (answer.status_code, page.count("This field is required.")) == (422, portability.ERRORS_SHOWN)
        assert "And 10 more problems." in page
    assert not PromptVersion.objects.exists()


def test_more_versions_than_a_range_can_hold_are_refused(root: User) -> None:  # SEC-7
    document = _file(*(_prompt(code=f"2026.11.30.1-T1-A{number}") for number in (1, 2)))
    with patch.object(portability, "VERSIONS_LIMIT", 1):
        assert portability.plan(root, document).errors == [
            "“Chat titles” would have 2 versions; at most 1 are possible."
        ]


def test_code_that_was_taken_meanwhile_adds_nothing(root: User) -> None:  # PROMPT-5
    plan = portability.plan(root, _file(_prompt(), _prompt(code="2026.11.30.1-T1-A1")))
    PromptVersionFactory.create(tenant=root.tenant, code=CODE)
    with pytest.raises(versions.InUse):
        versions.add_all(root, plan.added)
    assert PromptVersion.objects.count() == 1


def test_what_is_imported_changes_nothing_that_is_in_force(root: User, default: PromptVersion) -> None:  # PROMPT-5
    versions.add_all(root, portability.plan(root, _file(_prompt(score={"value": 1.0}, active=True))).added)
    in_force = selectors.shelf(root.tenant_id, Range.SESSION_TITLE).in_force
    assert in_force and in_force.code == default.code
