// The strip at the board: how many mines are left, the time, and the commands, a toolbar that arrow keys move through.

import { best } from "./best.js";
import { undoPaint } from "./editor.js";
import { fresh } from "./game_form.js";
import { keysOf } from "./keys.js";
import * as play from "./play.js";
import { replay } from "./replay.js";
import { listen, state } from "./state.js";

const bar = document.getElementById("commands");
const counts = document.getElementById("counts");

/** Name, what it does, the action whose keys do the same, and the function; by mode. */
const COMMANDS = {
  analyse: [
    ["Best move", "a certain cell and why, else the best guess", "best", best],
    ["Undo", "take the last change back", "undo", undoPaint],
  ],
  play: [
    ["New game", "another game of this kind", "fresh", fresh],
    ["Hint", "a certain cell and why, else the best guess; it is counted", "best", best],
    ["Undo", "take the last step back", "undo", play.undo],
    ["Auto", "play what is certain, else one guess", "auto", play.auto],
    ["Again", "the same game from its start", "again", play.again],
    ["Replay", "the finished game move by move", "", replay],
  ],
};

let drawn = "";

listen(() => {
  if (drawn !== state.mode) {
    drawn = state.mode;
    bar.replaceChildren(...COMMANDS[drawn].map(button));
    reach(bar.firstElementChild);
  }
  for (const made of bar.children) {
    if (made.textContent === "Replay") made.setAttribute("aria-disabled", !["won", "lost"].includes(state.status));
  }
  counts.textContent = countsOf(state);
});

function button([text, what, action, act]) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  const keys = action && keysOf(action).join(", ");
  made.title = keys ? `${what} (${keys})` : what;
  made.addEventListener("click", () => act());
  return made;
}

/** Put one button of the toolbar into the order of Tab. */
function reach(button) {
  for (const other of bar.children) other.tabIndex = other === button ? 0 : -1;
}

bar.addEventListener("focusin", ({ target }) => reach(target));
bar.addEventListener("keydown", (event) => {
  const all = [...bar.children].filter((each) => !each.hidden && !each.disabled);
  const at = all.indexOf(event.target);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  all[(next + all.length) % all.length].focus();
});

function countsOf({ mode, minesLeft, status, counts: found }) {
  const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
  if (mode !== "play") return found ? `${found.safe} safe, ${counted(found.mine, "mine")}, ${found.unknown} unknown` : "";
  if (status === "won" || status === "lost") return status === "won" ? "Won" : "Lost";
  return minesLeft < 0 ? `${counted(-minesLeft, "flag")} too many` : `${counted(minesLeft, "mine")} left`;
}
