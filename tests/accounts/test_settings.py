import pytest
from django.test import Client
from pytest_django import Settings

from adminchat.accounts.models import Tenant, User

pytestmark = pytest.mark.django_db

FORM = {
    "first_name": "Alice",
    "last_name": "Ames",
    "language": "zh-hans",
    "time_zone": "Asia/Shanghai",
    "theme": "dark",
    "send_key": "mod_enter",
}


@pytest.fixture
def as_alice(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def test_settings_are_stored(as_alice: Client, alice: User) -> None:  # CHAT-2, I18N-2
    assert as_alice.post("/settings/", FORM).status_code == 302
    alice.refresh_from_db()
    assert {name: getattr(alice, name) for name in FORM} == FORM


@pytest.mark.parametrize(
    ("field", "value"),
    [("language", "tlh"), ("time_zone", "Mars/Base"), ("theme", "pink"), ("send_key", ""), ("first_name", "x" * 151)],
)
def test_impossible_settings_come_back_with_the_form(  # CHAT-2
    as_alice: Client, alice: User, field: str, value: str
) -> None:
    response = as_alice.post("/settings/", FORM | {field: value})
    assert response.status_code == 422
    assert "Ames" in response.content.decode()
    alice.refresh_from_db()
    assert alice.last_name == ""


def test_role_and_rights_are_not_among_them(as_alice: Client, alice: User) -> None:  # SEC-1
    as_alice.post("/settings/", FORM | {"role": "super_admin", "is_superuser": "on", "is_staff": "on"})
    alice.refresh_from_db()
    assert (alice.role, alice.is_superuser, alice.is_staff) == ("admin", False, False)


def test_language_without_an_own_choice_is_the_browsers_again(as_alice: Client) -> None:  # I18N-2
    as_alice.post("/settings/", FORM)
    response = as_alice.post("/settings/", FORM | {"language": ""})
    assert response.cookies["django_language"].value == ""


def test_theme_switch_returns_to_the_page(as_alice: Client, alice: User) -> None:  # CHAT-2
    response = as_alice.post("/settings/theme/", {"theme": "dark", "next": "/people/"})
    assert response["Location"] == "/people/"
    alice.refresh_from_db()
    assert alice.theme == "dark"


def test_theme_switch_by_script_needs_no_page(as_alice: Client) -> None:  # CHAT-2
    response = as_alice.post("/settings/theme/", {"theme": "dark"}, headers={"HX-Request": "true"})
    assert response.status_code == 204


def test_language_switch_keeps_the_page_and_sets_the_cookie(as_alice: Client, alice: User) -> None:  # I18N-2
    response = as_alice.post("/settings/language/", {"language": "zh-hans", "next": "/sessions/?q=a"})
    assert response["Location"] == "/sessions/?q=a"
    assert response.cookies["django_language"].value == "zh-hans"
    alice.refresh_from_db()
    assert alice.language == "zh-hans"


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", ""])
@pytest.mark.parametrize("switch", ["theme", "language"])
def test_switches_never_lead_away(as_alice: Client, switch: str, address: str) -> None:  # SEC-4
    values = {"theme": "dark", "language": "en", "next": address}
    assert as_alice.post(f"/settings/{switch}/", values)["Location"] == "/settings/"


@pytest.mark.parametrize("path", ["/settings/theme/", "/settings/language/"])
def test_switches_refuse_what_they_do_not_know(as_alice: Client, path: str) -> None:  # SEC-7
    assert as_alice.post(path, {"theme": "pink", "language": "tlh"}).status_code == 400
    assert as_alice.get(path).status_code == 405


@pytest.mark.parametrize("path", ["/settings/", "/settings/theme/", "/settings/language/"])
def test_strangers_are_sent_to_sign_in(path: str) -> None:  # SEC-1
    assert Client().post(path).status_code == 302


@pytest.mark.parametrize("shown", [True, False])
def test_tenants_name_is_shown_only_with_several(  # CHAT-24
    as_root: Client, tenant: Tenant, settings: Settings, shown: bool
) -> None:
    settings.ADMINCHAT_MULTI_TENANT = shown
    assert (tenant.name in as_root.get("/people/").content.decode()) is shown
