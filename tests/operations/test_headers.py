import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from adminchat.accounts.models import User
from adminchat.middleware import PageGZipMiddleware

POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
}


@pytest.mark.django_db
def test_every_page_carries_the_strict_policy(client: Client) -> None:  # SEC-3, SEC-4
    answer = client.get("/accounts/login/")
    assert set(answer.headers["Content-Security-Policy"].split("; ")) == POLICY


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("X-Frame-Options", "DENY"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ],
)
def test_every_page_carries_the_header(client: Client, header: str, value: str) -> None:  # SEC-4
    assert client.get("/accounts/login/").headers[header] == value


@pytest.mark.django_db
def test_unused_browser_features_are_refused(client: Client) -> None:  # SEC-4
    policy = client.get("/accounts/login/").headers["Permissions-Policy"]
    assert {"camera=()", "microphone=()", "geolocation=()"} <= set(policy.split(", "))


def test_own_pages_are_not_kept_by_shared_caches(client: Client, alice: User) -> None:  # SEC-4
    client.force_login(alice)
    assert "private" in client.get("/settings/").headers["Cache-Control"]


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused() -> None:  # SEC-4
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "alice", "password": "x"})
    assert answer.status_code == 403


def test_event_streams_are_not_compressed(rf: RequestFactory) -> None:  # CHAT-6
    def view(request: HttpRequest) -> StreamingHttpResponse:
        return StreamingHttpResponse([b"data: x\n\n" * 100], content_type="text/event-stream")

    answer = PageGZipMiddleware(view)(rf.get("/", headers={"accept-encoding": "gzip"}))
    assert "Content-Encoding" not in answer.headers


def test_other_answers_are_compressed(rf: RequestFactory) -> None:  # PERF-9
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse("x" * 1000)

    answer = PageGZipMiddleware(view)(rf.get("/", headers={"accept-encoding": "gzip"}))
    assert answer.headers["Content-Encoding"] == "gzip"
