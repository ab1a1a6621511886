// The user's own event stream, open while the page is looked at: browsers allow few connections to one host.
// Its events say that something has changed, and the page looks again: at the list of chats, and at the chat that it shows.
const CLOSED_SECONDS = 10; // before a stream that was refused is tried again
const REST = 150; // ms, in which news come together
const place = document.getElementById("channel");
let source = null;
let timer = null;

// What is looked at: the element says where, and brings along what the page knows; held while somebody is at it.
const LOOKS = [
  {
    id: "sessions",
    swap: "innerHTML",
    held: () => document.querySelector("#sessions :popover-open"),
    known: () => ({
      rows: document.querySelectorAll("#sessions .session-row:not([data-pinned])").length,
      known: document.getElementById("sessions-state")?.dataset.state ?? "",
    }),
  },
  {
    id: "turns",
    swap: "none", // its pieces find their places themselves
    held: () => document.querySelector("#composer.htmx-request, .message-edit"),
    known: () => ({
      last: document.querySelector("#turns > .turn:last-of-type")?.id.replace("turn-", "") ?? "",
      elsewhere: document.querySelector(".elsewhere")?.dataset.turn ?? "",
    }),
  },
];
const wanted = new Set();

// The look that a request of htmx belongs to, if any.
export const lookOf = ({ requestConfig }) => LOOKS.find(({ id }) => id === requestConfig?.elt?.id);

function look() {
  timer = null;
  if (document.hidden) return;
  for (const it of [...wanted]) {
    if (it.held()) continue;
    wanted.delete(it);
    const element = document.getElementById(it.id);
    if (!element?.dataset.look) continue;
    it.asked = JSON.stringify(it.known());
    window.htmx.ajax("GET", element.dataset.look, { source: element, target: element, swap: it.swap, values: it.known() });
  }
  if (wanted.size) timer = setTimeout(look, REST);
}

function want(...looks) {
  for (const it of looks) wanted.add(it);
  timer ??= setTimeout(look, REST);
}

// An answer to what the page no longer is would be shown twice, or take away what somebody is at.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const it = lookOf(detail);
  if (!it || !detail.shouldSwap || (!it.held() && it.asked === JSON.stringify(it.known()))) return;
  detail.shouldSwap = false;
  want(it);
});

// A piece takes the place of what the element with its id holds, or its name, where this page has one.
function show(piece) {
  const shown = document.getElementById(piece.id);
  if (!shown) return;
  if (piece.ariaLabel) shown.ariaLabel = piece.ariaLabel;
  const text = piece.textContent;
  if (!text || shown.textContent === text) return;
  shown.textContent = text;
  const named = shown.closest("[title]");
  if (named) named.title = text;
  if (shown.closest("h1")) document.title = `${text} · AdminChat`;
}

// A receipt is put under its reply, or told on any other page of its reader's. A page shows each once: what was done with it
// since would be lost, and a channel that is opened again tells all since the page was made.
const receipts = new Set();

function showReceipt(data) {
  const news = new DOMParser().parseFromString(data, "text/html").body.firstElementChild;
  if (!news || receipts.has(news.id)) return;
  const waits = news.querySelector("[data-receipt-waiting]");
  const shown = document.getElementById(news.id);
  if (waits && (!shown || shown.querySelector("[data-testid=receipt]"))) return;
  if (!waits) receipts.add(news.id);
  if (shown) {
    shown.replaceChildren(...news.childNodes);
    window.htmx.process(shown);
  } else if (news.dataset.address) toast(news);
}

function toast(news) {
  const card = document.createElement("div");
  card.className = "receipt-card";
  const link = document.createElement("a");
  link.href = news.dataset.address;
  link.textContent = news.dataset.title;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button quiet only-icon";
  close.ariaLabel = close.title = document.getElementById("words").dataset.close;
  close.textContent = "×";
  close.addEventListener("click", () => card.remove());
  card.append(link, close, ...news.childNodes);
  document.getElementById("receipts").append(card);
  window.htmx.process(card);
}

// A stream that read the database a moment earlier may be a moment later here.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const waits = detail.fragment?.querySelector("[data-receipt-waiting]");
  if (waits && detail.target.querySelector("[data-testid=receipt]")) detail.shouldSwap = false;
});

function open() {
  if (source || document.hidden) return;
  source = new EventSource(place.dataset.url);
  source.addEventListener("open", () => want(...LOOKS));
  source.addEventListener("session", ({ data }) => {
    const news = new DOMParser().parseFromString(data, "text/html");
    for (const piece of news.querySelectorAll("[id]")) show(piece);
    const [chats, shown] = LOOKS;
    want(chats);
    if (!data || data.includes(place.dataset.session)) want(shown);
  });
  source.addEventListener("receipt", ({ data }) => showReceipt(data));
  source.addEventListener("error", () => {
    if (source?.readyState !== EventSource.CLOSED) return;
    source = null;
    setTimeout(open, CLOSED_SECONDS * 1000);
  });
}

function close() {
  source?.close();
  source = null;
}

if (place) {
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("focus", () => want(...LOOKS));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", open);
  if (document.readyState === "complete") open();
}
