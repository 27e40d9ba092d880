// Address fields: what is typed becomes a token at a comma, Enter, Tab or when the field is left, and people are
// suggested while one types. The form still sends each field as one line of addresses.
(() => {
  const form = document.getElementById("write");
  if (!form) return;
  const ADDRESS = /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/;
  const bare = (text) => /<([^<>]*)>\s*$/.exec(text)?.[1].trim() ?? text.trim();
  const shown = (text) => text.replace(/\s*<[^<>]*>\s*$/, "").replace(/^"|"$/g, "").replaceAll("\\", "").trim() || bare(text);
  // At commas and semicolons, but for those in quotes and brackets.
  const split = (line) => line.match(/(?:"(?:\\.|[^"])*"|<[^>]*>|[^,;])+/g)?.map((part) => part.trim()).filter(Boolean) ?? [];
  const written = ({ name, email }) => !name ? email : /[",<>()@:;\\.]/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}" <${email}>` : `${name} <${email}>`;

  for (const input of form.querySelectorAll("[data-tokens]")) field(input);

  function field(input) {
    const box = input.parentElement, name = input.name;
    const list = Object.assign(document.createElement("ul"), { id: `${name}-people`, className: "people", hidden: true });
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Suggestions");
    box.append(list);
    for (const [key, value] of Object.entries({ role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": list.id })) input.setAttribute(key, value);
    let tokens = [], people = [], chosen = -1, asked = 0;

    function add(texts, tell = true) {
      for (const text of texts) {
        const token = Object.assign(document.createElement("span"), { className: "token", title: bare(text) });
        token.dataset.text = text;
        token.classList.toggle("bad", !ADDRESS.test(bare(text)));
        const remove = Object.assign(document.createElement("button"), { type: "button", textContent: "×", tabIndex: -1 });
        remove.setAttribute("aria-label", `Remove ${shown(text)}`);
        remove.addEventListener("click", () => { drop(token); input.focus(); });
        token.append(shown(text), remove);
        box.insertBefore(token, input);
        tokens.push(token);
      }
      if (tell && texts.length) changed();
    }
    function drop(token) {
      tokens = tokens.filter((each) => each !== token);
      token.remove();
      changed();
    }
    function changed() { form.dispatchEvent(new Event("input", { bubbles: true })); }
    function settle() {
      const texts = split(input.value);
      input.value = "";
      add(texts);
      close();
    }
    function close() {
      people = [];
      chosen = -1;
      list.hidden = true;
      list.replaceChildren();
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    }
    function choose(at) {
      chosen = at;
      [...list.children].forEach((item, n) => item.setAttribute("aria-selected", String(n === at)));
      if (at < 0) input.removeAttribute("aria-activedescendant");
      else input.setAttribute("aria-activedescendant", list.children[at].id);
    }
    function take(person) {
      input.value = "";
      add([written(person)]);
      close();
      input.focus();
    }
    async function suggest() {
      const text = input.value.trim(), mine = ++asked;
      const answer = text && await fetch(`${form.dataset.suggest}?q=${encodeURIComponent(text)}`).catch(() => null);
      if (mine !== asked || document.activeElement !== input) return;
      const taken = new Set(tokens.map((token) => bare(token.dataset.text).toLowerCase()));
      close();
      people = answer?.ok ? (await answer.json()).filter((person) => !taken.has(person.email)) : [];
      people.forEach((person, n) => {
        const item = Object.assign(document.createElement("li"), { id: `${list.id}-${n}` });
        item.setAttribute("role", "option");
        item.append(Object.assign(document.createElement("strong"), { textContent: person.name || person.email }));
        if (person.name) item.append(` ${person.email}`);
        item.addEventListener("mousedown", (down) => { down.preventDefault(); take(person); });
        list.append(item);
      });
      list.hidden = !people.length;
      input.setAttribute("aria-expanded", String(Boolean(people.length)));
      choose(people.length ? 0 : -1);
    }
    input.addEventListener("input", () => {
      if (/[,;]\s*$/.test(input.value) && !/"[^"]*$/.test(input.value)) settle();
      else suggest();
    });
    input.addEventListener("keydown", (key) => {
      if ((key.key === "ArrowDown" || key.key === "ArrowUp") && people.length) {
        choose((chosen + (key.key === "ArrowDown" ? 1 : people.length - 1)) % people.length);
      } else if ((key.key === "Enter" || key.key === "Tab") && !key.ctrlKey && !key.metaKey && input.value.trim()) {
        if (chosen >= 0 && !ADDRESS.test(bare(input.value))) take(people[chosen]);
        else settle();
        if (key.key === "Tab") return;
      } else if (key.key === "Escape" && people.length) {
        close();
      } else if (key.key === "Backspace" && !input.value && tokens.length) {
        const last = tokens.at(-1);
        input.value = last.dataset.text;
        drop(last);
      } else {
        if (key.key === "Enter" && !key.ctrlKey && !key.metaKey) key.preventDefault();
        return;
      }
      key.preventDefault();
    });
    input.addEventListener("blur", () => { asked++; settle(); });
    form.addEventListener("formdata", (event) => {
      event.formData.set(name, [...tokens.map((token) => token.dataset.text), input.value.trim()].filter(Boolean).join(", "));
    });
    const begun = split(input.value);
    input.value = "";
    input.defaultValue = "";
    add(begun, false);
  }
})();
