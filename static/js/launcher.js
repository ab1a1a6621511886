// A chosen profile sets what it presets, and what the default model is; what one chooses afterwards stands.
const presets = document.getElementById("profile-presets");

function presetOf(form) {
  const { value } = form.elements.namedItem("profile");
  return [...presets.children].find(({ dataset }) => dataset.profile === value)?.dataset;
}

function nameDefault(form, preset) {
  form.elements.namedItem("model").options[0].textContent = preset?.default ?? presets.dataset.default;
}

// What the profile doesn't allow would be lowered by the server; it is said before.
function showCap(form, preset) {
  const modes = [...form.elements.namedItem("memory_mode")];
  const highest = modes.findIndex(({ value }) => value === (preset?.cap ?? "learn"));
  modes.forEach((mode, at) => {
    if (mode.dataset.over === undefined) mode.dataset.over = mode.disabled ? "always" : "";
    mode.disabled = mode.dataset.over === "always" || at > highest;
  });
  const note = document.getElementById("profile-cap");
  note.textContent = preset?.capText ?? "";
  note.hidden = !note.textContent;
}

document.addEventListener("change", ({ target }) => {
  if (!presets || target.name !== "profile") return;
  const { form } = target;
  const preset = presetOf(form);
  const mode = [...form.elements.namedItem("memory_mode")].find(({ value }) => value === (preset?.mode ?? "off"));
  if (mode) mode.checked = true;
  const notes = form.querySelector("[type=checkbox][name=notes]");
  if (notes && preset) notes.checked = Boolean(preset.notes);
  if (preset?.default) form.elements.namedItem("model").value = "";
  nameDefault(form, preset);
  showCap(form, preset);
});

// A browser that restores a page keeps its choices, not what was written after it came.
window.addEventListener("pageshow", () => {
  const form = presets && document.getElementById("composer");
  if (!form) return;
  nameDefault(form, presetOf(form));
  showCap(form, presetOf(form));
});
