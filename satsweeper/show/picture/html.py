"""A picture as a self-contained page of HTML; a film has a player, which needs no library."""

from html import escape
from itertools import accumulate
from typing import Final

from satsweeper.show.palette import Palette
from satsweeper.show.picture.scene import Film

_STYLE: Final = """\
:root {{ color-scheme: {scheme} }}
body {{ margin: 1rem auto; max-width: 76rem; padding: 0 1rem; background: {ground}; color: {text};
  font: 1rem/1.5 system-ui, sans-serif }}
figure {{ margin: 0 0 1rem; text-align: center }}
svg {{ max-width: 100%; height: auto }}
summary {{ cursor: pointer }}
button {{ font: inherit; min-width: 5rem; min-height: 2.5rem; background: {band}; color: {text};
  border: 1px solid {border}; border-radius: 6px; cursor: pointer }}
[aria-disabled="true"] {{ color: {faint}; border-style: dashed; cursor: default }}
input {{ flex: 1 1 12rem; min-height: 2.5rem; accent-color: {accent} }}
:focus-visible {{ outline: 2px solid {accent}; outline-offset: 2px }}
#player {{ display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: .5rem;
  max-width: 40rem; margin: 0 auto 1rem }}
#player[hidden] {{ display: none }}
.spoken {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }}
[aria-current] {{ font-weight: 600 }}
"""

_PLAYER: Final = """\
<div id="player" role="group" aria-label="The game" hidden>
<button type="button" id="back">Back</button>
<button type="button" id="play">Play</button>
<button type="button" id="step">Step</button>
<input type="range" id="at" min="0" max="{last}" value="0" aria-label="Picture">
<output id="said" for="at"><span></span><span class="spoken"></span></output>
</div>
"""

_SCRIPT: Final = """\
<script>
"use strict";
const begins = {begins}, durations = {durations};
const [film, lines] = [document.querySelector("svg"), document.querySelectorAll("ol > li")];
const [player, back, play, step, at, said] =
  ["player", "back", "play", "step", "at", "said"].map((id) => document.getElementById(id));
const last = begins.length - 1;
let timer = null;

function show(scene) {{
  film.setCurrentTime((begins[scene] + 1) / 1000);
  at.value = scene;
  at.setAttribute("aria-valuetext", lines[scene].textContent);
  said.children[0].textContent = `${{scene}} of ${{last}}`;
  said.children[1].textContent = lines[scene].textContent;
  lines.forEach((line, number) => {{
    if (number === scene) line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
  }});
  back.ariaDisabled = scene === 0;
  step.ariaDisabled = scene === last;
}}

function wait() {{
  timer = setTimeout(() => {{
    show(at.valueAsNumber + 1);
    if (at.valueAsNumber < last) wait();
    else run(false);
  }}, durations[at.valueAsNumber]);
}}

// While the film plays, a reader's voice is left alone.
function run(on) {{
  clearTimeout(timer);
  timer = null;
  play.textContent = on ? "Pause" : "Play";
  said.setAttribute("aria-live", on ? "off" : "polite");
  if (!on) return;
  if (at.valueAsNumber === last) show(0);
  wait();
}}

function move(by) {{
  run(false);
  show(Math.min(Math.max(at.valueAsNumber + by, 0), last));
}}

back.addEventListener("click", () => move(-1));
step.addEventListener("click", () => move(1));
play.addEventListener("click", () => run(timer === null));
at.addEventListener("input", () => move(0));
addEventListener("keydown", (event) => {{
  if (event.target === at || event.altKey || event.ctrlKey || event.metaKey) return;
  const by = {{ ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }}[event.key];
  if (by !== undefined) move(by);
  else if (event.key === " " && event.target === document.body) run(timer === null);
  else return;
  event.preventDefault();
}});

film.pauseAnimations();
player.hidden = false;
show(0);
run(!matchMedia("(prefers-reduced-motion: reduce)").matches);
</script>
"""


def document(film: Film, palette: Palette, drawing: str, title: str) -> str:
    """A page with a drawing, and below a description in words.

    A film can be paused, played and stepped through, with a slider and from the keyboard: Space,
    the arrows, Home and End. It begins to play, but where the reader wants less motion. Without
    scripts it plays by itself.

    Args:
        film: what is drawn.
        palette: the colours.
        drawing: the drawing of the film, an element of SVG.
        title: the title of the page.
    """
    player = script = ""
    words = f"<pre>{escape(film.scenes[0].text)}</pre>"
    if len(film.scenes) > 1:
        lines = "\n".join(f"<li>{escape(' '.join(scene.caption))}</li>" for scene in film.scenes)
        words = f'<ol start="0">\n{lines}\n</ol>'
        player = _PLAYER.format(last=len(film.scenes) - 1)
        begins = list(accumulate(film.durations, initial=0))[:-1]
        script = _SCRIPT.format(begins=begins, durations=list(film.durations))
    dark = palette.ground < palette.text
    colours = {name: getattr(palette, name) for name in ("ground", "text", "band", "border")}
    style = _STYLE.format(
        **colours, faint=palette.faint, accent=palette.accent, scheme="dark" if dark else "light"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<figure>
{drawing}</figure>
{player}<details><summary>In words</summary>
{words}
</details>
{script}</body>
</html>
"""
