// Forms: the token for those that an event stream brought, no second submission of one under way, the first field.
const token = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"];

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.hasAttribute("hx-post")) return;
  if (!form.elements.csrfmiddlewaretoken && token()) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = "csrfmiddlewaretoken";
    field.value = token();
    form.append(field);
  }
  if (form.dataset.submitted) event.preventDefault();
  form.dataset.submitted = "yes";
  setTimeout(() => delete form.dataset.submitted, 5000);
});

window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.submitted;
});

const first = (what) => document.querySelector(`[data-focus] ${what}`);
(first("[aria-invalid=true]") ?? first("input:not([type=hidden], [readonly])"))?.focus();
