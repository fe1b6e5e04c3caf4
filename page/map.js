// A map of a board that is larger than its room: the part that is seen is framed, and a finger moves the frame.

import { verdict } from "./labels.js";
import { listen, state } from "./state.js";

const map = document.getElementById("map");
const scroll = document.getElementById("scroll");
const board = document.getElementById("board");
/** The most pixels of the page that the map takes, across and down. */
const [ACROSS, DOWN] = [240, 64];

let due = false;

listen(soon);
scroll.addEventListener("scroll", soon);
addEventListener("scroll", soon, { passive: true });
addEventListener("resize", soon);

function soon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    draw();
  });
}

function draw() {
  const [rows, columns] = [state.rows.length, state.rows[0]?.length ?? 0];
  const wider = board.offsetWidth > scroll.clientWidth + 8 || board.offsetHeight > scroll.clientHeight + 8;
  map.hidden = !wider || state.puzzle !== null || !rows;
  if (map.hidden) return;
  const side = Math.max(1, Math.min(4, Math.floor(ACROSS / columns), Math.floor(DOWN / rows) || 1));
  Object.assign(map, { width: columns * side, height: rows * side });
  const brush = map.getContext("2d");
  const style = getComputedStyle(board);
  const colour = (name) => style.getPropertyValue(`--${name}`);
  const colours = { open: colour("open"), covered: colour("edge"), flag: colour("clash"), S: colour("safe"), M: colour("mine") };
  state.rows.forEach((text, row) => {
    for (let column = 0; column < columns; column++) {
      const symbol = text[column];
      const known = state.show === "nothing" ? "" : verdict(state, row, column);
      const covered = symbol === "F" ? "flag" : known in colours ? known : "covered";
      brush.fillStyle = colours[/[0-8]/.test(symbol) ? "open" : covered];
      brush.fillRect(column * side, row * side, side, side);
    }
  });
  const [left, top, width, height] = seen();
  brush.strokeStyle = colour("accent");
  brush.lineWidth = 2;
  brush.strokeRect(left * map.width + 1, top * map.height + 1, width * map.width - 2, height * map.height - 2);
}

/** The part of the board that is seen, in parts of its size. */
function seen() {
  const [whole, room] = [board.getBoundingClientRect(), scroll.getBoundingClientRect()];
  const cut = (from, to, least, most) => [Math.max(from, least), Math.min(to, most)];
  const [left, right] = cut(whole.left, whole.right, room.left, room.right);
  const [top, bottom] = cut(whole.top, whole.bottom, Math.max(0, room.top), Math.min(innerHeight, room.bottom));
  const part = (at, from, size) => Math.max(0, (at - from) / size);
  return [
    part(left, whole.left, whole.width), part(top, whole.top, whole.height),
    part(right, left, whole.width), part(bottom, top, whole.height),
  ];
}

/** Bring the place of the board under the pointer into the middle. */
function move(event) {
  const at = map.getBoundingClientRect();
  scroll.scrollLeft = ((event.clientX - at.left) / at.width) * board.offsetWidth - scroll.clientWidth / 2;
  scroll.scrollTop = ((event.clientY - at.top) / at.height) * board.offsetHeight - scroll.clientHeight / 2;
}

map.addEventListener("pointerdown", (event) => {
  map.setPointerCapture(event.pointerId);
  move(event);
});
map.addEventListener("pointermove", (event) => event.buttons & 1 && move(event));
