"""How replies and messages look on the page, and what can be copied from them."""

from playwright.sync_api import expect

from tests.browser.histories import talk
from tests.browser.person import Person, prose

LONG_LINE = "a very long line of code " * 20


def test_markdown_is_rendered_while_it_grows_and_after(person: Person) -> None:  # CHAT-10
    person.open_session("markdown-sample")
    reply = person.ask("Show me")
    text = reply.locator(".prose")
    expect(text.get_by_role("heading", name="Sample")).to_be_visible()
    expect(text.get_by_role("table")).to_contain_text("Size")
    expect(text.locator("del, s").first).to_have_text("struck")
    expect(text.get_by_role("checkbox")).to_have_count(2)
    expect(text.locator("strong").last).to_have_text("重要：")
    expect(text).to_contain_text("$5 and $6")
    expect(text).to_contain_text("<script>alert(1)</script>")
    expect(text.locator("img")).to_have_count(0)
    expect(text.locator("math")).to_have_count(0)
    expect(text.locator(".code-block .code-language")).to_have_text("python")
    expect(text.locator(".code-block pre span").first).to_be_visible()
    person.check_safe()


def test_code_a_message_and_a_reply_can_be_copied(person: Person) -> None:  # CHAT-10, CHAT-11
    session = person.open_session()
    code = 'def greet():\n    return "<b>你好</b>"\n'
    person.scene.script(session, ["Here:\n\n", f"```python\n{code}```\n", "\n*Done*"])
    reply = person.ask("Some **code**")
    clipboard = "navigator.clipboard.readText()"
    reply.get_by_role("button", name="Copy", exact=True).click()
    expect(person.page.locator("#announcer")).to_have_text("Copied")
    assert person.page.evaluate(clipboard) == code
    reply.get_by_role("button", name="Copy reply").click()
    person.page.wait_for_function("async () => (await navigator.clipboard.readText()).startsWith('Here:')")
    assert person.page.evaluate(clipboard) == f"Here:\n\n```python\n{code}```\n\n*Done*"
    person.messages.last.get_by_role("button", name="Copy message").click()
    person.page.wait_for_function("async () => (await navigator.clipboard.readText()).startsWith('Some')")
    assert person.page.evaluate(clipboard) == "Some **code**"


def test_a_conversation_can_be_copied(person: Person) -> None:  # CHAT-11
    session = person.open_session()
    person.scene.script(session, ["*Because*"])
    person.ask("Why?")
    person.use_menu("Copy the chat")
    expect(person.page.locator("#toasts")).to_have_text("Copied")
    copied = person.page.evaluate("navigator.clipboard.readText()")
    assert copied == person.scene.browser().get(f"/sessions/{session.pk}/export/").text
    assert "Why?" in copied
    assert "*Because*" in copied


def test_formulas_are_drawn_where_they_are_meant(person: Person) -> None:  # CHAT-10
    session = person.open_session()
    person.scene.script(session, ["Euler: $$e^{i\\pi}", " + 1 = 0$$\n\nIt costs $5 or $6."])
    text = person.ask("A formula").locator(".prose")
    expect(text.locator("math")).to_have_count(1)
    expect(text).to_contain_text("It costs $5 or $6.")


def test_figures_of_a_reply_are_shown(person: Person) -> None:  # CHAT-11
    session = person.open_session(display_name="Oracle")
    person.scene.script(session, ["Yes"], usage=[12, 34])
    reply = person.ask("Well?")
    expect(reply.get_by_role("heading")).to_have_text("Oracle")
    expect(reply.locator(".facts")).to_contain_text("12 tokens read, 34 written")
    expect(reply.locator(".facts")).to_contain_text(" s")


def test_a_long_message_folds(person: Person) -> None:  # CHAT-10
    talk(person.open_session(), [("line\n" * 200, "Fine")])
    person.page.reload()
    message = person.messages.first
    folded = message.bounding_box()
    message.get_by_role("button", name="Show all").click()
    unfolded = message.bounding_box()
    assert folded and unfolded
    assert folded["height"] < 600 < unfolded["height"]
    message.get_by_role("button", name="Show less").click()
    expect(message.get_by_role("button", name="Show all")).to_have_attribute("aria-expanded", "false")


def test_reading_further_up_is_not_disturbed_by_a_growing_reply(person: Person) -> None:  # UX-1, CHAT-6
    session = person.open_session("slow-20x400")
    talk(session, [(f"Question {n}", "A paragraph.\n\n" * 8) for n in range(8)])
    person.page.reload()
    person.send("Go on")
    expect(person.replies.last).to_contain_text("tok3 ")
    person.page.mouse.move(700, 300)
    person.page.mouse.wheel(0, -1500)
    jump = person.page.get_by_role("button", name="Jump to latest")
    expect(jump).to_be_visible()
    place = person.page.evaluate("scrollY")
    count = len(prose(person.replies.last).split())
    person.page.wait_for_function(
        "count => document.querySelector('.growing').textContent.split(' ').length > count + 20", arg=count
    )
    assert person.page.evaluate("scrollY") == place
    jump.click()
    expect(jump).to_be_hidden()
    expect(person.replies.last).to_be_in_viewport()
    person.page.keyboard.press("Escape")
    person.wait_for_end("stopped")
