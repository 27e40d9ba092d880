// Keeps the title's unread count as the folders have it.
(() => {
  const title = document.title;
  const count = () => {
    const unread = document.querySelector("[data-unread]")?.dataset.unread;
    document.title = unread ? `(${unread}) ${title}` : title;
  };
  document.addEventListener("live:replaced", count);
  count();
})();
