// The manager's page: answers go to the desk without leaving the page, so that nothing typed is lost when one is refused.
(() => {
  const form = document.getElementById("answers");
  const summary = form.querySelector("[data-summary]");
  const questions = [...form.querySelectorAll("[data-question]")];
  form.noValidate = true; // our own messages, beside the fields
  let busy = false;

  const fields = (question) => [...question.querySelectorAll("input, textarea")];
  function answered(question) {
    return fields(question).some((field) => (field.type === "radio" ? field.checked : field.value.trim()));
  }
  function complain(question, text) {
    const error = question.querySelector(".error");
    error.textContent = text;
    for (const field of question.matches("fieldset") ? [question] : fields(question)) {
      if (text) field.setAttribute("aria-describedby", error.id);
      else field.removeAttribute("aria-describedby");
    }
    for (const field of fields(question)) {
      if (text) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
  }
  function say(text) {
    summary.textContent = text;
    summary.hidden = !text;
    if (text) summary.focus();
  }
  function check(part) {
    const open = questions.filter((question) => !answered(question));
    for (const question of questions) {
      complain(question, !part && open.includes(question) ? "Please answer this question." : "");
    }
    if (part && open.length === questions.length) return say("Nothing is answered yet. Answer at least one question.");
    if (part || !open.length) return true;
    const count = open.length === 1 ? "One question is" : `${open.length} questions are`;
    say(`${count} not answered yet. Nothing was sent. You can also save what you have and finish later.`);
    fields(open[0])[0].focus();
  }
  async function send() {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body });
    const told = await answer.json().catch(() => ({}));
    if (answer.ok) return location.assign(`${form.dataset.thanks}?saved=${told.answers.length}`);
    if (answer.status === 410) return location.assign(form.dataset.thanks); // that page says that it is over
    throw new Error(told.error ? told.error.message : "The desk could not be reached.");
  }

  for (const question of questions) {
    question.addEventListener("input", () => { if (answered(question)) complain(question, ""); });
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    say("");
    if (busy || !check("part" in (event.submitter?.dataset || {}))) return;
    busy = true;
    try {
      await send();
    } catch (error) {
      say(`Nothing was sent. ${error.message} What you typed is still here.`);
    }
    busy = false;
  });
})();
