// The form of another game: it is that of the game in play, and what is begun anew is what it says.

import { begin, randomSeed } from "./play.js";
import { listen, showError, state } from "./state.js";

const form = document.getElementById("game");
const fields = form.elements;
const own = form.querySelector(".own");

fields.board.addEventListener("change", () => {
  own.hidden = fields.board.value !== "";
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const given = fields.seed.value.trim();
  if (given && !/^\d{1,9}$/.test(given)) showError(`${given}: a seed is a number of at most nine digits`);
  else fresh(given ? Number(given) : randomSeed());
});

/** Begin a game as the form says; another one at each call, or that of a seed. */
export function fresh(seed = randomSeed()) {
  const { board, columns, rows, mines, rules, geometry, first_click, no_guess } = fields;
  begin({
    board: board.value || `${columns.value}x${rows.value}/${mines.value}`,
    ...(rules.value.trim() && { rules: rules.value.trim() }),
    ...(geometry.value && { geometry: geometry.value }),
    first_click: first_click.value,
    seed,
    no_guess: no_guess.value === "complete" || no_guess.value,
    start: null,
  });
}

/** Begin the board of this day: for equal sizes and rules it is the same everywhere. */
function daily() {
  const { board, columns, rows, mines, rules, geometry } = fields;
  const size = board.value || `${columns.value}x${rows.value}/${mines.value}`;
  const now = new Date();
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  const given = { ...(rules.value.trim() && { rules: rules.value.trim() }), ...(geometry.value && { geometry: geometry.value }) };
  const [wide, high] = size.split(/[x/]/).map(Number);
  const start = rules.value.trim() || geometry.value ? null : [Math.floor(high / 2), Math.floor(wide / 2)];
  const game = { board: size, ...given, first_click: "opening", seed: Number(date.join("")), no_guess: true, start };
  begin(game, start ? [`o${start.join(".")}`] : [], { said: `The board of ${date.join("-")}, the same for everyone.` });
}

document.getElementById("daily").addEventListener("click", daily);

listen(({ mode, game }, changes) => {
  if (!("epoch" in changes) || mode !== "play" || !game.board) return;
  fields.board.value = game.board;
  const [, columns, rows, mines] = /^(\d+)x(\d+)\/(\d+)$/.exec(game.board) ?? [];
  if (fields.board.value !== game.board && columns) {
    fields.board.value = "";
    [fields.columns.value, fields.rows.value, fields.mines.value] = [columns, rows, mines];
  }
  own.hidden = fields.board.value !== "";
  fields.rules.value = game.rules ?? "";
  fields.geometry.value = game.geometry ?? "";
  fields.first_click.value = game.first_click;
  fields.no_guess.value = game.no_guess === true ? "complete" : game.no_guess || "";
  fields.seed.value = "";
  fields.seed.placeholder = `now ${game.seed}`;
});
