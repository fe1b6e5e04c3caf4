// Editing a board: a brush puts clues, flags and covered cells into cells.

import { asking, classify } from "./analyse.js";
import { board, cell, replaced, set, state } from "./state.js";

const history = [];
let timer = null;

/** Put a symbol into a cell; verdicts are asked for a moment after the last change. */
export function paint([row, column], symbol) {
  if (cell(row, column) === undefined || cell(row, column) === symbol) return;
  if (state.puzzle) {
    change({ cell: [row, column], symbol });
    return;
  }
  history.push(state.rows);
  changed(replaced(row, column, symbol));
}

export function toggleFlag([row, column]) {
  paint([row, column], cell(row, column) === "F" ? "?" : "F");
}

/** Undo the last change of a cell; returns whether there was one. */
export function undoPaint() {
  const before = history.pop();
  if (before?.puzzle) changed(before.rows, before);
  else if (before) changed(before);
  return Boolean(before);
}

/** Change a board with rules or of other cells, whose text Python writes: a symbol in a cell, or the total. */
export async function change(what) {
  const { puzzle, rows, mines } = state;
  const found = await asking({ ask: "edit", board: board(), ...what }, "reading", "read", () => {});
  if (!found || state.puzzle !== puzzle) return;
  history.push({ puzzle, rows, mines });
  changed(found.rows, found);
}

export function clearHistory() {
  history.length = 0;
}

function changed(rows, { puzzle = null, mines = state.mines } = {}) {
  set({ rows, puzzle, mines, verdicts: null, odds: null, marks: new Set(), clash: new Set(), asked: null, id: null });
  clearTimeout(timer);
  timer = setTimeout(classify, 60);
}
