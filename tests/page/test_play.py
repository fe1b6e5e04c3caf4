"""Games on the page: opened, flagged, chorded, undone, explained, and held by the link."""

from typing import Any

import pytest

GAME = "game=9x9/10&seed=5&first=opening&guess=no"


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
    visit.go(f"{GAME}&start=4.4&did=o4.4&show=verdicts")
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
    visit.go("size=3x3/?&cells=01a12ac")
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
    visit.go(f"{GAME}&start=4.4&did=o4.4")
    visit.page.click("button[data-mode=analyse]")
    visit.idle()
    assert " safe, " in visit.page.inner_text("#counts")
