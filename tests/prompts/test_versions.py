"""Making, changing, deleting, activating and rolling back (PROMPT-1, PROMPT-5)."""

from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import pytest
from django.utils import timezone

from adminchat.accounts.models import User
from adminchat.prompts import selectors, versions
from adminchat.prompts.codes import Step
from adminchat.prompts.models import PromptChange, PromptVersion, Range
from adminchat.prompts.versions import Content
from tests.factories import PromptVersionFactory
from tests.scenes import Scene

pytestmark = pytest.mark.django_db
CONTENT = Content("Name it.")


def _history(user: User) -> list[tuple[str, str]]:
    changes = selectors.changes(user.tenant_id, Range.SESSION_TITLE)
    return [(change.action, change.code) for change in changes if change.actor == user]


def test_version_of_what_comes_along_begins_a_series_of_today(root: User, default: PromptVersion) -> None:  # PROMPT-1
    day = f"{timezone.localdate():%Y.%m.%d}"
    made = [versions.create(root, default, Step.TACTIC, CONTENT).code for _ in range(2)]
    assert made == [f"{day}.1-T1-A1", f"{day}.2-T1-A1"]
    base = selectors.version(root.tenant_id, made[0])
    assert versions.create(root, base, Step.BRANCH, CONTENT).code == f"{day}.1-T1.1-A1"


def test_code_of_a_deleted_version_is_not_given_again(root: User, default: PromptVersion) -> None:  # PROMPT-1
    first = versions.create(root, default, Step.TACTIC, CONTENT)
    second = versions.create(root, first, Step.AIMING, CONTENT)
    versions.delete(root, second)
    assert versions.create(root, first, Step.AIMING, CONTENT).code.endswith("-T1-A3")
    assert _history(root)[1] == ("deleted", second.code)


def test_range_that_is_full_takes_no_more(root: User, default: PromptVersion) -> None:  # SEC-7
    with patch.object(versions, "VERSIONS_LIMIT", 1):
        versions.create(root, default, Step.TACTIC, CONTENT)
        with pytest.raises(versions.TooMany):
            versions.create(root, default, Step.TACTIC, CONTENT)


def test_rolling_back_goes_step_by_step_to_what_was_before(root: User, default: PromptVersion) -> None:  # PROMPT-5
    made = [PromptVersionFactory.create(tenant=root.tenant) for _ in range(3)]
    seen = default.code
    for version in made:
        versions.activate(root, version, seen=seen)
        seen = version.code
    for expected in (made[1].code, made[0].code, default.code):
        assert versions.roll_back(root, Range.SESSION_TITLE, seen=seen) == expected
        in_force = selectors.shelf(root.tenant_id, Range.SESSION_TITLE).in_force
        assert in_force and in_force.code == expected
        seen = expected
    with pytest.raises(versions.Outdated):
        versions.roll_back(root, Range.SESSION_TITLE, seen=seen)
    assert [action for action, _code in _history(root)] == ["rolled_back"] * 3 + ["activated"] * 3


def test_rolling_back_passes_over_what_was_deleted(root: User, default: PromptVersion) -> None:  # PROMPT-5
    first, second = (PromptVersionFactory.create(tenant=root.tenant) for _ in range(2))
    versions.activate(root, first, seen=default.code)
    versions.activate(root, second, seen=first.code)
    with pytest.raises(versions.InUse):
        versions.delete(root, second)
    versions.delete(root, first)
    assert versions.roll_back(root, Range.SESSION_TITLE, seen=second.code) == default.code


def test_what_somebody_else_put_in_force_is_not_replaced_unseen(root: User, default: PromptVersion) -> None:  # PROMPT-5
    first, second = (PromptVersionFactory.create(tenant=root.tenant) for _ in range(2))
    versions.activate(root, first, seen=default.code)
    with pytest.raises(versions.Outdated):
        versions.activate(root, second, seen=default.code)
    with pytest.raises(versions.Outdated):
        versions.roll_back(root, Range.SESSION_TITLE, seen=default.code)
    assert _history(root) == [("activated", first.code)]


def test_version_that_is_active_already_is_noted_once(root: User, default: PromptVersion) -> None:  # PROMPT-5
    for _ in range(2):
        versions.activate(root, default, seen=default.code)
    assert _history(root) == [("activated", default.code)]


def test_changes_outlive_who_made_them(root: User, default: PromptVersion) -> None:  # PROMPT-5
    version = versions.create(root, default, Step.TACTIC, CONTENT)
    User.objects.filter(pk=root.pk).delete()
    assert PromptChange.objects.get(code=version.code).actor is None


def test_twenty_at_once_get_twenty_codes(any_scene: Scene) -> None:  # PROMPT-1, REL-6
    user = any_scene.user
    User.objects.filter(pk=user.pk).update(role=User.Role.SUPER_ADMIN)
    default = selectors.shelf(user.tenant_id, Range.SESSION_TITLE).versions[0]
    browsers = [any_scene.browser(0), any_scene.browser(1)]
    path = f"/prompts/versions/{default.code}/create/"
    with ThreadPoolExecutor(20) as pool:
        sent = [pool.submit(browsers[at % 2].post, path, {"text": f"Way {at}"}, headers={}) for at in range(20)]
        assert [answer.result().status_code for answer in sent] == [302] * 20
    made = PromptVersion.objects.filter(tenant=user.tenant_id)
    assert sorted(version.parsed_code.number for version in made) == [*range(1, 21)]
    assert sorted(version.text for version in made) == sorted(f"Way {at}" for at in range(20))
