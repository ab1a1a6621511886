// The user's own event stream, open while the page is looked at: browsers allow few connections to one host.
const place = document.getElementById("channel");
let source = null;

function open() {
  if (source || document.hidden) return;
  source = new EventSource(place.dataset.url);
  source.addEventListener("session", ({ data }) => {
    if (data) window.htmx.swap(place, data, { swapStyle: "none", swapDelay: 0, settleDelay: 0 });
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
