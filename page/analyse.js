// Questions to Python about the board that is shown: verdicts and odds, which are asked for whenever they are to be shown
// and are not known, and reasons.

import { helped } from "./clock.js";
import { enqueue, whenIdle } from "./queue.js";
import { board, flags, NOTHING, opened, saying, set, state } from "./state.js";

whenIdle(() => {
  const playing = state.mode === "play";
  if (state.stopped || !state.rows.length || state.show === "nothing") return null;
  if (playing && !((state.status === "in play" || state.replay) && opened())) return null;
  if (!state.verdicts && !(playing && state.show === "odds")) return VERDICTS;
  return state.show === "odds" && !state.odds ? ODDS : null;
});

const VERDICTS = view("classify", "classifying", "classified", (answer) => {
  if (answer.conflict) return clash(answer);
  const { safe, mine, unknown } = answer.counts;
  const certain = safe + mine;
  const cells = certain === 1 ? "One cell is certain." : `${certain || "No"} ${certain ? "cells are" : "cell is"} certain.`;
  return { verdicts: answer.grid, counts: answer.counts, ...aside(certain + unknown ? cells : "No cell is covered.") };
});

const ODDS = view("odds", "counting the odds", "counted", (answer) => {
  // A chance of almost 0 or 1 is none that is certain, so the fraction tells what is.
  const sure = { 0: "S", 1: "M" };
  const entries = answer.cells.map(({ cell, mine, value, said }) => [cell.join(), { value, said, sure: sure[mine] }]);
  const found = new Map(entries);
  if (!answer.cells.length) return { odds: found };
  const [row, column] = answer.safest[0];
  const safest = found.get(`${row},${column}`);
  const guess =
    safest.sure === "S"
      ? `${answer.safest.length} safe.`
      : `The safest guess is (${row}, ${column}): a mine with ${safest.said}.`;
  return { odds: found, ...aside(`${guess} ${layouts(answer.solutions)}`) };
});

/** A step that asks about the board as it is; an answer about a board that was changed meanwhile changes nothing. */
function view(ask, what, done, accept) {
  const asked = () => ({ ask, board: board(), flags: flags() });
  return {
    take() {
      const question = asked();
      const same = () => JSON.stringify(asked()) === JSON.stringify(question);
      return {
        question, what, done,
        accept(answer) {
          if (!same()) return {};
          helped();
          return accept(answer);
        },
        refuse: (error) => (same() ? { ...refused(error), stopped: true } : {}),
      };
    },
  };
}

/** What is said unless there is something else to say. */
function aside(text) {
  return state.quiet ? {} : saying(text);
}

/** The error of a board, with the place in its text as that of a cell, which is framed. */
export function refused(error) {
  const [, line, column, text] = /^board:(\d+):(\d+): (.*)$/.exec(error) ?? [];
  if (!line || state.puzzle) return saying(error, true);
  if (line === "1") return saying(text, true);
  const cell = [line - 2, column - 1];
  return { ...saying(`(${cell.join(", ")}): ${text}`, true), clash: new Set([cell.join()]) };
}

/** Frame what clashes, and say so. */
export function clash({ conflict, sentence }) {
  const cells = [...conflict.clues, ...conflict.flags].map((cell) => cell.join());
  return { ...NOTHING, verdicts: [], odds: new Map(), clash: new Set(cells), ...saying(sentence, true) };
}

function layouts(digits) {
  if (digits === "1") return "There is one layout.";
  return `There are ${digits.length < 10 ? Number(digits).toLocaleString("en") : rounded(digits)} layouts.`;
}

function rounded(digits) {
  return `${(Number(digits.slice(0, 15)) / 1e14).toFixed(2)} × 10^${digits.length - 1}`;
}

/** Show the verdicts, the odds or nothing. */
export function show(what) {
  set({ show: what, stopped: false, quiet: false });
}

/** Classify the board again. */
export function classify() {
  set({ ...NOTHING, quiet: false });
}

/** Explain the verdict on a cell: mark the clues that force it, and say why. */
export function why([row, column]) {
  const { epoch } = state;
  enqueue({
    cell: [row, column],
    take() {
      if (state.epoch !== epoch) return null;
      const symbol = state.rows[row][column];
      if (symbol === "F" && flags() === "trust") return { changes: saying("This flag is trusted to be a mine.") };
      if (!"?F".includes(symbol)) return { changes: saying("Ask about a covered cell.") };
      return {
        question: { ask: "explain", board: board(), cell: [row, column], flags: flags() },
        what: "explaining",
        done: "explained",
        accept(answer) {
          if (answer.conflict) return clash(answer);
          const cells = [...(answer.clues ?? []), ...(answer.flags ?? [])].map((cell) => cell.join());
          const marks = new Set(cells);
          helped();
          const shown = { marks, clash: new Set(), asked: `${row},${column}`, best: null, quiet: true };
          return { ...shown, witnesses: answer.witnesses ?? null, ...saying(answer.sentence) };
        },
        refuse: refused,
      };
    },
  });
}
