// Drawing a board: a brush puts clues, flags and covered cells where it goes.

import { classify } from "./analyse.js";
import { cell, replaced, set, state } from "./state.js";

const history = [];
let timer = null;

/** Put a symbol into a cell; the verdicts follow a moment after the last one. */
export function paint([row, column], symbol) {
  if (cell(row, column) === undefined || cell(row, column) === symbol) return;
  history.push(state.rows);
  changed(replaced(row, column, symbol));
}

export function flip([row, column]) {
  paint([row, column], cell(row, column) === "F" ? "?" : "F");
}

/** Take the last stroke back; whether there was one. */
export function unpaint() {
  const rows = history.pop();
  if (rows) changed(rows);
  return Boolean(rows);
}

export function forget() {
  history.length = 0;
}

function changed(rows) {
  set({ rows, verdicts: null, odds: null, marks: new Set(), clash: new Set(), asked: null, id: null });
  clearTimeout(timer);
  timer = setTimeout(classify, 60);
}
