// Tells what a person does at a page: clicks, what is typed and chosen, files, keys that are more than typing.
const CLICKABLE =
  "a[href], button, summary, input[type=submit], input[type=button], input[type=reset], input[type=image], [role=button], [role=link], " +
  "[role=tab], [role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=option], [role=switch], [role=checkbox], [role=radio], " +
  "[role=gridcell], [role=treeitem], [onclick]";
const TYPED = "textarea, [contenteditable=''], [contenteditable=true], input:not([type=checkbox], [type=radio], [type=file], [type=submit], " +
  "[type=button], [type=reset], [type=image])";
const MODIFIERS = ["Control", "Alt", "Shift", "Meta"];
let entered = false; // Enter in a field clicks the form's button by itself

function tell(kind, element, event, more = {}) {
  const at = performance.timeOrigin + event.timeStamp;
  const locator = element ? locatorOf(element) : null;
  __paracosm_record(JSON.stringify({ kind, at, locator, frames: framesAround(window), ...more }));
}
const target = (event) => {
  const first = event.composedPath()[0];
  return first instanceof Element ? first : first?.parentElement;
};

function clicked(event) {
  const hit = target(event);
  if (!event.isTrusted || !hit || (entered && event.detail === 0)) return;
  if (hit.closest("input[type=checkbox], input[type=radio], input[type=file], select, option") || hit.closest("label")?.control) return;
  const element = hit.closest(CLICKABLE) || pointed(hit);
  if (element) tell("click", element, event);
}
// Something without a role that a page made clickable shows it by the pointer.
function pointed(hit) {
  if (hit.closest(TYPED) || getComputedStyle(hit).cursor !== "pointer") return null;
  let at = hit;
  while (at.parentElement && getComputedStyle(at.parentElement).cursor === "pointer") at = at.parentElement;
  return at;
}

function typed(event) {
  const element = target(event)?.closest(TYPED);
  if (!element) return;
  const value = element.isContentEditable ? element.innerText : element.value;
  tell("fill", element, event, element.type === "password" ? { secret: true } : { value });
}

function changed(event) {
  const element = target(event);
  if (!element) return;
  if (element.localName === "select") {
    tell("select", element, event, { options: [...element.selectedOptions].map(({ value, label }) => ({ value, label: tidy(label) })) });
  } else if (element.type === "checkbox" || element.type === "radio") {
    tell(element.checked ? "check" : "uncheck", element, event);
  } else if (element.type === "file") {
    tell("files", element, event, { files: [...element.files].map((file) => file.name) });
  }
}

function dropped(event) {
  const input = target(event)?.closest("label, form, section, div")?.querySelector("input[type=file]");
  const files = [...(event.dataTransfer?.files || [])].map((file) => file.name);
  if (input && files.length) tell("files", input, event, { files });
}

function pressed(event) {
  const element = target(event);
  if (!event.isTrusted || event.repeat || event.isComposing || !element) return;
  if (MODIFIERS.includes(event.key) || ["Tab", "Process", "Unidentified", "Dead"].includes(event.key)) return;
  const field = element.closest(TYPED), one = field?.localName === "input";
  const plain = !(event.ctrlKey || event.altKey || event.metaKey);
  entered = event.key === "Enter" && one && plain;
  if (field && plain && !entered && event.key !== "Escape" && !isMove(field, event.key)) return;
  if (field && !plain && event.key !== "Enter") {
    if ("acvxyz".includes(event.key.toLowerCase()) || event.key.length > 1) return; // editing; what comes of it is typed
  }
  if (plain && event.key !== "Escape" && element.closest("select, [type=radio], [type=checkbox], [type=file]")) return;
  if (plain && !field && ["Enter", " "].includes(event.key) && element.closest("a[href], button, summary, input")) return; // a click
  const held = MODIFIERS.filter((name) => event[`${{ Control: "ctrl", Alt: "alt", Shift: "shift", Meta: "meta" }[name]}Key`]);
  const shown = event.key.length === 1 && held.length === 1 ? held.filter((name) => name !== "Shift") : held; // Shift+a types A
  tell("press", field, event, { key: [...shown, event.key === " " ? "Space" : event.key].join("+") });
}
// Arrows move a choice in a field that has a list, and the cursor in any other.
const isMove = (field, key) => /^Arrow(Up|Down)$/.test(key) && (field.hasAttribute("aria-autocomplete") || field.getAttribute("role") === "combobox");

addEventListener("click", clicked, true);
addEventListener("input", typed, true);
addEventListener("change", changed, true);
addEventListener("drop", dropped, true);
addEventListener("keydown", pressed, true);
addEventListener("keyup", () => { entered = false; }, true);
