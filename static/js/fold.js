// Folds long texts: messages always, replies only when they are not the last.
import words from "./words.js";

const MESSAGE_HEIGHT = 420; // px
const REPLY_HEIGHT = 2400; // px

function fold(text) {
  const limit = text.dataset.fold === "reply" ? REPLY_HEIGHT : MESSAGE_HEIGHT;
  const last = text.dataset.fold === "reply" && text.closest(".turn:last-child");
  if (text.dataset.foldSeen || last || text.scrollHeight < limit) return;
  text.dataset.foldSeen = "yes";
  text.classList.add("folded");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet fold-button";
  button.textContent = words.showAll;
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    const folded = text.classList.toggle("folded");
    button.textContent = folded ? words.showAll : words.showLess;
    button.setAttribute("aria-expanded", String(!folded));
    if (folded) text.scrollIntoView({ block: "nearest" });
  });
  text.after(button);
}

const foldAll = (root) => root.querySelectorAll("[data-fold]").forEach(fold);
foldAll(document);
document.addEventListener("htmx:load", ({ detail }) => foldAll(detail.elt));
