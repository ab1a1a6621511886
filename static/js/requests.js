// What happens when a request of htmx fails, the session has ended, or the connection is lost.
import { toast } from "./announce.js";
import { lookOf } from "./channel.js";
import words from "./words.js";

const SLOW_TO_WORRY = 2000; // ms
const RELOADS = 5000; // ms, in which several answers bring about one
const lost = document.getElementById("connection-lost");
const troubled = new Set();
let timer = null;
let reloading = false;

// A second reload would cut off the first. Somebody with unsaved texts may stay, so that it is not the last one.
function reload() {
  if (reloading) return;
  reloading = true;
  setTimeout(() => (reloading = false), RELOADS);
  location.reload();
}

function show() {
  if (!lost) return;
  if (!troubled.size) {
    clearTimeout(timer);
    timer = null;
    lost.hidden = true;
  } else {
    timer ??= setTimeout(() => (lost.hidden = false), SLOW_TO_WORRY);
  }
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (!/^\s*<!doctype/i.test(xhr.responseText)) return;
  // A whole page in place of a fragment: the sign-in page, or an error page.
  event.detail.shouldSwap = false;
  if (xhr.status < 400) reload();
  else if (!lookOf(event.detail)) toast({ 429: words.tooMany, 503: words.unavailable }[xhr.status] ?? words.error);
});

// What the page asks by itself fails in silence: it asks again.
for (const name of ["htmx:sendError", "htmx:timeout"])
  document.addEventListener(name, ({ detail }) => lookOf(detail) || toast(words.offline));

document.addEventListener("htmx:sseError", ({ detail }) => {
  troubled.add(detail.elt);
  show();
});
for (const name of ["htmx:sseOpen", "htmx:sseClose"])
  document.addEventListener(name, ({ detail }) => {
    troubled.delete(detail.elt);
    show();
  });
window.addEventListener("offline", () => {
  troubled.add(window);
  show();
});
window.addEventListener("online", () => {
  troubled.delete(window);
  show();
});
