// Tables of any length: the rows are JSON data, of which the document contains one page at a time.
(() => {
  "use strict";
  const ROWS = 100;
  const source = document.getElementById("rows");
  if (!source) return;
  const { noun, columns, rows } = JSON.parse(source.textContent);
  const box = document.querySelector(".explorer");
  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const figure = (value) => (value === null ? "-" : value.toLocaleString("en-US", { maximumFractionDigits: 4 }));
  const isNumber = (column) => column.kind === "number";
  const shown = columns.map((column, index) => ({ ...column, index })).filter((column) => column.kind !== "fen");
  const fen = columns.findIndex((column) => column.kind === "fen");
  const texts = columns.flatMap((column, index) => (["name", "fen", "text"].includes(column.kind) ? [index] : []));
  const state = { found: rows, page: 0, by: null, down: false };

  // On a narrow screen, cells are labeled with their column.
  const cell = (column, row) => {
    const made = plainCell(column, row);
    made.dataset.column = column.title;
    return made;
  };

  const plainCell = (column, row) => {
    const value = row[column.index];
    if (column.kind === "number") return element("td", figure(value), "number");
    if (column.kind === "choice") {
      const made = element("td");
      made.append(element("span", column.choices[value], column.tones ? `verdict ${column.tones[value]}` : ""));
      return made;
    }
    if (column.kind === "text") return element("td", value ?? "-");
    const made = element("th");
    made.scope = "row";
    if (fen < 0) { made.textContent = value; return made; }
    const button = element("button", "Copy", "copy");
    button.type = "button";
    button.dataset.what = "FEN";
    button.setAttribute("aria-label", `Copy the FEN of ${value}`);
    const named = element("div", undefined, "named");
    named.append(element("span", value), button);
    made.append(named, element("code", row[fen]));
    return made;
  };

  const order = (column) => (a, b) => {
    const [x, y] = [a[column.index], b[column.index]];
    if (x === y) return 0;
    if (x === null) return 1;
    if (y === null) return -1;
    if (column.kind === "choice") return column.choices[x] < column.choices[y] ? -1 : 1;
    return x < y ? -1 : 1;
  };

  const head = element("tr");
  for (const column of shown) {
    const th = element("th", undefined, isNumber(column) ? "number" : "");
    th.scope = "col";
    const button = element("button", column.title);
    button.type = "button";
    button.addEventListener("click", () => {
      state.down = state.by === column && !state.down;
      state.by = column;
      for (const other of head.children) other.removeAttribute("aria-sort");
      th.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      find();
    });
    th.append(button);
    head.append(th);
  }
  box.querySelector("thead").append(head);

  const filters = [...box.querySelectorAll("select")];
  for (const select of filters) {
    const column = Number(select.dataset.column);
    const counts = new Map();
    for (const row of rows) counts.set(row[column], (counts.get(row[column]) ?? 0) + 1);
    for (const [value, number] of [...counts].sort((a, b) => a[0] - b[0])) {
      select.append(new Option(`${columns[column].choices[value]} (${figure(number)})`, value));
    }
    select.addEventListener("change", () => find());
  }
  const search = box.querySelector("input");
  search.addEventListener("input", () => find());

  const draw = () => {
    const pages = Math.max(1, Math.ceil(state.found.length / ROWS));
    const first = state.page * ROWS;
    box.querySelector("tbody").replaceChildren(...state.found.slice(first, first + ROWS).map((row) => {
      const tr = element("tr");
      tr.append(...shown.map((column) => cell(column, row)));
      return tr;
    }));
    const many = state.found.length === 1 ? noun : `${noun}s`;
    document.getElementById("found").textContent = `${figure(state.found.length)} ${many}`;
    document.getElementById("page").textContent = `page ${figure(state.page + 1)} of ${figure(pages)}`;
    for (const button of box.querySelectorAll("[data-page]")) {
      const next = state.page + Number(button.dataset.page);
      button.disabled = next < 0 || next >= pages;
    }
    box.querySelector("nav").hidden = pages === 1;
  };

  const find = () => {
    const wanted = search.value.toLowerCase();
    const chosen = filters.filter((select) => select.value !== "").map((s) => [Number(s.dataset.column), Number(s.value)]);
    state.found = rows.filter((row) =>
      chosen.every(([column, value]) => row[column] === value)
      && (!wanted || texts.some((index) => String(row[index]).toLowerCase().includes(wanted))));
    if (state.by) state.found.sort(order(state.by));
    if (state.by && state.down) state.found.reverse();
    state.page = 0;
    draw();
  };

  for (const button of box.querySelectorAll("[data-page]")) {
    button.addEventListener("click", () => { state.page += Number(button.dataset.page); draw(); });
  }
  document.getElementById("without").hidden = true;
  box.hidden = false;
  draw();
})();
