"""Who can use the page: by keys alone, by touch, on a phone, magnified, in both themes, by ear."""

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
AXE = ROOT / "build" / "page" / "axe.min.js"
EXPERT = (ROOT / "examples" / "expert.txt").read_text()
ROWS = "\n".join(
    line for line in EXPERT.splitlines() if line[0] in "?012345678" and " " not in line
)
PHONE = {"viewport": {"width": 400, "height": 820}, "has_touch": True, "is_mobile": True}
SMALL = "#size=3x3/?&cells=01a12ac"
GAME = "#game=9x9/10&seed=5&first=opening&guess=no&start=4.4&did=o4.4"


def focused(visit: Any) -> str:
    return str(visit.page.evaluate("document.activeElement.dataset.cell ?? ''"))


def test_from_start_to_verdict_by_keys_alone(visit):
    visit.go("size=3x3/?&cells=i")
    visit.page.focus(".skip")
    visit.page.keyboard.press("Enter")
    visit.page.keyboard.press("Control+Home")
    visit.page.keyboard.press("Home")
    assert focused(visit) == "0,0"
    for keys in ("0", "ArrowRight", "1", "ArrowDown", "2", "ArrowLeft", "1"):
        visit.page.keyboard.press(keys)
    visit.page.keyboard.press("Control+End")
    assert focused(visit) == "2,0"
    visit.page.keyboard.press("End")
    visit.page.wait_for_timeout(150)
    visit.idle()
    assert (focused(visit), visit.label(2, 2)) == ("2,2", "row 2 column 2, covered, safe")
    visit.press("?")
    assert visit.marked() == {"0,1", "1,0", "1,1"}
    assert focused(visit) == "2,2"


def test_a_board_is_pasted_by_keys_alone(visit):
    visit.page.focus("#pasted")
    visit.page.keyboard.press("Control+a")
    visit.page.keyboard.insert_text("1??\n12?\n01?")
    visit.page.keyboard.press("Control+Enter")
    visit.page.wait_for_timeout(100)
    visit.idle()
    assert visit.label(0, 2) == "row 0 column 2, covered, safe"


def tab_to(visit: Any, name: str) -> None:
    for _ in range(80):
        visit.page.keyboard.press("Tab")
        if visit.page.evaluate("document.activeElement.id") == name:
            return
    raise AssertionError(f"Tab does not come to {name}")


@pytest.mark.parametrize(
    ("text", "cell", "said"),
    [
        # A board as JSMinesweeper saves it, and a game of Simon Tatham's collection: in the first,
        # the two 1s see one cell each besides those that both see.
        (f"30x16x99\n{ROWS.replace('?', 'H')}", "3,2", "(3, 2) is safe: if it were a mine, "),
        ("9x9:4,4,mb071b49fbd1cb6a0d5868", "2,0", "(2, 0) is safe: if it were a mine, "),
    ],
    ids=["JSMinesweeper", "Tatham"],
)
def test_on_a_narrow_screen_a_pasted_board_is_classified_and_explained_by_keys_alone(
    visiting, text, cell, said
):
    visit = visiting(viewport={"width": 400, "height": 820})
    tab_to(visit, "pasted")
    visit.page.keyboard.press("Control+a")
    visit.page.keyboard.insert_text(text)
    tab_to(visit, "read")
    visit.press("Enter")
    visit.press("Shift+Tab", "Shift+Tab")
    row, column = map(int, cell.split(","))
    while not focused(visit):
        visit.press("Shift+Tab")
    visit.press("Control+Home", *["ArrowDown"] * row, *["ArrowRight"] * column)
    assert focused(visit) == cell
    visit.press("?")
    assert visit.said().startswith(said)
    assert visit.marked()
    box = visit.page.locator("#said").bounding_box()
    assert 0 <= box["y"] < 820
    assert visit.page.evaluate("document.documentElement.scrollWidth") == 400
    visit.picture(f"keys_alone_{row}")


def test_one_cell_is_in_the_order_of_tab_and_the_grid_has_its_roles(visit):
    assert visit.page.locator("#board [tabindex='0']").count() == 1
    grid = visit.page.get_by_role("grid", name="Board")
    assert grid.get_by_role("row").count() == 3
    assert grid.get_by_role("gridcell").count() == 9
    assert visit.page.get_attribute("#said", "aria-live") == "polite"


def test_the_focus_stays_on_the_cell_whatever_is_done_there(visit):
    visit.go(GAME.lstrip("#"))
    visit.cell(4, 4).focus()
    for key in ("ArrowUp", "f", "f", "?", "o", "o", "a", "u", "Escape", "Enter"):
        visit.press(key)
        assert focused(visit) == "3,4", key


def test_keys_are_bound_anew_and_come_back(visit):
    visit.page.evaluate("document.getElementById('keys').open = true")
    visit.page.fill("#bindings [name=right]", "d")
    visit.page.keyboard.press("Tab")
    visit.cell(0, 0).focus()
    visit.press("d")
    assert focused(visit) == "0,1"
    visit.press("ArrowRight")
    assert focused(visit) == "0,1"
    visit.page.click("text=As they were")
    visit.cell(0, 1).focus()
    visit.press("ArrowRight")
    assert focused(visit) == "0,2"


def test_long_work_is_stopped_and_the_page_goes_on(visiting):
    visit = visiting(SMALL)
    # So many mines that changing the layouts takes minutes.
    game = "game=40x40/480&seed=1&first=opening&guess=no&start=4.4&did=o4.4"
    visit.page.evaluate("link => { location.hash = link }", game)
    visit.page.click("#cancel")
    assert visit.said() == "Stopped."
    visit.idle()
    visit.go(SMALL.replace("3x3/?", "3x3/4"))
    assert "covered" in visit.label(2, 2)
    assert visit.faults == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("link", [SMALL, SMALL + "&show=odds", GAME + "&show=verdicts"])
def test_axe_finds_no_violation(visiting, theme, link):
    visit = visiting(link, color_scheme=theme)
    for name in ("keys", "save"):
        visit.page.evaluate(f"document.getElementById('{name}').open = true")
    visit.page.evaluate(AXE.read_text())
    found = visit.page.evaluate("axe.run()")
    told = [(v["id"], [node["html"][:120] for node in v["nodes"]][:3]) for v in found["violations"]]
    assert told == [], json.dumps(told, indent=1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_shows_all_and_a_tap_explains(visiting, theme):
    visit = visiting(color_scheme=theme, **PHONE)
    visit.paste(EXPERT)
    assert visit.page.evaluate("document.documentElement.scrollWidth") == 400
    visit.page.click("[data-tool=why]")
    visit.cell(3, 2).tap()
    visit.idle()
    assert visit.said().startswith("(3, 2) is safe")
    box, view = visit.page.locator("#said").bounding_box(), visit.page.viewport_size
    assert 0 <= box["y"] < view["height"]
    assert visit.cell(3, 2).bounding_box()["width"] >= 24
    visit.picture(f"phone_{theme}")
    visit.go(GAME)
    visit.picture(f"phone_game_{theme}")


def test_a_long_touch_sets_a_flag(visiting):
    visit = visiting(GAME, **PHONE)
    cell = visit.page.locator(".cell.covered").first
    held = {"pointerType": "touch", "bubbles": True, "button": 0}
    cell.dispatch_event("pointerdown", held)
    visit.page.wait_for_selector(".cell.flag")


def test_twice_as_large_nothing_is_cut_off(visiting):
    # 200 % of a screen 1280 wide leaves 640 pixels of CSS.
    visit = visiting(SMALL, viewport={"width": 640, "height": 430})
    assert visit.page.evaluate("document.documentElement.scrollWidth") == 640
    visit.picture("twice_as_large")


def test_who_wants_less_motion_gets_none(visiting):
    visit = visiting(SMALL, reduced_motion="reduce")
    code = "getComputedStyle(document.querySelector('.cell')).transitionDuration"
    assert visit.page.evaluate(code) == "0s"
