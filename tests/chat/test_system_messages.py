"""My and Global SystemMessage (chapter 05)."""

import re
from threading import Barrier, Thread
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection, connections
from django.test import Client

from adminchat.accounts.models import TenantPolicy, User
from chat import system_messages
from chat.profiles import ensure_profiles, preferred
from chat.system_messages import Outdated
from tests.chat.conftest import signed_in
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
MY, GLOBAL = "/memory/system-messages/my/", "/memory/system-messages/global/"


@pytest.fixture
def root_page(root: User) -> Client:
    return signed_in(root)


@pytest.mark.parametrize("character", ["x", "好", "e\u0301"], ids=ascii)
def test_two_thousand_code_points_and_not_one_more(alice: User, character: str) -> None:  # SYS-3
    saved = system_messages.save_my(alice, f"  {character * 2000}\n", revision=0)
    assert len(saved.text) == 2000
    with pytest.raises(ValidationError):
        system_messages.save_my(alice, character * 2001, revision=1)
    assert system_messages.my(alice).revision == 1


def test_nothing_is_cut_off_in_silence(alice: User) -> None:  # SYS-3
    with pytest.raises(ValidationError):
        system_messages.save_my(alice, "\n" * 50_000 + "Keep me.", revision=0)


def test_one_that_cannot_be_read_can_be_replaced(page: Client, alice: User) -> None:  # OPS-8
    system_messages.save_my(alice, "Be brief.", revision=0)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE chat_mysystemmessage SET text = 'rubbish'")
    with pytest.raises(system_messages.Unreadable):
        system_messages.in_force(alice)
    assert page.get("/memory/system-messages/").status_code == 200
    assert system_messages.save_my(alice, "Be brief again.", revision=1).text == "Be brief again."


def test_versions_that_cannot_be_read_can_be_replaced_and_hide_no_other(  # OPS-8, SYS-8
    root_page: Client, page: Client, root: User, alice: User
) -> None:
    system_messages.save_global(root, "Be brief.", revision=0)
    system_messages.save_global(root, "Be exact.", revision=1, announce=True)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE chat_globalsystemmessage SET text = 'rubbish' WHERE number = 2")
    with pytest.raises(system_messages.Unreadable):
        system_messages.in_force(alice)
    assert page.get("/").status_code == 200  # with the notice of the change
    shown = page.get("/memory/system-messages/").content.decode()
    assert "No key of this installation can read it." in shown
    assert "Be brief." in root_page.get("/memory/system-messages/versions/").content.decode()
    assert root_page.post("/memory/system-messages/versions/2/restore/", {"revision": 2}).status_code == 404
    assert root_page.post("/memory/system-messages/global/", {"text": "", "revision": 2}).status_code == 303
    assert system_messages.in_force(alice) == ("", "")


def test_lines_are_kept_and_hidden_characters_refused(alice: User) -> None:  # SYS-3
    assert system_messages.save_my(alice, "One.\r\nTwo.\r\n\r\n\tThree.", revision=0).text == "One.\nTwo.\n\n\tThree."
    with pytest.raises(ValidationError):
        system_messages.save_my(alice, "One.\u202eTwo.", revision=1)


def test_empty_means_none(alice: User, root: User) -> None:  # SYS-3
    system_messages.save_my(alice, "Be brief.", revision=0)
    system_messages.save_my(alice, " \n", revision=1)
    assert system_messages.in_force(alice) == ("", "")


def test_texts_are_ciphertext_in_the_raw_database(alice: User, root: User) -> None:  # SYS-3, SEC-2
    system_messages.save_my(alice, "Answer in Esperanto.", revision=0)
    system_messages.save_global(root, "Speak for the treasury.", revision=0)
    with connection.cursor() as cursor:
        raw = ""
        for table in ("chat_mysystemmessage", "chat_globalsystemmessage"):
            cursor.execute(f"SELECT * FROM {table}")
            raw += str(cursor.fetchall())
    assert "Esperanto" not in raw and "treasury" not in raw


def test_each_reaches_whom_it_is_meant_for(alice: User, bob: User, carol: User, root: User) -> None:  # SYS-1, SYS-2
    system_messages.save_my(alice, "Mine.", revision=0)
    system_messages.save_global(root, "Ours.", revision=0)
    assert system_messages.in_force(alice) == ("Ours.", "Mine.")
    assert system_messages.in_force(bob) == ("Ours.", "")
    assert system_messages.in_force(carol) == ("", "")


def test_only_super_administrators_save_the_global_one(alice: User, page: Client, root: User) -> None:  # SYS-2
    with pytest.raises(PermissionDenied):
        system_messages.save_global(alice, "Mine now.", revision=0)
    assert page.post(GLOBAL, {"text": "Mine now.", "revision": 0}).status_code == 403
    assert GLOBAL not in page.get("/memory/system-messages/").content.decode()
    assert system_messages.current_global(root).text == ""


def test_administrators_read_it_where_the_policy_shows_it(page: Client, root: User) -> None:  # SYS-2
    system_messages.save_global(root, "Speak for the treasury.", revision=0)
    assert "Speak for the treasury." in page.get("/memory/system-messages/").content.decode()
    TenantPolicy.objects.filter(tenant=root.tenant).update(show_global_message=False)
    shown = page.get("/memory/system-messages/").content.decode()
    assert "Speak for the treasury." not in shown and "system-message-global" not in shown


@pytest.mark.parametrize(("address", "which"), [(MY, "my"), (GLOBAL, "global")])
def test_saving_one_leaves_the_other_alone(root_page: Client, root: User, address: str, which: str) -> None:  # SYS-7
    answer = root_page.post(
        address, {"text": "Be kind.", "revision": 0}, headers={**HTMX, "HX-Target": f"system-message-{which}"}
    )
    shown = answer.content.decode()
    assert answer.status_code == 200 and shown.count("<section") == 1
    assert f'id="system-message-{which}"' in shown and "Saved" in shown
    assert system_messages.in_force(root) == (("", "Be kind.") if which == "my" else ("Be kind.", ""))


@pytest.mark.parametrize(("address", "save"), [(MY, system_messages.save_my), (GLOBAL, system_messages.save_global)])
def test_conflict_keeps_the_newer_and_the_draft(root_page: Client, root: User, address: str, save: Any) -> None:
    save(root, "Newer.", revision=0)  # SYS-8
    answer = root_page.post(address, {"text": "My draft.", "revision": 0}, headers=HTMX)
    shown = answer.content.decode()
    assert answer.status_code == 409
    assert "Newer." in shown and "My draft." in shown
    assert re.findall(r'name="revision" value="(\d+)"', shown) == ["1"]
    assert root_page.post(address, {"text": "My draft.", "revision": 1}).status_code in (302, 303)


@pytest.mark.parametrize(
    ("text", "words", "status"),
    [
        ("x" * 2001, "2001 characters; at most 2000", 422),
        ("a\u2066b", "hidden characters", 422),
        ("The password is hunter22", "Passwords are never stored here", 422),
        ("Use sk-proj-9fK2mQ7xV1bT4", "looks like a key", 422),
    ],
)
def test_what_is_wrong_is_said_and_nothing_lost(page: Client, alice: User, text: str, words: str, status: int) -> None:
    answer = page.post(MY, {"text": text, "revision": 0}, headers=HTMX)  # SYS-3, LEARN-15
    assert answer.status_code == status
    assert words in answer.content.decode() and text in answer.content.decode()
    assert system_messages.my(alice).text == ""


def test_a_warning_can_be_passed(page: Client, alice: User) -> None:  # LEARN-15
    page.post(MY, {"text": "Use sk-proj-9fK2mQ7xV1bT4", "revision": 0, "confirm_warning": "on"})
    assert system_messages.my(alice).revision == 1


def test_saving_says_how_many_it_reaches(root_page: Client, root: User, alice: User) -> None:  # SYS-8
    UserFactory.create(tenant=root.tenant, is_active=False)
    answer = root_page.post(
        GLOBAL, {"text": "Be kind.", "revision": 0}, headers={**HTMX, "HX-Target": "system-message-global"}
    )
    assert "It reaches 2 people" in answer.content.decode()


def test_versions_can_be_compared_and_brought_back(root_page: Client, root: User) -> None:  # SYS-8
    system_messages.save_global(root, "Be kind.\nBe brief.", revision=0)
    system_messages.save_global(root, "Be kind.\nBe thorough.", revision=1)
    shown = root_page.get("/memory/system-messages/versions/").content.decode()
    assert "<del>− Be brief.</del>" in shown and "<ins>+ Be thorough.</ins>" in shown and root.shown_name in shown
    root_page.post("/memory/system-messages/versions/1/restore/", {"revision": 2})
    assert system_messages.current_global(root).text == "Be kind.\nBe brief."
    assert [version.number for version in system_messages.versions(root)] == [3, 2, 1]
    root_page.post("/memory/system-messages/versions/2/restore/", {"revision": 2})  # from a page that is out of date
    assert system_messages.current_global(root).revision == 3


def test_people_are_told_once_where_they_may_read_it(page: Client, alice: User, root: User) -> None:  # SYS-8
    system_messages.save_global(root, "Be kind.", revision=0)
    assert "has changed" not in page.get("/").content.decode()
    system_messages.save_global(root, "Be brief.", revision=1, announce=True)
    assert "The Global SystemMessage has changed" in page.get("/").content.decode()
    assert "has changed" not in signed_in(root).get("/").content.decode()
    assert page.post("/memory/system-messages/seen/", headers=HTMX).status_code == 200
    assert "has changed" not in page.get("/").content.decode()
    TenantPolicy.objects.filter(tenant=root.tenant).update(show_global_message=False)
    system_messages.save_global(root, "Be silent.", revision=2, announce=True)
    assert "has changed" not in page.get("/").content.decode()


def test_the_panel_shows_what_each_costs(page: Client, alice: User) -> None:  # SYS-9
    system_messages.save_my(alice, "Answer in British English.", revision=0)
    assert re.search(
        r"Costs about \d+ tokens per turn \(an estimate\)", page.get("/memory/system-messages/").content.decode()
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("save", [system_messages.save_my, system_messages.save_global])
def test_of_parallel_savers_one_wins(root: User, save: Any) -> None:  # SYS-8, CONF-1
    together, outcomes = Barrier(10), list[str]()

    def run(number: int) -> None:
        try:
            together.wait()
            save(root, f"Text {number}", revision=0)
            outcomes.append("saved")
        except Outdated:
            outcomes.append("outdated")
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=[number]) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(outcomes) == ["outdated"] * 9 + ["saved"]


def test_putting_the_notice_away_leaves_the_launcher_as_it_is(page: Client, alice: User, root: User) -> None:  # CHAT-1
    system_messages.save_global(root, "Be kind.", revision=0, announce=True)
    ensure_profiles(root.tenant)
    before = preferred(alice)
    page.post("/memory/system-messages/seen/", headers=HTMX)
    assert before is not None and preferred(alice) == before


def test_an_unchanged_text_makes_no_version_but_can_be_announced(root_page: Client, root: User, alice: User) -> None:
    system_messages.save_global(root, "Be kind.", revision=0)  # SYS-8
    target = {**HTMX, "HX-Target": "system-message-global"}
    answer = root_page.post(GLOBAL, {"text": "Be kind.", "revision": 1, "announce": "on"}, headers=target)
    assert "no new version was made" in answer.content.decode()
    assert system_messages.current_global(root).revision == 1
    assert system_messages.news(alice) is not None


def test_who_comes_later_is_told_of_no_earlier_change(root: User) -> None:  # SYS-8
    system_messages.save_global(root, "Be brief.", revision=0, announce=True)
    newcomer = UserFactory.create(tenant=root.tenant)
    assert system_messages.news(newcomer) is None
    system_messages.save_global(root, "Be exact.", revision=1, announce=True)
    assert system_messages.news(newcomer) is not None
