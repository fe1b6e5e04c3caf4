// The page: starts the engine, keeps the link up to date, and connects the forms.

import "./input.js";
import "./key_panel.js";
import "./toolbar.js";
import { focus } from "./board.js";
import { setTotal } from "./editor.js";
import { start } from "./engine.js";
import { blank, read, showRows } from "./files.js";
import { keepPage } from "./keep.js";
import { parseLink, DEFAULT_SHOW, linkOf } from "./link.js";
import { begin, fresh, randomSeed } from "./play.js";
import { enqueue } from "./queue.js";
import { showProgress } from "./status.js";
import { announce, board, listen, NOTHING, saying, set, showError, state } from "./state.js";

const EXAMPLE = { rows: ["0001????", "0002????", "1213????", "????????"], mines: 6 };
const mines = document.getElementById("mines");
const trust = document.getElementById("trust");
let own = "";

start(keepPage(), (message) => {
  showProgress(message);
  if (message.ready) document.body.dataset.ready = message.ready.toFixed(2);
});

listen((now, changes) => {
  document.body.dataset.mode = now.mode;
  for (const button of document.querySelectorAll("button[data-mode]")) {
    button.setAttribute("aria-pressed", button.dataset.mode === now.mode);
  }
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

for (const button of document.querySelectorAll("button[data-mode]")) {
  button.addEventListener("click", () => enqueue({ take: button.dataset.mode === "play" ? toPlay : toAnalysis }));
}

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

const game = document.getElementById("game");
game.elements.board.addEventListener("change", ({ target }) => {
  game.querySelector(".own").hidden = target.value !== "";
});
game.addEventListener("submit", (event) => {
  event.preventDefault();
  const { board, own: size, rules, geometry, first_click, seed, no_guess } = game.elements;
  const given = seed.value.trim();
  if (given && !/^\d{1,9}$/.test(given)) {
    showError(`${given}: a seed is a number of at most nine digits`);
    return;
  }
  begin({
    board: board.value || size.value.trim(),
    ...(rules.value.trim() && { rules: rules.value.trim() }),
    ...(geometry.value && { geometry: geometry.value }),
    first_click: first_click.value,
    seed: given ? Number(given) : randomSeed(),
    no_guess: no_guess.checked,
    start: null,
  });
});

// The form for another game is that of the game in play.
listen(({ mode, game: played }, changes) => {
  if (!("epoch" in changes) || mode !== "play" || !played.board) return;
  const { board, own, rules, geometry, first_click, no_guess } = game.elements;
  board.value = played.board;
  if (board.value !== played.board) [board.value, own.value] = ["", played.board];
  game.querySelector(".own").hidden = board.value !== "";
  rules.value = played.rules ?? "";
  geometry.value = played.geometry ?? "";
  first_click.value = played.first_click;
  no_guess.checked = played.no_guess;
});

/** Tell in the footer which build this is. */
async function tellBuild() {
  const { build, pyodide } = await (await fetch("built.json")).json();
  document.getElementById("built").textContent = `Build ${build}, Pyodide ${pyodide}.`;
}

tellBuild();

announce("Python is loading. What you do meanwhile waits for it.");
follow();
