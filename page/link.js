// The state in the link: #size=9x9/10&cells=... for a board, #game=...&did=... for a game.
// Any board in any notation may be given as #board=TEXT or #data=BASE64. Of a game under rules the
// link has #rules= and #geometry= as well; #id= is a game ID, or the file of a game under rules.

/** The default of `show` by mode: in a game no verdicts are shown. */
export const DEFAULT_SHOW = { analyse: "verdicts", play: "nothing" };

/** The most cells of a board that the page draws. */
export const MOST_CELLS = 10_000;

/** How links tell which logic suffices, so that no guess is needed. */
const GUESSES = { true: "no", complete: "no", subset: "two", single_clue: "one" };

const A = "a".charCodeAt(0);

/** Rows as letters and digits: a..z are 1 to 26 covered cells, F a flag, 0-8 a clue. */
export function packed(rows) {
  return rows.join("").replaceAll(/\?{1,26}/g, (run) => String.fromCharCode(A + run.length - 1));
}

/** The rows of a text that packed() made; null for any other text. */
export function unpacked(text, rows, columns) {
  const cells = text.replaceAll(/[a-z]/g, (letter) => "?".repeat(letter.charCodeAt(0) - A + 1));
  if (cells.length !== rows * columns || /[^0-8?F]/.test(cells)) return null;
  return Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
}

/** The part of the link behind the #, for a state. */
export function linkOf(state) {
  const words = new URLSearchParams();
  if (state.mode === "play" && state.game) {
    const { id, board, rules, geometry, first_click, seed, no_guess, start } = state.game;
    if (id) words.set("id", id);
    else {
      words.set("game", board);
      words.set("seed", seed);
      words.set("first", first_click);
      if (no_guess) words.set("guess", GUESSES[no_guess]);
      if (start) words.set("start", start.join("."));
      if (rules) words.set("rules", rules);
      if (geometry) words.set("geometry", geometry);
    }
    if (state.actions.length) words.set("did", state.actions.join("-"));
  } else if (state.puzzle) {
    words.set("board", state.puzzle.text);
    if (!state.trust) words.set("flags", "ignore");
    if (state.id) words.set("id", state.id);
  } else {
    const columns = state.rows[0]?.length ?? 0;
    words.set("size", `${columns}x${state.rows.length}/${state.mines ?? "?"}`);
    words.set("cells", packed(state.rows));
    if (!state.trust) words.set("flags", "ignore");
    if (state.id) words.set("id", state.id);
  }
  if (state.show !== DEFAULT_SHOW[state.mode]) words.set("show", state.show);
  return `#${words.toString().replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%3F", "?")}`;
}

function given(name, words) {
  return words.get(name) ? { [name]: words.get(name) } : {};
}

/**
 * The meaning of a link: {text} or {base64} to be read, {rows}, or {game, actions}, with what else of the state it holds;
 * {wrong} says why a link is broken; null if there is none.
 */
export function parseLink(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  if (![...words].length) return null;
  const asked = words.get("show");
  const shown = (usual) => (["verdicts", "odds", "nothing"].includes(asked) ? asked : usual);
  const view = { trust: words.get("flags") !== "ignore", show: shown(DEFAULT_SHOW.analyse) };
  const id = words.get("id") ? { id: words.get("id") } : {};
  if (words.has("board")) return { text: words.get("board"), ...view, ...id };
  if (words.has("data")) return { base64: words.get("data"), ...view };
  if (words.has("size")) return plain(words.get("size"), words.get("cells") ?? "", { ...view, ...id });
  const actions = words.get("did")?.split("-") ?? [];
  const unknown = actions.find((word) => !/^(a|[of]\d+\.\d+)$/.test(word));
  if (unknown !== undefined) return { wrong: `${unknown || "nothing"} is no move` };
  const show = shown(DEFAULT_SHOW.play);
  if (words.has("id")) return { game: id, actions, show };
  if (!words.has("game")) return { wrong: "it has no board and no game" };
  const start = /^(\d+)\.(\d+)$/.exec(words.get("start") ?? "");
  const game = {
    board: words.get("game"),
    first_click: words.get("first") ?? "opening",
    seed: Number(words.get("seed")) || 0,
    no_guess: { no: true, two: "subset", one: "single_clue" }[words.get("guess")] ?? false,
    start: start && [Number(start[1]), Number(start[2])],
    ...given("rules", words),
    ...given("geometry", words),
  };
  return { game, actions, show };
}

function plain(size, cells, more) {
  const [, columns, rows, total] = /^(\d+)x(\d+)\/(\d+|\?)$/.exec(size) ?? [];
  if (!columns) return { wrong: `${size} is no size: 9x9/10 is one` };
  const count = rows * columns;
  if (count < 1 || count > MOST_CELLS) return { wrong: `${size}: a board has 1 to ${MOST_CELLS} cells` };
  const found = unpacked(cells, Number(rows), Number(columns));
  if (!found) return { wrong: `its cells are not ${count} of 0-8, F and a-z` };
  return { rows: found, mines: total === "?" ? null : Number(total), ...more };
}
