// The Memory panel beside the page: links with data-panel open it, ?memory= says which tab, and its state is remembered.
const panel = document.getElementById("panel");
const memory = document.getElementById("memory");
const wide = matchMedia("(width >= 75rem)");
const KEPT = "memory-panel";

const address = (tab) => `${panel.dataset.base}${tab}/${panel.dataset.query}`;
const asked = () => new URLSearchParams(location.search).get("memory");
let opener = null;

function say(tab) {
  const url = new URL(location.href);
  if ((url.searchParams.get("memory") ?? "") === (tab ?? "")) return;
  if (tab) url.searchParams.set("memory", tab);
  else url.searchParams.delete("memory");
  history.pushState(null, "", url);
}

async function open(href) {
  panel.hidden = false;
  document.body.classList.add("with-panel");
  await htmx.ajax("GET", href, { source: memory, target: memory, swap: "innerHTML" });
}

function close() {
  panel.hidden = true;
  document.body.classList.remove("with-panel");
  memory.replaceChildren();
  opener?.focus();
}

function follow() {
  const tab = asked();
  if (tab) open(address(tab));
  else if (!panel.hidden) close();
}

if (panel) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-panel]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      opener = link;
      const sidebar = link.closest("[popover]");
      sidebar?.hidePopover?.();
      open(link.href).then(() => memory.focus());
    }
    if (event.target.closest("[data-panel-close]")) {
      close();
      say(null);
      localStorage.removeItem(KEPT);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden || wide.matches || document.querySelector("dialog[open], [popover]:popover-open")) return;
    event.preventDefault();
    close();
    say(null);
  });
  memory.addEventListener("htmx:afterSwap", () => {
    const tab = memory.querySelector("[data-tab]")?.dataset.tab;
    if (!tab || panel.hidden) return;
    say(tab);
    if (wide.matches) localStorage.setItem(KEPT, tab);
  });
  window.addEventListener("popstate", follow);
  const tab = asked() ?? (wide.matches ? localStorage.getItem(KEPT) : null);
  if (tab && /^[a-z-]+$/.test(tab)) {
    if (asked()) open(address(tab));
    else {
      const url = new URL(location.href);
      url.searchParams.set("memory", tab);
      history.replaceState(null, "", url);
      open(address(tab));
    }
  }
}

// A dialog whose form changed the panel has done its work.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.successful && detail.elt.matches?.("[data-close-after]")) document.getElementById("dialog").close();
});

// How many entries are chosen, and what can be done with them.
document.addEventListener("change", ({ target }) => {
  if (target.name !== "entry") return;
  const bulk = document.getElementById("bulk");
  const count = document.querySelectorAll("input[name=entry]:checked").length;
  const words = bulk.querySelector("[data-bulk-count]");
  bulk.classList.toggle("active", count > 0);
  words.textContent = (count === 1 ? words.dataset.one : words.dataset.many).replace("%s", count);
});

// The tab "Loaded this turn" shows what the page's latest turn has under its message.
function showLatest() {
  const place = document.querySelector("[data-latest-report]");
  if (!place) return;
  const reports = document.querySelectorAll("#turns [data-testid=loaded-report]");
  const latest = reports[reports.length - 1]?.cloneNode(true);
  document.querySelector("[data-no-report]").hidden = Boolean(latest);
  if (!latest) return;
  latest.open = true;
  for (const element of latest.querySelectorAll("[id]")) element.removeAttribute("id");
  for (const element of latest.querySelectorAll(".report-skipped")) element.remove();
  place.replaceChildren(latest);
}
document.addEventListener("htmx:afterSettle", showLatest);
document.addEventListener("htmx:oobAfterSwap", showLatest);
