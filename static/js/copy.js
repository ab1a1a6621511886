// Copies a code block, a message as it was written, or a chat as it is exported.
import { announce, toast } from "./announce.js";
import words from "./words.js";

async function wanted(button) {
  const { dataset } = button;
  if (!dataset.from) return dataset.text ?? button.closest(".code-block")?.querySelector("pre")?.textContent ?? "";
  const answer = await fetch(dataset.from);
  if (!answer.ok) throw new Error("no export");
  return answer.text();
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(await wanted(button));
  } catch {
    toast(words.copyFailed);
    return;
  }
  announce(words.copied);
  if (button.dataset.from) {
    toast(words.copied); // its menu has closed
    return;
  }
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
