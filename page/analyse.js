// Questions to Python about the board that is shown, and their answers on it.

import { ask, Stopped } from "./engine.js";
import { complain, count, say, took } from "./said.js";
import { board, flags, NOTHING, set, state } from "./state.js";

let newest = 0;

/** Ask, and give the answer to `use`, unless a newer question about the board has been asked. */
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
    complain(answer.error);
    return null;
  }
  took(done, answer.seconds);
  use(answer);
  return answer;
}

/** Classify the board, and count the odds if they are shown. */
export async function classify(quiet = false) {
  set(NOTHING);
  count("");
  const question = { ask: "classify", board: board(), flags: flags() };
  await asking(question, "classifying", "classified", (answer) => shown(answer, quiet));
  if (state.show === "odds") await odds(true);
}

function shown(answer, quiet) {
  if (answer.conflict) {
    clashing(answer);
    return;
  }
  set({ verdicts: answer.grid });
  const { safe, mine, unknown } = answer.counts;
  count(`${safe} safe, ${mine} ${mine === 1 ? "mine" : "mines"}, ${unknown} unknown`);
  if (quiet) return;
  const certain = safe + mine;
  say(
    safe + mine + unknown === 0
      ? "No cell is covered."
      : certain
        ? `${certain === 1 ? "One cell is" : `${certain} cells are`} certain: ${safe} safe, ${mine} ${mine === 1 ? "mine" : "mines"}.`
        : "No cell is certain.",
  );
}

function clashing({ conflict, sentence }) {
  const cells = [...conflict.clues, ...conflict.flags].map((cell) => cell.join());
  set({ ...NOTHING, clash: new Set(cells) });
  count("");
  complain(sentence);
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
    say(
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

/** Why a cell is what it is: its clues are marked, and the sentence is said. */
export async function why([row, column]) {
  const symbol = state.rows[row][column];
  if (!"?F".includes(symbol) || (symbol === "F" && flags() === "trust")) {
    say(symbol === "F" ? "This flag is trusted to be a mine." : "Ask about a covered cell.");
    return;
  }
  const question = { ask: "explain", board: board(), cell: [row, column], flags: flags() };
  await asking(question, "explaining", "explained", (answer) => {
    if (answer.conflict) {
      clashing(answer);
      return;
    }
    const cells = [...(answer.clues ?? []), ...(answer.flags ?? [])].map((cell) => cell.join());
    set({ marks: new Set(cells), clash: new Set(), asked: `${row},${column}` });
    say(answer.sentence);
  });
}
