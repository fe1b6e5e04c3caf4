// The state of the page as one value: set() changes it, and all listeners draw the change.

/** What is known of a board before anything was asked about it. */
export const NOTHING = {
  verdicts: null,
  counts: null,
  odds: null,
  marks: new Set(),
  clash: new Set(),
  asked: null,
  /** The cell of the best move, if it was asked for. */
  best: null,
  /** Two layouts that differ in the cell that was asked about: {mine, safe}, rows of signs. */
  witnesses: null,
  /** Whether the answers that are missing were refused or stopped, so that they are not asked again. */
  stopped: false,
  /** Whether the address is to be the link of what is shown. */
  linked: true,
};

const listeners = [];
let epochs = 0;

export let state = {
  mode: "analyse",
  /** The number of the board or game; an action on one is no action on the next. */
  epoch: 0,
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
  /** Of a game on squares that has ended: the 3BV of its board, what was done of it, and the clicks; else null. */
  clicks: null,
  /** A finished game that is shown again: {moves, boards, at, end, sentence}; else null. */
  replay: null,
  id: null,
  /** The cells of the actions that wait for an answer. */
  pending: [],
  said: "",
  /** Whether what is said is an error. */
  wrong: false,
  /** Whether what is said stays when verdicts and odds come. */
  quiet: false,
  done: "",
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

/** The number of a new board or game. */
export function newEpoch() {
  return ++epochs;
}

/** The changes that say something: an answer, or what was wrong. */
export function saying(said, wrong = false) {
  return { said, wrong, ...(wrong && { done: "" }) };
}

export function announce(text) {
  set(saying(text));
}

export function showError(text) {
  set(saying(text, true));
}

export function cell(row, column) {
  return state.rows[row]?.[column];
}

/** What is drawn of a cell besides its text; undefined on a plain board. */
export function extra(row, column) {
  return state.puzzle?.cells[row]?.[column];
}

/** Whether a cell is open. */
export function opened(rows = state.rows) {
  return rows.some((row) => /[0-8]/.test(row));
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
  const rows = state.rows.map((text) => text.replaceAll(/[X*W]/g, "?"));
  return { rows, mines: state.mode === "play" ? state.game.mines : state.mines };
}

/** In a game flags may be wrong, so nothing is concluded from them. */
export function flags() {
  return state.mode === "analyse" && state.trust ? "trust" : "ignore";
}
