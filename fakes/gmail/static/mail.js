// Fits the frame of each HTML mail to what is in it, and keeps the title's unread count as the folders have it.
(() => {
  const fit = (frame) => {
    const page = frame.contentDocument?.documentElement;
    if (page?.querySelector("body")) frame.style.height = `${page.scrollHeight + 2}px`;
  };
  const fitAll = () => document.querySelectorAll("iframe.body").forEach(fit);
  const title = document.title;
  const count = () => {
    const unread = document.querySelector("[data-unread]")?.dataset.unread;
    document.title = unread ? `(${unread}) ${title}` : title;
  };
  document.addEventListener("load", (event) => event.target.matches?.("iframe.body") && fit(event.target), true);
  document.addEventListener("live:replaced", count);
  addEventListener("resize", fitAll);
  addEventListener("load", fitAll);
  fitAll();
  count();
})();
