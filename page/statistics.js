// Games that ended on this machine, kept in the browser: a table by kind of game, and all of them as CSV.

import { helps, nameOf, seconds, written } from "./clock.js";
import { save } from "./save.js";
import { listen, set, saying, state } from "./state.js";

const STORED = "satsweeper games";
/** The most games that are kept; the oldest go first. */
const MOST = 2000;
const FIELDS = ["date", "board", "kind", "result", "seconds", "hints", "moves", "3bv", "clicks", "efficiency", "3bv_s", "game"];

const table = document.querySelector("#statistics tbody");
const none = document.querySelector("#statistics .note");

let before = {};

listen((now) => {
  const { mode, epoch, status } = now;
  const ended = mode === "play" && ["won", "lost"].includes(status);
  // A link to a finished game is no game that ended here.
  if (ended && before.epoch === epoch && before.status === "in play") keep(now);
  before = { epoch, status: mode === "play" ? status : "" };
});

function games() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? [];
  } catch {
    return [];
  }
}

/** A game counts once, as it ended first. */
function keep(now) {
  const [all, game] = [games(), nameOf(now)];
  if (all.some((one) => one.game === game)) return;
  const { board, rules, geometry, no_guess } = now.game;
  const guesses = { true: "no guess", complete: "no guess", subset: "two clues", single_clue: "one clue" }[no_guess];
  all.push({
    date: new Date().toISOString().slice(0, 19),
    board: board ?? `${now.rows[0].length}x${now.rows.length}/${now.game.mines}`,
    kind: [rules, geometry, guesses].filter(Boolean).join(" ") || "guesses",
    result: now.status,
    seconds: Math.round(seconds()),
    hints: helps(),
    moves: now.actions.length,
    ...worth(now),
    game,
  });
  try {
    localStorage.setItem(STORED, JSON.stringify(all.slice(-MOST)));
  } catch {
    // Without storage nothing is counted.
  }
  draw();
}

/** The 3BV of a board, the clicks, and 3BV a click and a second, of what was done; nothing under rules. */
function worth({ clicks }) {
  if (!clicks) return {};
  const rounded = (value) => Math.round(100 * value) / 100;
  const { done, clicks: made } = clicks;
  return { "3bv": clicks["3bv"], clicks: made, efficiency: rounded(done / made), "3bv_s": rounded(done / Math.max(seconds(), 0.01)) };
}

function draw() {
  const kinds = new Map();
  for (const game of games()) {
    const kind = `${game.board}, ${game.kind}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), game]);
  }
  none.hidden = kinds.size > 0;
  table.closest("table").hidden = !kinds.size;
  table.replaceChildren(...[...kinds].map(([kind, all]) => row(kind, all)));
}

function row(kind, all) {
  const won = all.filter(({ result }) => result === "won");
  const alone = won.filter(({ hints }) => !hints);
  const best = (name, choose, shown) => {
    const values = alone.map((game) => game[name]).filter((value) => value !== undefined);
    return values.length ? shown(choose(...values)) : "–";
  };
  const percent = (value) => `${Math.round(100 * value)} %`;
  const made = document.createElement("tr");
  const texts = [
    kind, `${won.length} of ${all.length}`, best("seconds", Math.min, written),
    best("3bv_s", Math.max, String), best("efficiency", Math.max, percent),
  ];
  texts.forEach((text, at) => {
    const cell = document.createElement(at ? "td" : "th");
    if (!at) cell.scope = "row";
    cell.textContent = text;
    made.append(cell);
  });
  return made;
}

/** All games as CSV, a game a line; the link of each is its name. */
function csv() {
  const quoted = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
  const lines = games().map((game) => FIELDS.map((name) => quoted(game[name] ?? "")).join(","));
  return `${[FIELDS.join(","), ...lines].join("\n")}\n`;
}

document.getElementById("save-statistics").addEventListener("click", () => set(save("satsweeper games.csv", csv())));
document.getElementById("forget").addEventListener("click", () => {
  localStorage.removeItem(STORED);
  draw();
  set(saying("No game is counted any more."));
});

draw();
