import pytest
from django.core.cache import cache
from django.test import Client

from adminchat.accounts.models import User
from tests.accounts.conftest import is_signed_in, sign_in
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


def test_session_key_changes_on_sign_in(alice: User) -> None:  # SEC-9
    client = Client()
    session = client.session
    session["before"] = "there"
    session.save()
    before = client.session.session_key
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert is_signed_in(client)
    assert client.session.session_key != before


def test_password_change_ends_the_other_sessions_and_keeps_this_one(alice: User) -> None:  # SEC-9
    here, elsewhere = sign_in(alice), sign_in(alice)
    new = "another battery staple horse"
    response = here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert response.status_code == 302
    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)


def test_other_devices_are_signed_out_from_the_list(alice: User) -> None:  # SEC-9
    here, elsewhere = sign_in(alice), sign_in(alice)
    here.post("/accounts/sessions/")
    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)


def test_guessing_passwords_is_slowed_down(alice: User) -> None:  # SEC-7
    client = Client()
    for _ in range(5):
        client.post("/accounts/login/", {"login": "alice", "password": "wrong"})
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert not is_signed_in(client)


def test_nobody_signs_up_by_themselves(client: Client, db: None) -> None:  # CHAT-24
    form = {"username": "eve", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", form)
    assert not User.objects.filter(username="eve").exists()


def test_deactivated_person_gets_no_session(alice: User) -> None:  # CHAT-24
    alice.is_active = False
    alice.save()
    client = Client()
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert not is_signed_in(client)
