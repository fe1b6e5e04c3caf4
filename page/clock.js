// The time of a game and its hints: it runs from the first opened cell to the end while the page is seen, and survives a reload.

import { linkOf } from "./link.js";
import { listen, opened, state } from "./state.js";

const STORED = "satsweeper time";
const shown = document.getElementById("time");

let game = "";
let before = 0;
let hints = 0;
/** When the time began to run; null while it stands. */
let since = null;

/** The name of a game, whatever was done in it. */
export function nameOf({ game: played }) {
  return played ? linkOf({ mode: "play", game: played, actions: [], show: "nothing" }) : "";
}

/** Seconds since the first opened cell. */
export function seconds() {
  return before + (since === null ? 0 : (performance.now() - since) / 1000);
}

listen((now, changes) => {
  if (now.mode !== "play") return stand();
  const name = nameOf(now);
  if ("epoch" in changes || !game) {
    stand();
    [game, [before, hints]] = [name, stored(name)];
  } else if (name !== game) game = name;
  const runs = now.status === "in play" && opened(now.rows) && !document.hidden;
  if (runs && since === null) since = performance.now();
  else if (!runs) stand();
  if (!now.actions.length && !ruled(now.game)) before = hints = 0;
  draw();
});

/** Count a hint: what Python told or did in a game. */
export function helped() {
  if (state.mode !== "play" || state.status !== "in play") return;
  hints += 1;
  keep();
}

/** The hints in this game. */
export function helps() {
  return hints;
}

function ruled({ rules, geometry, id }) {
  return Boolean(rules || geometry || id);
}

function stand() {
  if (since === null) return;
  before = seconds();
  since = null;
  keep();
}

function keep() {
  try {
    sessionStorage.setItem(STORED, JSON.stringify([game, seconds(), hints]));
  } catch {
    // Without storage a reload begins the time anew.
  }
}

function stored(name) {
  try {
    const [kept, time, count] = JSON.parse(sessionStorage.getItem(STORED)) ?? [];
    return kept === name ? [time, count] : [0, 0];
  } catch {
    return [0, 0];
  }
}

/** A time in minutes and seconds. */
export function written(time) {
  const whole = Math.floor(time);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function draw() {
  const text = `${written(seconds())}${hints ? ` · ${hints} ${hints === 1 ? "hint" : "hints"}` : ""}`;
  if (shown.textContent !== text) shown.textContent = text;
}

setInterval(() => since !== null && draw(), 250);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stand();
  else if (state.mode === "play" && state.status === "in play" && opened()) since = performance.now();
});
addEventListener("pagehide", () => (since === null ? undefined : stand()));
