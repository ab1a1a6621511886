// Follows a growing reply while the reader is at the end of the page; else offers the way there.
const NEAR = 80; // px
const page = document.scrollingElement;
const turns = document.getElementById("turns");
const jump = document.getElementById("jump");
let following = true;
let lastTop = page.scrollTop;

const distance = () => page.scrollHeight - page.clientHeight - page.scrollTop;

function toEnd() {
  page.scrollTo({ top: page.scrollHeight, behavior: "instant" });
}

function look() {
  if (page.scrollTop < lastTop - 1 && distance() > NEAR) following = false;
  else if (distance() <= NEAR) following = true;
  lastTop = page.scrollTop;
  jump.hidden = following || distance() < page.clientHeight / 2;
}

function start() {
  const wanted = location.hash && document.getElementById(location.hash.slice(1));
  if (!wanted) toEnd();
  lastTop = page.scrollTop;
  look();
  following = distance() <= NEAR;
  window.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(() => (following ? toEnd() : look())).observe(turns);
  // Who opens something reads there, and not at the end, although the page has grown.
  turns.addEventListener("click", ({ target }) => {
    if (target.closest("summary, .fold-button, .report")) following = false;
  });
  jump.addEventListener("click", () => {
    following = true;
    toEnd();
    document.getElementById("composer-text")?.focus({ preventScroll: true });
  });
  // One's own new question is always shown.
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target !== turns) return;
    following = true;
    toEnd();
  });
  // Earlier messages come in above without moving what is read.
  let below = null;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    below = detail.target.matches(".earlier") ? page.scrollHeight - page.scrollTop : null;
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (below !== null) page.scrollTop = page.scrollHeight - below;
    below = null;
  });
}

if (turns) {
  history.scrollRestoration = "manual";
  start();
}
