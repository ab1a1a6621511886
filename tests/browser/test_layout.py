"""From a small phone to a wide screen: nothing is cut off, nothing has to be scrolled sideways (UX-1)."""

from playwright.sync_api import expect

from adminchat.accounts.models import User
from chat import system_messages
from chat.models import Session
from tests.browser.histories import talk
from tests.browser.person import Person
from tests.factories import EntryFactory, PromptVersionFactory, SessionFactory, WorkspaceFactory

WIDTHS = (1440, 768, 390, 320)
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitän" * 4
WIDE = f"""{LONG_WORD}

| {" | ".join(f"A column named {n}" for n in range(12))} |
|{" --- |" * 12}
| {" | ".join(f"{LONG_WORD[:40]}{n}" for n in range(12))} |

```python
{"value = function_with_a_long_name(argument, " * 8}
```

`{LONG_WORD}` https://example.com/{"a" * 200}

$$a_1 + {" + ".join(f"x_{{{n}}}" for n in range(60))}$$
"""
OVERFLOW = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll("main *")].filter((each) => each.getBoundingClientRect().right > clientWidth + 1)
    .slice(0, 3).map((each) => each.outerHTML.slice(0, 160)).concat(`${scrollWidth} > ${clientWidth}`);
}"""


def test_no_page_scrolls_sideways(person: Person) -> None:  # UX-1
    user = person.scene.user
    User.objects.filter(pk=user.pk).update(role=User.Role.SUPER_ADMIN, first_name=LONG_WORD[:150])
    user.refresh_from_db()
    model = person.scene.model("echo", display_name=LONG_WORD[:80], is_default=True)
    workspace = WorkspaceFactory.create(tenant=user.tenant, name=LONG_WORD[:80])
    session = SessionFactory.create(user=user, title=LONG_WORD[:120], model=model, workspace=None)
    talk(session, [(WIDE, WIDE)], model_label=LONG_WORD[:80], output_tokens=12345)
    entry = EntryFactory.create(user=user, text=(LONG_WORD * 2)[:300], topic=LONG_WORD[:40], tier="topic")
    system_messages.save_my(user, LONG_WORD * 10, revision=0)
    system_messages.save_global(user, LONG_WORD * 10, revision=0)
    prompt = PromptVersionFactory.create(
        tenant=user.tenant,
        code="2026.12.02.9999-T9999.9999.9999.9999.9999.9999-A9999",
        text=LONG_WORD,
        note=LONG_WORD,
        author=user,
        chosen_model=LONG_WORD,
    )
    wrong = {}
    for path in (
        "/",
        f"/sessions/{session.pk}/",
        f"/sessions/{session.pk}/settings/",
        f"/sessions/{session.pk}/delete/",
        "/sessions/?q=Donau",
        "/profiles/",
        "/settings/",
        "/people/",
        f"/workspaces/{workspace.pk}/",
        f"/connections/{person.scene.connection.pk}/",
        f"/connections/models/{model.pk}/",
        "/prompts/",
        "/prompts/session-title/",
        f"/prompts/versions/{prompt.code}/",
        f"/prompts/versions/{prompt.code}/create/",
        f"/prompts/session-title/compare/?old=2026.12.01.2-T1-A1&new={prompt.code}",
        "/accounts/password/change/",
        f"/memory/entries/?session={session.pk}",
        f"/memory/entries/{entry.pk}/edit/",
        f"/memory/entries/{entry.pk}/delete/",
        "/memory/loaded/",
        "/memory/preview/",
        "/memory/system-messages/",
        "/memory/system-messages/versions/",
        "/memory/activity/",
    ):
        person.open(path)
        for width in WIDTHS:
            person.page.set_viewport_size({"width": width, "height": 800})
            wrong[path, width] = person.page.evaluate(OVERFLOW)
    assert {where: each for where, each in wrong.items() if each} == {}


def test_the_panel_is_never_wider_than_itself(person: Person) -> None:  # UX-1, ENTRY-27
    user = person.scene.user
    EntryFactory.create(user=user, text=(LONG_WORD * 2)[:300], topic=LONG_WORD[:40], tier="topic", pinned=True)
    EntryFactory.create(user=user, text=(LONG_WORD * 2)[1:300])
    system_messages.save_my(user, LONG_WORD * 10, revision=0)
    session = person.open_session()
    Session.objects.filter(pk=session.pk).update(memory_mode="read_only")
    person.page.reload()
    person.ask(LONG_WORD)
    wrong = {}
    for tab in ("entries", "loaded", "preview", "system-messages", "activity"):
        person.page.set_viewport_size({"width": 1440, "height": 800})
        person.open(f"/sessions/{session.pk}/?memory={tab}")
        expect(person.page.locator("#panel [data-tab]")).to_be_visible()
        for width in (1440, 1200, 768, 390, 320):
            person.page.set_viewport_size({"width": width, "height": 800})
            panel = "(panel) => panel.scrollWidth > panel.clientWidth"
            wrong[tab, width] = person.page.evaluate(OVERFLOW) or person.page.locator("#panel").evaluate(panel)
            if width >= 1200:
                expect(person.page.get_by_test_id("send")).to_be_in_viewport()
    assert {where: each for where, each in wrong.items() if each} == {}


def test_the_page_works_at_twice_the_size(person: Person) -> None:  # A11Y-1
    person.page.set_viewport_size({"width": 640, "height": 400})  # 1280 × 800 at 200 %
    person.open_session()
    person.ask("Zoomed")
    assert person.page.evaluate(OVERFLOW) == []
    expect(person.page.get_by_test_id("send")).to_be_in_viewport()


def test_nothing_shifts_while_a_reply_grows(person: Person) -> None:  # UX-1, CHAT-6
    session = person.open_session("slow-40x60")
    talk(session, [("Earlier", "A paragraph. " * 30)])
    person.page.reload()
    person.page.evaluate(
        """() => { window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries())
          if (!entry.hadRecentInput) window.shift += entry.value; }).observe({ type: "layout-shift", buffered: false }) }"""
    )
    person.ask("Count")
    assert person.page.evaluate("shift") < 0.1
