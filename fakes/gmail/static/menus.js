// Menus are <details class="menu">: one is open at a time, and a click elsewhere or Escape closes it.
(() => {
  const open = () => document.querySelectorAll("details.menu[open]");
  const closeAll = (but) => open().forEach((menu) => { if (!menu.contains(but)) menu.open = false; });
  document.addEventListener("click", (click) => closeAll(click.target));
  document.addEventListener("toggle", (change) => {
    if (change.target.matches?.("details.menu[open]")) closeAll(change.target);
  }, true);
  document.addEventListener("keydown", (key) => {
    const menu = key.key === "Escape" && open()[0];
    if (!menu) return;
    key.stopPropagation();
    menu.open = false;
    menu.querySelector("summary").focus();
  }, true);
})();
