// Editing a board: a brush puts clues, flags and covered cells into cells.

import { enqueue } from "./queue.js";
import { board, cell, NOTHING, replaced, saying, state } from "./state.js";

let history = [];

/** Put a symbol into a cell. The text of a board with rules, or of other cells than squares, is written by Python. */
export function paint(at, symbol) {
  edit(at, (puzzle) => {
    const [row, column] = at;
    if (cell(row, column) === undefined || cell(row, column) === symbol) return null;
    return puzzle ? { cell: at, symbol } : { rows: replaced(row, column, symbol) };
  });
}

export function toggleFlag(at) {
  edit(at, (puzzle) => {
    const symbol = cell(...at) === "F" ? "?" : "F";
    return puzzle ? { cell: at, symbol } : { rows: replaced(...at, symbol) };
  });
}

/** Set the number of mines; null if it is not known. */
export function setTotal(mines) {
  edit(null, () => ({ mines }));
}

/** `what(puzzle)` gives the change: for Python if the board has rules, else of the state; null if there is none. */
function edit(at, what) {
  const { epoch } = state;
  enqueue({
    cell: at,
    take() {
      const change = state.epoch === epoch && what(state.puzzle);
      if (!change) return null;
      const { puzzle, rows, mines } = state;
      const changed = (found) => {
        history.push({ epoch, puzzle, rows, mines });
        return { ...NOTHING, id: null, quiet: false, ...found };
      };
      if (!puzzle) return { changes: changed(change) };
      return {
        question: { ask: "edit", board: board(), ...change },
        what: "reading",
        done: "read",
        accept: (found) => changed({ rows: found.rows, puzzle: found.puzzle, mines: found.mines }),
      };
    },
  });
}

/** Undo the last change of the board. */
export function undoPaint() {
  enqueue({
    take() {
      history = history.filter(({ epoch }) => epoch === state.epoch);
      const { rows, puzzle, mines } = history.pop() ?? {};
      if (!rows) return { changes: saying("There is nothing to take back.") };
      return { changes: { ...NOTHING, rows, puzzle, mines, id: null, quiet: false } };
    },
  });
}
