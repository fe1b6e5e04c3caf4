"""Boards with rules, and of other cells than squares, on the page in a real browser."""

import json
from math import dist, isclose, sqrt

import pytest

from satsweeper.puzzle.puzzle import Puzzle
from tests.commands import EXAMPLES, ROOT

# In (1, 1) stands the 2 whose six neighbours include the other clues' cells.
HEXAGONS = "rules: C\ngeometry: hexagonal\nmines: 2\n1 ? ?\n? ? ?\n? ? 1\n"
TRIANGLES = "rules: C\ngeometry: triangular\nmines: 2\n1 ? ? ? ?\n? ? ? ? ?\n? 1 ? ? ?\n"
WALL = "rules: W\nmines: 5\n. . . 2\n. 13 . 3\n. . . .\n. . 11 .\n"
OWN = "rules: #\nmines: 5\nW13 . . L2\nM1 . F .\n. N2 . 2X12\n. . 2X'1 2P10\n"


def middle(visit, row, column):
    box = visit.cell(row, column).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_hexagons_under_a_rule_are_drawn_classified_and_explained(visiting):
    visit = visiting()
    visit.paste(HEXAGONS)
    # The grid of `satsweeper classify`.
    assert visit.rows() == [["1", "?", "S"], ["?", "?", "S"], ["S", "?", "1"]]
    assert visit.label(0, 2) == "row 0 column 2, covered, safe"
    assert visit.page.inner_text("#counts") == "3 safe, 0 mines, 4 unknown"
    visit.cell(0, 2).click()
    visit.idle()
    assert visit.said().startswith("(0, 2) is safe in every layout with ")
    assert visit.marked() <= {"0,0", "2,2"}
    assert "C (connected): the mines are one set" in visit.page.inner_text("#legend")
    visit.picture("hexagons")
    # The six around (1, 1) are equally far from it, as odd rows lie half a cell to the right.
    near = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 1), (2, 2)]
    far = [dist(middle(visit, 1, 1), middle(visit, *cell)) for cell in near]
    side = visit.cell(0, 1).bounding_box()["width"]
    assert all(isclose(each, side, abs_tol=1.5) for each in far)
    down = middle(visit, 1, 0)[1] - middle(visit, 0, 0)[1]
    assert isclose(down, side * sqrt(3) / 2, abs_tol=1.5)


def test_a_board_with_rules_is_held_by_the_link(visiting):
    visit = visiting()
    visit.paste(WALL)
    link, rows = visit.page.evaluate("location.hash"), visit.rows()
    assert rows[1][1] == "1 3"
    assert link.startswith("#board=rules")
    visit.go("size=3x3/?&cells=01a12ac")
    assert visit.rows() == [["", "1", "?"], ["1", "2", "?"], ["?", "?", "S"]]
    assert visit.page.locator("#board.placed").count() == 0
    visit.go(link)
    assert visit.rows() == rows
    assert visit.page.evaluate("location.hash") == link


def test_a_board_with_rules_is_changed_by_clicks_keys_and_the_total(visiting):
    visit = visiting()
    visit.paste(TRIANGLES)
    before = visit.rows()
    assert before[0] == ["1", "S", "?", "?", "?"]
    visit.cell(1, 3).focus()
    visit.press("0")
    visit.page.wait_for_timeout(150)
    visit.idle()
    assert visit.rows()[1][3] == "0"
    assert "%0A???0?%0A" in visit.page.evaluate("location.hash")
    visit.press("u")
    visit.page.wait_for_timeout(150)
    visit.idle()
    assert visit.rows() == before
    visit.page.fill("#mines", "0")
    visit.page.keyboard.press("Tab")
    visit.page.wait_for_timeout(150)
    visit.idle()
    assert visit.said().startswith("No layout exists with ")
    assert visit.marked("clash")
    visit.picture("triangles_clash")


def test_a_clue_of_several_characters_is_typed_and_put_into_a_cell(visiting):
    visit = visiting()
    visit.page.locator("#other").wait_for(state="hidden")
    visit.paste(WALL)
    visit.page.fill("#other", "111")
    visit.cell(2, 2).click()
    visit.page.wait_for_timeout(150)
    visit.idle()
    assert visit.rows()[2][2] == "1 1 1"
    visit.page.fill("#other", "190")
    visit.cell(2, 0).click()
    visit.page.wait_for_timeout(150)
    visit.idle()
    assert visit.said().startswith("'190': a digit for each run of mines")
    visit.picture("walls_changed")


def test_a_level_of_hexcells_is_changed_and_its_link_tells_what_is_seen_and_no_more(visiting):
    visit = visiting()
    level = (EXAMPLES / "flower.hexcells").read_text()
    visit.paste(level)
    held = "new URLSearchParams(location.hash.slice(1)).get('board')"
    link, rows = visit.page.evaluate(held), visit.rows()
    assert link.startswith('{"schema":"satsweeper/board/2","geometry":"hexcells"')
    assert Puzzle.parse(link) == Puzzle.parse(level)
    visit.cell(1, 1).focus()
    for key, sign in (("f", "\u2691"), ("2", "2"), ("-", None)):
        visit.press(key)
        visit.page.wait_for_timeout(150)
        visit.idle()
        assert visit.rows()[1][1] == (sign or rows[1][1])
    visit.press("u")
    visit.page.wait_for_timeout(150)
    visit.idle()
    assert visit.rows()[1][1] == "2"
    visit.picture("hexcells_changed")


def test_a_game_under_rules_is_begun_played_and_held_by_its_link(visiting):
    visit = visiting()
    visit.page.click("label[data-mode=play]")
    visit.idle()
    visit.page.select_option("[name=board]", "")
    given = {"columns": "6", "rows": "6", "mines": "8", "rules": "C", "seed": "5"}
    for name, value in given.items():
        visit.page.fill(f"#game [name={name}]", value)
    visit.page.select_option("[name=geometry]", "hexagonal")
    visit.page.click("#game button")
    visit.idle()
    link = visit.page.evaluate("location.hash")
    assert link == "#game=6x6/8&seed=5&first=opening&guess=no&rules=C&geometry=hexagonal"
    assert "C (connected)" in visit.page.inner_text("#legend")
    visit.page.click("[data-show=odds]")
    visit.idle()
    seen = visit.rows()
    safe = next((r, c) for r, row in enumerate(seen) for c, sign in enumerate(row) if sign == "S")
    visit.picture("game_of_hexagons")
    visit.page.click("[data-tool=why]")
    visit.cell(*safe).click()
    visit.idle()
    assert visit.said().startswith(f"({safe[0]}, {safe[1]}) is safe in every layout with ")
    visit.page.click("[data-tool=open]")
    visit.cell(*safe).click(button="right")
    visit.idle()
    assert visit.label(*safe).startswith(f"row {safe[0]} column {safe[1]}, flag")
    visit.press("u", "a")
    assert visit.page.inner_text("#counts") == "Won"
    visit.go(visit.page.evaluate("location.hash").replace("did=a", f"did=o{safe[0]}.{safe[1]}"))
    assert visit.rows()[safe[0]][safe[1]].isdigit()
    visit.page.click("label[data-mode=analyse]")
    visit.idle()
    assert visit.page.evaluate("location.hash").startswith("#board=rules")
    assert visit.rows()[safe[0]][safe[1]].isdigit()


def test_dyed_cells_own_letters_and_notes_are_drawn_and_said(visiting):
    visit = visiting()
    visit.paste(OWN)
    assert visit.label(0, 0).startswith("row 0 column 0, W 1 3")
    assert "dyed" in visit.label(0, 3)
    assert visit.page.locator(".dyed").count() == 8
    texts = "all => all.map(e => e.dataset.text)"
    letters = visit.page.eval_on_selector_all(".letters", texts)
    assert letters == ["W", "L", "M", "N", "2X", "2X'", "2P"]
    visit.picture("own_letters")


def test_what_is_no_rule_or_a_rule_of_ones_own_is_said_in_one_line(visiting):
    visit = visiting()
    visit.paste("rules: Y\n1 ?\n? ?\n")
    assert visit.said().startswith("board:1:8: unknown rule 'Y'")
    visit.paste("rules: os:abort\n1 ?\n? ?\n")
    assert visit.said().startswith("board:1:8: rule os:abort is code, which no file may ask for")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("text", [HEXAGONS, OWN])
def test_axe_finds_no_violation(visiting, theme, text):
    visit = visiting(color_scheme=theme)
    visit.paste(text)
    visit.page.evaluate((ROOT / "build/page/axe.min.js").read_text())
    found = visit.page.evaluate("axe.run()")
    told = [(v["id"], [node["html"][:120] for node in v["nodes"]][:3]) for v in found["violations"]]
    assert told == [], json.dumps(told, indent=1)
    visit.picture(f"rules_{theme}_{len(text)}")
