"""Random actions, whatever they are, never bring the page to a defect, an error or a dead end."""

from random import Random
from typing import Any

import pytest

from tests.page.conftest import Visit

KEYS = "a b c f h j k l n o r s t u v w x ? 0 1 3 8 - . Backspace Delete Enter Escape Space Tab "
KEYS += "ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageDown Shift+Tab"
TEXTS = (
    "", " ", "?", "0", "-1", "7", "99", "abc", "5x5/25", "200x200/5", "9x9/10", "C", "2A W", "{",
    "1 ? ?\n? ? ?\n? ? 1\n", "2 2 9\n1?\n??\n", "rules: C\nmines: 3\n1 ? ?\n? ? ?\n? ? 1\n",
    "geometry: hexagonal\n1 ? ?\n? ? ?\n", "3x3:u808", "x" * 300, "Hexcells level v1\n", "no:such",
    "1?\n?1\n1",
)  # fmt: skip
LINKS = (
    "size=3x3/?&cells=01a12ac", "size=5x5/3&cells=zz", "id=3x3:u808&did=o1.1", "game=9x9/10&seed=5",
    "game=0x0/0", "nothing", "",
)  # fmt: skip
FIND = """pick => {
  const all = document.querySelectorAll(
    "button, summary, select, input:not([type=file]), textarea, [data-cell]");
  const shown = [...all].filter(each => each.checkVisibility() && !each.disabled);
  const cells = shown.filter(each => each.dataset.cell !== undefined);
  const others = shown.filter(each => each.dataset.cell === undefined);
  const among = pick.cell && cells.length ? cells : others;
  const chosen = among[Math.floor(pick.where * among.length)];
  window.chosen = chosen;
  chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { x, y, width, height } = chosen.getBoundingClientRect();
  const kind = chosen.matches("textarea, input:not([type=checkbox]):not([type=radio])")
    ? "text" : chosen.tagName.toLowerCase();
  return { kind, x: x + width / 2, y: y + height / 2 };
}"""
"""Choose a control or a cell that can be seen, and tell its kind and its middle."""
FILL = """text => {
  chosen.value = text;
  for (const kind of ["input", "change"]) chosen.dispatchEvent(new Event(kind, { bubbles: true }));
}"""
SELECT = """where => {
  chosen.selectedIndex = Math.floor(where * chosen.options.length);
  chosen.dispatchEvent(new Event("change", { bubbles: true }));
}"""
LISTEN = """() => {
  window.defects = [];
  const look = () => {
    const text = document.body.innerText;
    if (text.includes("a defect of ours")) window.defects.push(text.match(/a defect of ours.*/)[0]);
  };
  new MutationObserver(look).observe(
    document.body, { childList: true, characterData: true, subtree: true });
}"""


def act(page: Any, rng: Random) -> str:
    """Do one thing at random; return it in words."""
    kind = rng.choices(["cell", "control", "key", "link"], [50, 35, 15, 2])[0]
    if kind == "key":
        page.keyboard.press(key := rng.choice(KEYS.split()))
        return f"key {key}"
    if kind == "link":
        page.evaluate("link => { location.hash = link }", link := rng.choice(LINKS))
        return f"link {link}"
    found = page.evaluate(FIND, {"cell": kind == "cell", "where": rng.random()})
    what = str(page.evaluate("chosen.outerHTML.slice(0, 90)"))
    if found["kind"] == "text":
        page.evaluate(FILL, text := rng.choice(TEXTS))
        if rng.random() < 0.5:
            page.evaluate("chosen.focus()")
            page.keyboard.press("Enter")
        return f"{what}: {text!r}"
    if found["kind"] == "select":
        page.evaluate(SELECT, rng.random())
    elif kind == "cell":
        button = rng.choices(["left", "right", "middle"], [6, 3, 1])[0]
        page.mouse.click(found["x"], found["y"], button=button)
    else:
        page.evaluate("chosen.click()")
    return what


@pytest.mark.parametrize(
    ("seed", "actions"),
    [(1, 200), pytest.param(2, 2000, marks=pytest.mark.slow)],
    ids=["200", "2000"],
)
def test_no_random_actions_bring_a_defect_and_the_page_answers_after_them(visiting, seed, actions):
    visit: Visit = visiting("#size=3x3/?&cells=01a12ac")
    page = visit.page
    page.on("dialog", lambda dialog: dialog.accept())
    page.evaluate(LISTEN)
    rng = Random(f"monkey {seed}")
    done = []
    for number in range(actions):
        done.append(act(page, rng))
        if number % 20 == 19:
            visit.stop()
            assert page.evaluate("window.defects") == [], done[-20:]
            assert visit.faults == [], done[-20:]
    visit.go("size=3x3/?&cells=01a12ac")
    page.keyboard.press("Escape")
    page.click("[data-mode=analyse]")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    visit.paste("3 3 1\n1 ? ?\n1 1 ?\n0 1 ?\n")
    assert visit.said()
    assert page.evaluate("window.defects") == []
