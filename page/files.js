// Boards from outside: pasted, dropped, out of a file or a link; and saved.

import { DEFAULT_SHOW } from "./link.js";
import { begin } from "./play.js";
import { enqueue } from "./queue.js";
import { pixels, save } from "./save.js";
import { announce, board, flags, newEpoch, NOTHING, saying, showError, state } from "./state.js";

const pasted = document.getElementById("pasted");
const format = document.getElementById("format");
const SOLVERS = { cnf: "DIMACS CNF", opb: "OPB", icnf: "iCNF" };
const PICTURES = { svg: "picture, SVG", png: "picture, PNG" };
const PROOFS = { zip: "certificate" };
const GAMES = { jsonl: "record of the game" };
const BOARDS = { text: "text", mine: "JSMinesweeper", json: "JSON", board: "ms_toollib", minesweepr: "minesweepr", tatham: "game ID (Tatham)", mbf: "MBF", danamlund: "danamlund" };

for (const [name, entries] of [["For solvers", SOLVERS], ["Boards", BOARDS], ["Pictures", PICTURES], ["Proofs", PROOFS], ["Games", GAMES]]) {
  const group = document.createElement("optgroup");
  group.label = name;
  group.append(...Object.entries(entries).map(([value, text]) => new Option(text, value)));
  format.append(group);
}
format.addEventListener("change", () => {
  document.getElementById("download-map").disabled = !(format.value in SOLVERS);
});

/**
 * Read a board in any notation, {text} or {base64}. It takes the place of what is shown when Python has accepted it; `more`
 * are changes of the state that come with it. A file of a game of which nothing is open begins the game.
 */
export function read(given, { refuse = (error) => saying(error, true), ...more } = {}) {
  enqueue({
    take: () => ({
      question: { ask: "read", ...given },
      what: "reading",
      done: "read",
      accept({ rows, mines, id, format: name, puzzle = null }) {
        if (id && !rows.some((row) => /[0-8F]/.test(row))) {
          begin({ id });
          return {};
        }
        const show = state.show === "nothing" ? DEFAULT_SHOW.analyse : state.show;
        const found = { rows, mines, id, puzzle, show, quiet: false, ...more };
        return { ...NOTHING, ...BEGUN(), ...found, ...saying(`Read as ${BOARDS[name] ?? name}.`) };
      },
      refuse,
    }),
  });
}

const BEGUN = () => ({ mode: "analyse", replay: null, epoch: newEpoch(), cursor: [0, 0], tool: "why" });

/** Show a board in rows, which Python need not read; `more` are further changes of the state. */
export function showRows(rows, more) {
  enqueue({ take: () => ({ changes: { ...NOTHING, ...BEGUN(), rows, puzzle: null, id: null, quiet: false, ...more } }) });
}

/** Draw on an empty board. */
export function blank(rows, columns) {
  const said = "Choose a clue above and put it into cells; or move with the arrows and type digits.";
  showRows(Array(rows).fill("?".repeat(columns)), { mines: null, tool: "0", quiet: true, ...saying(said) });
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
  read({ base64: btoa(raw), name: file.name });
}

document.getElementById("download").addEventListener("click", () => {
  const name = format.value;
  if (name in SOLVERS) {
    exported(name, ({ text }) => save(`board.${name}`, text));
    return;
  }
  if (name in PICTURES) {
    const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    asking("picture", "drawing", "drawn", () => ({ show: state.show, theme, flags: flags() }), ({ text }) => {
      if (name === "svg") return save("board.svg", text);
      pixels(text).then((content) => save("board.png", content));
      return saying("Saved as board.png.");
    });
    return;
  }
  if (name in GAMES) {
    enqueue({ take: record });
    return;
  }
  if (name in PROOFS) {
    asking("certificate", "proving", "proved", () => ({ flags: flags() }), ({ base64 }) => save("certificate.zip", bytes(base64)));
    return;
  }
  asking("write", "writing", "written", () => ({ format: name, id: state.mode === "play" ? null : state.id }), ({ base64 }) =>
    save(`board.${name === "text" ? "txt" : name}`, bytes(base64)),
  );
});

document.getElementById("download-map").addEventListener("click", () =>
  exported(format.value, ({ map }) => save("board.map.json", JSON.stringify(map))),
);

function bytes(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** The question for the record of the game in play. */
function record() {
  if (state.mode !== "play") return { changes: saying("A record is that of a game: there is none here.", true) };
  const { mines, ...game } = state.game;
  const question = { ask: "record", game, actions: state.actions };
  return { question, what: "writing", done: "", accept: ({ text }) => save("game.jsonl", text) };
}

function exported(name, accept) {
  asking("export", "exporting", "exported", () => ({ format: name, flags: flags() }), accept);
}

function asking(ask, what, done, more, accept) {
  enqueue({ take: () => ({ question: { ask, board: board(), ...more() }, what, done, accept }) });
}

document.getElementById("copy-link").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    announce("The link is copied.");
  } catch {
    showError("The browser does not let the page copy; the link is in the address bar.");
  }
});
