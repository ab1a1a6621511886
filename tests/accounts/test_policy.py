from typing import Any

import pytest
from django.test import Client

from adminchat.accounts import policies
from adminchat.accounts.models import Tenant, User

pytestmark = pytest.mark.django_db

FORM: dict[str, Any] = {
    "mode_cap": "read_only",
    "learning_languages": ["zh"],
    "extractor": "rules",
    "ask_first": "on",
    "activity_days": "30",
    "temporary_hours": "12",
    "archived_days": "",
}


def test_rules_are_stored_for_the_tenant_alone(as_root: Client, root: User, carol: User) -> None:  # CHAT-25
    assert as_root.post("/policy/", FORM).status_code == 302
    policy = policies.policy_for(root)
    assert (policy.mode_cap, policy.learning_languages, policy.temporary_hours) == ("read_only", ["zh"], 12)
    assert not policy.notes_allowed
    assert policy.archived_days is None
    assert policies.policy_for(carol).mode_cap == "learn"


@pytest.mark.parametrize(
    ("field", "value"),
    [("mode_cap", "all"), ("temporary_hours", "0"), ("temporary_hours", "x"), ("activity_days", "9999")],
)
def test_impossible_rules_come_back_with_the_form(
    as_root: Client, root: User, field: str, value: str
) -> None:  # CHAT-25
    response = as_root.post("/policy/", FORM | {field: value})
    assert response.status_code == 422
    assert policies.policy_for(root).mode_cap == "learn"


def test_tenant_without_rules_gets_the_defaults() -> None:  # CHAT-25
    tenant = Tenant.objects.create(name="New")
    policy = policies.policy_of(tenant.pk)
    assert (policy.mode_cap, policy.learning_languages, policy.temporary_hours) == ("learn", ["en", "zh"], 24)
