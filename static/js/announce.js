// Tells screen readers how a reply ended, once, and shows short notices.
import words from "./words.js";

const ENDINGS = { done: words.finished, stopped: words.stopped, failed: words.failed, interrupted: words.failed };

export function announce(text) {
  const region = document.getElementById("announcer");
  if (region) region.textContent = text;
}

export function toast(text) {
  const box = document.getElementById("toasts");
  if (!box) return;
  const note = document.createElement("p");
  note.className = "toast";
  note.textContent = text;
  box.replaceChildren(note);
  setTimeout(() => note.remove(), 4000);
}

// The outcome of a stream replaces the reply out of band.
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  if (!detail.target.id.startsWith("reply-")) return;
  const reply = document.getElementById(detail.target.id);
  if (reply?.dataset.state in ENDINGS) announce(ENDINGS[reply.dataset.state]);
});
