// The message box: sending by key, and drafts that outlive a reload. Growing is done by the style sheet.
import { toast } from "./announce.js";
import words from "./words.js";

const SENT = "draft-sent";
const TEXTS = "#composer-text, .message-edit textarea";
const modEnterSends = document.getElementById("channel")?.dataset.sendKey === "mod_enter";
const form = () => document.getElementById("composer");
const box = () => document.getElementById("composer-text");
const key = (of = form()) => `draft:${of.dataset.draft}`;
export const running = () => document.querySelector(".reply[aria-busy], .elsewhere");

function grow() {
  if (CSS.supports("field-sizing", "content")) return;
  const text = box();
  text.style.height = "auto";
  text.style.height = `${text.scrollHeight}px`;
}

function keepDraft(text) {
  if (text.value) sessionStorage.setItem(key(text.form), text.value);
  else sessionStorage.removeItem(key(text.form));
}

// Which request a draft went with: the page that shows it was taken lets go of the draft.
function remember(sent) {
  sessionStorage.setItem(SENT, JSON.stringify([sent.elements.request_id.value, key(sent)]));
}

function begin() {
  const [request, sent] = JSON.parse(sessionStorage.getItem(SENT) ?? "[]");
  if (sent && form().dataset.started?.split(" ").includes(request)) {
    sessionStorage.removeItem(sent);
    sessionStorage.removeItem(SENT);
  }
  if (!box().value) box().value = sessionStorage.getItem(key()) ?? "";
  grow();
  const composer = form();
  const size = () => document.documentElement.style.setProperty("--composer-height", `${composer.offsetHeight}px`);
  new ResizeObserver(size).observe(composer);
  if (matchMedia("(hover: hover)").matches && document.activeElement === document.body) box().focus();
}

document.addEventListener("input", ({ target }) => {
  if (!target.matches(TEXTS)) return;
  keepDraft(target);
  if (target === box()) grow();
});

// A message that was being edited is edited further.
document.addEventListener("htmx:afterSwap", ({ target }) => {
  const text = target.parentElement?.querySelector(".message-edit textarea");
  if (text) text.value = sessionStorage.getItem(key(text.form)) ?? text.value;
});

document.addEventListener("click", ({ target }) => {
  const edit = target.closest?.("[data-dismiss]") && target.closest(".message-edit");
  if (edit) sessionStorage.removeItem(key(edit));
});

document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.(TEXTS) || event.key !== "Enter") return;
  // During an IME composition Enter chooses a word; Safari says so only by this key code.
  if (event.isComposing || event.keyCode === 229) return;
  const mod = event.ctrlKey || event.metaKey;
  if (event.shiftKey || event.altKey || (modEnterSends ? !mod : false)) return;
  event.preventDefault();
  if (!event.repeat) event.target.form.requestSubmit();
});

document.addEventListener(
  "submit",
  (event) => {
    if (event.target.matches(".message-edit")) remember(event.target);
    if (event.target !== form()) return;
    if (!box().value.trim() || running()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (running()) toast(words.running);
      return;
    }
    if (form().hasAttribute("hx-post")) return;
    remember(form());
  },
  true,
);

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt !== form() || !detail.successful || detail.requestConfig.verb !== "post") return;
  const sent = detail.requestConfig.formData.get("message")?.replaceAll("\r\n", "\n");
  if (box().value !== sent) return;
  box().value = "";
  sessionStorage.removeItem(key());
  grow();
});

// A page come back to was sent from before; what is sent from it now is another request. The server names one without a name.
// The browser brings back what was sent as well; the draft is what was not.
window.addEventListener("pageshow", ({ persisted }) => {
  const [navigation] = performance.getEntriesByType("navigation");
  if (!form() || !(persisted || navigation?.type === "back_forward")) return;
  form().elements.request_id.value = "";
  box().value = sessionStorage.getItem(key()) ?? "";
  grow();
});

if (form()) begin();
