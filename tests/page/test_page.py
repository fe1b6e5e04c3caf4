"""The page: boards and games on it, who can use it and how, and the page by itself."""

import base64
import json
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from satsweeper.show.page.serve import serving
from tests.commands import EXAMPLES, ROOT
from tests.page.conftest import PAGE, TWICE

EXPERT = (EXAMPLES / "expert.txt").read_text()
GAME = "game=9x9/10&seed=5&first=opening&guess=no"
BEGUN = f"{GAME}&start=4.4&did=o4.4"
SMALL = "size=3x3/?&cells=01a12ac"
ROWS = [line for line in EXPERT.splitlines() if line[0] in "?012345678" and " " not in line]
PHONE = {"viewport": {"width": 400, "height": 820}, "has_touch": True, "is_mobile": True}


# Boards: brought in, classified, counted, explained, exported


def test_a_board_is_classified_and_every_verdict_has_a_letter(visit):
    # The three examples of the README.
    assert visit.rows() == [["", "1", "?"], ["1", "2", "?"], ["?", "?", "S"]]
    assert visit.label(2, 2) == "row 2 column 2, covered, safe"
    assert visit.said() == "One cell is certain."
    assert visit.page.inner_text("#counts") == "1 safe, 0 mines, 4 unknown"


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
    saved = ROOT / "tests/data/notation/both.board"
    visit.page.set_input_files(
        "#file", {"name": "both.board", "mimeType": "text/plain", "buffer": saved.read_bytes()}
    )
    visit.page.wait_for_timeout(200)
    visit.idle()
    assert visit.faults == []
    assert "wrong" not in (visit.page.get_attribute("#said", "class") or "")


def test_a_link_holds_a_board_in_any_notation(visit):
    visit.go("board=1%3F%3F%0A12%3F%0A01%3F")
    assert visit.rows() == [["1", "M", "S"], ["1", "2", "?"], ["", "1", "?"]]
    data = base64.b64encode(b"3 3 ?\n1??\n12?\n01?\n").decode()
    visit.go(f"data={data}")
    assert visit.rows() == [["1", "M", "S"], ["1", "2", "?"], ["", "1", "?"]]
    assert visit.page.evaluate("location.hash").startswith("#size=3x3/?&cells=1b12a01a")


def test_a_link_that_was_made_shows_the_same_board(visit):
    visit.paste(EXPERT)
    link, rows = visit.page.evaluate("location.hash"), visit.rows()
    visit.go(SMALL)
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


# Games: opened, flagged, chorded, undone, explained, and held by the link


def covered(visit: Any) -> list[str]:
    return [label for label in labels(visit) if "covered" in label]


def labels(visit: Any) -> list[str]:
    return list(visit.page.eval_on_selector_all(".cell", "all => all.map(c => c.ariaLabel)"))


def test_the_first_click_of_a_game_opens_an_area(visit):
    visit.go(GAME)
    assert len(covered(visit)) == 81
    visit.cell(4, 4).click()
    visit.idle()
    assert visit.label(4, 4) == "row 4 column 4, empty"
    assert 0 < len(covered(visit)) < 72


@pytest.mark.parametrize("board", ["9x9/10", "16x16/40", "30x16/99"])
def test_a_board_without_guesses_is_won_by_certain_moves_alone(visit, board):
    visit.go(f"game={board}&seed=5&first=opening&guess=no&start=4.4&did=o4.4")
    visit.cell(4, 4).focus()
    visit.press("a")
    assert "all were certain. You have won" in visit.said()
    mines = int(board.split("/")[1])
    assert sum("flag" in label for label in labels(visit)) == mines


def test_why_is_answered_in_a_game_and_no_flag_is_believed(visit):
    visit.go(f"{BEGUN}&show=verdicts")
    safe = visit.page.locator(".cell.safe").first
    row, column = map(int, safe.get_attribute("data-cell").split(","))
    safe.focus()
    visit.press("f", "?")
    assert visit.said().startswith(f"({row}, {column}) is safe")
    assert visit.marked()
    visit.picture("game_explained")


def test_a_flag_is_set_a_clue_chorded_and_a_move_taken_back(visit):
    # Mines at (0, 0) and (2, 2): the clue in the middle is 2.
    visit.go("id=3x3:u808&did=o1.1")
    assert visit.label(1, 1) == "row 1 column 1, 2"
    visit.cell(0, 0).click(button="right")
    visit.idle()
    visit.cell(2, 2).click(button="right")
    visit.idle()
    assert visit.label(2, 2) == "row 2 column 2, flag"
    visit.cell(1, 1).click()
    visit.idle()
    assert "You have won" in visit.said()
    visit.page.click("text=Undo")
    visit.idle()
    assert visit.label(0, 1) == "row 0 column 1, covered"


def test_a_mine_loses_and_undo_takes_it_back(visit):
    visit.go("id=3x3:u808&did=o1.1")
    visit.cell(0, 0).click()
    visit.idle()
    assert "You have lost" in visit.said()
    assert visit.label(0, 0) == "row 0 column 0, the mine that exploded"
    assert visit.label(2, 2) == "row 2 column 2, a mine"
    visit.cell(0, 0).focus()
    visit.press("u")
    assert visit.label(2, 2) == "row 2 column 2, covered"


def test_a_game_is_held_by_the_link(visit):
    visit.go(GAME)
    visit.cell(4, 4).click()
    visit.idle()
    link, rows = visit.page.evaluate("location.hash"), visit.rows()
    assert "start=4.4&did=o4.4" in link
    visit.go(SMALL)
    visit.go(link)
    assert visit.rows() == rows


def test_a_new_game_is_begun_by_the_form(visit):
    visit.go(GAME)
    visit.page.select_option("#game [name=board]", "16x16/40")
    visit.page.fill("#game [name=seed]", "3")
    visit.page.click("#game button")
    visit.idle()
    assert len(labels(visit)) == 256
    assert "game=16x16/40&seed=3" in visit.page.evaluate("location.hash")


def test_what_cannot_be_a_board_is_said(visit):
    visit.go("game=3x3/9&seed=3&first=opening")
    assert "9 mines: first click 'opening' leaves room for" in visit.said()


def test_a_game_goes_on_in_analysis(visit):
    visit.go(BEGUN)
    visit.page.click("label[data-mode=analyse]")
    visit.idle()
    assert " safe, " in visit.page.inner_text("#counts")


# By keys alone, by touch, on a phone, magnified, in both themes, by ear


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
        (
            "\n".join(["30x16x99", *ROWS]).replace("?", "H"),
            "3,2",
            "(3, 2) is safe: if it were a mine, ",
        ),
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
    visit.go(BEGUN)
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
    visit = visiting(f"#{SMALL}")
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
@pytest.mark.parametrize(
    ("link", "options"),
    [
        (SMALL, {}), (f"{SMALL}&show=odds", {}), (f"{BEGUN}&show=verdicts", {}),
        (f"{SMALL}&show=odds", PHONE), (f"{BEGUN}&show=verdicts", PHONE),
        (f"{BEGUN}&show=odds", TWICE),
    ],
    ids=["verdicts", "odds", "game", "odds on a phone", "game on a phone", "game at 200 %"],
)  # fmt: skip
def test_axe_finds_no_violation(visiting, theme, link, options):
    visit = visiting(f"#{link}", color_scheme=theme, **options)
    # Of an uncertain cell there are two layouts; a game that has ended is replayed.
    visit.cell(0, 2).click()
    visit.idle()
    if "game" in link:
        visit.page.click("#commands >> text=Auto")
        visit.idle()
        visit.page.click("#commands >> text=Replay")
        visit.idle()
    for name in ("keys", "save", "statistics"):
        visit.page.evaluate(f"document.getElementById('{name}').open = true")
    visit.page.evaluate((ROOT / "build/page/axe.min.js").read_text())
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
    visit.go(BEGUN)
    visit.picture(f"phone_game_{theme}")


def test_a_long_touch_sets_a_flag(visiting):
    visit = visiting(f"#{BEGUN}", **PHONE)
    cell = visit.page.locator(".cell.covered").first
    held = {"pointerType": "touch", "bubbles": True, "button": 0, "isPrimary": True}
    cell.dispatch_event("pointerdown", held)
    visit.page.wait_for_selector(".cell.flag")


def test_twice_as_large_nothing_is_cut_off(visiting):
    visit = visiting(f"#{SMALL}", **TWICE)
    assert visit.page.evaluate("document.documentElement.scrollWidth") == 640
    visit.picture("twice_as_large")


def test_who_wants_less_motion_gets_none(visiting):
    visit = visiting(f"#{SMALL}", reduced_motion="reduce")
    code = "getComputedStyle(document.querySelector('.cell')).transitionDuration"
    assert visit.page.evaluate(code) == "0s"


# No other host, no network once it is there, and answers that come at once


def test_the_page_is_small_and_smaller_over_the_wire():
    files = [path for path in PAGE.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= 16_000_000
    with serving(PAGE) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        connection, sent = HTTPConnection("127.0.0.1", server.server_port), 0
        for path in files:
            name = f"/{path.relative_to(PAGE).as_posix()}"
            connection.request("GET", name, headers={"Accept-Encoding": "gzip"})
            sent += len(connection.getresponse().read())
        connection.close()
        server.shutdown()
        thread.join()
    assert sent <= 8_000_000


def test_the_first_verdicts_come_by_themselves_and_later_ones_load_nothing(visiting):
    visit = visiting()
    assert visit.page.locator(".cell.safe").count() == 2
    before = len(visit.requests)
    visit.paste(EXPERT)
    assert visit.label(3, 2) == "row 3 column 2, covered, safe"
    assert visit.page.inner_text("#work").startswith("classified in ")
    assert visit.requests[before:] == []


def test_without_a_network_a_page_that_is_open_answers_everything(visiting, address):
    visit = visiting()
    before = len(visit.requests)
    visit.context.set_offline(True)
    visit.paste(EXPERT)
    visit.cell(3, 2).click()
    visit.idle()
    visit.page.click("[data-show=odds]")
    visit.idle()
    visit.go(f"{BEGUN}-a")
    assert "You have won" in visit.said()
    assert [url for url in visit.requests[before:] if not url.startswith(address)] == []
    assert all(url.startswith(address) for url in visit.requests)
    assert visit.faults == []
