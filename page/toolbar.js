// The choices above the board: what a click does, and what is shown of what is known; and the legend.

import { show } from "./analyse.js";
import { listen, set, state } from "./state.js";

const bar = document.getElementById("tools");
const legend = document.getElementById("legend");

const TOOLS = {
  analyse: [
    ["why", "Why?", "explain a cell"],
    ["?", "▢", "covered cell"],
    ["F", "⚑", "flag"],
    ..."012345678".split("").map((digit) => [digit, digit, `clue ${digit}`]),
  ],
  play: [
    ["open", "Open", "open a cell"],
    ["flag", "⚑ Flag", "set a flag"],
    ["why", "Why?", "explain a cell"],
  ],
};

const SHOWS = [
  ["nothing", "Plain", "the board alone"],
  ["verdicts", "Verdicts", "what is safe and what is a mine"],
  ["odds", "Odds", "the chance of a mine in every cell"],
];

const LEGENDS = {
  odds: "Numbers in shaded cells: the chance of a mine in percent. S safe, M mine, ⚑ flag.",
  nothing: "⚑ flag. Verdicts are not shown.",
  verdicts: "S safe, M mine, ? unknown, ⚑ flag, 1-8 clue.",
};

let drawn = "";

listen(() => {
  if (drawn !== state.mode) build();
  for (const kind of ["tool", "show"]) {
    for (const input of bar.querySelectorAll(`[name=${kind}]`)) input.checked = input.value === state[kind];
  }
  const field = document.getElementById("other");
  if (field) field.hidden = !state.puzzle;
  legend.textContent = LEGENDS[state.show];
  const total = state.mode === "play" || state.mines !== null;
  if (state.show === "odds" && !total) legend.textContent += " No total is given: every layout counts alike.";
  if (state.show === "odds") legend.prepend(scale());
  if (state.puzzle) legend.append(` ${state.puzzle.caption.join(" ")}`);
});

/** The colours of the chances from 0 to 100 percent. */
function scale() {
  const [made, bar] = [document.createElement("span"), document.createElement("span")];
  bar.className = "scale";
  made.append("0", bar, "100 %. ");
  return made;
}

function build() {
  drawn = state.mode;
  const brushes = group("What a click does", "tool", TOOLS[state.mode], (tool) => set({ tool }));
  if (state.mode === "analyse") brushes.append(other());
  bar.replaceChildren(brushes, group("What is shown", "show", SHOWS, show));
}

/** A field for a clue of several characters, as rules have them; it is there on boards under rules. */
function other() {
  const made = document.createElement("input");
  Object.assign(made, { id: "other", size: 4, placeholder: "13", autocomplete: "off" });
  made.setAttribute("aria-label", "another clue");
  made.addEventListener("input", () => set({ tool: made.value.trim() || "why" }));
  return made;
}

/** A group of radio buttons, which the arrow keys move through. */
function group(title, kind, entries, chosen) {
  const made = document.createElement("fieldset");
  made.className = `group ${kind}s`;
  const head = document.createElement("legend");
  head.textContent = title;
  made.append(head);
  for (const [value, text, description] of entries) {
    const label = document.createElement("label");
    label.dataset[kind] = value;
    label.title = description;
    const input = document.createElement("input");
    Object.assign(input, { type: "radio", name: kind, value });
    if (!/[A-Za-z]/.test(text)) input.setAttribute("aria-label", description);
    input.addEventListener("change", () => chosen(value));
    const sign = document.createElement("span");
    sign.textContent = text;
    label.append(input, sign);
    made.append(label);
  }
  return made;
}
