// Dialogs filled by requests, menus that close after a choice, and what can be dismissed.
const dialog = () => document.getElementById("dialog");

function show(element) {
  const heading = element.querySelector("h1, h2");
  if (heading) element.setAttribute("aria-label", heading.textContent.trim());
  if (!element.open) element.showModal();
  element.querySelector(".dialog-body :is(input:not([type=hidden]), textarea, select)")?.focus();
}

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (!detail.target) return;
  if (detail.target === dialog()) show(dialog());
  const edited = detail.target.parentElement?.querySelector("[data-autofocus]");
  if (edited) {
    edited.focus();
    edited.setSelectionRange(edited.value.length, edited.value.length);
  }
});

document.addEventListener("click", (event) => {
  const { target } = event;
  const opener = target.closest("[data-open]");
  if (opener) show(document.getElementById(opener.dataset.open));
  if (target.closest("[data-close]")) {
    target.closest("dialog")?.close();
    if (target.closest("a[href]")) event.preventDefault();
  }
  if (target.matches("dialog")) {
    const area = target.getBoundingClientRect();
    const inside = event.clientX >= area.left && event.clientX <= area.right && event.clientY >= area.top && event.clientY <= area.bottom;
    if (!inside) target.close();
  }
  const dismiss = target.closest("[data-dismiss]");
  if (dismiss?.closest("[data-dismissable]")) {
    event.preventDefault();
    dismiss.closest("[data-dismissable]").remove();
  }
  if (target.closest(".menu-item:not(.account-button)")) target.closest("[popover]")?.hidePopover?.();
});

// One menu of models serves every reply: it takes the address of the button that opened it.
document.addEventListener("click", ({ target }) => {
  const opener = target.closest("[data-regenerate-url]");
  const form = opener && document.querySelector("[data-regenerate]");
  if (!form) return;
  form.action = opener.dataset.regenerateUrl;
  form.elements.version.value = opener.dataset.version;
});

// A drawer that was open in a narrow window is a column in a wide one.
matchMedia("(width >= 45rem)").addEventListener("change", () => {
  const sidebar = document.getElementById("sidebar");
  if (sidebar?.matches(":popover-open")) sidebar.hidePopover();
});
