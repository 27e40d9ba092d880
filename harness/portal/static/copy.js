// Copy buttons: data-copy names the element whose text goes to the clipboard. Says so on the button and in the status
// line; where there is no clipboard (a page that is not secure) it selects the text instead.
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  const source = button && document.getElementById(button.dataset.copy);
  if (!source) return;
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection().selectAllChildren(source);
    said = "Selected";
  }
  const words = button.querySelector("span") ?? button;
  words.textContent = said;
  document.getElementById("flash").textContent = said === "Copied" ? "Copied." : "Selected; copy it with the keyboard.";
  setTimeout(() => { words.textContent = "Copy"; }, 2000);
});
