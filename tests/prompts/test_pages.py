"""The pages of prompts (PROMPT-1, PROMPT-2, PROMPT-5)."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from adminchat.accounts.models import User
from adminchat.prompts import selectors, versions
from adminchat.prompts.models import PromptVersion, Range
from adminchat.prompts.versions import Content, Figures
from tests.factories import ChatModelFactory, ConnectionFactory, PromptVersionFactory

pytestmark = pytest.mark.django_db
RANGE = "/prompts/session-title/"


@pytest.fixture
def version(root: User) -> PromptVersion:
    return PromptVersionFactory.create(tenant=root.tenant, text="Name it.\nBe brief.", author=root)


def _address(version: PromptVersion, what: str = "") -> str:
    return f"/prompts/versions/{version.code}/{what}"


def _used(version: PromptVersion) -> None:
    PromptVersion.objects.filter(pk=version.pk).update(used_at=timezone.now())


def test_list_says_what_is_in_force_everywhere(as_root: Client, root: User, default: PromptVersion) -> None:  # PROMPT-2
    page = as_root.get("/prompts/").content.decode()
    assert [page.count(each.code) for shelf in selectors.shelves(root.tenant_id) for each in shelf.versions] == [
        1,
        1,
        1,
    ]
    assert page.count("comes with AdminChat") == 3


def test_range_shows_versions_scores_and_history(  # PROMPT-2, PROMPT-5
    as_root: Client, root: User, version: PromptVersion, default: PromptVersion
) -> None:
    versions.keep_score(root.tenant_id, version.code, Figures(0.96, 0.9, 3, 12.0, "Ours", "gpt", 0.5))
    as_root.post(_address(version, "activate/"), {"seen": version.code})
    page = as_root.get(RANGE).content.decode()
    assert "precision 0.96 · recall 0.90 · 3 refusals" in page
    assert f"Activated <code>{version.code}</code>" in page
    assert f"Roll back to {version.code}" not in page
    detail = as_root.get(_address(version)).content.decode()
    assert re.search(r"Cost</dt><dd>0\.5000<.*Ours · gpt", detail, re.DOTALL)
    assert "Name it.\nBe brief." in detail


@pytest.mark.parametrize("path", ["/prompts/nothing/", "/prompts/versions/x/", "/prompts/versions/2026.12.02.9-T1-A1/"])
def test_what_is_not_there_is_not_found(as_root: Client, path: str) -> None:
    assert as_root.get(path).status_code == 404


def test_administrator_and_stranger_are_refused(alice: User, version: PromptVersion) -> None:  # SEC-1, PROMPT-5
    for path in ("/prompts/", RANGE, _address(version), "/prompts/export/", "/prompts/import/"):
        client = Client()
        assert client.get(path).headers["Location"].startswith("/accounts/login/")
        client.force_login(alice)
        assert client.get(path).status_code == 403


def test_other_tenant_finds_and_changes_nothing(as_dave: Client, version: PromptVersion) -> None:  # SEC-1, PROMPT-5
    for what in ("", "create/", "edit/", "delete/"):
        assert as_dave.get(_address(version, what)).status_code == 404, what
    for what in ("create/", "edit/", "delete/", "activate/"):
        assert as_dave.post(_address(version, what), {"text": "Theirs"}).status_code == 404, what
    assert (
        version.code not in as_dave.get("/prompts/").content.decode() + as_dave.get("/prompts/export/").content.decode()
    )
    kept = PromptVersion.objects.get()
    assert (kept.text, kept.code) == (version.text, version.code)


def test_new_version_holds_what_was_typed(as_root: Client, root: User, default: PromptVersion) -> None:  # PROMPT-2
    model = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=root.tenant, name="Ours"))
    form = {
        "text": " Name it.\r\nBe brief. ",
        "model": model.pk,
        "temperature": "0.2",
        "top_p": "0.9",
        "max_tokens": "300",
        "stop": "\\n\\n\r\nEND\r\n\r\nC:\\\\new",
        "note": "Shorter",
    }
    answer = as_root.post(_address(default, "create/"), form, follow=True)
    made = PromptVersion.objects.get()
    assert made.code in answer.content.decode()
    assert Content.of(made) == Content(
        "Name it.\nBe brief.", model, 0.2, 0.9, 300, ("\n\n", "END", "C:\\new"), "Shorter"
    )
    page = as_root.get(_address(made, "edit/")).content.decode()
    assert "\\n\\n\nEND\nC:\\\\new" in page, "it is typed again as it was"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", "   "),
        ("text", "x" * 20_001),
        ("temperature", "2.1"),
        ("temperature", "nan"),
        ("top_p", "0"),
        ("max_tokens", "0"),
        ("stop", "a\nb\nc\nd\ne"),
        ("stop", "x" * 61),
        ("note", "x" * 301),
        ("model", "00000000-0000-4000-8000-000000000000"),
        ("step", "sideways"),
    ],
)
def test_wrong_value_is_refused_beside_its_field(  # PROMPT-2, SEC-7
    as_root: Client, version: PromptVersion, field: str, value: str
) -> None:
    answer = as_root.post(_address(version, "create/"), {"text": "Name it.", "step": "aiming", field: value})
    assert answer.status_code == 422
    assert "field-error" in answer.content.decode()
    assert PromptVersion.objects.count() == 1


def test_model_of_another_tenant_cannot_be_chosen(as_root: Client, version: PromptVersion, dave: User) -> None:  # SEC-1
    theirs = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=dave.tenant))
    answer = as_root.post(_address(version, "edit/"), {"text": "Name it.", "model": theirs.pk})
    assert answer.status_code == 422


def test_unused_version_is_edited_in_place(as_root: Client, version: PromptVersion) -> None:  # PROMPT-1
    assert "never used" in as_root.get(_address(version)).content.decode()
    as_root.post(_address(version, "edit/"), {"text": "Name it well."})
    assert PromptVersion.objects.get().text == "Name it well."


def test_used_version_stays_and_what_was_typed_becomes_another(
    as_root: Client, version: PromptVersion
) -> None:  # PROMPT-1
    _used(version)
    assert as_root.get(_address(version, "edit/")).headers["Location"] == _address(version, "create/")
    answer = as_root.post(_address(version, "edit/"), {"text": "Name it well."}, follow=True)
    assert "This version has been used, so it stays as it is." in answer.content.decode()
    old, new = PromptVersion.objects.order_by("created_at")
    assert (old.text, new.text) == (version.text, "Name it well.")
    assert new.parsed_code.tactic == old.parsed_code.tactic


def test_what_comes_along_cannot_be_edited_or_deleted(as_root: Client, default: PromptVersion) -> None:  # PROMPT-3
    page = as_root.get(_address(default)).content.decode()
    assert "can’t be changed" in page and "/edit/" not in page and "/delete/" not in page
    as_root.post(_address(default, "edit/"), {"text": "Mine"})
    assert (
        "Only a version that was never used" in as_root.post(_address(default, "delete/"), follow=True).content.decode()
    )
    assert not PromptVersion.objects.exists()


def test_active_or_used_version_is_not_deleted(  # PROMPT-5
    as_root: Client, root: User, version: PromptVersion, default: PromptVersion
) -> None:
    versions.activate(root, version, seen=default.code)
    as_root.post(_address(version, "delete/"))
    versions.roll_back(root, Range.SESSION_TITLE, seen=version.code)
    _used(version)
    as_root.post(_address(version, "delete/"))
    assert PromptVersion.objects.exists()
    PromptVersion.objects.update(used_at=None)
    assert as_root.post(_address(version, "delete/")).headers["Location"] == RANGE
    assert not PromptVersion.objects.exists()


def test_activating_and_rolling_back_on_the_page(  # PROMPT-5
    as_root: Client, version: PromptVersion, default: PromptVersion
) -> None:
    page = as_root.post(_address(version, "activate/"), {"seen": default.code}, follow=True).content.decode()
    assert f"{version.code} is active." in page and f"Roll back to {default.code}" in page
    stale = as_root.post(f"{RANGE}roll-back/", {"seen": default.code}, follow=True).content.decode()
    assert "Another version was put in force meanwhile." in stale
    page = as_root.post(f"{RANGE}roll-back/", {"seen": version.code}, follow=True).content.decode()
    assert f"{default.code} is in force again." in page and "Roll back to" not in page


def test_active_version_without_its_model_is_warned_of(  # PROMPT-2
    as_root: Client, root: User, default: PromptVersion
) -> None:
    version = PromptVersionFactory.create(tenant=root.tenant, chosen_model="Ours · gpt")
    versions.activate(root, version, seen=default.code)
    page = as_root.get(RANGE).content.decode()
    assert f"The active version {version.code} can’t be used" in page
    assert "model not available" in page


def test_two_versions_are_compared(as_root: Client, root: User, version: PromptVersion, default: PromptVersion) -> None:
    # PROMPT-5
    other = PromptVersionFactory.create(tenant=root.tenant, text="Name it.\n<b>Be kind.</b>", temperature=0.2)
    page = as_root.get(f"{RANGE}compare/", {"old": version.code, "new": other.code}).content.decode()
    assert "<span>  Name it.</span><del>− Be brief.</del><ins>+ &lt;b&gt;Be kind.&lt;/b&gt;</ins>" in page
    assert "<del>as the model has it</del>" in page and "<ins>0.2</ins>" in page
    same = as_root.get(f"{RANGE}compare/", {"old": version.code, "new": version.code}).content.decode()
    assert "The text is the same." in same
    elsewhere = selectors.shelf(root.tenant_id, Range.MEMORY_EXTRACTION).versions[0].code
    assert as_root.get(f"{RANGE}compare/", {"old": version.code, "new": elsewhere}).status_code == 404
    assert as_root.get(f"{RANGE}compare/").headers["Location"] == RANGE
