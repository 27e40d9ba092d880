// The editor: a draft is saved a moment after the last change and when the page is left, files go up as they are chosen or
// dropped, and what looks forgotten is asked about before a mail goes out.
(() => {
  const form = document.getElementById("write");
  if (!form) return;
  const MOST = 25 * 1024 * 1024, PAUSE = 1200;
  const draft = form.elements.namedItem("draft"), picked = form.querySelector("input[type=file]");
  const files = form.querySelector("#attached"), status = form.querySelector("#saved"), trouble = form.querySelector("#file-problem");
  let unsaved = false, timer = 0, queue = Promise.resolve(), passing = false;

  // saving
  function touched() {
    unsaved = true;
    status.textContent = "";
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  }
  function save(more = {}) {
    clearTimeout(timer);
    queue = queue.then(() => put(more));
    return queue;
  }
  async function put(more) {
    if (passing) return;
    const body = new FormData(form), uploads = picked.files.length;
    for (const [name, value] of Object.entries(more)) body.set(name, value);
    unsaved = false;
    status.textContent = uploads ? "Uploading…" : "Saving…";
    const answer = await fetch(form.dataset.save, { method: "POST", body, headers: { "X-Autosave": "1" } }).catch(() => null);
    const told = answer && !answer.redirected && await answer.json().catch(() => null);
    if (uploads) picked.value = "";
    if (!told || !answer.ok) {
      status.textContent = "Not saved";
      if (uploads || told?.problem) complain(told?.problem ?? "The file could not be attached. Try again.");
      return;
    }
    keep(told);
    status.textContent = unsaved ? "" : "Draft saved";
  }
  function keep(told) {
    draft.value = told.draft;
    files.innerHTML = told.files;
    trouble.hidden = true;
    hide();
    const later = document.getElementById("later");
    if (later) {
      const source = new URL(later.dataset.liveSrc, location.href);
      source.searchParams.set("draft", told.draft);
      later.dataset.liveSrc = source.pathname + source.search;
    }
    if (location.pathname + location.search !== told.path) history.replaceState(history.state, "", told.path);
  }
  // The page may have asked for its drafts before it knew that this is the one being written.
  function hide() {
    if (draft.value) document.getElementById(`draft-${draft.value}`)?.remove();
  }
  document.addEventListener("live:replaced", hide);
  function complain(sentence) {
    trouble.textContent = sentence;
    trouble.hidden = false;
  }
  form.addEventListener("input", (event) => {
    if (event.target.matches?.("[type=file], [data-tokens], dialog input, [data-plain-toggle], [type=date], [type=time]")) return;
    touched();
  });
  addEventListener("pagehide", () => {
    if (unsaved && !passing) fetch(form.dataset.save, { method: "POST", body: new FormData(form), headers: { "X-Autosave": "1" }, keepalive: true });
  });
  addEventListener("pageshow", (shown) => { if (shown.persisted) location.reload(); });

  // files
  function attach() {
    const size = [...picked.files].reduce((sum, file) => sum + file.size, 0);
    if (size > MOST) {
      picked.value = "";
      return complain("A message with its files can hold at most 25 MB. Choose a smaller file.");
    }
    if (picked.files.length) save();
  }
  picked.addEventListener("change", attach);
  form.addEventListener("dragover", (drag) => {
    if (!drag.dataTransfer.types.includes("Files")) return;
    drag.preventDefault();
    form.classList.add("dropping");
  });
  form.addEventListener("dragleave", (drag) => { if (!form.contains(drag.relatedTarget)) form.classList.remove("dropping"); });
  form.addEventListener("drop", (drop) => {
    form.classList.remove("dropping");
    if (drop.dataTransfer.files.length) take(drop, drop.dataTransfer.files);
  });
  form.addEventListener("paste", (paste) => {
    if (paste.clipboardData.files.length && !paste.clipboardData.types.includes("text/html")) take(paste, paste.clipboardData.files);
  });
  function take(event, dropped) {
    event.preventDefault();
    picked.files = dropped;
    attach();
  }

  // sending
  const sure = form.querySelector("#sure");
  const says = () => form.querySelector("#rich:not([hidden])")?.innerText ?? form.elements.namedItem("text").value;
  function doubt() {
    if (!form.elements.namedItem("subject").value.trim()) return "Send this message without a subject?";
    if (/\battach(ed|ment|ments|ing)?\b/i.test(says()) && !files.children.length) return "You wrote that something is attached, but there is no file. Send it anyway?";
    return "";
  }
  function ask(question) {
    sure.querySelector("#sure-words").textContent = question;
    sure.showModal();
    return new Promise((resolve) => {
      sure.querySelector("[data-sure]").onclick = () => { resolve(true); sure.close(); };
      sure.querySelector("[data-cancel]").onclick = () => sure.close();
      sure.onclose = () => resolve(false);
    });
  }
  form.addEventListener("submit", async (event) => {
    if (passing === "once") {
      passing = "sent";
      return;
    }
    event.preventDefault();
    if (passing) return;
    const button = event.submitter;
    if (button?.name === "remove") return save({ remove: button.value });
    if (button?.matches(".save")) return save();
    const question = button?.matches(".discard") ? "" : doubt();
    if (question && !await ask(question)) return;
    if (button?.matches(".discard") && unsaved) save(); // so that it can be brought back
    clearTimeout(timer);
    await queue; // a save under way may yet name the draft
    passing = "once";
    setTimeout(() => form.requestSubmit(button)); // a form does not submit itself while it is being submitted
  });
  form.addEventListener("keydown", (key) => {
    if (!(key.ctrlKey || key.metaKey) || key.key !== "Enter" || key.target.closest("dialog")) return;
    key.preventDefault();
    form.requestSubmit(form.querySelector("[data-send]"));
  });

  for (const button of form.querySelectorAll("[data-reveal]")) {
    const field = form.querySelector(`#${button.dataset.reveal}-field`);
    button.hidden = field.classList.contains("shown");
    button.addEventListener("click", () => {
      field.classList.add("shown");
      button.hidden = true;
      field.querySelector("input").focus();
    });
  }
  form.noValidate = true;
})();
