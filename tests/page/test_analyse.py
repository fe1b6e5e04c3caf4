"""Boards on the page: brought in, classified, counted, explained, exported."""

import base64
import json
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
EXPERT = (ROOT / "examples" / "expert.txt").read_text()
TOOLLIB = (ROOT / "tests" / "data" / "notation" / "both.board").read_bytes()


def test_a_board_is_classified_and_every_verdict_has_a_letter(visit):
    # The three examples of the README.
    assert visit.rows() == [["", "1", "·"], ["1", "2", "·"], ["·", "·", "S"]]
    assert visit.label(2, 2) == "row 2 column 2, covered, safe"
    assert visit.said() == "One cell is certain: 1 safe, 0 mines."


def test_an_expert_board_is_classified_and_explained(visit):
    visit.paste(EXPERT)
    assert visit.page.inner_text("#counts") == "21 safe, 73 mines, 96 unknown"
    assert visit.label(0, 9) == "row 0 column 9, covered, mine"
    visit.cell(3, 2).click()
    visit.idle()
    # The two 1s see one cell each besides those that both see.
    assert visit.marked() == {"2,0", "2,1"}
    assert visit.said().startswith("(3, 2) is safe: if it were a mine, the 1 at (2, 0)")
    assert visit.label(2, 0) == "row 2 column 0, 1, part of the reason"
    visit.picture("expert_explained")


def test_a_file_is_opened_in_another_notation(visit):
    visit.page.set_input_files(
        "#file", {"name": "both.board", "mimeType": "text/plain", "buffer": TOOLLIB}
    )
    visit.page.wait_for_timeout(200)
    visit.idle()
    assert visit.faults == []
    assert "wrong" not in (visit.page.get_attribute("#said", "class") or "")


def test_a_link_holds_a_board_in_any_notation(visit):
    visit.go("board=1%3F%3F%0A12%3F%0A01%3F")
    assert visit.rows() == [["1", "M", "S"], ["1", "2", "·"], ["", "1", "·"]]
    data = base64.b64encode(b"3 3 ?\n1??\n12?\n01?\n").decode()
    visit.go(f"data={data}")
    assert visit.rows() == [["1", "M", "S"], ["1", "2", "·"], ["", "1", "·"]]
    assert visit.page.evaluate("location.hash").startswith("#size=3x3/?&cells=1b12a01a")


def test_a_link_that_was_made_shows_the_same_board(visit):
    visit.paste(EXPERT)
    link, rows = visit.page.evaluate("location.hash"), visit.rows()
    visit.go("size=3x3/?&cells=01a12ac")
    visit.go(link)
    assert visit.rows() == rows


def test_what_is_no_board_is_said_in_one_line(visit):
    visit.paste("???\n?1z\n")
    assert visit.said().startswith("board:2:3: unknown character 'z'")


def test_a_contradiction_is_named(visit):
    visit.paste("2 2 2\n11\n??\n")
    assert visit.said() == (
        "No layout exists: the clue at (0, 0) and the total of 2 mines cannot all be met at once."
    )
    assert visit.marked("clash") == {"0,0"}
    visit.picture("contradiction")


def test_the_odds_are_a_heat_map_with_numbers(visit):
    visit.paste("1 3 1\n?1?\n")
    visit.page.click("[data-show=odds]")
    visit.idle()
    assert visit.rows() == [["50", "1", "50"]]
    assert visit.label(0, 0) == "row 0 column 0, covered, 50 percent"
    visit.cell(0, 2).click()
    visit.idle()
    assert visit.said().endswith("A mine with 50 %.")
    visit.paste(EXPERT)
    visit.picture("expert_odds")
    visit.page.click("[data-show=verdicts]")


def test_a_board_is_drawn_with_the_mouse(visit):
    visit.page.fill("#blank [name=columns]", "3")
    visit.page.fill("#blank [name=rows]", "1")
    visit.page.click("#blank button")
    visit.page.click("[data-tool='2']")
    visit.cell(0, 1).click()
    visit.page.wait_for_timeout(150)
    visit.idle()
    assert visit.rows() == [["M", "2", "M"]]


def test_a_drag_draws_many_cells(visit):
    visit.page.fill("#blank [name=columns]", "4")
    visit.page.fill("#blank [name=rows]", "2")
    visit.page.click("#blank button")
    visit.cell(0, 0).hover()
    visit.page.mouse.down()
    visit.cell(0, 1).hover()
    visit.cell(0, 2).hover()
    visit.page.mouse.up()
    visit.page.wait_for_timeout(150)
    visit.idle()
    # Zeros from (0, 1) on: nothing below them is a mine.
    assert visit.label(0, 2) == "row 0 column 2, empty"
    assert visit.label(1, 2) == "row 1 column 2, covered, safe"


def test_the_number_of_mines_is_a_question_of_its_own(visit):
    visit.paste("1 3 ?\n1??\n")
    visit.page.fill("#mines", "1")
    visit.page.keyboard.press("Tab")
    visit.idle()
    assert visit.rows() == [["1", "M", "S"]]


def test_flags_are_trusted_or_not(visit):
    visit.paste("1 3 ?\nF1?\n")
    assert visit.rows() == [["⚑", "1", "S"]]
    visit.page.uncheck("#trust")
    visit.idle()
    assert visit.label(0, 2) == "row 0 column 2, covered, unknown"
    visit.page.check("#trust")
    visit.idle()


def saved(visit: Any, button: str, format: str) -> str:
    if not visit.page.get_attribute("#save", "open"):
        visit.page.evaluate("document.getElementById('save').open = true")
    visit.page.select_option("#format", format)
    with visit.page.expect_download() as download:
        visit.page.click(button)
    return Path(download.value.path()).read_text()


def test_a_board_is_saved_as_cnf_and_opb_with_the_name_map(visit):
    visit.paste("1 3 1\n?1?\n")
    lines = saved(visit, "#download", "cnf").splitlines()
    assert "c var 1 cell 0 0" in lines
    header, *clauses = [line.split() for line in lines if not line.startswith("c")]
    assert header[:2] == ["p", "cnf"]
    layouts = set()
    for values in product([False, True], repeat=int(header[2])):
        if all(any((int(lit) > 0) == values[abs(int(lit)) - 1] for lit in c[:-1]) for c in clauses):
            layouts.add(values[:2])
    # One of the two is a mine.
    assert layouts == {(True, False), (False, True)}
    opb = saved(visit, "#download", "opb")
    assert opb.count("= 1 ;") == 2
    names = json.loads(saved(visit, "#download-map", "cnf"))
    assert names["variables"] == {"1": {"cell": [0, 0]}, "2": {"cell": [0, 2]}}


def test_a_board_is_saved_in_another_notation(visit):
    visit.paste("1 3 1\n?1?\n")
    assert saved(visit, "#download", "mine").splitlines() == ["3x1x1", "H1H"]
