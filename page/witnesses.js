// Two layouts of an uncertain cell side by side: one with a mine there, and one without; what differs is framed.

import { listen, state } from "./state.js";

const place = document.getElementById("witnesses");
const SIDES = [["mine", "with a mine there"], ["safe", "with none"]];
/** The most cells that a label names. */
const MOST = 12;

let shown = null;

listen(({ witnesses, asked }) => {
  if (witnesses === shown) return;
  shown = witnesses;
  place.hidden = !witnesses;
  place.replaceChildren();
  if (witnesses) place.append(...SIDES.map(([kind, words]) => figure(witnesses, kind, `A layout ${words}`, asked)));
});

function figure(witnesses, kind, words, asked) {
  const made = document.createElement("figure");
  const canvas = document.createElement("canvas");
  const text = document.createElement("figcaption");
  const mines = witnesses[kind].reduce((sum, row) => sum + [...row].filter((sign) => "MF".includes(sign)).length, 0);
  text.textContent = `${words}: ${mines} ${mines === 1 ? "mine" : "mines"}`;
  made.append(canvas, text);
  const others = witnesses[kind === "mine" ? "safe" : "mine"];
  const own = witnesses[kind].flatMap((row, at) => [...row].flatMap((sign, c) => (sign === "M" && others[at][c] !== "M" ? [`(${at}, ${c})`] : [])));
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${words}; mines here alone: ${own.slice(0, MOST).join(", ") || "none"}`);
  draw(canvas, witnesses[kind], others, asked);
  return made;
}

function draw(canvas, rows, others, asked) {
  const size = state.puzzle?.size ?? [rows[0].length, rows.length];
  const side = Math.max(3, Math.min(22, Math.floor(340 / size[0])));
  const sharp = window.devicePixelRatio || 1;
  Object.assign(canvas, { width: size[0] * side * sharp, height: size[1] * side * sharp });
  canvas.style.setProperty("width", `${size[0] * side}px`);
  const brush = canvas.getContext("2d");
  brush.scale(sharp, sharp);
  const style = getComputedStyle(place);
  const colour = (name) => style.getPropertyValue(`--${name}`);
  Object.assign(brush, { font: `600 ${0.6 * side}px sans-serif`, textAlign: "center", textBaseline: "middle" });
  rows.forEach((row, at) =>
    [...row].forEach((sign, column) => {
      const spot = state.puzzle?.cells[at]?.[column] ?? { x: column + 0.5, y: at + 0.5, form: "" };
      const [x, y] = [spot.x * side, spot.y * side];
      const mine = sign === "M" || sign === "F";
      const fill = mine ? "mine" : sign === "S" ? "safe" : "open";
      shape(brush, spot.form, x, y, side / 2 - 0.5);
      brush.fillStyle = colour(fill);
      brush.fill();
      const [here, differs] = [`${at},${column}` === asked, sign !== others[at][column]];
      brush.strokeStyle = colour(here ? "mark" : differs ? "clash" : "grid");
      brush.lineWidth = here ? 3 : differs ? 2 : 1;
      brush.stroke();
      brush.fillStyle = colour(mine ? "mine-ink" : "ink");
      if (side > 7 && sign !== "S") brush.fillText(mine ? "●" : sign === "0" ? "" : sign, x, y + 1);
    }),
  );
}

function shape(brush, form, x, y, half) {
  brush.beginPath();
  if (form && form !== "square") brush.arc(x, y, half, 0, 2 * Math.PI);
  else brush.rect(x - half, y - half, 2 * half, 2 * half);
}
