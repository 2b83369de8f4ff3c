// The theme puts the buttons beside code into landmarks without names, and adds them as the page scrolls: they are none.
(() => {
  "use strict";
  const mend = () => {
    for (const box of document.querySelectorAll("nav.md-code__nav:not([role])")) box.setAttribute("role", "none");
  };
  new MutationObserver(mend).observe(document.querySelector("main"), { childList: true, subtree: true });
  mend();
})();
