// The board as an ARIA grid: one cell is in the order of Tab, the others are reached by keys.

import { chance, isOpen, label, sign, verdict } from "./labels.js";
import { extra, listen, state } from "./state.js";

const SVG = "http://www.w3.org/2000/svg";

const grid = document.getElementById("board");
let cells = [];
let shape = "";

listen(draw);

/** Changes that concern a few cells, or none. */
const SMALL = new Set(["cursor", "pending", "said", "wrong", "done", "quiet", "tool", "mode", "stopped"]);
let few = [];

function draw(now, changes) {
  const [rows, columns] = [state.rows.length, state.rows[0]?.length ?? 0];
  const before = few;
  few = [state.cursor, ...state.pending.map((cell) => cell.split(",").map(Number))];
  if (Object.keys(changes).every((name) => SMALL.has(name))) {
    for (const [row, column] of [...before, ...few]) {
      if (cells[row]?.[column]) paint(cells[row][column], row, column);
    }
    return;
  }
  if (shapeOf() !== shape) build(rows, columns);
  cells.forEach((line, row) => line.forEach((cell, column) => paint(cell, row, column)));
}

/** What the elements depend on: the numbers of cells, and where they stand. */
function shapeOf() {
  const places = state.puzzle?.cells.map((line) => line.map(({ x, y, form }) => [x, y, form]));
  return JSON.stringify(places ?? [state.rows.length, state.rows[0]?.length ?? 0]);
}

function build(rows, columns) {
  shape = shapeOf();
  const held = grid.contains(document.activeElement);
  grid.replaceChildren();
  grid.classList.toggle("placed", Boolean(state.puzzle));
  const [wide, high] = state.puzzle?.size ?? [columns, rows];
  grid.style.setProperty("--columns", wide);
  grid.style.setProperty("--rows", high);
  grid.setAttribute("aria-rowcount", rows);
  grid.setAttribute("aria-colcount", columns);
  if (state.puzzle) grid.append(...around(state.puzzle));
  else grid.append(ruler(columns));
  cells = state.rows.map((text, row) => {
    const line = element("div", "line", { role: "row", "aria-rowindex": row + 1 });
    const own = Array.from(text, (_, column) => {
      const cell = element("div", "cell", {
        role: "gridcell",
        "aria-colindex": column + 1,
        "data-cell": `${row},${column}`,
        tabindex: -1,
      });
      if (state.puzzle) put(cell, extra(row, column));
      return cell;
    });
    line.append(...(state.puzzle ? [] : [heading(row)]), ...own);
    grid.append(line);
    return own;
  });
  if (held) focus();
}

/** Place an element with its middle at a point, in sides of a cell. */
function put(made, { x, y }) {
  made.style.setProperty("--x", x);
  made.style.setProperty("--y", y);
  return made;
}

/** The lines behind the cells, and the texts beside them. */
function around({ size: [wide, high], lines, labels }) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", lines.map((line) => `M${line.join("L")}`).join(""));
  drawing.append(path);
  return [drawing, ...labels.map(([x, y, text]) => put(heading(text), { x, y }))];
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
  if (state.best === key) classes.push("asked", "best");
  if (state.pending.includes(key)) classes.push("pending");
  const found = state.show === "odds" ? chance(state, row, column) : null;
  if (found !== null) {
    classes.push("heat", found.value > 0.65 ? "hot" : found.value > 0.51 ? "warm" : "cold");
    cell.style.setProperty("--heat", found.value.toFixed(3));
  }
  const more = extra(row, column);
  if (more) classes.push(more.form);
  if (more?.dyed) classes.push("dyed");
  update(cell, "className", classes.join(" "));
  const text = sign(state, row, column);
  if (more?.letters || more?.note) {
    cell.replaceChildren(text, piece("letters", more.letters), piece("beside", more.note));
  } else if (cell.childElementCount) cell.replaceChildren(text);
  else update(cell, "textContent", text);
  const words = label(state, row, column);
  if (cell.getAttribute("aria-label") !== words) cell.setAttribute("aria-label", words);
  update(cell, "tabIndex", here ? 0 : -1);
  update(cell, "title", found === null ? "" : `a mine with ${found.said}`);
}

function piece(name, text) {
  // The style sheet writes it, as the label of the cell has it in another place.
  return element("small", name, { "data-text": text });
}

function update(cell, property, value) {
  if (cell[property] !== value) cell[property] = value;
}

function kind(row, column) {
  const symbol = state.rows[row][column];
  const more = extra(row, column);
  if (more && isOpen(symbol)) {
    const long = more.sign.length > 1 ? "long" : `n${more.sign}`;
    return more.mine ? `known ${long}` : `open ${long}`;
  }
  if (symbol >= "0" && symbol <= "8") return `open n${symbol}`;
  if (symbol === "F") return "covered flag";
  if (symbol === "W") return "covered flag false";
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

/** Show the cell of the cursor: with the focus, if that is on the board. */
export function reveal() {
  if (grid.contains(document.activeElement)) focus();
  else cells[state.cursor[0]]?.[state.cursor[1]]?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The cell that contains the element `target`, as [row, column]; null if no cell does. */
export function cellOf(target) {
  const found = target?.closest?.("[data-cell]");
  return found && grid.contains(found) ? found.dataset.cell.split(",").map(Number) : null;
}
