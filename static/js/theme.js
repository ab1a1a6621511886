// Shows a chosen theme at once; the account learns of it meanwhile.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-theme-switch]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { name, value } = event.submitter;
  document.documentElement.dataset.theme = value;
  for (const button of form.querySelectorAll("[aria-pressed]"))
    button.setAttribute("aria-pressed", String(button === event.submitter));
  const body = new FormData(form);
  body.set(name, value);
  fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
}, true);
