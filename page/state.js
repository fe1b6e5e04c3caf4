// The state of the page as one value: set() changes it, and all listeners draw the change.

export const NOTHING = { verdicts: null, odds: null, marks: new Set(), clash: new Set(), asked: null };

const listeners = [];

export let state = {
  mode: "analyse",
  rows: [],
  /** The text and the places of a board with rules, or of other cells than squares; else null. */
  puzzle: null,
  mines: null,
  trust: true,
  show: "verdicts",
  tool: "why",
  cursor: [0, 0],
  game: null,
  actions: [],
  status: "",
  minesLeft: null,
  id: null,
  ...NOTHING,
};

/** Change some entries of the state, and call all listeners. */
export function set(changes) {
  state = { ...state, ...changes };
  if (changes.rows || changes.cursor) {
    const within = (value, length) => Math.max(0, Math.min(value, length - 1));
    const row = within(state.cursor[0], state.rows.length);
    state.cursor = [row, within(state.cursor[1], state.rows[row]?.length ?? 0)];
  }
  for (const listener of listeners) listener(state, changes);
}

export function listen(listener) {
  listeners.push(listener);
}

export function cell(row, column) {
  return state.rows[row]?.[column];
}

/** What is drawn of a cell besides its text; undefined on a plain board. */
export function extra(row, column) {
  return state.puzzle?.cells[row]?.[column];
}

/** The rows with the cell at `row` and `column` changed to `symbol`. */
export function replaced(row, column, symbol) {
  return state.rows.map((text, at) =>
    at === row ? text.slice(0, column) + symbol + text.slice(column + 1) : text,
  );
}

/** The board in the form that Python reads. */
export function board() {
  if (state.puzzle) return { text: state.puzzle.text };
  const rows = state.rows.map((text) => text.replaceAll(/[X*]/g, "?"));
  return { rows, mines: state.mode === "play" ? state.game.mines : state.mines };
}

/** In a game flags may be wrong, so nothing is concluded from them. */
export function flags() {
  return state.mode === "analyse" && state.trust ? "trust" : "ignore";
}
