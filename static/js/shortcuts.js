// Keys for those who keep their hands there. Never while somebody types.
import { running } from "./composer.js";

const ACTIONS = {
  "/": () => {
    const search = document.getElementById("search");
    const sidebar = document.getElementById("sidebar");
    if (search && !search.checkVisibility()) sidebar.showPopover();
    search?.focus();
  },
  "?": () => document.querySelector("[data-open='shortcuts']")?.click(),
  c: () => document.getElementById("composer-text")?.focus(),
  n: () => document.querySelector(".new-chat")?.click(),
};

const typing = (element) => element.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
  if (event.key === "Escape") {
    if (document.querySelector("dialog[open], [popover]:popover-open")) return;
    running()?.querySelector("[data-testid='stop']")?.click();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  const action = ACTIONS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
