// Questions to Python about the board that is shown, and their answers on it.

import { ask, Stopped } from "./engine.js";
import { showError, showCounts, announce, showDuration } from "./status.js";
import { board, flags, NOTHING, set, state } from "./state.js";

let newest = 0;

/** Ask Python and give the answer to `use`, unless a newer question about the board was asked. */
export async function asking(question, what, done, use) {
  const mine = question.ask === "classify" || question.ask === "play" ? ++newest : newest;
  let answer;
  try {
    answer = await ask(question, what);
  } catch (error) {
    if (error instanceof Stopped) return null;
    throw error;
  }
  if (mine !== newest) return null;
  if (answer.error) {
    showError(answer.error);
    return null;
  }
  showDuration(done, answer.seconds);
  use(answer);
  return answer;
}

/** Classify the board, and count the odds if they are shown. */
export async function classify(quiet = false) {
  set(NOTHING);
  showCounts("");
  const question = { ask: "classify", board: board(), flags: flags() };
  await asking(question, "classifying", "classified", (answer) => shown(answer, quiet));
  if (state.show === "odds") await odds(true);
}

function shown(answer, quiet) {
  if (answer.conflict) {
    showClash(answer);
    return;
  }
  set({ verdicts: answer.grid });
  const { safe, mine, unknown } = answer.counts;
  showCounts(`${safe} safe, ${mine} ${mine === 1 ? "mine" : "mines"}, ${unknown} unknown`);
  if (quiet) return;
  const certain = safe + mine;
  announce(
    safe + mine + unknown === 0
      ? "No cell is covered."
      : certain
        ? `${certain === 1 ? "One cell is" : `${certain} cells are`} certain: ${safe} safe, ${mine} ${mine === 1 ? "mine" : "mines"}.`
        : "No cell is certain.",
  );
}

function showClash({ conflict, sentence }) {
  const cells = [...conflict.clues, ...conflict.flags].map((cell) => cell.join());
  set({ ...NOTHING, clash: new Set(cells) });
  showCounts("");
  showError(sentence);
}

/** The odds of every cell, as a heat map. */
export async function odds(quiet = false) {
  const question = { ask: "odds", board: board(), flags: flags() };
  await asking(question, "counting the odds", "counted", (answer) => {
    const found = new Map(answer.cells.map(({ cell, value, said }) => [cell.join(), { value, said }]));
    set({ odds: found });
    if (quiet || !answer.cells.length) return;
    const [row, column] = answer.safest[0];
    const safest = found.get(`${row},${column}`);
    announce(
      safest.value === 0
        ? `${answer.safest.length} safe. ${layouts(answer.solutions)}`
        : `The safest guess is (${row}, ${column}): a mine with ${safest.said}. ${layouts(answer.solutions)}`,
    );
  });
}

function layouts(digits) {
  if (digits === "1") return "There is one layout.";
  return `There are ${digits.length < 10 ? Number(digits).toLocaleString("en") : rounded(digits)} layouts.`;
}

function rounded(digits) {
  return `${(Number(digits.slice(0, 15)) / 1e14).toFixed(2)} × 10^${digits.length - 1}`;
}

/** Explain the verdict on a cell: mark the clues that force it, and announce the sentence. */
export async function why([row, column]) {
  const symbol = state.rows[row][column];
  if (!"?F".includes(symbol) || (symbol === "F" && flags() === "trust")) {
    announce(symbol === "F" ? "This flag is trusted to be a mine." : "Ask about a covered cell.");
    return;
  }
  const question = { ask: "explain", board: board(), cell: [row, column], flags: flags() };
  await asking(question, "explaining", "explained", (answer) => {
    if (answer.conflict) {
      showClash(answer);
      return;
    }
    const cells = [...(answer.clues ?? []), ...(answer.flags ?? [])].map((cell) => cell.join());
    set({ marks: new Set(cells), clash: new Set(), asked: `${row},${column}` });
    announce(answer.sentence);
  });
}
