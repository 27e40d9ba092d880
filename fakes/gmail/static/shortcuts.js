// The keyboard: a key clicks what has it as data-key, after g what has it as data-go, after * what selects so.
(() => {
  const selects = { a: "all", n: "none", r: "read", u: "unread", s: "starred", t: "unstarred" };
  let first = "";
  const typing = (target) => target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]");
  function press(element) {
    if (!element) return false;
    if (element.matches("input")) element.focus();
    else element.click();
    if (element.matches("summary") && element.parentElement.open) {
      element.parentElement.querySelector(".items :is(input:not([type=hidden], [hidden]), button, a)")?.focus();
    }
    return true;
  }
  function second(start, key) {
    if (start === "*") return press(document.querySelector(`[data-select="${selects[key]}"]`));
    if (key === "l") {
      const label = document.querySelector(".labels li:not([hidden]) a") ?? document.getElementById("labels-title");
      label.focus();
      return true;
    }
    return press(document.querySelector(`a[data-go="${CSS.escape(key)}"]`));
  }
  document.addEventListener("keydown", (down) => {
    if (down.defaultPrevented || down.ctrlKey || down.metaKey || down.altKey || typing(down.target)) return;
    if (document.querySelector("dialog[open]") || ["Shift", "CapsLock"].includes(down.key)) return;
    const start = first;
    first = "";
    if (start) {
      if (second(start, down.key)) down.preventDefault();
      return;
    }
    if (down.key === "g" || (down.key === "*" && document.querySelector("[data-list]"))) {
      first = down.key;
      return down.preventDefault();
    }
    if (down.key === "?") {
      document.getElementById("keys").togglePopover();
      return down.preventDefault();
    }
    // A list knows which conversation is meant.
    if (!document.dispatchEvent(new CustomEvent("shortcut", { detail: down, cancelable: true }))) return down.preventDefault();
    const keyed = document.querySelector(`[data-key="${CSS.escape(down.key)}"]`);
    if (press(keyed)) down.preventDefault();
  });
})();
