"""A tenant that the site operator makes is ready for its people."""

import pytest
from django.test import Client

from adminchat.accounts.models import Tenant, User
from chat.models import Profile
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_tenant_made_by_the_operator_has_rules_and_profiles(django_capture_on_commit_callbacks) -> None:  # type: ignore[no-untyped-def]  # CHAT-23, CHAT-25
    operator: User = UserFactory.create(is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(operator)
    inline = {"policy-TOTAL_FORMS": "0", "policy-INITIAL_FORMS": "0"}
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post("/admin/accounts/tenant/add/", {"name": "Branch office", **inline})
    assert response.status_code == 302
    tenant = Tenant.objects.get(name="Branch office")
    assert tenant.policy.mode_cap == "learn"
    assert set(Profile.objects.filter(tenant=tenant).values_list("shipped", flat=True)) == {
        "general",
        "writing",
        "private",
    }
