"""A real Chromium for all tests here: one process, and a context of its own for each person in a test."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests import needs
from tests.browser.person import Person
from tests.scenes import Scene

HERE = Path(__file__).parent
FLAGS = ("no-sandbox", "disable-gpu", "disable-background-networking", "disable-component-update", "no-first-run")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these tests after all others: Playwright's event loop leaves no room for one of theirs in this thread."""
    ours = [item for item in items if HERE in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.needs("chromium"))
    items.sort(key=lambda item: item in ours)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    expect.set_options(timeout=15_000)
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # That loop makes Django believe that its models are called from asynchronous code.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(
            executable_path=needs.chromium(),
            args=[f"--{flag}" for flag in FLAGS],
            env={**os.environ, "LANG": "C.UTF-8"},
        )
        yield browser
        browser.close()


@pytest.fixture
def meet(chromium: Browser) -> Iterator[Callable[..., Person]]:
    """``meet(scene, **options)``: somebody of the scene at a browser. Nobody saw anything unsafe when the test ends."""
    met: list[Person] = []

    def someone(scene: Scene, **options: Any) -> Person:
        met.append(Person(scene, chromium, **options))
        return met[-1]

    yield someone
    for person in met:
        person.close()
    assert [trouble for person in met for trouble in person.trouble] == []


@pytest.fixture
def person(scene: Scene, meet: Callable[..., Person]) -> Person:
    """A signed-in person with a wide window."""
    return meet(scene, permissions=["clipboard-read", "clipboard-write"])
