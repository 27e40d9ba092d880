// Links with data-dialog open their page's form in a dialog; forms with data-confirm ask first; labels fold.
(() => {
  const dialog = document.getElementById("dialog");
  const { pathname, search } = location;
  async function open(link) {
    const answer = await fetch(link.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const part = page.querySelector("[data-dialog-part]");
    if (!answer.ok || !part) return location.assign(link.href);
    const root = document.querySelector(".brand").pathname.replace(/\/$/, "");
    for (const back of part.querySelectorAll("input[name=back]")) back.value = pathname.slice(root.length) + search;
    dialog.setAttribute("aria-label", part.querySelector("h1").textContent);
    dialog.replaceChildren(document.adoptNode(part));
    dialog.showModal();
  }
  function ask(form, submitter) {
    const box = document.createElement("form");
    box.method = "dialog";
    box.className = "label-form";
    box.innerHTML = '<p></p><p class="end"><button class="quiet">Cancel</button><button class="primary" value="yes" autofocus>Go ahead</button></p>';
    box.querySelector("p").textContent = form.dataset.confirm;
    dialog.setAttribute("aria-label", "Are you sure?");
    dialog.replaceChildren(box);
    dialog.returnValue = "";
    dialog.addEventListener("close", () => {
      if (dialog.returnValue !== "yes") return;
      form.dataset.sure = "1";
      form.requestSubmit(submitter);
      delete form.dataset.sure;
    }, { once: true });
    dialog.showModal();
  }
  document.addEventListener("click", (click) => {
    const link = click.target.closest("a[data-dialog]");
    if (link && !click.ctrlKey && !click.metaKey && !click.shiftKey) {
      click.preventDefault();
      open(link);
    }
    if (click.target.closest("[data-close]") && dialog.open) {
      click.preventDefault();
      dialog.close();
    }
  });
  document.addEventListener("submit", (sent) => {
    if (!sent.target.dataset.confirm || sent.target.dataset.sure) return;
    sent.preventDefault();
    sent.stopPropagation();
    ask(sent.target, sent.submitter);
  }, true);

  // Which labels are folded is remembered for as long as the tab is open.
  const folded = new Set(JSON.parse(sessionStorage.getItem("folded") ?? "[]"));
  function fold() {
    for (const item of document.querySelectorAll(".labels li")) {
      item.hidden = item.dataset.above.split(" ").some((path) => folded.has(path));
      item.querySelector(".fold")?.setAttribute("aria-expanded", String(!folded.has(item.dataset.path)));
    }
  }
  document.addEventListener("click", (click) => {
    const button = click.target.closest(".labels .fold");
    if (!button) return;
    const { path } = button.closest("li").dataset;
    if (!folded.delete(path)) folded.add(path);
    sessionStorage.setItem("folded", JSON.stringify([...folded]));
    fold();
  });
  document.addEventListener("live:replaced", fold);
  fold();
})();
