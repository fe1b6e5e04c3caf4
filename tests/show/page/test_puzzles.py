"""Boards of the page with rules, and of other cells than squares: read, asked about, changed."""

import json
from base64 import b64decode
from typing import Any

import pytest

from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.play.game import PuzzleGame
from satsweeper.puzzle.play.generate import generate_puzzle
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.show.page import puzzles
from satsweeper.show.page.ask import ask
from satsweeper.show.picture.forms import Form
from tests.commands import EXAMPLES, done

TRIANGLES = "rules: C\ngeometry: triangular\nmines: 2\n1 ? ? ? ?\n? ? ? ? ?\n? 1 ? ? ?\n"
WALL = "rules: W\nmines: 5\n. . . 2\n. 13 . 3\n. . . .\n. . 11 .\n"
GAME = {"board": "5x5/6", "rules": "C", "first_click": "opening", "seed": 2, "no_guess": True}
FLOWER = EXAMPLES / "flower.hexcells"
CLASH = "rules: Q\nmines: 0\n0 F\n? ?\n"


def answered(name: str, **entries: Any) -> Any:
    return json.loads(ask(json.dumps({"ask": name, **entries})))


def board(text: str) -> dict[str, str]:
    return {"text": text}


def test_a_board_is_read_with_the_text_the_place_and_the_form_of_each_cell():
    found = answered("read", text=WALL)
    assert found["rows"] == [
        ["?", "?", "?", "2"], ["?", "13", "?", "3"], ["?", "?", "?", "?"], ["?", "?", "11", "?"],
    ]  # fmt: skip
    assert (found["mines"], found["format"], found["id"]) == (5, "text with rules", None)
    drawn = found["puzzle"]
    assert drawn["text"] == WALL
    assert drawn["cells"][1][1]["sign"] == "1 3"
    places = [(cell["x"], cell["y"]) for row in drawn["cells"] for cell in row]
    left, top = places[0]
    assert places == [(left + column, top + row) for row in range(4) for column in range(4)]
    wide, high = drawn["size"]
    assert all(0.5 <= x <= wide - 0.5 and 0.5 <= y <= high - 0.5 for x, y in places)
    forms = [[cell["form"] for cell in row] for row in
             answered("read", text=TRIANGLES)["puzzle"]["cells"]]  # fmt: skip
    assert forms[0] == ["up", "down", "up", "down", "up"]
    assert {each for row in forms for each in row} <= {*Form}


def test_the_page_has_the_verdicts_and_the_reason_of_the_session():
    with PuzzleSession(Puzzle.parse(TRIANGLES)) as session:
        found, reason = session.classify(), session.explain((1, 1))
    answer = answered("classify", board=board(TRIANGLES))
    assert [[each or "1" for each in row] for row in answer["grid"]] == [*map(list, found.grid())]
    assert answer["counts"] == found.counts
    why = answered("explain", board=board(TRIANGLES), cell=[1, 1])
    assert why["sentence"] == reason.sentence
    assert reason.reason is not None
    assert why["clues"] == [list(cell) for cell in reason.reason.clues]
    assert why["rules"] == list(reason.reason.rules)


def test_what_clashes_is_said_whatever_is_asked():
    for question in ("classify", "explain"):
        answer = answered(question, board=board(CLASH), cell=[1, 0])
        assert answer["sentence"].startswith("No layout exists with ")
        assert set(answer["conflict"]) >= {"clues", "flags", "rules", "total"}
    assert answered("classify", board=board(CLASH), flags="ignore")["conflict"]["flags"] == []


def test_a_changed_board_is_the_one_that_its_text_says():
    found = answered("edit", board=board(WALL), cell=[0, 0], symbol="F")
    assert found["rows"][0] == ["F", "?", "?", "2"]
    assert answered("read", text=found["puzzle"]["text"]) == found
    again = answered("edit", board=board(found["puzzle"]["text"]), cell=[0, 0], symbol="?")
    assert Puzzle.parse(again["puzzle"]["text"]) == Puzzle.parse(WALL)
    total = answered("edit", board=board(WALL), mines=None)
    assert (total["mines"], total["rows"]) == (None, answered("read", text=WALL)["rows"])
    assert Puzzle.parse(total["puzzle"]["text"]) == Puzzle.parse(WALL, mines=None)


def test_a_level_is_shown_without_its_solution_and_changed_like_any_board():
    found = answered("read", text=FLOWER.read_text())
    text = found["puzzle"]["text"]
    # `Puzzle` has only what a player sees.
    assert Puzzle.parse(text) == Puzzle.read(FLOWER)
    assert found["id"] is None
    places = [(r, c) for r, row in enumerate(found["rows"]) for c, sign in enumerate(row)]
    covered = [list(at) for at in places if found["rows"][at[0]][at[1]] == "?"]
    for at, sign, shows in (
        (covered[0], "F", "F"),
        (covered[1], "2", "V2"),
        (covered[2], "HC{2}", "HC{2}"),
    ):
        found = answered("edit", board=board(text), cell=at, symbol=sign)
        assert found["rows"][at[0]][at[1]] == shows
        text = found["puzzle"]["text"]
    for at in covered[:3]:
        text = answered("edit", board=board(text), cell=at, symbol="?")["puzzle"]["text"]
    assert Puzzle.parse(text) == Puzzle.read(FLOWER)
    total = answered("edit", board=board(text), mines=None)
    assert Puzzle.parse(total["puzzle"]["text"]) == Puzzle.read(FLOWER, mines=None)
    written = answered("write", board=board(text), format="json")["base64"]
    assert Puzzle.parse(b64decode(written)) == Puzzle.read(FLOWER)


@pytest.mark.parametrize(
    "more", [{}, {"geometry": "hexagonal"}, {"geometry": "torus", "rules": ""}]
)
def test_a_game_under_rules_is_played_by_what_was_done_and_shows_no_more(more):
    settings = {**GAME, **more}
    begun = answered("play", game=settings, actions=[])
    seen = Puzzle.parse(begun["puzzle"]["text"])
    assert (seen.rules, seen.mines) == (tuple(settings["rules"].split()), 6)
    covered = [
        [r, c] for r, row in enumerate(begun["rows"]) for c, sign in enumerate(row) if sign == "?"
    ]
    assert len(covered) == 25 - len(seen.clues)
    flagged = answered("play", game=settings, actions=[f"f{covered[0][0]}.{covered[0][1]}"])
    assert flagged["rows"][covered[0][0]][covered[0][1]] == "F"
    # What is asked about is the board without flags.
    assert flagged["puzzle"]["text"] == begun["puzzle"]["text"]
    won = answered("play", game=settings, actions=["a"])
    assert (won["status"], won["mines_left"]) == ("won", 0)
    assert sum(row.count("F") for row in won["rows"]) == 6
    row, column = next((r, c) for r, c in covered if won["rows"][r][c] == "F")
    lost = answered("play", game=settings, actions=[f"o{row}.{column}"])
    assert (lost["status"], lost["rows"][row][column]) == ("lost", "X")
    assert sum(each.count("*") for each in lost["rows"]) == 5
    assert lost["puzzle"]["cells"][row][column]["mine"]
    assert answered("play", game=settings, actions=[]) == begun


def test_the_file_of_a_game_is_analysed_without_its_solution_and_played_from_where_it_is():
    generated = generate_puzzle(Puzzle(grid("torus", 4, 4), ("C",), mines=4), seed=3)
    game = PuzzleGame.of(generated)
    found = answered("read", text=game.written())
    assert Puzzle.parse(found["puzzle"]["text"]) == game.seen
    assert "solution" not in found["puzzle"]["text"]
    played = answered("play", game={"id": found["id"]}, actions=[])
    assert played["rows"] == found["rows"]
    safe = min(game.clues.keys() - game.opened)
    row, column = divmod(safe, 4)
    after = answered("play", game={"id": found["id"]}, actions=[f"o{row}.{column}"])
    assert after["rows"][row][column] == game.clues[safe].text()


def test_a_board_under_rules_is_written_for_solvers_as_on_the_command_line():
    for format in ("cnf", "opb"):
        found = answered("export", board=board(TRIANGLES), format=format)
        words = ("export", "-", "--format", format, "--total-encoding", "adder")
        assert found["text"] == done(*words, board=TRIANGLES).out
    assert found["map"]["rules"] == ["C"]


def test_a_plain_board_with_a_geometry_line_is_a_plain_board():
    found = answered("read", text="geometry: square\nmines: 2\n1?\nF?\n")
    assert (found["rows"], found["mines"]) == (["1?", "F?"], 2)
    assert "puzzle" not in found


@pytest.mark.parametrize(
    ("question", "said"),
    [({"ask": "read", "text": "rules: Y\n??"}, "board:1:8: unknown rule 'Y'"),
     ({"ask": "read", "text": "geometry: torus\n" + ("?" * 101 + "\n") * 101},
      "board:101:1: more than 10000 cells: a board with rules has no more"),
     ({"ask": "edit", "board": board(WALL), "cell": [0, 0], "symbol": "90"}, "'90': a digit"),
     ({"ask": "edit", "board": board(WALL), "mines": 99}, "99 mines in 16 cells"),
     ({"ask": "write", "board": board(WALL), "format": "mine"}, "mine holds squares with"),
     ({"ask": "write", "board": board(WALL), "format": "hexcells"}, "a level has hexagons"),
     ({"ask": "export", "board": board(WALL), "format": "lp"}, "the page writes no lp"),
     ({"ask": "play", "game": {**GAME, "rules": "os:abort"}, "actions": []}, "rule os:abort is"),
     ({"ask": "play", "game": {**GAME, "geometry": "cubes"}, "actions": []}, "unknown geometry"),
     ({"ask": "explain", "board": board(WALL), "cell": [0, 3]}, "cell (0, 3) is not covered")],
)  # fmt: skip
def test_bad_input_is_one_line(question, said):
    error = json.loads(ask(json.dumps(question)))["error"]
    assert error.startswith(said)
    assert "\n" not in error


@pytest.mark.parametrize(
    "text",
    ["rules: os:abort\n1?\n??\n", "geometry: torus\nrules: V os:abort\n???\n???\n???\n",
     '{"schema": "satsweeper/board/2", "geometry": "square", "rows": 1, "columns": 1,'
     ' "rules": ["os\\u003aabort"]}',
     '{"schema": "satsweeper/board/2", "geometry": "square", "rows": 1, "columns": 1,'
     ' "clues": [{"cell": [0, 0], "clue": 1, "rule": ["os:abort"]}]}'],
)  # fmt: skip
def test_rules_of_ones_own_are_never_imported(text):
    """A link may come from anybody; ``os:abort`` would end this process if it were called."""
    said = "rule os:abort is code, which no file may ask for"
    assert said in answered("read", text=text)["error"]
    assert said in answered("classify", board=board(text))["error"]


def test_rows_of_other_boards_are_those_that_are_drawn():
    """A graph stands in one row; its cells have names of their own."""
    graph = Puzzle.from_graph(FakeNetwork(), clues={"b": 1}, mines=1)
    found = puzzles.shown(graph, "")
    assert found["rows"] == [["?", "1", "?"]]
    assert [cell["name"] for cell in found["puzzle"]["cells"][0]] == ["a", "b", "c"]
    assert len(found["puzzle"]["lines"]) == 2
    after = puzzles.edit({"board": {"text": puzzles.text_of(graph)}, "cell": [0, 2], "symbol": "F"})
    assert after["rows"] == [["?", "1", "F"]]


class FakeNetwork:
    """A path of three nodes, as networkx has it."""

    adj = {"a": ["b"], "b": ["a", "c"], "c": ["b"]}  # noqa: RUF012

    def __iter__(self):
        return iter(self.adj)
