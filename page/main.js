// The page: starts the engine, keeps the link up to date, and connects the forms.

import "./clock.js";
import "./input.js";
import "./key_panel.js";
import "./map.js";
import "./statistics.js";
import "./strip.js";
import "./witnesses.js";
import "./zoom.js";
import "./toolbar.js";
import { focus } from "./board.js";
import { setTotal } from "./editor.js";
import { start } from "./engine.js";
import { blank, read, showRows } from "./files.js";
import { fresh } from "./game_form.js";
import { keepPage } from "./keep.js";
import { parseLink, DEFAULT_SHOW, linkOf } from "./link.js";
import { begin } from "./play.js";
import { enqueue } from "./queue.js";
import { showProgress } from "./status.js";
import { announce, board, listen, NOTHING, saying, set, showError, state } from "./state.js";

const EXAMPLE = { rows: ["0001????", "0002????", "1213????", "????????"], mines: 6 };
const mines = document.getElementById("mines");
const modes = document.getElementById("modes");
const trust = document.getElementById("trust");
let own = "";

start(keepPage(), (message) => {
  showProgress(message);
  if (message.ready) document.body.dataset.ready = message.ready.toFixed(2);
});

listen((now, changes) => {
  document.body.dataset.mode = now.mode;
  for (const input of modes.querySelectorAll("input")) input.checked = input.value === now.mode;
  if (document.activeElement !== mines) mines.value = now.mines ?? "";
  trust.checked = now.trust;
  const link = now.linked && now.rows.length ? linkOf(now) : own;
  if (link === own && !(now.linked && changes.rows)) return;
  own = link;
  if (own !== location.hash) history.replaceState(null, "", own);
});

/** Show what the address says. A broken link says so, and stays in the address; where nothing is shown, an example is. */
function follow() {
  const found = parseLink(location.hash);
  const first = !state.rows.length;
  const example = { trust: true, show: DEFAULT_SHOW.analyse, mines: EXAMPLE.mines };
  const refuse = (error) => {
    if (first) showRows(EXAMPLE.rows, { ...example, linked: false, quiet: true });
    const instead = first ? " This is an example." : "";
    return saying(`The link cannot be read: ${error}.${instead}`.replace("..", "."), true);
  };
  if (!found) showRows(EXAMPLE.rows, example);
  else if (found.wrong) set(refuse(found.wrong));
  else if (found.game) {
    if (first) showRows(EXAMPLE.rows, { ...example, linked: false });
    begin(found.game, found.actions, { show: found.show, refuse });
  } else if (found.rows) showRows(found.rows, found);
  else {
    const { text, base64, ...more } = found;
    read(text ? { text } : { base64 }, { ...more, refuse });
  }
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  focus();
});

window.addEventListener("hashchange", () => location.hash !== own && follow());

modes.addEventListener("change", ({ target }) => enqueue({ take: target.value === "play" ? toPlay : toAnalysis }));

function toPlay() {
  if (state.mode === "play") return;
  if (state.id) begin({ id: state.id });
  else fresh();
}

/** The board of the game as the player sees it, with flags that may be wrong. */
function toAnalysis() {
  if (state.mode === "analyse") return;
  const seen = { show: DEFAULT_SHOW.analyse, trust: false, id: state.game.id ?? null };
  if (state.puzzle) read({ text: state.puzzle.text }, seen);
  else showRows(board().rows, { mines: state.game.mines ?? state.minesLeft, ...seen });
}

mines.addEventListener("change", () => {
  const text = mines.value.trim();
  if (/^(\?|\d*)$/.test(text)) setTotal(text === "" || text === "?" ? null : Number(text));
  else showError(`${text}: the number of mines is a number, or ? if it is not known`);
});

trust.addEventListener("change", () => set({ ...NOTHING, trust: trust.checked, quiet: false }));

document.getElementById("blank").addEventListener("submit", (event) => {
  event.preventDefault();
  const { columns, rows } = event.target.elements;
  blank(Number(rows.value), Number(columns.value));
});

/** Tell in the footer which version and build this is. */
async function tellBuild() {
  const { version, build, pyodide } = await (await fetch("built.json")).json();
  document.getElementById("built").textContent = `SatSweeper ${version}, build ${build}, Pyodide ${pyodide}.`;
}

tellBuild();

announce("Python is loading. What you do meanwhile waits for it.");
follow();
