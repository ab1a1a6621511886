import re

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from adminchat.accounts import people
from adminchat.accounts.models import User
from tests.accounts.conftest import is_signed_in, sign_in
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db


def shown_password(html: str) -> str:
    found = re.search(r'data-testid="new-password">([^<]+)<', html)
    assert found
    return found[1]


def test_list_shows_the_people_of_the_tenant_only(as_root: Client, alice: User, carol: User) -> None:  # CHAT-24
    page = as_root.get("/people/").content.decode()
    assert "alice" in page
    assert "carol" not in page


def test_created_person_signs_in_with_the_password_shown_once(as_root: Client, root: User) -> None:  # CHAT-24
    page = as_root.post("/people/create/", {"username": "erin", "role": "admin", "password": ""}).content.decode()
    erin = User.objects.get(username="erin")
    assert (erin.tenant, erin.role) == (root.tenant, "admin")
    assert is_signed_in(sign_in(erin, shown_password(page)))
    assert shown_password(page) not in as_root.get(f"/people/{erin.pk}/").content.decode()


def test_page_with_a_password_is_not_stored_by_the_browser(as_root: Client) -> None:  # SEC-4
    response = as_root.post("/people/create/", {"username": "erin", "role": "admin"})
    assert "no-store" in response["Cache-Control"]


def test_typed_password_is_checked(as_root: Client) -> None:  # CHAT-24
    response = as_root.post("/people/create/", {"username": "erin", "role": "admin", "password": "12345"})
    assert response.status_code == 422
    assert "erin" in response.content.decode()
    assert not User.objects.filter(username="erin").exists()


@pytest.mark.parametrize("username", ["alice", "ALICE", "", "two words", "x" * 151], ids=lambda name: name[:10])
def test_unfit_user_name_comes_back_with_the_form(as_root: Client, alice: User, username: str) -> None:  # CHAT-24
    response = as_root.post("/people/create/", {"username": username, "first_name": "Erin", "role": "admin"})
    assert response.status_code == 422
    assert "Erin" in response.content.decode()
    assert User.objects.filter(tenant=alice.tenant).count() == 2


def test_role_and_names_are_changed(as_root: Client, alice: User) -> None:  # CHAT-24
    as_root.post(f"/people/{alice.pk}/", {"first_name": "Alice", "last_name": "Ames", "role": "super_admin"})
    alice.refresh_from_db()
    assert (alice.shown_name, alice.role) == ("Alice Ames", "super_admin")


def test_role_must_be_one_that_exists(as_root: Client, alice: User) -> None:  # CHAT-24
    assert as_root.post(f"/people/{alice.pk}/", {"role": "operator"}).status_code == 422


def test_deactivation_signs_out_at_once_and_closes_the_door(as_root: Client, alice: User) -> None:  # CHAT-24, SEC-9
    browser = sign_in(alice)
    assert as_root.post(f"/people/{alice.pk}/deactivate/").status_code == 302
    assert not is_signed_in(browser)
    assert not UserSession.objects.filter(user=alice).exists()
    again = Client()
    again.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert not is_signed_in(again)


def test_deactivation_asks_first(as_root: Client, alice: User) -> None:  # UX-1
    assert as_root.get(f"/people/{alice.pk}/deactivate/").status_code == 200
    alice.refresh_from_db()
    assert alice.is_active


def test_reactivated_person_signs_in_again(as_root: Client, alice: User) -> None:  # CHAT-24
    as_root.post(f"/people/{alice.pk}/deactivate/")
    as_root.post(f"/people/{alice.pk}/reactivate/")
    assert is_signed_in(sign_in(alice))


def test_password_reset_ends_every_session_of_the_person(as_root: Client, alice: User) -> None:  # SEC-9
    browser = sign_in(alice)
    page = as_root.post(f"/people/{alice.pk}/password/", {"password": ""}).content.decode()
    assert not is_signed_in(browser)
    assert is_signed_in(sign_in(alice, shown_password(page)))


def test_own_password_is_changed_with_the_old_one_only(as_root: Client, root: User) -> None:  # SEC-9
    response = as_root.post(f"/people/{root.pk}/password/", {"password": "a new one, long enough"})
    assert response["Location"] == "/accounts/password/change/"
    root.refresh_from_db()
    assert root.check_password(PASSWORD)


@pytest.mark.parametrize("path", ["", "deactivate/", "password/"])
def test_operator_is_out_of_a_super_administrators_reach(as_root: Client, root: User, path: str) -> None:  # SEC-1
    operator = UserFactory.create(username="op", tenant=root.tenant, is_superuser=True, is_staff=True)
    as_root.post(f"/people/{operator.pk}/{path}", {"role": "admin", "password": "a new one, long enough"})
    stored = User.objects.get(pk=operator.pk)
    assert stored.is_active
    assert stored.check_password(PASSWORD)
    assert stored.first_name == operator.first_name


def test_generated_passwords_differ_and_satisfy_the_validators() -> None:  # CHAT-24
    from django.contrib.auth.password_validation import validate_password

    made = {people.generated_password() for _ in range(50)}
    assert len(made) == 50
    for password in made:
        validate_password(password)


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [("Alice", "Ames", "Alice Ames"), ("小明", "张", "张小明"), ("", "", "u")],
    ids=["english", "chinese", "none"],
)
def test_names_are_shown_in_their_own_order(first: str, last: str, shown: str) -> None:  # I18N-2
    assert User(username="u", first_name=first, last_name=last).shown_name == shown
