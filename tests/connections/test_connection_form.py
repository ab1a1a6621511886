import re
from typing import Any

import pytest
from django.contrib.sessions.models import Session as LoginSession
from django.db import connection as database
from django.test import Client
from pytest_django import Settings

from adminchat.accounts.models import User
from adminchat.connections.models import ChatModel, Connection
from tests.factories import ConnectionFactory, WorkspaceFactory

pytestmark = pytest.mark.django_db

FORM: dict[str, Any] = {
    "name": "Cloud",
    "kind": "openai",
    "base_url": "https://93.184.215.14/v1",
    "new_key": "sk-typed",
    "enabled": "on",
    "audience": "everyone",
}
SAME: dict[str, Any] = FORM | {"name": "Mine", "new_key": ""}  # what the page of `stored` sends when nothing is changed


def edit(client: Client, connection: Connection, **changes: Any) -> int:
    status = client.post(f"/connections/{connection.pk}/edit/", SAME | changes).status_code
    connection.refresh_from_db()
    return status


def test_connection_is_added_with_its_first_model(as_root: Client, root: User) -> None:  # CHAT-16
    response = as_root.post("/connections/create/", FORM | {"model": "gpt-5-mini"})
    connection = Connection.objects.get(name="Cloud")
    assert response["Location"] == f"/connections/{connection.pk}/"
    assert (connection.tenant, connection.origin, connection.api_key) == (root.tenant, "browser", "sk-typed")
    assert ChatModel.objects.get(connection=connection).is_default


def test_new_form_proposes_the_common_kind(as_root: Client) -> None:  # CHAT-16
    page = as_root.get("/connections/create/").content.decode()
    assert re.search(r'name="kind" value="openai"[^>]* checked', page)


def test_connection_without_url_is_the_vendors_own(as_root: Client) -> None:  # CHAT-16
    form = FORM | {"kind": "anthropic", "base_url": ""}
    assert as_root.post("/connections/create/", form).status_code == 302


def test_key_is_ciphertext_in_the_database(as_root: Client) -> None:  # SEC-2
    as_root.post("/connections/create/", FORM)
    with database.cursor() as cursor:
        cursor.execute("SELECT api_key FROM connections_connection")
        assert "sk-typed" not in cursor.fetchone()[0]


@pytest.mark.parametrize("path", ["", "{}/", "{}/edit/", "{}/delete/"])
def test_stored_key_is_never_sent_to_a_browser(as_root: Client, stored: Connection, path: str) -> None:  # CHAT-16
    response = as_root.get("/connections/" + path.format(stored.pk))
    assert response.status_code == 200
    assert "sk-stored" not in response.content.decode()


def test_stored_key_is_not_sent_with_errors_either(as_root: Client, stored: Connection) -> None:  # CHAT-16
    response = as_root.post(f"/connections/{stored.pk}/edit/", SAME | {"name": ""})
    assert response.status_code == 422
    assert "sk-stored" not in response.content.decode()


def test_empty_field_keeps_the_key(as_root: Client, stored: Connection) -> None:  # CHAT-16
    assert edit(as_root, stored, name="Renamed") == 302
    assert (stored.name, stored.api_key) == ("Renamed", "sk-stored")


def test_typed_key_replaces_the_stored_one(as_root: Client, stored: Connection) -> None:  # CHAT-16
    edit(as_root, stored, new_key="sk-newer")
    assert stored.api_key == "sk-newer"


def test_key_is_removed_on_request(as_root: Client, stored: Connection) -> None:  # CHAT-16
    edit(as_root, stored, remove_key="on")
    assert stored.api_key == ""


def test_typing_and_removing_a_key_at_once_is_asked_about(as_root: Client, stored: Connection) -> None:  # CHAT-16
    assert edit(as_root, stored, new_key="sk-newer", remove_key="on") == 422
    assert stored.api_key == "sk-stored"


@pytest.mark.parametrize(
    "changes",
    [
        {"base_url": "https://93.184.215.15/v1"},
        {"base_url": "http://93.184.215.14/v1"},
        {"base_url": "https://93.184.215.14:8443/v1"},
        {"base_url": ""},
        {"base_url": "", "kind": "anthropic"},
    ],
    ids=["host", "scheme", "port", "vendor", "other-vendor"],
)
def test_stored_key_follows_to_no_other_receiver(  # CHAT-20, SEC-2
    as_root: Client, stored: Connection, changes: dict[str, str]
) -> None:
    assert edit(as_root, stored, **changes) == 422
    assert stored.base_url == "https://93.184.215.14/v1"
    assert edit(as_root, stored, **changes, new_key="sk-again") == 302
    assert stored.api_key == "sk-again"


def test_stored_key_stays_on_the_same_receiver(as_root: Client, stored: Connection) -> None:  # CHAT-20
    assert edit(as_root, stored, base_url="https://93.184.215.14:443/openai/v1/") == 302
    assert stored.api_key == "sk-stored"


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/v1",
        "http://[::ffff:169.254.169.254]/",
        "http://metadata.google.internal/",
        "http://127.0.0.1:11434/v1",
        "http://10.0.0.1/v1",
        "ftp://example.com/",
        "https://user:pass@example.com/",
        "javascript:alert(1)",
        "not an address",
        "https://" + "x" * 600,
    ],
)
def test_refused_addresses_come_back_with_what_was_typed(as_root: Client, url: str) -> None:  # CHAT-20, SEC-6
    response = as_root.post("/connections/create/", FORM | {"base_url": url})
    page = response.content.decode()
    assert response.status_code == 422
    assert "Cloud" in page
    assert "sk-typed" in page, "a key that was not saved is not lost"
    assert "no-store" in response["Cache-Control"]
    assert not Connection.objects.exists()


def test_private_hosts_are_reached_where_the_operator_names_them(  # CHAT-20
    as_root: Client, settings: Settings
) -> None:
    settings.ADMINCHAT_ALLOWED_PRIVATE_HOSTS = ["127.0.0.1"]
    form = FORM | {"base_url": "http://127.0.0.1:11434/v1"}
    assert as_root.post("/connections/create/", form).status_code == 302


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": "x" * 81},
        {"kind": "local"},
        {"new_key": "two words"},
        {"new_key": "sk-ключ"},
        {"new_key": "x" * 1001},
        {"audience": "nobody"},
        {"audience": "workspaces"},
        {"model": "x" * 201},
    ],
    ids=lambda changes: "-".join(f"{name}-{value[:10]}" for name, value in changes.items()),
)
def test_unfit_values_come_back_with_the_form(as_root: Client, changes: dict[str, str]) -> None:  # CHAT-16, SEC-7
    assert as_root.post("/connections/create/", FORM | changes).status_code == 422
    assert not Connection.objects.exists()


def test_taken_name_is_refused(as_root: Client, stored: Connection) -> None:  # CHAT-16
    response = as_root.post("/connections/create/", FORM | {"name": "Mine"})
    assert response.status_code == 422
    assert "already" in response.content.decode()


def test_workspaces_of_other_tenants_cannot_be_chosen(as_root: Client, root: User) -> None:  # SEC-1
    own, foreign = WorkspaceFactory.create(tenant=root.tenant), WorkspaceFactory.create()
    form = FORM | {"audience": "workspaces"}
    assert as_root.post("/connections/create/", form | {"workspaces": [foreign.pk]}).status_code == 422
    assert as_root.post("/connections/create/", form | {"workspaces": [own.pk]}).status_code == 302
    assert list(Connection.objects.get().workspaces.all()) == [own]


def test_operators_connection_changes_in_its_audience_only(as_root: Client, root: User) -> None:  # CHAT-20
    preset = ConnectionFactory.create(tenant=root.tenant, name="Preset", api_key="sk-operator")
    form = FORM | {"name": "Other", "base_url": "https://93.184.215.15/", "audience": "super_admins"}
    assert as_root.post(f"/connections/{preset.pk}/edit/", form).status_code == 302
    preset.refresh_from_db()
    assert (preset.name, preset.base_url, preset.api_key) == ("Preset", "http://127.0.0.1:9/v1", "sk-operator")
    assert preset.enabled
    assert preset.audience == "super_admins"


def test_operators_connection_is_not_deleted(as_root: Client, root: User) -> None:  # CHAT-20
    preset = ConnectionFactory.create(tenant=root.tenant)
    assert as_root.post(f"/connections/{preset.pk}/delete/").status_code == 403


def test_connection_is_deleted_after_confirmation(as_root: Client, stored: Connection) -> None:  # CHAT-16
    assert as_root.get(f"/connections/{stored.pk}/delete/").status_code == 200
    assert Connection.objects.filter(pk=stored.pk).exists()
    as_root.post(f"/connections/{stored.pk}/delete/")
    assert not Connection.objects.filter(pk=stored.pk).exists()


@pytest.mark.parametrize("path", ["create/", "{}/edit/"])
def test_unconfirmed_form_keeps_what_was_typed_and_stores_no_key(  # SEC-2, SEC-9
    root: User, stored: Connection, path: str
) -> None:
    client = Client()
    client.force_login(root)
    response = client.post("/connections/" + path.format(stored.pk), FORM)
    page = response.content.decode()
    assert response.status_code == 422
    assert "Cloud" in page
    assert "/accounts/reauthenticate/" in page
    assert list(Connection.objects.values_list("name", flat=True)) == ["Mine"]
    for login in LoginSession.objects.all():
        assert "sk-typed" not in str(login.get_decoded())


def test_without_workspaces_none_can_be_chosen(as_root: Client, root: User) -> None:  # CHAT-16, UX-1
    page = as_root.get("/connections/create/").content.decode()
    assert "Workspaces</legend>" not in page
    assert 'value="workspaces"' not in page
    assert as_root.post("/connections/create/", FORM | {"audience": "workspaces"}).status_code == 422
    WorkspaceFactory.create(tenant=root.tenant)
    page = as_root.get("/connections/create/").content.decode()
    assert "Workspaces</legend>" in page
    assert 'value="workspaces"' in page


def test_asking_for_the_password_says_why(client: Client, root: User) -> None:  # SEC-9
    client.force_login(root)
    session = client.session
    session["account_authentication_methods"] = []
    session.save()
    page = client.get("/connections/create/", follow=True).content.decode()
    assert "so that nobody else can do it at a screen you left open" in page
