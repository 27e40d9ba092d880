"use strict";
// Narrows a list or a table down to what has all the words that are typed. Without it, everything stays in sight.
for (const field of document.querySelectorAll("input[data-filters]")) {
  const whole = document.getElementById(field.dataset.filters);
  const lines = [...whole.querySelectorAll("li, tbody tr")].map((line) => [line, line.textContent.toLowerCase()]);
  const sections = whole.querySelectorAll("section");
  const found = document.querySelector(".found");
  const nothing = document.querySelector(".nothing");
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const [line, text] of lines) {
      line.hidden = !words.every((word) => text.includes(word));
      count += line.hidden ? 0 : 1;
    }
    for (const section of sections) section.hidden = !section.querySelector("li:not([hidden])");
    if (found) found.textContent = words.length ? `${count} found` : "";
    if (nothing) nothing.hidden = count > 0;
  };
  field.closest("p").hidden = false;
  if (field.dataset.from) {
    field.value = new URLSearchParams(location.search).get(field.dataset.from) ?? "";
    if (field.value) field.focus();
  }
  field.addEventListener("input", show);
  show();
}
// A link to a row opens it.
const open = () => {
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (row instanceof HTMLDetailsElement) row.open = true;
};
addEventListener("hashchange", open);
open();
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  document.querySelector(".find input").focus();
});
