// Buttons that copy the text before them, and say so.
(() => {
  "use strict";
  const told = document.getElementById("told");
  let timer;
  const tell = (text) => {
    clearTimeout(timer);
    told.textContent = text;
    timer = setTimeout(() => { told.textContent = ""; }, 3000);
  };
  const copyByHand = (text, button) => {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "skip";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    button.focus();
    return done;
  };
  const copy = async (text, button) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyByHand(text, button);
    }
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const done = await copy(button.closest("th, .copied").querySelector("code").textContent, button);
    tell(done ? `${button.dataset.what} copied` : "this browser does not let the page copy");
  });
  for (const button of document.querySelectorAll("button.copy")) button.hidden = false;
})();
