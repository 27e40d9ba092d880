// Rich text: the form's text as an editable sheet with a toolbar, or plain as it was. What is pasted is taken without its
// looks. The form then sends HTML; the server makes it safe, and writes the plain text beside it.
(() => {
  const form = document.getElementById("write");
  if (!form) return;
  const rich = form.querySelector("#rich"), text = form.querySelector("#text"), bar = form.querySelector(".format");
  const toggle = form.querySelector("[data-plain-toggle]"), quote = form.querySelector("details.quoted");
  const KEPT = new Set("B I U S EM STRONG A UL OL LI BLOCKQUOTE BR P DIV PRE CODE H1 H2 H3 H4 TABLE TBODY THEAD TR TD TH HR".split(" "));
  const changed = () => form.dispatchEvent(new Event("input", { bubbles: true }));
  const isRich = () => !rich.hidden;

  function show(asRich) {
    rich.hidden = !asRich;
    text.hidden = asRich;
    text.parentElement.querySelector("label").htmlFor = asRich ? "" : "text";
    bar.querySelectorAll("[data-command]").forEach((button) => { button.hidden = !asRich; });
  }
  function lines(words) {
    return words.split("\n").flatMap((line, n) => [...(n ? [document.createElement("br")] : []), document.createTextNode(line)]);
  }
  toggle.addEventListener("change", () => {
    if (toggle.checked) text.value = rich.innerText;
    else rich.replaceChildren(...lines(text.value));
    show(!toggle.checked);
    (isRich() ? rich : text).focus();
    changed();
  });
  form.addEventListener("formdata", ({ formData }) => {
    if (!isRich()) return;
    formData.set("format", "html");
    formData.set("html", rich.innerHTML);
    formData.set("text", "");
  });

  // commands
  const link = form.querySelector("#link"), words = link.querySelector("[data-link-text]"), url = link.querySelector("[data-link-url]");
  let range = null;
  const selection = () => getSelection().rangeCount && rich.contains(getSelection().anchorNode) ? getSelection().getRangeAt(0).cloneRange() : null;
  function reselect() {
    rich.focus();
    if (range) getSelection().setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
  }
  const commands = {
    link() {
      range = selection();
      words.value = range ? String(range) : "";
      url.value = getSelection().anchorNode?.parentElement?.closest("a")?.getAttribute("href") ?? "";
      link.showModal();
      (words.value ? url : words).focus();
    },
    quote() {
      const inside = getSelection().anchorNode?.parentElement?.closest("blockquote");
      document.execCommand(inside && rich.contains(inside) ? "outdent" : "formatBlock", false, "blockquote");
    },
    removeFormat() {
      document.execCommand("removeFormat");
      document.execCommand("unlink");
    },
  };
  function run(command) {
    rich.focus();
    if (commands[command]) commands[command]();
    else document.execCommand(command);
    pressed();
    changed();
  }
  bar.addEventListener("mousedown", (down) => { if (down.target.closest("[data-command]")) down.preventDefault(); }); // keeps the selection
  bar.addEventListener("click", (click) => {
    const button = click.target.closest("[data-command]");
    if (button) run(button.dataset.command);
  });
  function putLink() {
    let href = url.value.trim();
    if (href && !/^(https?|mailto):/i.test(href)) href = href.includes("@") ? `mailto:${href}` : `https://${href}`;
    link.close();
    reselect();
    if (!href) return;
    const anchor = Object.assign(document.createElement("a"), { href, textContent: words.value.trim() || href });
    document.execCommand("insertHTML", false, anchor.outerHTML);
    changed();
  }
  link.querySelector("[data-link-put]").addEventListener("click", putLink);
  link.querySelector("[data-cancel]").addEventListener("click", () => { link.close(); reselect(); });
  link.addEventListener("keydown", (key) => { if (key.key === "Enter") { key.preventDefault(); key.stopPropagation(); putLink(); } });
  rich.addEventListener("keydown", (key) => {
    if ((key.ctrlKey || key.metaKey) && key.key.toLowerCase() === "k") {
      key.preventDefault();
      run("link");
    }
  });
  function pressed() {
    for (const button of bar.querySelectorAll("[data-command]")) {
      if (!commands[button.dataset.command]) button.setAttribute("aria-pressed", String(document.queryCommandState(button.dataset.command)));
    }
  }
  document.addEventListener("selectionchange", () => { if (rich.contains(getSelection().anchorNode)) pressed(); });

  // pasting
  function plainly(node, into) {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) into.append(child.data);
      else if (child.nodeType !== Node.ELEMENT_NODE || /^(STYLE|SCRIPT|TITLE|HEAD|META)$/.test(child.tagName)) continue;
      else if (!KEPT.has(child.tagName)) plainly(child, into);
      else {
        const copy = document.createElement(child.tagName);
        const href = child.tagName === "A" && child.getAttribute("href");
        if (href && /^(https?|mailto):/i.test(href)) copy.setAttribute("href", href);
        plainly(child, copy);
        into.append(copy);
      }
    }
    return into;
  }
  rich.addEventListener("paste", (paste) => {
    const html = paste.clipboardData.getData("text/html");
    if (paste.clipboardData.files.length && !html) return; // files are attached
    paste.preventDefault();
    if (!html) return document.execCommand("insertText", false, paste.clipboardData.getData("text/plain"));
    const page = new DOMParser().parseFromString(html, "text/html");
    document.execCommand("insertHTML", false, plainly(page.body, document.createElement("div")).innerHTML);
  });

  // the quote is put into the text when it is opened, as one then can write between its lines
  quote?.addEventListener("toggle", () => {
    if (!quote.open) return;
    const quoted = quote.querySelector(".quote");
    if (isRich()) rich.append(document.createElement("br"), ...quoted.childNodes);
    else text.value += `\n\n${quoted.dataset.text}`;
    quote.remove();
    changed();
  });
  form.elements.namedItem("from").addEventListener("change", ({ target }) => {
    const signature = form.querySelector(`template[data-signature="${CSS.escape(target.value)}"]`);
    const place = rich.querySelector(".gmail_signature") ?? Object.assign(document.createElement("div"), { className: "gmail_signature" });
    const says = signature?.content.textContent.trim();
    place.replaceChildren(...(says ? ["-- ", document.createElement("br"), signature.content.cloneNode(true)] : []));
    if (says && !place.isConnected) rich.append(document.createElement("br"), place);
  });

  rich.contentEditable = "true";
  bar.hidden = false;
  document.execCommand("styleWithCSS", false, false);
  document.execCommand("defaultParagraphSeparator", false, "div");
  show(!rich.dataset.plain);
  if (text.autofocus && isRich()) {
    rich.focus();
    getSelection().collapse(rich, 0);
    form.scrollIntoView({ block: "nearest" });
  }
})();
