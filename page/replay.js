// A finished game shown again move by move: what each move was, and how lucky its guesses were.

import { reveal } from "./board.js";
import { enqueue } from "./queue.js";
import { listen, NOTHING, saying, set, state } from "./state.js";

const panel = document.getElementById("replay");
const at = panel.querySelector("input");
const LAST = Infinity;

/** Ask what each move of the game was, and show its end. */
export function replay() {
  const { epoch } = state;
  enqueue({
    take() {
      if (state.epoch !== epoch || state.replay) return null;
      if (state.status === "in play") return { changes: saying("The game is still in play.") };
      return {
        question: { ask: "review", game: settings(state.game), actions: state.actions },
        what: "looking back",
        done: "",
        accept: ({ rows, moves, sentence }) => ({
          ...NOTHING, quiet: true,
          replay: { moves, sentence, boards: boards(rows, moves), end: state.rows, at: moves.length },
          ...saying(sentence),
        }),
      };
    },
  });
}

/** A game as Python knows it: without what an answer added. */
function settings({ mines, ...game }) {
  return game;
}

/** The rows before the first move and after each. */
function boards(rows, moves) {
  const plain = typeof state.rows[0] === "string";
  const now = rows.map((row) => [...row]);
  const copy = () => now.map((row) => (plain ? row.join("") : [...row]));
  const all = [copy()];
  for (const { changed } of moves) {
    for (const [row, column, symbol] of changed) now[row][column] = symbol;
    all.push(copy());
  }
  return all;
}

/** Show the board after so many moves. */
function go(wanted) {
  const shown = state.replay;
  if (!shown) return;
  const { moves, boards: all, sentence } = shown;
  const number = Math.max(0, Math.min(wanted, moves.length));
  const move = moves[number - 1];
  const cell = move?.changed[0]?.slice(0, 2) ?? state.cursor;
  const said = move ? `Move ${number} of ${moves.length}: ${move.said}` : "Before the first move.";
  const words = number === moves.length ? `${said} ${sentence}` : said;
  set({ ...NOTHING, rows: all[number], cursor: cell, replay: { ...shown, at: number }, quiet: true, ...saying(words) });
  reveal();
}

/** Show the game again as it ended. */
export function leave() {
  if (state.replay) set({ ...NOTHING, rows: state.replay.end, replay: null, ...saying(`The game is ${state.status}.`) });
}

listen(({ replay: shown }) => {
  const focus = panel.contains(document.activeElement);
  panel.hidden = !shown;
  if (!shown) {
    if (focus) document.getElementById("board").querySelector("[tabindex='0']")?.focus();
    return;
  }
  at.max = shown.moves.length;
  at.value = shown.at;
  at.setAttribute("aria-valuetext", `after move ${shown.at} of ${shown.moves.length}`);
});

at.addEventListener("input", () => go(Number(at.value)));
const STEPS = { first: () => 0, back: (now) => now - 1, on: (now) => now + 1, last: () => LAST };
for (const [name, to] of Object.entries(STEPS)) {
  panel.querySelector(`[name=${name}]`).addEventListener("click", () => go(to(state.replay.at)));
}
panel.querySelector("[name=guess]").addEventListener("click", () => {
  const { moves, at: now } = state.replay;
  const next = moves.findIndex(({ safe }, index) => safe != null && index >= now);
  go(next < 0 ? moves.findIndex(({ safe }) => safe != null) + 1 || now : next + 1);
});
panel.querySelector("[name=leave]").addEventListener("click", leave);
