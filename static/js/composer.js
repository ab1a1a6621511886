// The message box: sending by key, and drafts that outlive a reload. Growing is done by the style sheet.
import { toast } from "./announce.js";
import words from "./words.js";

const SENT = "draft-sent";
const modEnterSends = document.getElementById("channel")?.dataset.sendKey === "mod_enter";
const form = () => document.getElementById("composer");
const box = () => document.getElementById("composer-text");
const key = () => `draft:${form().dataset.draft}`;
export const running = () => document.querySelector(".reply[aria-busy], .elsewhere");

function grow() {
  if (CSS.supports("field-sizing", "content")) return;
  const text = box();
  text.style.height = "auto";
  text.style.height = `${text.scrollHeight}px`;
}

function keepDraft() {
  if (box().value) sessionStorage.setItem(key(), box().value);
  else sessionStorage.removeItem(key());
}

function begin() {
  const [request, sent] = JSON.parse(sessionStorage.getItem(SENT) ?? "[]");
  if (sent && form().dataset.started === request) {
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
  if (target !== box()) return;
  keepDraft();
  grow();
});

document.addEventListener("keydown", (event) => {
  const inEditor = event.target.matches?.("#composer-text, .message-edit textarea");
  if (!inEditor || event.key !== "Enter") return;
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
    if (event.target !== form()) return;
    if (!box().value.trim() || running()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (running()) toast(words.running);
      return;
    }
    if (form().hasAttribute("hx-post")) return;
    sessionStorage.setItem(SENT, JSON.stringify([form().elements.request_id.value, key()]));
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
window.addEventListener("pageshow", ({ persisted }) => {
  const [navigation] = performance.getEntriesByType("navigation");
  if (form() && (persisted || navigation?.type === "back_forward")) form().elements.request_id.value = "";
});

if (form()) begin();
