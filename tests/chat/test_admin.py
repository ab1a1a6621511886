"""The site operator's pages hold no conversations."""

import pytest
from django.test import Client

from adminchat.accounts.models import User
from tests.chat.conftest import signed_in
from tests.factories import ProfileFactory, SessionFactory, TurnFactory


@pytest.mark.parametrize("model", ["session", "turn"])
def test_operator_sees_no_titles_and_no_texts(alice: User, model: str) -> None:  # SEC-2
    alice.is_staff = alice.is_superuser = True
    alice.save()
    profile = ProfileFactory.create(tenant=alice.tenant, name="Secret name", instructions="Secret instructions")
    session = SessionFactory.create(user=alice, title="Secret title", profile=profile)
    turn = TurnFactory.create(session=session, message__text="Secret question", reply__text="Secret answer")
    shown = {"session": session, "turn": turn}[model]
    operator = signed_in(alice)
    for path in ("", f"{shown.pk}/change/", f"{shown.pk}/delete/"):
        response = operator.get(f"/admin/chat/{model}/{path}")
        assert response.status_code == 200
        assert "Secret" not in response.content.decode()


def test_others_are_kept_out(page: Client) -> None:  # SEC-1
    assert page.get("/admin/chat/session/").status_code == 302
