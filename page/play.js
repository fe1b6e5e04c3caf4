// A game: its actions go to Python one after the other, and the view of the player comes back.

import { helped } from "./clock.js";
import { isReady } from "./engine.js";
import { isOpen } from "./labels.js";
import { DEFAULT_SHOW } from "./link.js";
import { enqueue } from "./queue.js";
import { leave } from "./replay.js";
import { newEpoch, NOTHING, opened, saying, set, state } from "./state.js";

/**
 * Begin a game, with the actions and the view that a link has already. It takes the place of what is shown when Python has
 * accepted it; its covered cells are there before Python is.
 */
export function begin(game, actions = [], { show = usual(), said: more = "", refuse = (error) => saying(error, true) } = {}) {
  const epoch = newEpoch();
  const before = state;
  const begun = { mode: "play", epoch, game, actions, show, tool: "open", replay: null };
  const [, columns, rows, mines] = /^(\d+)x(\d+)\/(\d+)$/.exec(game.board) ?? [];
  const waits = !isReady() && !ruled(game) && rows * columns <= 10_000;
  if (waits) {
    const covered = Array(Number(rows)).fill("?".repeat(columns));
    const cursor = middle(covered);
    const empty = { rows: covered, puzzle: null, status: "", minesLeft: Number(mines), cursor, linked: false };
    set({ ...NOTHING, ...begun, ...empty, ...saying(WAIT) });
  }
  const back = () => (waits ? { ...before, linked: false } : {});
  enqueue({
    undo: back,
    take: () => ({
      ...asking(game, actions),
      accept(answer) {
        const cursor = state.epoch === epoch ? state.cursor : middle(answer.rows);
        const said = more || answer.said || (opened(answer.rows) ? "" : "Open a cell.");
        return { ...begun, cursor, ...played(game, actions, answer), ...saying(said) };
      },
      refuse: (error) => ({ ...back(), ...refuse(error) }),
    }),
  });
}

/** Another game is shown as the one before. */
function usual() {
  return state.mode === "play" ? state.show : DEFAULT_SHOW.play;
}

const WAIT = "Python is loading. What you do meanwhile waits for it.";

function middle(rows) {
  return [Math.floor(rows.length / 2), Math.floor((rows[0]?.length ?? 0) / 2)];
}

function asking(game, actions) {
  const searching = game.no_guess && actions.length === 1 && (game.start || ruled(game));
  const what = searching ? "making a board without guesses" : "playing";
  return { question: { ask: "play", game, actions }, what, done: "" };
}

/** The changes that an answer makes. */
function played(game, actions, { rows, puzzle = null, status, mines, mines_left: minesLeft, clicks = null }) {
  return { ...NOTHING, rows, puzzle, status, minesLeft, clicks, quiet: true, replay: null, game: { ...game, mines }, actions };
}

/** Whether a game has rules or other cells than squares: its first cells are open from the beginning. */
function ruled({ rules, geometry }) {
  return Boolean(rules || geometry);
}

/** Enqueue a move: `next()` gives the actions after it, or a sentence if there is no such move. */
function move(cell, next) {
  const { epoch } = state;
  enqueue({
    cell,
    take() {
      if (state.epoch !== epoch) return null;
      leave();
      const actions = next();
      if (typeof actions === "string") return { changes: saying(actions) };
      let { mines, ...game } = state.game;
      const first = /^o(\d+)\.(\d+)$/.exec(actions.at(-1) ?? "");
      if (first && game.no_guess && !game.start && !game.id && !ruled(game)) {
        game = { ...game, start: first.slice(1).map(Number) };
      }
      return {
        ...asking(game, actions),
        accept(answer) {
          const forward = actions.length > state.actions.length;
          // What changes nothing is no move: it would have to be taken back.
          if (forward && String(answer.rows) === String(state.rows)) return saying(answer.said);
          if (actions.at(-1) === "a" && forward) helped();
          const said = (forward && answer.said) || changed(state.rows, answer.rows);
          return { ...played(game, actions, answer), ...saying(said) };
        },
      };
    },
  });
}

/** What a move did, in words. */
function changed(before, after) {
  const more = (kind) => counted(after, kind) - counted(before, kind);
  const [open, flags] = [more(isOpen), more((symbol) => symbol === "F")];
  if (open) return open > 0 ? `Opened ${cells(open)}.` : `Covered ${cells(-open)} again.`;
  if (flags) return flags > 0 ? "Flag set." : "Flag taken away.";
  return "The move is taken back.";
}

function counted(rows, kind) {
  return rows.reduce((sum, row) => sum + Array.from(row).filter(kind).length, 0);
}

function cells(count) {
  return count === 1 ? "one cell" : `${count} cells`;
}

function act(cell, word) {
  move(cell, () => (["won", "lost"].includes(state.status) ? `The game is ${state.status}.` : [...state.actions, word()]));
}

export function open([row, column]) {
  act([row, column], () => `o${row}.${column}`);
}

export function flag([row, column]) {
  act([row, column], () => `f${row}.${column}`);
}

/** Let Python play certain moves, or a guess; the first cell of a game is that of the cursor. */
export function auto() {
  const [row, column] = state.cursor;
  act(null, () => (opened() ? "a" : `o${row}.${column}`));
}

export function undo() {
  move(null, () => (state.actions.length ? state.actions.slice(0, -1) : "There is no move to take back."));
}

export function again() {
  move(null, () => state.actions.slice(0, 1).filter((action) => action[0] === "o"));
}

export function randomSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000_000;
}
