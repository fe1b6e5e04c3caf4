// What was asked for, in order: each step waits for those before it, and none replaces another.
//
// A step has take(), which is called when its turn comes, and so sees what all steps before it have changed. It returns
// null, {changes} of the state, or a question to Python: {question, what, done, accept, refuse}. accept(answer) and
// refuse(error) return the changes that the answer makes, all in one set(). A step may have a `cell`, marked while it waits.

import { ask, Stopped } from "./engine.js";
import { listen, saying, set, state } from "./state.js";

const steps = [];
let running = false;
let missing = () => null;

/** Take a step after all others: at once if none waits and Python need not be asked. */
export function enqueue(step) {
  if (!steps.length) {
    const { question, changes } = step.take() ?? {};
    if (changes) set(changes);
    if (!question) return;
  }
  steps.push(step);
  tell();
  run();
}

/** Let `next` give a step whenever none waits, until it gives null: one that completes what is shown. */
export function whenIdle(next) {
  missing = next;
}

listen(run);

async function run() {
  if (running) return;
  running = true;
  for (let step = steps[0] ?? missing(); step; step = steps[0] ?? missing()) {
    tell();
    const changes = await taken(step);
    if (step === steps[0]) steps.shift();
    set({ ...changes, pending: waitingCells() });
  }
  running = false;
  tell();
}

/** The changes that a step makes, with Python's answer. */
async function taken(step) {
  try {
    const { question, what, done, accept, changes, refuse = (error) => saying(error, true) } = step.take() ?? {};
    if (!question) return changes;
    const answer = await ask(question, what);
    if (answer.error) return refuse(answer.error);
    return { done: done && `${done} in ${duration(answer.seconds)}`, ...accept(answer) };
  } catch (error) {
    if (!(error instanceof Stopped)) return { ...saying(`a defect of ours: ${error.message}`, true), stopped: true };
    const undone = step.undo?.();
    steps.length = 0;
    return { ...undone, ...saying("Stopped."), done: "", stopped: true };
  }
}

function duration(seconds) {
  return seconds < 1 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`;
}

function waitingCells() {
  return steps.filter(({ cell }) => cell).map(({ cell }) => cell.join());
}

/** Tell the page how much waits: actions on cells by a mark. */
function tell() {
  document.body.dataset.waiting = steps.length || Number(running);
  const pending = waitingCells();
  if (pending.join(" ") !== state.pending.join(" ")) set({ pending });
}
