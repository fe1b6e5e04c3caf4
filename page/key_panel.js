// The table of keys, each of which may be changed.

import { ACTIONS, bind, keysOf, reset } from "./keys.js";

const form = document.getElementById("bindings");

function draw() {
  const lines = Object.entries(ACTIONS).map(([name, { what }]) => {
    const label = document.createElement("label");
    const text = document.createElement("span");
    text.textContent = what;
    const input = document.createElement("input");
    input.name = name;
    input.value = keysOf(name).join(" ");
    input.autocomplete = "off";
    input.addEventListener("change", () => {
      bind(name, input.value.split(/\s+/).filter(Boolean));
      refresh();
    });
    label.append(text, input);
    return label;
  });
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "As they were";
  button.addEventListener("click", () => {
    reset();
    refresh();
  });
  form.replaceChildren(...lines, button);
  form.addEventListener("submit", (event) => event.preventDefault());
}

function refresh() {
  for (const input of form.querySelectorAll("input")) input.value = keysOf(input.name).join(" ");
}

draw();
