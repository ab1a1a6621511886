// The user's own event stream, open while the page is looked at: browsers allow few connections to one host.
const place = document.getElementById("channel");
let source = null;

// A piece takes the place of what the element with its id holds, where this page has one.
function show(piece) {
  const text = piece.textContent;
  const shown = document.getElementById(piece.id);
  if (!shown || shown.textContent === text) return;
  shown.textContent = text;
  const named = shown.closest("[title]");
  if (named) named.title = text;
  if (shown.closest("h1")) document.title = `${text} · AdminChat`;
}

function open() {
  if (source || document.hidden) return;
  source = new EventSource(place.dataset.url);
  source.addEventListener("session", ({ data }) => {
    const news = new DOMParser().parseFromString(data, "text/html");
    for (const piece of news.querySelectorAll("[id]")) show(piece);
  });
}

function close() {
  source?.close();
  source = null;
}

if (place) {
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", open);
  if (document.readyState === "complete") open();
}
