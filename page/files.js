// Boards from outside: pasted, dropped, out of a file or a link; and saved.

import { asking, classify } from "./analyse.js";
import { clearHistory } from "./editor.js";
import { DEFAULT_SHOW } from "./link.js";
import { begin } from "./play.js";
import { showError, announce } from "./status.js";
import { board, flags, NOTHING, set, state } from "./state.js";

const pasted = document.getElementById("pasted");
const format = document.getElementById("format");
const SOLVERS = { cnf: "DIMACS CNF", opb: "OPB", icnf: "iCNF" };
const BOARDS = { text: "text", mine: "JSMinesweeper", json: "JSON", board: "ms_toollib", minesweepr: "minesweepr", tatham: "game ID (Tatham)", mbf: "MBF", danamlund: "danamlund" };

for (const [name, entries] of [["For solvers", SOLVERS], ["Boards", BOARDS]]) {
  const group = document.createElement("optgroup");
  group.label = name;
  group.append(...Object.entries(entries).map(([value, text]) => new Option(text, value)));
  format.append(group);
}
format.addEventListener("change", () => {
  document.getElementById("download-map").disabled = !(format.value in SOLVERS);
});

/** Read a board in any notation, {text} or {base64}, and classify it; `game` is the ID of its game. */
export async function read(given, game = null) {
  const found = await asking({ ask: "read", ...given }, "reading", "read", () => {});
  if (!found) return;
  clearHistory();
  const { rows, mines, puzzle = null } = found;
  const id = game ?? found.id;
  set({ mode: "analyse", rows, mines, id, puzzle, cursor: [0, 0], tool: "why", ...NOTHING });
  announce(`Read as ${BOARDS[found.format] ?? found.format}.`);
  if (found.id && !rows.some((row) => /[0-8F]/.test(row))) {
    set({ show: DEFAULT_SHOW.play });
    await begin({ id });
  } else {
    if (state.show === "nothing") set({ show: DEFAULT_SHOW.analyse });
    await classify();
  }
}

/** Draw on an empty board. */
export function blank(rows, columns) {
  clearHistory();
  const empty = Array(rows).fill("?".repeat(columns));
  set({ mode: "analyse", rows: empty, puzzle: null, mines: null, id: null, cursor: [0, 0], tool: "0", ...NOTHING });
  announce("Choose a clue above and put it into cells; or move with the arrows and type digits.");
}

document.getElementById("read").addEventListener("click", () => read({ text: pasted.value }));
pasted.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.ctrlKey) read({ text: pasted.value });
});
pasted.addEventListener("paste", () => setTimeout(() => read({ text: pasted.value })));
document.getElementById("file").addEventListener("change", (event) => opened(event.target.files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  opened(event.dataTransfer.files[0]);
});

async function opened(file) {
  if (!file) return;
  const bytes = new Uint8Array(await file.arrayBuffer());
  let raw = "";
  for (const byte of bytes) raw += String.fromCharCode(byte);
  await read({ base64: btoa(raw), name: file.name });
}

document.getElementById("download").addEventListener("click", async () => {
  const name = format.value;
  if (name in SOLVERS) {
    await exported(name, ({ text }) => save(`board.${name}`, text));
    return;
  }
  const id = state.mode === "play" ? null : state.id;
  await asking({ ask: "write", board: board(), format: name, id }, "writing", "written", ({ base64 }) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    save(`board.${name === "text" ? "txt" : name}`, bytes);
  });
});

document.getElementById("download-map").addEventListener("click", () =>
  exported(format.value, ({ map }) => save("board.map.json", JSON.stringify(map))),
);

function exported(name, use) {
  const question = { ask: "export", board: board(), format: name, flags: flags() };
  return asking(question, "exporting", "exported", use);
}

function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  announce(`Saved as ${name}.`);
}

document.getElementById("copy-link").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    announce("The link is copied.");
  } catch {
    showError("The browser does not let the page copy; the link is in the address bar.");
  }
});
