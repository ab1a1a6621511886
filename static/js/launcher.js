// A chosen profile sets what it presets; what one chooses afterwards stands.
document.addEventListener("change", ({ target }) => {
  const presets = document.getElementById("profile-presets");
  if (!presets || target.name !== "profile") return;
  const preset = [...presets.children].find(({ dataset }) => dataset.profile === target.value)?.dataset;
  const { elements } = target.form;
  const mode = [...elements.namedItem("memory_mode")].find(({ value }) => value === (preset?.mode ?? "off"));
  if (mode) mode.checked = true;
  const notes = target.form.querySelector("[type=checkbox][name=notes]");
  if (notes && preset) notes.checked = Boolean(preset.notes);
  if (preset?.model) elements.namedItem("model").value = preset.model;
});
