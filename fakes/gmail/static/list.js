// A list of conversations: ticking them, going through them by keyboard, and doing things without leaving the page.
(() => {
  const list = document.querySelector("[data-list]");
  const acting = () => document.getElementById("acting");
  const rows = () => [...list.querySelectorAll(".row")];
  const picks = () => [...list.querySelectorAll(".row .pick input")];
  const ticked = new Set();
  let cursor = "", lastPick = null;

  function show() {
    const all = picks(), on = all.filter((pick) => pick.checked);
    ticked.clear();
    for (const pick of on) ticked.add(pick.value);
    for (const row of rows()) row.classList.toggle("ticked", ticked.has(row.dataset.thread));
    const whole = document.getElementById("select-all");
    whole.checked = all.length > 0 && on.length === all.length;
    whole.indeterminate = on.length > 0 && on.length < all.length;
    acting().querySelector("[data-number]").textContent = on.length ? `${on.length} selected` : "";
    const every = acting().querySelector("[data-whole]");
    if (every) {
      every.hidden = !whole.checked;
      if (!whole.checked) every.querySelector("input").checked = false;
    }
  }
  const kinds = {
    all: () => true, none: () => false,
    read: (row) => !row.matches(".unread"), unread: (row) => row.matches(".unread"),
    starred: (row) => "starred" in row.dataset, unstarred: (row) => !("starred" in row.dataset),
  };
  function select(kind) {
    for (const row of rows()) row.querySelector(".pick input").checked = kinds[kind](row);
    show();
  }
  function ready() {
    acting().querySelector("[data-choose]").hidden = false;
    for (const hidden of acting().querySelectorAll(".narrowing")) hidden.hidden = false;
    for (const snooze of list.querySelectorAll("[data-snooze]")) snooze.hidden = false;
    for (const pick of picks()) pick.checked = ticked.has(pick.value);
    show();
    mark();
  }

  // The conversation that keys mean.
  const at = () => rows().findIndex((row) => row.dataset.thread === cursor);
  function mark() {
    for (const row of rows()) row.classList.toggle("at", row.dataset.thread === cursor);
  }
  function go(n) {
    const row = rows()[Math.max(0, Math.min(n, rows().length - 1))];
    if (!row) return;
    cursor = row.dataset.thread;
    row.querySelector("a.open").focus();
    row.scrollIntoView({ block: "nearest" });
    mark();
  }
  const here = () => rows()[at()];
  const tick = (row) => {
    const pick = row.querySelector(".pick input");
    pick.checked = !pick.checked;
    show();
  };
  const keys = {
    j: () => go(at() + 1), k: () => go(at() < 0 ? 0 : at() - 1),
    o: () => here()?.querySelector("a.open").click(),
    x: () => here() && tick(here()),
    s: () => (ticked.size ? acting().querySelector("button[value=star]").click() : here()?.querySelector(".star").click()),
  };
  document.addEventListener("shortcut", (pressed) => {
    const { key } = pressed.detail;
    if (keys[key]) {
      keys[key]();
      return pressed.preventDefault();
    }
    const does = acting().querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (does && !ticked.size && here()) tick(here());
    if (does && !ticked.size) pressed.preventDefault(); // it would be about nothing
  });
  list.addEventListener("focusin", (focused) => {
    const row = focused.target.closest(".row");
    if (row) cursor = row.dataset.thread;
    mark();
  });

  list.addEventListener("change", (change) => {
    if (change.target.id === "select-all") select(change.target.checked ? "all" : "none");
    else if (change.target.matches(".row .pick input")) show();
  });
  list.addEventListener("click", (click) => {
    const chosen = click.target.closest("[data-select]");
    if (chosen) {
      select(chosen.dataset.select);
      chosen.closest("details").open = false;
    }
    const pick = click.target.closest(".row .pick input");
    if (pick) {
      const all = picks(), from = all.findIndex((each) => each.value === lastPick), to = all.indexOf(pick);
      if (click.shiftKey && from >= 0) for (const each of all.slice(Math.min(from, to), Math.max(from, to) + 1)) each.checked = pick.checked;
      lastPick = pick.value;
      show();
    }
    const snooze = click.target.closest("[data-snooze]");
    if (snooze) {
      for (const each of picks()) each.checked = each.value === snooze.closest(".row").dataset.thread;
      show();
      click.stopPropagation(); // a click elsewhere closes menus
      document.getElementById("snooze-menu").open = true;
    }
  });
  list.addEventListener("input", (input) => {
    if (!input.target.matches(".narrowing")) return;
    const wanted = input.target.value.toLowerCase();
    for (const item of input.target.parentElement.querySelectorAll(".item:not(.apply)")) item.hidden = !item.textContent.toLowerCase().includes(wanted);
  });
  list.addEventListener("keydown", (down) => {
    if (down.key !== "Enter" || !down.target.matches(".narrowing")) return;
    down.preventDefault();
    down.target.parentElement.querySelector(".item:not([hidden])")?.click();
  });
  // The menu of labels shows which of them the ticked conversations have: all of them, or some.
  list.addEventListener("toggle", (toggled) => {
    if (toggled.target.id !== "label-menu" || !toggled.target.open) return;
    const has = rows().filter((row) => ticked.has(row.dataset.thread)).map((row) => row.dataset.labels.split(" "));
    for (const box of toggled.target.querySelectorAll("input[name=add]")) {
      const number = has.filter((labels) => labels.includes(box.value)).length;
      box.checked = box.defaultChecked = number > 0 && number === has.length;
      box.indeterminate = number > 0 && number < has.length;
    }
  }, true);

  // What forms do, without leaving: the answer is the list as it is now.
  const parts = ["done", "acting", "tabs", "mails", "folder-list"];
  async function send(form, submitter) {
    const body = new FormData(form, submitter);
    for (const box of submitter?.matches(".apply") ? form.querySelectorAll("input[name=add]") : []) {
      if (box.defaultChecked && !box.checked && !box.indeterminate) body.append("unlabel", box.value);
    }
    const row = at();
    const answer = await fetch(submitter?.hasAttribute("formaction") ? submitter.formAction : form.action, { method: "POST", body: new URLSearchParams(body) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok || new URL(answer.url).pathname !== location.pathname || !page.querySelector("[data-list]")) return location.assign(answer.url);
    ticked.clear();
    const focused = document.activeElement !== document.body;
    for (const id of parts) {
      const fresh = page.getElementById(id), old = document.getElementById(id);
      if (fresh && old) old.replaceWith(document.adoptNode(fresh));
    }
    document.getElementById("mails").dispatchEvent(new CustomEvent("live:replaced", { bubbles: true }));
    if (focused && row >= 0 && document.activeElement === document.body) go(at() >= 0 ? at() : row);
  }
  document.addEventListener("submit", (sent) => {
    if (!sent.target.matches("[data-act]") || sent.defaultPrevented || sent.submitter?.hasAttribute("data-plain")) return;
    sent.preventDefault();
    send(sent.target, sent.submitter);
  });
  document.addEventListener("live:replaced", ready);
  addEventListener("pageshow", ready);
  ready();
})();
