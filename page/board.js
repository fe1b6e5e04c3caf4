// The board as an ARIA grid: one cell is in the order of Tab, the others are reached by keys.

import { label, sign, verdict, chance } from "./labels.js";
import { listen, state } from "./state.js";

const grid = document.getElementById("board");
let cells = [];
let shape = "";

listen(draw);

function draw() {
  const [rows, columns] = [state.rows.length, state.rows[0]?.length ?? 0];
  if (`${rows}x${columns}` !== shape) build(rows, columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) paint(cells[row][column], row, column);
  }
}

function build(rows, columns) {
  shape = `${rows}x${columns}`;
  const held = grid.contains(document.activeElement);
  grid.replaceChildren();
  grid.style.setProperty("--columns", columns);
  grid.setAttribute("aria-rowcount", rows);
  grid.setAttribute("aria-colcount", columns);
  grid.append(ruler(columns));
  cells = Array.from({ length: rows }, (_, row) => {
    const line = element("div", "line", { role: "row", "aria-rowindex": row + 1 });
    const own = Array.from({ length: columns }, (_, column) =>
      element("div", "cell", {
        role: "gridcell",
        "aria-colindex": column + 1,
        "data-cell": `${row},${column}`,
        tabindex: -1,
      }),
    );
    line.append(heading(row), ...own);
    grid.append(line);
    return own;
  });
  if (held) focus();
}

function ruler(columns) {
  const line = element("div", "line ruler", { "aria-hidden": "true" });
  line.append(heading(""), ...Array.from({ length: columns }, (_, column) => heading(column)));
  return line;
}

function heading(text) {
  const made = element("div", "heading", { "aria-hidden": "true" });
  made.textContent = text;
  return made;
}

function element(name, className, attributes) {
  const made = document.createElement(name);
  made.className = className;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function paint(cell, row, column) {
  const here = row === state.cursor[0] && column === state.cursor[1];
  const classes = ["cell", kind(row, column)];
  const key = `${row},${column}`;
  if (state.marks.has(key)) classes.push("mark");
  if (state.clash.has(key)) classes.push("clash");
  if (state.asked === key) classes.push("asked");
  const found = state.show === "odds" ? chance(state, row, column) : null;
  if (found !== null) {
    classes.push("heat", found.value > 0.65 ? "hot" : found.value > 0.51 ? "warm" : "cold");
    cell.style.setProperty("--heat", found.value.toFixed(3));
  }
  update(cell, "className", classes.join(" "));
  update(cell, "textContent", sign(state, row, column));
  const words = label(state, row, column);
  if (cell.getAttribute("aria-label") !== words) cell.setAttribute("aria-label", words);
  update(cell, "tabIndex", here ? 0 : -1);
}

function update(cell, property, value) {
  if (cell[property] !== value) cell[property] = value;
}

function kind(row, column) {
  const symbol = state.rows[row][column];
  if (symbol >= "0" && symbol <= "8") return `open n${symbol}`;
  if (symbol === "F") return "covered flag";
  if (symbol === "X") return "open exploded";
  if (symbol === "*") return "covered laid";
  const shown = state.show === "nothing" ? "" : verdict(state, row, column);
  return `covered ${{ S: "safe", M: "mine", "?": "unknown" }[shown] ?? ""}`.trim();
}

/** Put the focus on the cell of the cursor, and scroll to it. */
export function focus() {
  const cell = cells[state.cursor[0]]?.[state.cursor[1]];
  cell?.focus({ preventScroll: true });
  cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The cell that contains the element `target`, as [row, column]; null if no cell does. */
export function cellOf(target) {
  const found = target?.closest?.("[data-cell]");
  return found && grid.contains(found) ? found.dataset.cell.split(",").map(Number) : null;
}
