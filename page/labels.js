import { extra } from "./state.js";

// The sign in a cell and its label in words; verdicts differ in sign, not in colour alone.

/** The verdict on a cell: "S", "M", "?", or "" if there is none; where odds alone are known, theirs. */
export function verdict(state, row, column) {
  const found = state.verdicts?.[row]?.[column] ?? chance(state, row, column)?.sure ?? "";
  return "SM?".includes(found) ? found : "";
}

export function chance(state, row, column) {
  return state.odds?.get(`${row},${column}`) ?? null;
}

/** Whether a symbol stands for an opened cell: a clue, nothing, or a mine that is shown. */
export function isOpen(symbol) {
  return !["?", "F", "W", "X", "*"].includes(symbol);
}

/** The text in the cell: a digit, a flag, a verdict, or a chance in percent. */
export function sign(state, row, column) {
  const symbol = state.rows[row][column];
  const more = extra(row, column);
  if (more && isOpen(symbol)) return more.sign === "*" ? "●" : more.sign;
  if (symbol === "0") return "";
  if (symbol >= "1" && symbol <= "8") return symbol;
  if (symbol === "F" || symbol === "W") return "⚑";
  if (symbol === "X") return "✸";
  if (symbol === "*") return "●";
  const found = chance(state, row, column);
  if (state.show === "odds" && found !== null && !found.sure) {
    return String(Math.min(99, Math.max(1, Math.round(100 * found.value))));
  }
  return state.show === "nothing" ? "" : verdict(state, row, column);
}

/** The label of a cell, for screen readers. */
export function label(state, row, column) {
  const symbol = state.rows[row][column];
  const key = `${row},${column}`;
  const more = extra(row, column);
  const words = [more?.name === undefined ? `row ${row} column ${column}` : `cell ${more.name}`];
  if (more && isOpen(symbol)) {
    if (more.mine) words.push("a mine");
    if (more.sign !== "*") words.push(`${more.letters} ${more.sign || "empty"}`.trim());
  }
  else if (symbol >= "0" && symbol <= "8") words.push(symbol === "0" ? "empty" : symbol);
  else if (symbol === "X") words.push("the mine that exploded");
  else if (symbol === "*") words.push("a mine");
  else if (symbol === "W") words.push("a wrong flag");
  else words.push(symbol === "F" ? "flag" : "covered");
  const found = chance(state, row, column);
  const shown = state.show === "nothing" ? "" : verdict(state, row, column);
  if (shown === "S") words.push("safe");
  else if (shown === "M") words.push("mine");
  else if (state.show === "odds" && found !== null) words.push(found.said.replace(" %", " percent"));
  else if (shown === "?") words.push("unknown");
  if (more?.dyed) words.push("dyed");
  if (more?.note) words.push(more.note);
  if (state.best === key) words.push("the best move");
  if (state.marks.has(key)) words.push("part of the reason");
  if (state.clash.has(key)) words.push("clashes");
  return words.join(", ");
}
