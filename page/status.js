// The status lines: the answer in a live region, and beside it the progress of work.

import { stop } from "./engine.js";

const message = document.getElementById("said");
const work = document.getElementById("work");
const counts = document.getElementById("counts");
const cancel = document.getElementById("cancel");
const PATIENCE = 300;

let timer = null;

export function announce(text) {
  message.classList.remove("wrong");
  message.textContent = text;
}

/** Announce an error. */
export function showError(text) {
  message.classList.add("wrong");
  message.textContent = text;
}

export function showCounts(text) {
  counts.textContent = text;
}

/** Show how long some work took. */
export function showDuration(what, seconds) {
  work.textContent = `${what} in ${seconds < 1 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`}`;
}

/** Show the work in progress, after a while with a button to stop it; null when it is done. */
export function showProgress(what) {
  clearTimeout(timer);
  if (what === null) {
    cancel.hidden = true;
    return;
  }
  const begun = performance.now();
  const tick = () => {
    const seconds = (performance.now() - begun) / 1000;
    work.textContent = seconds < 1 ? `${what} …` : `${what} … ${seconds.toFixed(0)} s`;
    cancel.hidden = false;
    timer = setTimeout(tick, 1000);
  };
  timer = setTimeout(tick, PATIENCE);
}

cancel.addEventListener("click", stopWork);

/** Stop all work; if the focus is on the button, which disappears, move it to the board. */
export function stopWork() {
  const held = document.activeElement === cancel;
  stop();
  if (held) document.getElementById("board").querySelector("[tabindex='0']")?.focus();
  announce("Stopped.");
}
