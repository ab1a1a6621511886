// A page that nobody looks at lets go of its replies' streams: browsers allow few connections to one host.
// Seen again, it attaches anew, and a stream begins with all that was written meanwhile.
const sources = new Map();

function letGo(reply) {
  sources.get(reply)?.close();
  sources.delete(reply);
}

function attach(reply) {
  const fresh = reply.cloneNode(true);
  reply.replaceWith(fresh);
  window.htmx.process(fresh);
}

document.addEventListener("htmx:sseOpen", ({ target, detail }) => {
  sources.set(target, detail.source);
  if (document.hidden) letGo(target);
});

document.addEventListener("htmx:sseClose", ({ target }) => sources.delete(target));

document.addEventListener("visibilitychange", () => {
  const growing = document.querySelectorAll(".reply[aria-busy]");
  if (document.hidden) [...sources.keys()].forEach(letGo);
  else growing.forEach((reply) => sources.has(reply) || attach(reply));
});

window.addEventListener("pagehide", () => [...sources.keys()].forEach(letGo));
