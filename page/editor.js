// Editing a board: a brush puts clues, flags and covered cells into cells.

import { classify } from "./analyse.js";
import { cell, replaced, set, state } from "./state.js";

const history = [];
let timer = null;

/** Put a symbol into a cell; verdicts are asked for a moment after the last change. */
export function paint([row, column], symbol) {
  if (cell(row, column) === undefined || cell(row, column) === symbol) return;
  history.push(state.rows);
  changed(replaced(row, column, symbol));
}

export function toggleFlag([row, column]) {
  paint([row, column], cell(row, column) === "F" ? "?" : "F");
}

/** Undo the last change of a cell; returns whether there was one. */
export function undoPaint() {
  const rows = history.pop();
  if (rows) changed(rows);
  return Boolean(rows);
}

export function clearHistory() {
  history.length = 0;
}

function changed(rows) {
  set({ rows, verdicts: null, odds: null, marks: new Set(), clash: new Set(), asked: null, id: null });
  clearTimeout(timer);
  timer = setTimeout(classify, 60);
}
