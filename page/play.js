// A game: its actions go to Python, and the view of the player comes back.

import { asking, classify } from "./analyse.js";
import { showCounts, announce } from "./status.js";
import { NOTHING, set, state } from "./state.js";

/** Begin a game, with the actions that a link holds already. */
export async function begin(game, actions = []) {
  const [columns, rows] = (/^(\d+)x(\d+)/.exec(game.board ?? "") ?? [0, 0, 0]).slice(1).map(Number);
  set({ mode: "play", puzzle: null, game, actions: [], tool: "open", cursor: middle(rows, columns), ...NOTHING });
  await reach(game, actions);
}

function middle(rows, columns) {
  return [Math.floor(rows / 2), Math.floor(columns / 2)];
}

async function reach(game, actions, back = false) {
  const made = game.start || ruled(game);
  const what = game.no_guess && made && !state.actions.length ? "making a board without guesses" : "playing";
  await asking({ ask: "play", game, actions }, what, "played", (answer) => {
    const [row, column] = state.cursor;
    const cursor = answer.rows[row]?.[column] === undefined ? [0, 0] : state.cursor;
    const { rows, puzzle = null, status, mines_left: minesLeft } = answer;
    const seen = { rows, puzzle, status, minesLeft, cursor };
    set({ ...seen, ...NOTHING, game: { ...game, mines: answer.mines }, actions });
    announce(back ? statusText(answer) : answer.said || statusText(answer));
    showCounts(`${answer.mines_left} mines left, ${answer.status}`);
  });
  if (state.show !== "nothing" && state.status === "in play" && opened()) await classify(true);
}

/** Whether a game has rules or other cells than squares: its first cells are open from the beginning. */
function ruled({ rules, geometry }) {
  return Boolean(rules || geometry);
}

function opened() {
  return state.rows.some((row) => /[0-8]/.test(row));
}

function statusText({ status, mines_left }) {
  return status === "in play" ? `${mines_left} mines left.` : `The game is ${status}.`;
}

async function act(action, first) {
  let { game } = state;
  if (first && game.no_guess && !game.start && !game.id && !ruled(game)) game = { ...game, start: first };
  const { mines, ...same } = game;
  await reach(same, [...state.actions, action]);
}

export async function open([row, column]) {
  await act(`o${row}.${column}`, [row, column]);
}

export async function flag([row, column]) {
  await act(`f${row}.${column}`);
}

/** Let Python play certain moves, or a guess; the first cell of a game is that of the cursor. */
export async function auto() {
  if (opened()) await act("a");
  else await open(state.cursor);
}

export async function undo() {
  if (!state.actions.length) {
    announce("There is no move to take back.");
    return;
  }
  const { mines, ...same } = state.game;
  await reach(same, state.actions.slice(0, -1), true);
}

export async function again() {
  const { mines, ...same } = state.game;
  await reach(same, state.actions.slice(0, 1).filter((action) => action[0] === "o"));
}

/** Begin a game on such a board with another seed. */
export async function fresh() {
  const { board = "9x9/10", first_click = "opening", no_guess = true, rules, geometry } = state.game ?? {};
  const kind = { ...(rules && { rules }), ...(geometry && { geometry }) };
  await begin({ board, ...kind, first_click, no_guess, seed: randomSeed(), start: null });
}

export function randomSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000_000;
}
