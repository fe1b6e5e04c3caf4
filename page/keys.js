// The keys: a table of actions, the keys bound to each, and the changes that a user has made.

const STORED = "satsweeper keys";

/** Action: its default keys, and a description. */
export const ACTIONS = {
  left: { keys: ["ArrowLeft", "h"], what: "Left" },
  down: { keys: ["ArrowDown", "j"], what: "Down" },
  up: { keys: ["ArrowUp", "k"], what: "Up" },
  right: { keys: ["ArrowRight", "l"], what: "Right" },
  row_start: { keys: ["Home"], what: "Start of the row" },
  row_end: { keys: ["End"], what: "End of the row" },
  top: { keys: ["Ctrl+Home", "g"], what: "First row" },
  bottom: { keys: ["Ctrl+End", "G"], what: "Last row" },
  open: { keys: ["Enter", "e"], what: "Open the cell, chord on a clue; when drawing: use the brush" },
  flag: { keys: ["Space", "f"], what: "Set a flag or take it away" },
  why: { keys: ["?"], what: "Why the cell is what it is" },
  best: { keys: ["b"], what: "The best move: a certain cell and why, else a guess" },
  auto: { keys: ["a"], what: "Play what is certain, else one guess; when analysing: classify" },
  odds: { keys: ["o"], what: "Odds, or verdicts again" },
  undo: { keys: ["u", "Ctrl+z"], what: "Take the last step back" },
  again: { keys: ["r"], what: "The same game from its start" },
  fresh: { keys: ["n"], what: "Another game" },
  cover: { keys: ["-", "Backspace", "Delete"], what: "Cover the cell (when drawing)" },
  stop: { keys: ["Escape"], what: "Stop what is under way; put the marks away" },
};

let bound = Object.fromEntries(Object.entries(ACTIONS).map(([name, { keys }]) => [name, keys]));
try {
  for (const [name, keys] of Object.entries(JSON.parse(localStorage.getItem(STORED)) ?? {})) {
    if (name in ACTIONS) bound[name] = keys;
  }
} catch {
  // Nothing is stored, or the browser refuses storage.
}

/** The name of a pressed key, with Ctrl+ before it if Ctrl was held. */
export function keyOf(event) {
  if (event.altKey || event.metaKey) return "";
  const key = event.key === " " ? "Space" : event.key;
  return event.ctrlKey ? `Ctrl+${key}` : key;
}

/** The action that `key` is bound to; undefined if there is none. */
export function actionOf(key) {
  return Object.keys(ACTIONS).find((name) => bound[name].includes(key));
}

export function keysOf(name) {
  return bound[name];
}

/** Bind `keys` to an action; other actions lose them. */
export function bind(name, keys) {
  for (const other of Object.keys(ACTIONS)) bound[other] = bound[other].filter((key) => !keys.includes(key));
  bound[name] = keys;
  store(bound);
}

export function reset() {
  bound = Object.fromEntries(Object.entries(ACTIONS).map(([name, { keys }]) => [name, keys]));
  store(null);
}

function store(value) {
  try {
    if (value === null) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, JSON.stringify(value));
  } catch {
    // Without storage the bindings last until the page is left.
  }
}
