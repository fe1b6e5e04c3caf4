// The size of a cell: as large as the room allows, or as wanted, by buttons, by pinching, or by the wheel with Ctrl.

import { listen, state } from "./state.js";

const [LEAST, MOST] = [14, 72];
const STEP = 1.2;

const scroll = document.getElementById("scroll");
const board = document.getElementById("board");

/** The side of a cell in pixels of the page. */
export function side() {
  const columns = Number(board.style.getPropertyValue("--columns")) || 1;
  return state.puzzle ? board.offsetWidth / columns : (board.querySelector(".cell")?.offsetWidth ?? LEAST);
}

/** Set the side of a cell, and keep the point of the board under `x` and `y` of the window where it is. */
function resize(wanted, x, y) {
  const before = board.getBoundingClientRect();
  const at = { x: x ?? before.left + scroll.clientWidth / 2, y: y ?? before.top };
  const part = [(at.x - before.left) / before.width, (at.y - before.top) / before.height];
  board.style.setProperty("--size", `${Math.round(Math.max(LEAST, Math.min(MOST, wanted)))}px`);
  const after = board.getBoundingClientRect();
  scroll.scrollLeft += after.left + part[0] * after.width - at.x;
  const down = after.top + part[1] * after.height - at.y;
  if (scroll.scrollHeight > scroll.clientHeight) scroll.scrollTop += down;
  else if (y !== undefined) window.scrollBy(0, down);
  scroll.dispatchEvent(new Event("scroll"));
}

const [smaller, larger] = document.querySelectorAll("#sizes button");
smaller.addEventListener("click", () => resize(side() / STEP));
larger.addEventListener("click", () => resize(side() * STEP));

// Another board is as large as its room.
let size = "";
listen(({ rows }) => {
  const now = `${rows.length}x${rows[0]?.length}`;
  if (now === size) return;
  size = now;
  board.style.removeProperty("--size");
});

scroll.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    resize(side() * Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
  },
  { passive: false },
);

/** Two touching fingers: their distance and the side of a cell when the second came. */
let pinch = null;

function spread([one, other]) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

scroll.addEventListener("touchstart", ({ touches }) => {
  pinch = touches.length === 2 ? { distance: spread(touches), side: side() } : null;
});
scroll.addEventListener(
  "touchmove",
  (event) => {
    const { touches } = event;
    if (!pinch || touches.length !== 2) return;
    event.preventDefault();
    const middle = (name) => (touches[0][name] + touches[1][name]) / 2;
    resize((pinch.side * spread(touches)) / pinch.distance, middle("clientX"), middle("clientY"));
  },
  { passive: false },
);
for (const name of ["touchend", "touchcancel"]) scroll.addEventListener(name, () => setTimeout(() => (pinch = null)));
