// The Memory panel beside the page: links with data-panel open it, ?memory= says which tab, and its state is remembered.
import { announce } from "./announce.js";

const panel = document.getElementById("panel");
const memory = document.getElementById("memory");
const wide = matchMedia("(width >= 75rem)");
const small = matchMedia("(width < 45rem)");
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

// Where the panel covers the page, nothing behind it can be reached.
function cover() {
  for (const id of ["main", "sidebar"]) document.getElementById(id).inert = small.matches && !panel.hidden;
}

async function open(href) {
  panel.hidden = false;
  cover();
  document.body.classList.add("with-panel");
  await htmx.ajax("GET", href, { source: memory, target: memory, swap: "innerHTML" });
}

function close() {
  panel.hidden = true;
  cover();
  document.body.classList.remove("with-panel");
  memory.replaceChildren();
  opener?.focus();
}

function follow() {
  const tab = asked();
  const shown = panel.hidden ? null : memory.querySelector("[data-tab]")?.dataset.tab;
  if (tab && tab !== shown) open(address(tab));
  else if (!tab && !panel.hidden) close();
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
  // What is not told otherwise stays in the panel; the page's own address stays, too, which boosted links would replace.
  memory.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.hasAttribute("hx-get") || !link.pathname.startsWith(panel.dataset.base)) return;
    event.preventDefault();
    open(link.href);
  });
  memory.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.hasAttribute("hx-post")) return;
    event.preventDefault();
    const values = submitter?.name ? { [submitter.name]: submitter.value } : {};
    htmx.ajax(form.method, form.action, { source: form, target: memory, swap: "innerHTML", values });
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
  memory.addEventListener("htmx:responseError", () => {
    if (memory.querySelector("[data-tab]")) return;
    close(); // there is no such tab, or not from here
    say(null);
    localStorage.removeItem(KEPT);
  });
  window.addEventListener("popstate", follow);
  small.addEventListener("change", cover);
  const kept = wide.matches && document.getElementById("composer") && localStorage.getItem(KEPT);
  const tab = asked() ?? kept;
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

// A dialog whose form changed the panel, or whose row is shown as it is now, has done its work.
const TOLD = [404, 409, 422];
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const told = detail.successful || TOLD.includes(detail.xhr.status);
  if (!told || !detail.elt.matches?.("[data-close-after]")) return;
  document.getElementById("dialog").close();
  takeFocus();
});

// What arrives in place of something says what was done, and takes the focus that this had.
let arrived = null;
function takeFocus() {
  const focused = document.activeElement;
  if (focused === document.body || !focused.checkVisibility()) arrived?.querySelector("textarea, .entry-actions > *, [tabindex]")?.focus();
}
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (!target.closest?.("#memory")) return;
  const said = target.matches("[data-said]") ? target : target.querySelector("[data-said]");
  if (said) announce(said.textContent.trim());
  if (target.id === "entry-add-form") target.closest("details").open = true;
  arrived = target.matches("li.entry, form.entry-form, .entries") ? target : null;
  takeFocus();
});

// An entry is one line: Enter sends it, and breaks that are pasted become spaces. How much room there is, is counted.
document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.("form.entry-form");
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !form || event.target.tagName !== "TEXTAREA") return;
  event.preventDefault();
  form.requestSubmit();
});
document.addEventListener("input", ({ target }) => {
  if (!target.matches?.("#memory [data-limit]")) return;
  if (target.matches(".entry-form textarea") && /[\r\n]/.test(target.value)) target.value = target.value.replace(/\s*[\r\n]+\s*/g, " ");
  count(target);
});
function count(field) {
  const place = field.closest(".field").querySelector("[data-count]");
  if (!place) return;
  const length = [...field.value.normalize("NFC").trim()].length;
  place.textContent = `${length} / ${field.dataset.limit}`;
  place.classList.toggle("over", length > Number(field.dataset.limit));
}
document.addEventListener("focusin", ({ target }) => {
  if (target.matches?.("#memory [data-limit]")) count(target);
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
  const original = reports[reports.length - 1];
  document.querySelector("[data-no-report]").hidden = Boolean(original);
  const of = original?.parentElement.id;
  if (!of || place.dataset.of === of) return;
  place.dataset.of = of;
  const latest = original.cloneNode(true);
  latest.open = true;
  for (const element of latest.querySelectorAll("[id]")) element.id += "-copy";
  for (const element of latest.querySelectorAll("[hx-target]")) element.setAttribute("hx-target", `${element.getAttribute("hx-target")}-copy`);
  place.replaceChildren(latest);
  htmx.process(latest);
}
document.addEventListener("htmx:afterSettle", showLatest);
document.addEventListener("htmx:oobAfterSwap", showLatest);
