"""Many writers on one book, at two web processes and on each kind of database (ENTRY-9, ENTRY-30, CONF-1, REL-6)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from adminchat.accounts import workspaces
from memory import selectors
from memory.models import Entry, Tier
from tests.browsers import Browser
from tests.factories import EntryFactory, MembershipFactory, SessionFactory, UserFactory, WorkspaceFactory
from tests.scenes import Scene


def _post_together(scene: Scene, path: str, forms: list[dict[str, Any]]) -> list[int]:
    """Send all forms at once, by turns to the two processes; the statuses of the answers."""
    browsers = [scene.browser(0), scene.browser(1)]
    with ThreadPoolExecutor(len(forms)) as pool:
        sent = [pool.submit(browsers[at % 2].post, path, form) for at, form in enumerate(forms)]
        return [answer.result().status_code for answer in sent]


def test_eighty_one_parallel_additions_end_at_eighty(any_scene: Scene) -> None:  # ENTRY-9, REL-6
    statuses = _post_together(any_scene, "/memory/entries/", [{"text": f"Fact {n}"} for n in range(81)])

    assert sorted(statuses) == [303] * 80 + [409] or sorted(statuses) == [200] * 80 + [409]
    assert selectors.capacity(any_scene.user).used == 80


def test_of_twenty_parallel_changes_one_wins(any_scene: Scene) -> None:  # ENTRY-30, CONF-1, REL-6
    entry = EntryFactory.create(user=any_scene.user)
    forms = [{"text": f"Newer {n}", "tier": "core", "kind": "project", "revision": 1} for n in range(20)]
    statuses = _post_together(any_scene, f"/memory/entries/{entry.pk}/", forms)

    assert sorted(statuses) == [200] + [409] * 19
    assert selectors.entry(any_scene.user, entry.pk).revision == 2


def test_what_is_added_while_a_workspace_is_deleted_is_refused_or_archived(any_scene: Scene) -> None:  # ENTRY-6, REL-6
    workspace = WorkspaceFactory.create(tenant=any_scene.user.tenant)
    members = UserFactory.create_batch(6, tenant=any_scene.user.tenant)  # who have no book yet
    browsers, forms = [], []
    for at, member in enumerate(members):
        MembershipFactory.create(user=member, workspace=workspace)
        session = SessionFactory.create(user=member, workspace=workspace)
        browsers.append(Browser(any_scene.site.processes[at % 2], member))
        forms.append({"text": "Deploys on Friday.", "scope": "workspace", "session": str(session.pk)})

    with ThreadPoolExecutor(4 * len(members)) as pool:
        sent = [pool.submit(browsers[at % 6].post, "/memory/entries/", forms[at % 6]) for at in range(24)]
        workspaces.delete(workspace)
        statuses = [answer.result().status_code for answer in sent]
    for browser in browsers:
        browser.http.close()

    assert set(statuses) <= {200, 303, 422, 404}
    kept = Entry.objects.filter(book__user__in=members)
    assert {(entry.tier, entry.workspace_id, entry.former_workspace) for entry in kept} <= {
        (Tier.ARCHIVE, None, workspace.name)
    }
