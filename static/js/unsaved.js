// What was typed into a form of the Memory panel outlives other tabs and a closed panel; leaving the page asks first.
const drafts = new Map();
const forms = () => document.querySelectorAll("#memory form[data-unsaved]");

// Two forms of one address differ by what a new entry is made of.
function key({ action, elements }) {
  const parts = ["message", "overrides"].map((name) => elements[name]?.value ?? "");
  return [new URL(action).pathname, ...parts].join(" ");
}

const fields = (form) => [...form.elements].filter(({ name }) => name && name !== "csrfmiddlewaretoken");

function isChanged({ type, options, checked, defaultChecked, value, defaultValue }) {
  if (options) return [...options].some(({ selected, defaultSelected }) => selected && !defaultSelected);
  return ["checkbox", "radio"].includes(type) ? checked !== defaultChecked : value !== defaultValue;
}

function keep(form) {
  const { unsaved } = form.dataset; // "yes": the server has refused it and sent it back
  if (unsaved || fields(form).some(isChanged))
    drafts.set(key(form), fields(form).map(({ name, type, value, checked }) => ({ name, type, value, checked })));
  else drafts.delete(key(form));
}

function restore(form) {
  for (const { name, type, value, checked } of drafts.get(key(form)) ?? [])
    for (const field of fields(form)) {
      if (field.name !== name) continue;
      if (!["checkbox", "radio"].includes(type)) field.value = value;
      else if (field.value === value) field.checked = checked;
    }
  if (drafts.has(key(form))) form.closest("details")?.setAttribute("open", "");
}

// Rows whose drafts a new list has left behind are opened again.
function reopen() {
  for (const draft of drafts.keys()) {
    const [path] = draft.split(" ");
    const link = document.querySelector(`#memory a[hx-get^="${path}edit/"]:not(.htmx-request)`);
    link?.click();
  }
}

document.addEventListener("input", ({ target }) => {
  const form = target.closest?.("#memory form[data-unsaved]");
  if (form) keep(form);
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { elt, verb } = detail.requestConfig;
  if (verb === "post" && detail.shouldSwap && elt.matches("form[data-unsaved]")) drafts.delete(key(elt)); // saved, or sent back
});
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (!target.closest?.("#memory")) return;
  for (const form of forms()) form.dataset.unsaved ? keep(form) : restore(form);
});
document.addEventListener("htmx:afterSettle", ({ target }) => target.closest?.("#memory") && reopen());
document.addEventListener("click", ({ target, ctrlKey, metaKey, shiftKey }) => {
  const form = target.closest("a[href]")?.closest("form[data-unsaved]");
  if (form && !ctrlKey && !metaKey && !shiftKey) drafts.delete(key(form)); // cancelled, or theirs is kept
}, { capture: true });
document.addEventListener("submit", ({ target, defaultPrevented }) => {
  if (!defaultPrevented && target.matches("form[data-unsaved]")) drafts.delete(key(target));
});
window.addEventListener("beforeunload", (event) => {
  if (drafts.size) event.preventDefault();
});
for (const form of forms()) if (form.dataset.unsaved) keep(form);
