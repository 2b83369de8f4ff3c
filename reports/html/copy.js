// Copy buttons, which copy the text next to them and confirm it.
(() => {
  "use strict";
  const notice = document.getElementById("notice");
  let timer;
  const show = (text) => {
    clearTimeout(timer);
    notice.textContent = text;
    timer = setTimeout(() => { notice.textContent = ""; }, 3000);
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
    const done = await copy(button.closest(".copied").querySelector("code").textContent, button);
    show(done ? `${button.dataset.what} copied` : "the browser does not allow copying");
  });
  for (const button of document.querySelectorAll("button.copy")) button.hidden = false;
})();
