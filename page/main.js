// The page: starts the engine, keeps the link up to date, and connects the forms.

import "./input.js";
import "./key_panel.js";
import { classify } from "./analyse.js";
import { focus } from "./board.js";
import { start, waiting } from "./engine.js";
import { change } from "./editor.js";
import { blank, read } from "./files.js";
import { parseLink, DEFAULT_SHOW, linkOf } from "./link.js";
import { begin, randomSeed, fresh } from "./play.js";
import { showError, showCounts, announce, showDuration, showProgress } from "./status.js";
import { listen, NOTHING, set, state } from "./state.js";

const EXAMPLE = { rows: ["0001????", "0002????", "1213????", "????????"], mines: 6 };
const mines = document.getElementById("mines");
const trust = document.getElementById("trust");
let own = "";

start((message) => {
  if (message.failed) {
    showProgress(null);
    showError(`Python could not be started: ${message.failed}`);
  } else if (message.ready) {
    showProgress(null);
    showDuration("ready", message.seconds);
    document.body.dataset.ready = message.seconds.toFixed(2);
  } else showProgress(message.busy === false ? null : message.what);
  document.body.dataset.waiting = waiting();
});

listen((now) => {
  document.body.dataset.mode = now.mode;
  for (const button of document.querySelectorAll("[data-mode]")) {
    if (button !== document.body) button.setAttribute("aria-pressed", button.dataset.mode === now.mode);
  }
  if (document.activeElement !== mines) mines.value = now.mines ?? "";
  trust.checked = now.trust;
  if (now.rows.length || now.game) {
    own = linkOf(now);
    if (own !== location.hash) history.replaceState(null, "", own);
  }
});

async function follow() {
  const found = parseLink(location.hash);
  if (found?.text) {
    set({ trust: found.trust, show: found.show });
    await read({ text: found.text }, found.id);
  } else if (found?.base64) await read(found);
  else if (found?.mode === "play") {
    set({ show: found.show });
    await begin(found.game, found.actions);
  } else {
    set({ tool: "why", ...NOTHING, ...(found || { mode: "analyse", puzzle: null, ...EXAMPLE }) });
    await classify();
  }
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  focus();
});

window.addEventListener("hashchange", () => location.hash !== own && follow());

for (const button of document.querySelectorAll("button[data-mode]")) {
  button.addEventListener("click", async () => {
    if (button.dataset.mode === state.mode) return;
    set({ show: DEFAULT_SHOW[button.dataset.mode] });
    if (button.dataset.mode === "analyse") {
      const id = state.game.id ?? null;
      if (state.puzzle) {
        set({ trust: false });
        await read({ text: state.puzzle.text }, id);
        return;
      }
      const rows = state.rows.map((row) => row.replaceAll(/[X*]/g, "?"));
      set({ mode: "analyse", rows, mines: state.game.mines, trust: false, tool: "why", id });
      await classify();
    } else if (state.id) await begin({ id: state.id });
    else await fresh();
  });
}

mines.addEventListener("change", () => {
  const text = mines.value.trim();
  if (text !== "" && text !== "?" && !/^\d+$/.test(text)) {
    showError(`${text}: the number of mines is a number, or ? if it is not known`);
    return;
  }
  const total = text === "" || text === "?" ? null : Number(text);
  if (state.puzzle) {
    change({ mines: total });
    return;
  }
  set({ mines: total });
  classify();
});

trust.addEventListener("change", () => {
  set({ trust: trust.checked });
  classify();
});

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
  showCounts("");
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

announce("Loading Python and the solvers …");
follow();
