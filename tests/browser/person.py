"""A person at a real browser. Whatever they do, no script of others runs and nothing is asked of another host (SEC-3)."""

from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Locator, Page, Request, expect

from chat.models import Session
from tests.scenes import Scene
from tests.servers import login_session

# What a growing reply showed, each time that it changed; and what was read aloud.
RECORDER = """
window.grown = []; window.announced = [];
const plain = (text) => text.replace(/\\s+/g, " ").trim();
const note = (list, text) => { if (text && text !== list.at(-1)) list.push(text); };
new MutationObserver((changes) => {
  const growing = [...document.querySelectorAll(".growing")].at(-1);
  if (growing) note(window.grown, plain(growing.textContent));
  for (const { target } of changes) if (target.id === "announcer") note(window.announced, target.textContent);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""

# Markup that must never come from what people and models write.
UNSAFE = """() => {
  const found = [];
  const url = /^[\\u0000-\\u0020]*(javascript|vbscript|data):/i;
  for (const element of document.querySelectorAll("*")) {
    const where = element.outerHTML.slice(0, 120);
    const written = element.closest(".prose");
    for (const { name, value } of element.attributes)
      if (/^on/i.test(name) || name === "srcdoc" || (written && name === "style")
          || (/^(href|src|action|formaction|xlink:href|background|poster)$/i.test(name) && url.test(value)))
        found.push(where);
    if (element.matches("iframe, object, embed, base, applet, frame, meta[http-equiv], script:not([src^='/static/'])"))
      found.push(where);
    if (written && element.matches("img, video, audio, source, style, link, template, form, use"))
      found.push(where);
  }
  if (window.pwned) found.push("window.pwned");
  return found;
}"""


class Person:
    """Somebody of a scene with a browser of their own; ``options`` are those of a Playwright context."""

    def __init__(self, scene: Scene, chromium: Browser, *, signed_in: bool = True, **options: Any) -> None:
        self.scene = scene
        self.trouble: list[str] = []
        self.warnings = 0  # of unsaved text, when they leave a page; they leave it all the same
        self.context = chromium.new_context(base_url=scene.site.url, **{"locale": "en-GB"} | options)
        self.context.set_default_timeout(15_000)
        self.context.on("request", self._see_request)
        self.context.on("console", self._see_console)
        self.context.on("dialog", self._see_dialog)
        self.context.on("weberror", lambda event: self.trouble.append(f"script error: {event.error}"))
        if options.get("java_script_enabled", True):
            self.context.add_init_script(RECORDER)
        if signed_in:
            self.sign_in()
        self.page = self.context.new_page()

    def sign_in(self) -> None:
        cookie = {"name": "sessionid", "value": login_session(self.scene.user), "url": self.scene.site.url}
        self.context.add_cookies([cookie])  # type: ignore[list-item]

    def close(self) -> None:
        with suppress(Error):
            self.context.close()

    def open(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    def open_session(self, model: str = "echo", **fields: Any) -> Session:
        """Open the page of a new conversation, with a title and a model of its own; see ``tests.fakes.replies``."""
        session = self.scene.session(model, **fields)
        Session.objects.filter(pk=session.pk).update(title_source=Session.TitleSource.USER)
        self.open(f"/sessions/{session.pk}/")
        return session

    @property
    def composer(self) -> Locator:
        return self.page.locator("#composer-text")

    def send(self, text: str) -> None:
        self.composer.fill(text)
        self.composer.press("Enter")

    @property
    def replies(self) -> Locator:
        return self.page.locator("[data-testid='message'][data-role='assistant']")

    @property
    def messages(self) -> Locator:
        return self.page.locator("[data-testid='message'][data-role='user']")

    def wait_for_end(self, state: str = "done") -> Locator:
        """The last reply once it has ended as ``state``."""
        reply = self.replies.last
        expect(reply).to_have_attribute("data-state", state)
        return reply

    def ask(self, text: str, state: str = "done") -> Locator:
        """Send a message and wait for the end of its reply."""
        before = self.replies.count()
        self.send(text)
        expect(self.replies).to_have_count(before + 1)
        return self.wait_for_end(state)

    def use_menu(self, item: str, menu: Locator | None = None) -> None:
        """Choose an item of the page's session menu, or of another ``menu``."""
        (menu or self.page.locator(".topbar .menu-button")).click()
        self.page.locator("[popover]:popover-open").get_by_text(item, exact=True).click()

    def check_safe(self) -> None:
        """Nothing on the page came from others as anything but text or harmless markup."""
        found = self.page.evaluate(UNSAFE)
        assert not found, found

    def _see_request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https") and address.netloc not in self._hosts:
            self.trouble.append(f"a request to {request.url}")

    @property
    def _hosts(self) -> set[str]:
        return {urlsplit(web.url).netloc for web in self.scene.site.processes}

    def _see_console(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "violates the following" in message.text:
            self.trouble.append(message.text)

    def _see_dialog(self, dialog: Dialog) -> None:
        if dialog.type == "beforeunload":
            self.warnings += 1
            dialog.accept()
            return
        self.trouble.append(f"a dialog: {dialog.message}")
        dialog.dismiss()


def shown(locator: Locator) -> str:
    """The text of an element, white space aside."""
    return " ".join((locator.text_content() or "").split())


def prose(reply: Locator) -> str:
    """What a reply says."""
    return shown(reply.locator(".prose"))
