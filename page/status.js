// What is said, in a live region of fixed height, and the progress of work.

import { spawn, stop } from "./engine.js";
import { listen, state } from "./state.js";

const message = document.getElementById("said");
const work = document.getElementById("work");
const bar = document.getElementById("loaded");
const cancel = document.getElementById("cancel");
const PATIENCE = 300;

let timer = null;
let failed = false;

listen((now, changes) => {
  if ("said" in changes) {
    message.classList.toggle("wrong", now.wrong);
    message.textContent = now.said;
    message.scrollTop = 0;
    // What is longer than its place can be scrolled by keys.
    if (message.scrollHeight > message.clientHeight) message.tabIndex = 0;
    else message.removeAttribute("tabindex");
  }
  if ("done" in changes && bar.hidden && cancel.hidden) work.textContent = now.done;
});

/** Show what the engine tells: the bytes that have come, or the work under way, after a while with a button to stop it. */
export function showProgress({ loading, bytes, all, ready, busy, failed: error }) {
  clearTimeout(timer);
  failed = Boolean(error);
  cancel.hidden = !failed;
  cancel.textContent = failed ? "Try again" : "Stop";
  bar.hidden = !loading;
  if (error) work.textContent = `Python could not be started: ${error}`;
  else if (loading) {
    const part = `${((bytes ?? 0) / 1e6).toFixed(1)} of ${((all ?? 0) / 1e6).toFixed(1)} MB`;
    work.textContent = all ? `${loading}: ${part}` : `${loading} …`;
    if (all) bar.value = bytes / all;
    else bar.removeAttribute("value");
  } else if (ready) work.textContent = `ready in ${ready.toFixed(1)} s`;
  else if (busy) {
    const begun = performance.now();
    const tick = () => {
      const seconds = (performance.now() - begun) / 1000;
      const more = state.pending.length > 1 ? `; ${state.pending.length - 1} more wait` : "";
      work.textContent = `${busy} …${seconds < 1 ? "" : ` ${seconds.toFixed(0)} s`}${more}`;
      cancel.hidden = false;
      timer = setTimeout(tick, 1000);
    };
    timer = setTimeout(tick, PATIENCE);
  } else work.textContent = state.done;
}

cancel.addEventListener("click", stopWork);

/** Stop the work under way; if the focus is on the button, which disappears, move it to the board. */
export function stopWork() {
  if (cancel.hidden) return;
  const held = document.activeElement === cancel;
  if (failed) spawn();
  else stop();
  if (held) document.getElementById("board").querySelector("[tabindex='0']")?.focus();
}
