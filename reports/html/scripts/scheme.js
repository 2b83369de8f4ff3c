// The button that switches between light and dark.
(() => {
  "use strict";
  const button = document.getElementById("scheme");
  const dark = () => {
    const chosen = document.documentElement.dataset.scheme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const show = () => { button.textContent = dark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    document.documentElement.dataset.scheme = dark() ? "light" : "dark";
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
  button.hidden = false;
})();
