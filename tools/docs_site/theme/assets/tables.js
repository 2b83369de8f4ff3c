// Tables sort by the column whose head is clicked: numbers with their units, everything else as text.
(() => {
  "use strict";
  const FEWEST = 4;
  const UNITS = {
    "": 1, "%": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12,
    B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40,
    ns: 1e-9, us: 1e-6, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400,
  };
  // "1,234", "-0.5 %", "2.95 G", "84 of 84 (100 %)": the first number, and its unit if it has one.
  const NUMBER = /^[<>~≈+]?\s*(?<number>[-−]?\d[\d,]*(?:\.\d+)?)\s*(?<unit>%|[a-zA-Zµ]+(?=\s|$|\/))?/;

  const value = (text) => {
    const found = NUMBER.exec(text)?.groups;
    return found && Number(found.number.replace(/,/g, "").replace("−", "-")) * (UNITS[found.unit ?? ""] ?? 1);
  };
  const isEmpty = (text) => text === "" || text === "-";
  const read = (row, column) => row.cells[column]?.textContent.trim() ?? "";

  const order = (texts) => {
    const filled = texts.filter((text) => !isEmpty(text));
    const areNumbers = filled.every((text) => value(text) !== undefined);
    return areNumbers ? (a, b) => value(a) - value(b) : (a, b) => a.localeCompare(b, "en", { numeric: true });
  };

  const sort = (table, column, down) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, text: read(row, column) }));
    const compare = order(rows.map(({ text }) => text));
    rows.sort((a, b) => isEmpty(a.text) - isEmpty(b.text) || (isEmpty(a.text) ? 0 : compare(a.text, b.text) * (down ? -1 : 1)));
    body.append(...rows.map(({ row }) => row));
  };

  const makeSortable = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.textContent.trim() === "") return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, down);
      });
    });
  };

  // A table wider than the window scrolls in its box; so that the keys reach it, the box takes the focus.
  const letKeysScroll = () => {
    for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code, .md-typeset table:not([class])")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };

  for (const table of document.querySelectorAll(".md-typeset table:not([class])")) {
    if (table.tHead && table.tBodies[0]?.rows.length >= FEWEST) makeSortable(table);
  }
  addEventListener("load", letKeysScroll);
  addEventListener("resize", letKeysScroll);
})();
