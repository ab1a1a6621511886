"""Language and time zone of a page follow the account, then the cookie, then the browser."""

from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone, translation

from adminchat.accounts.middleware import AccountPreferencesMiddleware
from adminchat.accounts.models import User


@pytest.fixture(autouse=True)
def _left_as_found() -> Any:
    with translation.override("en"), timezone.override(None):
        yield


@pytest.mark.parametrize(
    ("account", "cookie", "browser", "shown"),
    [
        ("zh-hans", "en", "en", "zh-hans"),
        ("en", "zh-hans", "zh-CN", "en"),
        ("", "zh-hans", "en", "zh-hans"),
        ("", "", "zh-CN,zh;q=0.9", "zh-hans"),
        ("", "", "fr", "en"),
        ("xx", "", "zh-CN", "zh-hans"),
    ],
    ids=["account", "account in English", "cookie", "browser", "unknown browser", "unknown account"],
)
def test_language_follows_account_then_cookie_then_browser(
    alice: User, client: Client, account: str, cookie: str, browser: str, shown: str
) -> None:  # I18N-2
    alice.language = account
    alice.save()
    client.force_login(alice)
    if cookie:
        client.cookies["django_language"] = cookie
    response = client.get("/sessions/", headers={"Accept-Language": browser})
    assert response["Content-Language"] == shown
    assert f'<html lang="{shown}"' in response.content.decode()


@pytest.mark.parametrize(
    ("zone", "active"), [("Asia/Shanghai", "Asia/Shanghai"), ("", "UTC"), ("Nowhere/At all", "UTC"), ("../etc", "UTC")]
)
def test_time_zone_is_the_accounts(alice: User, zone: str, active: str) -> None:  # CHAT-2
    seen = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(timezone.get_current_timezone_name())
        return HttpResponse()

    request = RequestFactory().get("/")
    alice.time_zone = zone
    request.user = alice
    timezone.activate("America/New_York")  # left over from an earlier request
    AccountPreferencesMiddleware(view)(request)
    assert seen == [active]


def test_signed_out_user_is_sent_to_sign_in_with_the_whole_page(client: Client, db: None) -> None:  # UX-1
    session = "/sessions/6b2f1d5e-0000-4000-8000-000000000000/"
    response = client.post(
        f"{session}turns/",
        {"message": "Hello"},
        headers={"HX-Request": "true", "HX-Current-URL": f"http://testserver{session}"},
    )
    assert response.status_code == 200
    assert response["HX-Redirect"] == f"/accounts/login/?next={session}"
    assert response.content == b""


@pytest.mark.parametrize("current", ["http://evil.example/x", "", "not an address"])
def test_nobody_comes_back_elsewhere(client: Client, db: None, current: str) -> None:  # SEC-4
    response = client.get("/profiles/", headers={"HX-Request": "true", "HX-Current-URL": current})
    assert response["HX-Redirect"] == "/accounts/login/?next=/"
