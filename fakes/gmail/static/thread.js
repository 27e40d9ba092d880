// A conversation: frames as high as what is in them, folding by a click on a header, going through messages by keyboard.
(() => {
  const thread = document.querySelector(".thread");
  if (!thread) return;
  const fit = (frame) => {
    const page = frame.contentDocument?.documentElement;
    if (!page?.querySelector("body")) return;
    frame.style.height = "0"; // a page is never lower than its frame
    frame.style.height = `${page.scrollHeight + 2}px`;
  };
  const watch = (frame) => {
    fit(frame);
    for (const event of ["toggle", "load"]) frame.contentDocument?.addEventListener(event, () => fit(frame), true);
  };
  document.addEventListener("load", (event) => event.target.matches?.("iframe.body") && watch(event.target), true);
  const frames = () => thread.querySelectorAll("iframe.body");
  for (const frame of frames()) if (frame.contentDocument?.readyState === "complete") watch(frame);
  addEventListener("resize", () => frames().forEach(fit));

  thread.addEventListener("click", (click) => {
    const header = click.target.closest(".letter > header");
    if (header && !click.target.closest("a, button, summary, details, form") && !String(getSelection())) header.querySelector(".fold").click();
  });
  thread.querySelector("[data-expand]")?.addEventListener("click", (click) => {
    click.preventDefault();
    unfold();
  });
  const print = thread.querySelector("[data-print]");
  print.hidden = false;
  print.addEventListener("click", () => window.print());

  const letters = () => [...thread.querySelectorAll(".letter:not(.waiting)")];
  const unfold = () => thread.querySelectorAll("[data-unfold]").forEach((line) => line.click());
  const fold = () => thread.querySelectorAll(".letter .fold").forEach((button) => button.click());
  function step(by) {
    const all = letters();
    const at = all.findIndex((letter) => letter.contains(document.activeElement));
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }
  function turn() {
    const letter = document.activeElement?.closest(".letter:not(.waiting)");
    letter?.querySelector("[data-unfold], .fold")?.click();
  }
  const keys = { n: () => step(1), p: () => step(-1), o: turn, Enter: turn, ";": unfold, ":": fold };
  document.addEventListener("keydown", (key) => {
    if (!thread.dataset.keys || key.ctrlKey || key.metaKey || key.altKey || !keys[key.key]) return;
    if (key.target.closest("input, textarea, select, [contenteditable=true], dialog")) return;
    if (key.key === "Enter" && !key.target.matches(".letter")) return;
    key.preventDefault();
    keys[key.key]();
  });
  // What htmx puts in place of a message keeps the keyboard's place.
  let held = "";
  document.addEventListener("click", (click) => {
    held = click.target.closest("[data-unfold], .fold")?.closest(".letter")?.id ?? "";
  }, true);
  new MutationObserver(() => {
    if (held && document.activeElement === document.body) document.getElementById(held)?.focus({ preventScroll: true });
  }).observe(thread, { childList: true, subtree: true });
})();
