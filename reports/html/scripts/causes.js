// Search causes, open or close all of them, and open the one in the URL fragment.
(() => {
  "use strict";
  for (const tools of document.querySelectorAll(".tools[data-for]")) {
    const causes = [...tools.closest("section").querySelectorAll(".cause")];
    tools.addEventListener("input", (event) => {
      const wanted = event.target.value.toLowerCase();
      for (const cause of causes) cause.hidden = !cause.textContent.toLowerCase().includes(wanted);
    });
    tools.addEventListener("click", (event) => {
      const all = event.target.dataset.all;
      if (all) for (const cause of causes) cause.open = all === "open";
    });
    tools.hidden = false;
  }
  const named = location.hash && document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDetailsElement) named.open = true;
})();
