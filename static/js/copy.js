// Copies a code block, or a message as it was written.
import { announce, toast } from "./announce.js";
import words from "./words.js";

async function copy(button) {
  const text = button.dataset.text ?? button.closest(".code-block")?.querySelector("pre")?.textContent ?? "";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    toast(words.copyFailed);
    return;
  }
  announce(words.copied);
  const before = button.innerHTML;
  const icon = button.querySelector("use");
  if (icon) icon.setAttribute("href", icon.getAttribute("href").replace(/#.*/, "#check"));
  else button.textContent = words.copied;
  button.disabled = true;
  setTimeout(() => {
    button.innerHTML = before;
    button.disabled = false;
  }, 1500);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy]");
  if (button) copy(button);
});
