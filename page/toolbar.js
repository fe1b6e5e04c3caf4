// The toolbar above the board: the tool of a click, and the choice between verdicts and odds.

import { show } from "./analyse.js";
import { undoPaint } from "./editor.js";
import * as play from "./play.js";
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
  ["verdicts", "Verdicts"],
  ["odds", "Odds"],
  ["nothing", "Nothing"],
];

const COMMANDS = {
  analyse: [["Undo", "take the last change back", undoPaint]],
  play: [
    ["Auto", "play what is certain", play.auto],
    ["Undo", "take the last step back", play.undo],
    ["Again", "the same game from its start", play.again],
    ["Next", "another game", play.fresh],
  ],
};

let drawn = "";

listen(() => {
  if (drawn !== state.mode) build();
  for (const button of bar.querySelectorAll("[data-tool]")) press(button, state.tool === button.dataset.tool);
  for (const button of bar.querySelectorAll("[data-show]")) press(button, state.show === button.dataset.show);
  const field = document.getElementById("other");
  if (field) field.hidden = !state.puzzle;
  legend.textContent =
    state.show === "odds"
      ? "Numbers in shaded cells: the chance of a mine in percent. S safe, M mine, ⚑ flag."
      : state.show === "nothing"
        ? "⚑ flag. Verdicts are not shown."
        : "S safe, M mine, · unknown, ⚑ flag, 1-8 clue.";
  const total = state.mode === "play" || state.mines !== null;
  if (state.show === "odds" && !total) legend.textContent += " No total is given: every layout counts alike.";
  if (state.puzzle) legend.textContent += ` ${state.puzzle.caption.join(" ")}`;
});

function build() {
  drawn = state.mode;
  const brushes = group("What a click does", "tool", TOOLS[state.mode], (tool) => set({ tool }));
  if (state.mode === "analyse") brushes.append(other());
  const shows = group("What is shown", "show", SHOWS, show);
  const commands = COMMANDS[state.mode].map(([text, label, command]) => button(text, label, {}, () => command()));
  bar.replaceChildren(brushes, shows, ...commands);
}

/** A field for a clue of several characters, as rules have them; it is there on boards under rules. */
function other() {
  const made = document.createElement("input");
  Object.assign(made, { id: "other", size: 4, placeholder: "13", autocomplete: "off" });
  made.setAttribute("aria-label", "another clue");
  made.addEventListener("input", () => set({ tool: made.value.trim() || "why" }));
  return made;
}

function group(label, kind, entries, chosen) {
  const made = document.createElement("div");
  made.className = `group ${kind}s`;
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", label);
  for (const [value, text, description] of entries) {
    made.append(button(text, description ?? text, { [kind]: value }, () => chosen(value)));
  }
  return made;
}

function button(text, label, data, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  if (!label.toLowerCase().startsWith(text.toLowerCase())) made.title = label;
  if (!/[A-Za-z]/.test(text)) made.setAttribute("aria-label", label);
  Object.assign(made.dataset, data);
  made.addEventListener("click", act);
  return made;
}

function press(button, pressed) {
  button.setAttribute("aria-pressed", pressed);
}
