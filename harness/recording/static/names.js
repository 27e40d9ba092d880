// What a person would call an element: its role and accessible name, and the shortest locator that finds it alone.
// Runs in a world of its own beside each page, with recorder.js; Playwright's rules decide what a name matches.
const tidy = (text) => (text || "").replace(/\s+/g, " ").trim();
const holds = (text, part) => tidy(text).toLowerCase().includes(part.toLowerCase());
const LONGEST = 60;

const INPUT_ROLES = {
  button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio",
  number: "spinbutton", range: "slider", search: "searchbox", email: "textbox", tel: "textbox", text: "textbox", url: "textbox",
};
const TAG_ROLES = {
  article: "article", button: "button", dialog: "dialog", fieldset: "group", h1: "heading", h2: "heading", h3: "heading",
  h4: "heading", h5: "heading", h6: "heading", img: "img", li: "listitem", main: "main", nav: "navigation", option: "option",
  table: "table", td: "cell", textarea: "textbox", th: "columnheader", tr: "row",
};
const NAMED_BY_CONTENT = new Set(
  "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab treeitem".split(" "),
);

function roleOf(element) {
  const said = (element.getAttribute("role") || "").trim().split(/\s+/)[0];
  if (said && said !== "presentation" && said !== "none") return said;
  const tag = element.localName;
  if (tag === "a" || tag === "area") return element.hasAttribute("href") ? "link" : "";
  if (tag === "select") return element.multiple || element.size > 1 ? "listbox" : "combobox";
  if (tag === "section") return element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby") ? "region" : "";
  if (tag !== "input") return TAG_ROLES[tag] || "";
  const role = INPUT_ROLES[element.type] || (element.type === "text" ? "textbox" : "");
  return role === "textbox" && element.hasAttribute("list") ? "combobox" : role;
}

function isHidden(element) {
  for (let at = element; at; at = at.parentElement) {
    if (at.getAttribute("aria-hidden") === "true" || getComputedStyle(at).display === "none") return true;
  }
  return getComputedStyle(element).visibility !== "visible";
}

// The text of what an element contains, as it counts for a name: hidden parts out, blocks apart.
function contents(node, except) {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (node.nodeType !== Node.ELEMENT_NODE || node === except || node.matches("script, style, noscript, template")) return "";
  if (node.getAttribute("aria-hidden") === "true") return "";
  const style = getComputedStyle(node);
  if (style.display === "none" || style.visibility !== "visible") return "";
  if (tidy(node.getAttribute("aria-label"))) return ` ${node.getAttribute("aria-label")} `;
  if (node.localName === "img") return node.alt || "";
  if (node.matches("input, select, textarea")) return ` ${node.localName === "select" ? tidy(node.selectedOptions[0]?.text) : node.value} `;
  const inner = [...node.childNodes].map((child) => contents(child, except)).join("");
  return style.display === "inline" ? inner : ` ${inner} `;
}

const referred = (element, attribute) =>
  (element.getAttribute(attribute) || "").split(/\s+/).map((id) => id && element.ownerDocument.getElementById(id)).filter(Boolean);

function nameOf(element, role = roleOf(element)) {
  const by = referred(element, "aria-labelledby");
  if (by.length) return tidy(by.map((each) => contents(each)).join(" "));
  if (tidy(element.getAttribute("aria-label"))) return tidy(element.getAttribute("aria-label"));
  if (element.localName === "input" && ["button", "submit", "reset"].includes(element.type)) {
    return tidy(element.value) || { submit: "Submit", reset: "Reset" }[element.type] || tidy(element.title);
  }
  if (element.labels?.length) return tidy([...element.labels].map((label) => contents(label, element)).join(" "));
  if (element.localName === "img" || element.type === "image") return tidy(element.alt || element.title);
  if (element.localName === "fieldset") return tidy(contents(element.querySelector("legend") || document.createTextNode("")));
  if (NAMED_BY_CONTENT.has(role)) {
    const inner = tidy([...element.childNodes].map((child) => contents(child)).join(""));
    if (inner) return inner;
  }
  return tidy(element.title || element.placeholder);
}

// The texts by which get_by_label finds an element.
function labelsOf(element) {
  const by = referred(element, "aria-labelledby");
  if (by.length) return by.map((each) => tidy(each.textContent));
  if (tidy(element.getAttribute("aria-label"))) return [tidy(element.getAttribute("aria-label"))];
  return [...(element.labels || [])].map((label) => tidy(label.textContent));
}

const textOf = (element) => (element.matches("input[type=submit], input[type=button]") ? element.value : element.textContent);
const hasText = (element, fits) =>
  !element.matches("script, style, noscript, head, head *") && fits(textOf(element)) && ![...element.children].some((child) => fits(textOf(child)));

// Every element below `root` that a locator finds, in document order.
function found(root, { by, role, text, exact }) {
  const fits = (other) => (exact ? tidy(other) === text : holds(other, text));
  const all = [...root.querySelectorAll("*")];
  if (by === "role") return all.filter((each) => roleOf(each) === role && !isHidden(each) && fits(nameOf(each, role)));
  if (by === "label") return all.filter((each) => labelsOf(each).some(fits));
  if (by === "placeholder") return all.filter((each) => fits(each.getAttribute("placeholder")) && each.matches("input, textarea"));
  if (by === "text") return all.filter((each) => hasText(each, fits));
  if (by === "testid") return all.filter((each) => each.getAttribute("data-testid") === text);
  return [...root.querySelectorAll(text)];
}

const shortened = (text) => (text.length <= LONGEST ? text : text.slice(0, LONGEST + 1).replace(/\s+\S*$/, ""));

// The ways to point at an element, the best first.
function ways(element) {
  const role = roleOf(element), name = shortened(nameOf(element, role));
  const field = element.matches("input:not([type=submit], [type=button], [type=reset], [type=image]), select, textarea, [contenteditable]");
  const labels = labelsOf(element).map((label) => own(element, label)).filter(Boolean);
  const byRole = role && name ? [{ by: "role", role, text: name }] : [];
  const byLabel = labels.map((text) => ({ by: "label", text: shortened(text) }));
  const placeholder = tidy(element.getAttribute("placeholder"));
  const text = field ? "" : shortened(tidy(textOf(element)));
  return [
    ...(field ? [...byLabel, ...(placeholder ? [{ by: "placeholder", text: placeholder }] : []), ...byRole] : byRole),
    ...(text ? [{ by: "text", text }] : []),
    ...(element.dataset?.testid ? [{ by: "testid", text: element.dataset.testid }] : []),
    ...(field ? [] : byLabel),
  ];
}

// A label that wraps its field also holds the field's own text: options, what a button says.
function own(element, label) {
  const wrapping = [...(element.labels || [])].find((each) => each.contains(element) && tidy(each.textContent) === label);
  return wrapping ? tidy(contents(wrapping, element)) : label;
}

function alone(element, root) {
  for (const way of ways(element)) {
    for (const tried of [way, { ...way, exact: true }]) {
      const matching = found(root, tried);
      if (matching.length === 1 && matching[0] === element) return tried;
    }
  }
  return null;
}

// An element that no name tells apart: by the row or item that it is in, else by its place among those alike.
function locatorOf(element, document = element.ownerDocument) {
  const single = alone(element, document);
  if (single) return single;
  for (let at = element.parentElement; at; at = at.parentElement) {
    const role = roleOf(at), inner = ["row", "listitem", "article"].includes(role) && alone(element, at);
    const heading = inner && [...at.querySelectorAll("h1, h2, h3, h4, a, strong, b, th, td")].map((each) => tidy(each.textContent));
    const alike = inner && found(document, { by: "role", role, text: "" });
    const telling = heading && heading.find((t) => t && t.length <= LONGEST && alike.filter((each) => holds(each.textContent, t)).length === 1);
    if (telling) return { ...inner, within: { role, text: telling } };
  }
  for (const way of ways(element).map((each) => ({ ...each, exact: each.text.length < LONGEST }))) {
    const nth = found(document, way).indexOf(element);
    if (nth >= 0) return { ...way, nth };
  }
  return { by: "css", text: path(element) };
}

function path(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  const parent = element.parentElement;
  if (!parent) return element.localName;
  const alike = [...parent.children].filter((each) => each.localName === element.localName);
  const nth = alike.length > 1 ? `:nth-of-type(${alike.indexOf(element) + 1})` : "";
  return `${path(parent)} > ${element.localName}${nth}`;
}

// The frames around a page's inner document, outermost first, as CSS.
function framesAround(inner) {
  const frame = inner.frameElement;
  if (!frame) return [];
  const names = ["title", "name", "id"].map((n) => frame.getAttribute(n) && `iframe[${n}=${JSON.stringify(frame.getAttribute(n))}]`);
  const single = names.find((css) => css && frame.ownerDocument.querySelectorAll(css).length === 1);
  return [...framesAround(frame.ownerDocument.defaultView), single || path(frame)];
}
