// Sends a paper in: a slot is opened, its bytes are put there, then it is confirmed. The list beside follows by itself.
(() => {
  const form = document.getElementById("upload");
  const csrf = document.querySelector("meta[name=csrf]").content;
  const kind = form.elements.kind, input = form.elements.file, drop = form.querySelector(".drop");
  const bar = form.querySelector("progress"), status = form.querySelector(".status"), button = form.querySelector("button");
  let file = null, busy = false;

  function choose(chosen) {
    file = chosen || null;
    drop.querySelector("[data-chosen]").textContent = file ? file.name : "Choose a file, or drop it here";
    drop.querySelector("[data-size]").textContent = file ? `${file.size.toLocaleString("en-US")} bytes` : "";
    complain(input, "");
    say("");
  }
  function say(text, tone = "") {
    status.textContent = text;
    status.className = `status ${tone}`;
  }
  function complain(field, text) {
    document.getElementById(`${field.id}-error`).textContent = text;
    if (text) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
  async function ask(url, body) {
    const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRF": csrf };
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) throw refusal(told);
    return told;
  }
  function refusal(told) {
    const { message = "The desk could not be reached. Try again.", field = "" } = told.error || {};
    return Object.assign(new Error(message), { field });
  }
  // Not fetch: that does not tell how far an upload has come.
  function put(url, bytes) {
    return new Promise((done, fail) => {
      const sending = new XMLHttpRequest();
      sending.open("PUT", url);
      sending.setRequestHeader("X-CSRF", csrf);
      sending.setRequestHeader("Content-Type", bytes.type || "application/octet-stream");
      sending.upload.onprogress = (at) => { if (at.lengthComputable) bar.value = (100 * at.loaded) / at.total; };
      sending.onerror = () => fail(refusal({}));
      sending.onload = () => {
        let told = {};
        try { told = JSON.parse(sending.responseText); } catch { /* no JSON: said as such below */ }
        if (sending.status < 300) done(told);
        else fail(refusal(told));
      };
      sending.send(bytes);
    });
  }
  async function send() {
    const media_type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : "application/octet-stream";
    const slot = await ask(form.dataset.start, { name: file.name, kind: kind.value, media_type });
    const stored = await put(slot.put_url, file);
    return [await ask(form.dataset.confirm, { object_id: slot.object_id, kind: kind.value }), stored];
  }
  function ready() {
    complain(kind, kind.value ? "" : "Choose what kind of paper it is.");
    complain(input, file ? "" : "Choose a file.");
    if (kind.value && file) return true;
    (kind.value ? input : kind).focus();
    return false;
  }

  input.addEventListener("change", () => choose(input.files[0]));
  kind.addEventListener("change", () => complain(kind, ""));
  for (const event of ["dragenter", "dragover"]) {
    drop.addEventListener(event, (e) => { e.preventDefault(); drop.classList.add("over"); });
  }
  for (const event of ["dragleave", "drop"]) {
    drop.addEventListener(event, (e) => { e.preventDefault(); drop.classList.remove("over"); });
  }
  drop.addEventListener("drop", (e) => choose(e.dataTransfer.files[0]));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy || !ready()) return;
    busy = button.disabled = true;
    bar.hidden = false;
    bar.value = 0;
    say(`Sending ${file.name}…`);
    try {
      const [paper, stored] = await send();
      form.reset();
      choose(null);
      const next = paper.kind === "statement" ? " Start its audit from the list." : "";
      say(`${paper.name} is in: ${stored.byte_size.toLocaleString("en-US")} bytes.${next}`, "good");
    } catch (error) {
      say(`Not sent. ${error.message}`, "bad");
    }
    busy = button.disabled = false;
    bar.hidden = true;
    status.scrollIntoView({ block: "nearest" });
  });
})();
