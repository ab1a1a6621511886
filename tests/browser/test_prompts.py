"""Prompts at a browser: from what comes along to a version of one's own, and back (PROMPT-1, PROMPT-5)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from adminchat.accounts.models import User
from adminchat.prompts.models import PromptVersion
from tests.browser.person import Person
from tests.scenes import Scene

DEFAULT = "2026.12.01.2-T1-A1"


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_prompt_is_written_activated_compared_and_rolled_back(  # PROMPT-5, UX-1
    scene: Scene, meet: Callable[..., Person], script: bool
) -> None:
    User.objects.filter(pk=scene.user.pk).update(role=User.Role.SUPER_ADMIN)
    person = meet(scene, java_script_enabled=script)
    page = person.open("/prompts/")
    page.get_by_role("link", name="Chat titles").click()
    page.get_by_role("link", name=DEFAULT).click()
    page.get_by_role("link", name="New version from it").click()
    page.get_by_label("Text").fill("Name it in one word.")
    page.get_by_role("button", name="Save as a new version").click()
    code = PromptVersion.objects.get(tenant=scene.user.tenant_id).code
    expect(page.get_by_role("heading", level=1)).to_have_text(code)
    page.get_by_role("link", name="Compare with the one in force").click()
    expect(page.locator(".changes ins")).to_have_text("+ Name it in one word.")
    page.get_by_role("link", name=code).click()
    page.get_by_role("button", name="Activate").click()
    expect(page.get_by_test_id("in-force")).to_contain_text(code)
    page.get_by_role("button", name=f"Roll back to {DEFAULT}").click()
    expect(page.get_by_test_id("in-force")).to_contain_text(DEFAULT)
    expect(page.get_by_test_id("prompt-changes").get_by_role("listitem")).to_have_count(3)


def test_file_is_looked_at_before_it_is_added(scene: Scene, meet: Callable[..., Person]) -> None:  # PROMPT-5
    User.objects.filter(pk=scene.user.pk).update(role=User.Role.SUPER_ADMIN)
    page = meet(scene).open("/prompts/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export all").click()
    document = download.value.path().read_bytes().replace(DEFAULT.encode(), b"2026.11.30.1-T1-A1")
    page.get_by_role("link", name="Import").click()
    file = {"name": "prompts.json", "mimeType": "application/json", "buffer": document}
    page.get_by_label("File").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Look at the file").click()
    expect(page.get_by_test_id("import-plan").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name="Add 1 version").click()
    expect(page.get_by_role("status").filter(has_text="1 version was added.")).to_be_visible()
