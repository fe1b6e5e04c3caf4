"""The page for players: hints, best move, replay, statistics, board of the day, downloads."""

import csv
import json
from datetime import datetime
from io import StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from satsweeper import check
from satsweeper.play.record import read_game
from tests.page.test_page import GAME, SMALL, focused, saved

CORNERS = "id=3x3:u808&did=o1.1"
"""Mines at (0, 0) and (2, 2), and the clue 2 between them is open."""
STATISTICS = "satsweeper games"


def command(visit, name):
    visit.page.click(f"#commands >> text={name}")
    visit.idle()


def test_the_best_move_has_its_reason_and_a_guess_its_chance_to_win(visit):
    command(visit, "Best move")
    assert visit.marked("best") == {"2,2"}
    assert visit.marked() == {"0,1", "1,0", "1,1"}
    assert visit.label(2, 2).endswith("safe, the best move")
    # One of two cells: the best play wins every other time.
    visit.paste("2 2 1\n1?\n1?\n")
    visit.page.focus("[data-cell='0,0']")
    visit.press("b")
    # The focus goes with it.
    assert focused(visit) == "0,1"
    assert visit.said() == (
        "No cell is certain to be safe. The best guess is (0, 1): a mine with 50 %."
        " The best play wins from here with 50 %."
    )
    visit.paste("2 2 ?\n1?\n1?\n")
    command(visit, "Best move")
    assert visit.said().endswith("only with the number of mines: give it below.")


def test_an_uncertain_cell_shows_two_layouts_and_they_go_with_the_question(visit):
    assert visit.page.is_hidden("#witnesses")
    visit.cell(0, 2).click()
    visit.idle()
    assert visit.page.locator("#witnesses canvas").count() == 2
    texts = visit.page.locator("#witnesses figcaption").all_inner_texts()
    assert texts == ["A layout with a mine there: 2 mines", "A layout with none: 2 mines"]
    named = visit.page.locator("#witnesses canvas").first.get_attribute("aria-label")
    assert named.startswith("A layout with a mine there; mines here alone: (0, 2)")
    visit.page.keyboard.press("Escape")
    assert visit.page.is_hidden("#witnesses")


def test_hints_are_counted_and_survive_a_reload_with_the_time(visiting):
    visit = visiting(f"#{GAME}")
    command(visit, "Hint")
    assert visit.said() == "Any cell will do: the first click opens an area."
    assert visit.page.inner_text("#time") == "0:00"
    visit.cell(4, 4).click()
    visit.idle()
    for told in ("1 hint", "2 hints"):
        command(visit, "Hint")
        assert visit.page.inner_text("#time").endswith(told)
    visit.page.wait_for_selector("#time:not(:has-text('0:00'))")
    visit.page.reload()
    visit.ready()
    assert visit.page.inner_text("#time").endswith("2 hints")
    assert visit.page.inner_text("#time") >= "0:01"


def test_a_lost_game_is_replayed_move_by_move_with_the_luck_of_its_guesses(visit):
    visit.go(CORNERS)
    assert visit.page.get_attribute("#commands >> text=Replay", "aria-disabled") == "true"
    visit.cell(0, 1).click()
    visit.cell(0, 0).click()
    visit.idle()
    end, link = visit.rows(), visit.link()
    command(visit, "Replay")
    # Before (0, 1): two mines in eight cells; of its clue 1 one neighbour is a mine.
    assert visit.said().startswith("3 moves were guesses")
    assert "Points lost: 19.4. 3BV 0 of 2 in 3 clicks" in visit.said()
    visit.page.click("[name=back]")
    visit.page.click("[name=back]")
    assert visit.said().startswith("Move 1 of 3: (1, 1) is opened: a guess, a mine with 22.2 %")
    assert visit.label(0, 0) == "row 0 column 0, covered"
    visit.page.click("[name=guess]")
    assert visit.said().startswith("Move 2 of 3: (0, 1) is opened: a guess, a mine with 25 %")
    # The odds of that moment are there as well.
    visit.page.click("[data-show=odds]")
    visit.idle()
    assert "percent" in visit.label(0, 0)
    visit.page.click("[name=leave]")
    assert (visit.rows()[1:], visit.link().split("&show")[0]) == (end[1:], link)
    visit.page.click("[data-show=nothing]")
    command(visit, "Undo")
    assert visit.label(0, 0) == "row 0 column 0, covered"


def test_games_that_end_here_are_counted_once_and_saved_as_csv(visiting):
    visit = visiting(f"#{CORNERS}")
    visit.cell(0, 0).click()
    visit.idle()
    command(visit, "Undo")
    for cell in ((0, 0), (2, 2)):
        visit.cell(*cell).click(button="right")
    visit.cell(1, 1).click()
    visit.idle()
    assert visit.page.inner_text("#counts") == "Won"
    games = json.loads(visit.page.evaluate(f"localStorage.getItem('{STATISTICS}')"))
    assert [(game["board"], game["result"], game["hints"]) for game in games] == [
        ("3x3/2", "lost", 0)
    ]
    visit.page.evaluate("document.getElementById('statistics').open = true")
    assert "0 of 1" in visit.page.inner_text("#statistics")
    with visit.page.expect_download() as download:
        visit.page.click("#save-statistics")
    lines = list(csv.DictReader(StringIO(Path(download.value.path()).read_text())))
    assert [(line["result"], line["game"]) for line in lines] == [("lost", "#id=3x3:u808")]
    assert [(line["3bv"], line["clicks"], line["efficiency"]) for line in lines] == [
        ("2", "2", "0")
    ]
    # A link to a game that has ended is none that ended here.
    visit.go(SMALL)
    visit.go("id=3x3:u808&did=o0.0")
    visit.page.click("#forget")
    assert visit.page.evaluate(f"localStorage.getItem('{STATISTICS}')") is None


def test_the_board_of_the_day_is_that_of_the_date_wherever_it_is_played(visiting):
    visit = visiting(f"#{GAME}")
    visit.page.clock.set_fixed_time(datetime(2026, 3, 1, 12))
    visit.page.click("#daily")
    visit.idle()
    assert visit.said() == "The board of 2026-03-01, the same for everyone."
    assert visit.link() == "#game=9x9/10&seed=20260301&first=opening&guess=no&start=4.4&did=o4.4"


@pytest.mark.parametrize("guess", ["one", "two"])
def test_boards_for_one_or_two_clues_at_a_time_are_linked(visit, guess):
    visit.go(f"game=9x9/10&seed=5&first=opening&guess={guess}&start=4.4&did=o4.4")
    value = {"one": "single_clue", "two": "subset"}[guess]
    assert visit.page.input_value("#game [name=no_guess]") == value
    assert f"&guess={guess}&" in visit.link()
    command(visit, "Auto")
    assert "all were certain. You have won: every cell without a mine is open." in visit.said()
    assert "n plays" not in visit.said()


def test_pictures_and_the_record_of_a_game_are_saved(visit):
    visit.go(f"{CORNERS}-f0.0")
    assert saved(visit, "#download", "svg").startswith("<svg ")
    visit.page.select_option("#format", "png")
    with visit.page.expect_download() as download:
        visit.page.click("#download")
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    game = read_game(saved(visit, "#download", "jsonl"), "game")
    assert (str(game.board), game.flags.bit_count()) == ("3x3/2", 1)
    visit.page.select_option("#format", "cnf")


def test_a_certificate_that_the_page_makes_is_accepted_by_the_checker(visit, tmp_path):
    visit.page.evaluate("document.getElementById('save').open = true")
    visit.page.select_option("#format", "zip")
    with visit.page.expect_download() as download:
        visit.page.click("#download")
    with ZipFile(Path(download.value.path())) as packed:
        packed.extractall(tmp_path)
    checked = check(tmp_path / "certificate", external=False)
    assert (checked.proved, checked.witnessed) == (1, 4)
    visit.page.select_option("#format", "cnf")
