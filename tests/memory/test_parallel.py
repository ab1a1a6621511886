"""Many writers on one book, at two web processes and on each kind of database (ENTRY-9, ENTRY-30, CONF-1, REL-6)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from memory import selectors
from tests.factories import EntryFactory
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
