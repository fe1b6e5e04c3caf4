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
    no_guess: no_guess.checked,
    start: null,
  });
}

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
  fields.no_guess.checked = game.no_guess;
  fields.seed.value = "";
  fields.seed.placeholder = `now ${game.seed}`;
});
