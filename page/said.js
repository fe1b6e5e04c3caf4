// What the page says: the answer in a live region, and beside it what is being done.

import { stop } from "./engine.js";

const said = document.getElementById("said");
const work = document.getElementById("work");
const counts = document.getElementById("counts");
const cancel = document.getElementById("cancel");
const PATIENCE = 300;

let timer = null;

export function say(text) {
  said.classList.remove("wrong");
  said.textContent = text;
}

/** Say what is wrong with what was given. */
export function complain(text) {
  said.classList.add("wrong");
  said.textContent = text;
}

export function count(text) {
  counts.textContent = text;
}

/** Say how long something took. */
export function took(what, seconds) {
  work.textContent = `${what} in ${seconds < 1 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`}`;
}

/** Say what is being done, with a button to stop it if it takes a while; null when it is done. */
export function working(what) {
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

cancel.addEventListener("click", stopped);

/** Stop what is under way; the focus, if it is on the button that goes, goes to what was said. */
export function stopped() {
  const held = document.activeElement === cancel;
  stop();
  if (held) document.getElementById("board").querySelector("[tabindex='0']")?.focus();
  say("Stopped.");
}
