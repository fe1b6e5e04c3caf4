// Input by keys, mouse and touch on the board, and its effect in each mode.

import { classify, show, why } from "./analyse.js";
import { best } from "./best.js";
import { cellOf, focus } from "./board.js";
import { toggleFlag, paint, undoPaint } from "./editor.js";
import { fresh } from "./game_form.js";
import { actionOf, keyOf } from "./keys.js";
import * as play from "./play.js";
import { leave } from "./replay.js";
import { stopWork } from "./status.js";
import { set, state } from "./state.js";

const grid = document.getElementById("board");
/** Milliseconds after which a touch is a long one. */
const LONG = 450;

const MOVES = {
  left: ([r, c]) => [r, c - 1],
  right: ([r, c]) => [r, c + 1],
  up: ([r, c]) => [r - 1, c],
  down: ([r, c]) => [r + 1, c],
  row_start: ([r]) => [r, 0],
  row_end: ([r]) => [r, Infinity],
  top: ([, c]) => [0, c],
  bottom: ([, c]) => [Infinity, c],
};

const playing = () => state.mode === "play";

const COMMANDS = {
  open: () => use(state.cursor),
  flag: () => (playing() ? play.flag(state.cursor) : toggleFlag(state.cursor)),
  why: () => why(state.cursor),
  best,
  auto: () => (playing() ? play.auto() : classify()),
  odds: () => show(state.show === "odds" ? "verdicts" : "odds"),
  undo: () => (playing() ? play.undo() : undoPaint()),
  again: () => playing() && play.again(),
  fresh: () => playing() && fresh(),
  cover: () => !playing() && paint(state.cursor, "?"),
  stop: halt,
};

function halt() {
  stopWork();
  leave();
  set({ marks: new Set(), asked: null, best: null, witnesses: null });
}

/** Do to a cell what Enter, a click or a tap does with the present tool. */
function use(cell) {
  const { tool } = state;
  if (tool === "why") return why(cell);
  if (playing()) return tool === "flag" ? play.flag(cell) : play.open(cell);
  return paint(cell, tool);
}

function go(cursor) {
  set({ cursor });
}

document.addEventListener("keydown", (event) => {
  const key = keyOf(event);
  const action = actionOf(key);
  if (!grid.contains(event.target) && leaves(event.target, key)) return;
  if (action in MOVES) {
    go(MOVES[action](state.cursor));
    focus();
  } else if (action) COMMANDS[action]();
  else if (/^[0-8]$/.test(key) && !playing()) paint(state.cursor, key);
  else return;
  event.preventDefault();
});

const TEXT = "textarea, select, input:not([type=radio], [type=checkbox], [type=range], [type=file])";

/** Whether a key means something else where the focus is, outside the board: in a field, to press or to scroll. */
function leaves(target, key) {
  return target.matches(TEXT) || /^(Enter|Space|Tab|Arrow.*|(Ctrl\+)?(Home|End))$/.test(key);
}

let stroke = null;
let press = null;

grid.addEventListener("pointerdown", (event) => {
  const cell = cellOf(event.target);
  if (!cell || event.button !== 0) return;
  const drawing = !playing() && state.tool !== "why" && event.pointerType !== "touch";
  stroke = drawing ? cell : null;
  clearTimeout(press);
  // A second finger pinches: neither touches a cell.
  if (event.pointerType === "touch") press = event.isPrimary === false ? null : setTimeout(() => held(cell), LONG);
});

function held(cell) {
  press = null;
  go(cell);
  COMMANDS.flag();
}

grid.addEventListener("pointermove", (event) => {
  if (stroke && event.buttons & 1) {
    const cell = cellOf(document.elementFromPoint(event.clientX, event.clientY));
    if (cell) paint(cell, state.tool);
  }
});

for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
  grid.addEventListener(name, () => {
    stroke = null;
  });
}
grid.addEventListener("pointercancel", () => clearTimeout(press));

grid.addEventListener("click", (event) => {
  const cell = cellOf(event.target);
  if (!cell) return;
  go(cell);
  focus();
  // A long touch has set a flag already.
  if (press === null && event.pointerType === "touch") return;
  clearTimeout(press);
  use(cell);
});

grid.addEventListener("contextmenu", (event) => {
  const cell = cellOf(event.target);
  if (!cell) return;
  event.preventDefault();
  // A long touch comes here as well.
  if (event.pointerType === "touch") return;
  go(cell);
  focus();
  COMMANDS.flag();
});

grid.addEventListener("focusin", (event) => {
  const cell = cellOf(event.target);
  if (cell && cell.join() !== state.cursor.join()) go(cell);
});
