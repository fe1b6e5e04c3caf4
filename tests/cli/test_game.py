"""Playing in a text editor: the game of danamlund's page from start to end, and what is refused."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from satsweeper.count.budget import OddsLimitError
from tests.commands import call

Call = Callable[..., Any]
PUBLISHED = (Path(__file__).parents[1] / "data/notation/game.danamlund").read_text()
HEAD, *_ = PUBLISHED.splitlines()
SECRET = PUBLISHED[PUBLISHED.index("\nSolution") :]
COVERED = ["........"] * 8


def grid(file: Path) -> list[str]:
    return file.read_text().splitlines()[1:9]


def edit(file: Path, cell: tuple[int, int], character: str) -> None:
    """What a player does in an editor."""
    lines = file.read_text().split("\n")
    row = lines[1 + cell[0]]
    lines[1 + cell[0]] = row[: cell[1]] + character + row[cell[1] + 1 :]
    file.write_text("\n".join(lines))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(PUBLISHED)
    return path


def test_a_new_game_on_the_easiest_board_has_the_form_of_the_page(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    ended = call("game", "new", path, "--level", 0, "--seed", 1327442006)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "new game, seed 1327442006; in play, 10 mines left\n"
    lines = path.read_text().splitlines()
    assert lines[:11] == [HEAD, *COVERED, "", "Solution encrypted with seed 1327442006"]
    assert all(re.fullmatch(r"[ 1-8.!?*]{8}", line) for line in lines[11:])
    assert len(lines) == 19


def test_the_game_of_the_page_from_start_to_end(file: Path) -> None:
    # A random cell becomes a ?, and turns out to be a mine.
    edit(file, (4, 4), "?")
    ended = call("game", "process", file, "-v")
    hit = [*COVERED[:4], "....*...", *COVERED[:3]]
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == ["hit 1 mine; lost, 9 mines left", *hit]
    assert grid(file) == hit
    # We pretend that it never happened, and have the rest solved: by guesses and all that follows.
    edit(file, (4, 4), "!")
    said = []
    while "." in "".join(grid(file)):
        ended = call("game", "solve", file)
        assert (ended.code, ended.err) == (0, "")
        said.append(ended.out)
        assert call("game", "process", file).out.startswith("nothing to do; ")
        # A mine that a guess hits is taken for a mine, as the first one was.
        for row, column in [(r, c) for r in range(8) for c in range(8) if grid(file)[r][c] == "*"]:
            edit(file, (row, column), "!")
    assert grid(file) == [
        "  123!1 ",
        "  1!!221",
        "  12322!",
        "   12!21",
        "   1!32 ",
        "  134!1 ",
        "  1!!31 ",
        "  13!2  ",
    ]
    first = (
        "nothing is certain: guessed 0,0, a mine with 16 %, opened 28 cells; in play, 9 mines left"
    )
    assert said[0] == f"{first}\n"
    assert said[-1].endswith("; won, 0 mines left\n")
    assert file.read_text() == "\n".join([HEAD, *grid(file), SECRET])
    assert call("game", "solve", file).out == "nothing to do; won, 0 mines left\n"


def test_the_way_of_the_page_to_solve_and_process_in_turn(file: Path) -> None:
    for _ in range(40):
        call("game", "solve", file, "--mark")
        assert not re.search("[*]", "".join(grid(file)))
        call("game", "process", file)
    assert call("game", "process", file, "--json").json["status"] == "won"


@pytest.mark.parametrize(
    ("level", "head"),
    [
        (0, "Minesweeper 8x8 grid with 10 mines"),
        (1, "Minesweeper 16x16 grid with 40 mines"),
        (2, "Minesweeper 30x16 grid with 99 mines"),
        (3, "Minesweeper 78x21 grid with 450 mines"),
    ],
)
def test_the_four_boards_count_from_0_and_the_first_has_10_mines(
    tmp_path: Path, level: int, head: str
) -> None:
    assert call("game", "new", tmp_path / "game.txt", "--level", level).code == 0
    assert (tmp_path / "game.txt").read_text().splitlines()[0] == head


def test_any_other_board_is_new_under_a_convention_and_by_a_seed(tmp_path: Path) -> None:
    def new(*options: object) -> str:
        assert call("game", "new", tmp_path / "game.txt", "--force", *options).code == 0
        return (tmp_path / "game.txt").read_text()

    options = ["--size", "9x4/8", "--first-click", "opening", "--start", "1,4", "--seed"]
    first = new(*options, 3)
    assert first == new(*options, 3) != new(*options, 4)
    rows = first.splitlines()[1:5]
    assert [row[3:6].count(".") for row in rows[:3]] == [0, 0, 0]
    assert rows[1][4] == " "
    assert len({new() for _ in range(3)}) == 3


def test_a_pipe_plays_from_standard_input_to_standard_output(child: Call, file: Path) -> None:
    edit(file, (0, 0), "?")
    with file.open() as typed:
        ended = child("game", "process", "-", "-v", stdin=typed)
    first, *rows = ended.err.splitlines()
    assert first == "opened 28 cells; in play, 10 mines left"
    assert rows[:4] == ["  1.....", "  1.....", "  12....", "   1...."]
    assert ended.out == "\n".join([HEAD, *rows, SECRET])


def test_json_tells_what_was_done_and_how_the_game_stands(file: Path) -> None:
    assert call("game", "solve", file, "--json").json == {
        "schema": "satsweeper/game/1",
        "rows": 8,
        "columns": 8,
        "mines": 10,
        "mines_left": 10,
        "seed": 1327442006,
        "status": "in play",
        "done": {"opened": 28, "hit": 0, "flagged": 0, "unflagged": 0, "chose": 0},
        "guess": {"cell": [0, 0], "mine": "5/32", "value": 0.15625},
        "exploded": [],
        "grid": [
            "001?????",
            "001?????",
            "0012????",
            "0001????",
            "0001????",
            "0013????",
            "001?????",
            "001?????",
        ],
    }
    edit(file, (0, 5), "?")
    answer = call("game", "process", file, "--json").json
    assert (answer["status"], answer["exploded"], answer["grid"][0]) == (
        "lost",
        [[0, 5]],
        "001??*??",
    )
    new = call("game", "new", file, "--json", "--force").json
    assert (new["status"], new["guess"], new["done"]["opened"]) == ("in play", None, 0)


def test_the_file_keeps_its_permissions_and_a_link_goes_on_pointing_to_it(
    file: Path, tmp_path: Path
) -> None:
    file.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(file)
    edit(file, (0, 0), "?")
    assert call("game", "process", link).code == 0
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert grid(file)[0] == "  1....."
    assert sorted(os.listdir(tmp_path)) == ["game.txt", "link.txt"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("", ": no board: the file is empty"),
        ("8 8 10\n", ":1:1: '8 8 10': a game begins with 'Minesweeper WxH grid with N mines'"),
        (PUBLISHED.replace("........", ".........", 1), ":2:9: row of 9 cells: every row has 8"),
        (PUBLISHED.replace("........", "...x....", 1), ":2:4: unknown character 'x': a cell is"),
        (
            PUBLISHED.replace("........", "1.......", 1),
            ":2:1: opened cell 1: the layout has 0 there",
        ),
        (PUBLISHED.replace("10 mines", "11 mines"), ": total 11: the layout has 10 mines"),
        (PUBLISHED.replace("seed 1", "seed 2"), ":12:1: the solution does not decrypt with seed"),
        (PUBLISHED[:150], ": the header says 8 rows, the solution has 1"),
    ],
)
@pytest.mark.parametrize("action", ["process", "solve"])
def test_a_damaged_game_is_one_line_and_stays_as_it_is(
    file: Path, action: str, wrong: str, said: str
) -> None:
    file.write_text(wrong)
    ended = call("game", action, file)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(f"{file}:")
    assert said in ended.err
    assert ended.err.count("\n") == 1
    assert file.read_text() == wrong


@pytest.mark.parametrize("held", ["a game in progress", "notes"])
@pytest.mark.parametrize("option", ["FILE", "--proof"])
def test_a_new_game_replaces_a_file_only_by_force(tmp_path: Path, option: str, held: str) -> None:
    game, proof = tmp_path / "game.txt", tmp_path / "game.lidrup"
    call("game", "new", game, "--seed", 1, "--proof", proof)
    call("game", "solve", game, "--proof", proof)
    file = game if option == "FILE" else proof
    if held == "notes":
        file.write_text("notes of mine\n")
    if option == "--proof":
        game.unlink()
    before = file.read_bytes()
    ended = call("game", "new", game, "--seed", 2, "--proof", proof)
    said = f"{file}: it exists already and stays as it is; --force replaces it\n"
    assert (ended.code, ended.out, ended.err) == (1, "", said)
    assert file.read_bytes() == before
    assert call("game", "new", game, "--seed", 2, "--proof", proof, "--force").code == 0
    assert "seed 2\n" in game.read_text()
    assert file.read_bytes() != before


def test_an_empty_file_is_there_for_a_new_game(tmp_path: Path) -> None:
    (tmp_path / "game.txt").touch()
    assert call("game", "new", tmp_path / "game.txt").code == 0


def test_a_guess_that_is_too_hard_is_a_limit_and_the_file_stays(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OddsLimitError("41 clues are open at once: 40 at most")

    monkeypatch.setattr("satsweeper.play.game_file.odds", refuse)
    ended = call("game", "solve", file)
    assert (ended.code, ended.out, ended.err.count("\n")) == (124, "", 1)
    assert ended.err.startswith(f"{file}: no move is certain, and the chances are too hard")
    assert file.read_text() == PUBLISHED


def test_the_guess_of_a_strategy(tmp_path):
    file = tmp_path / "game.txt"
    assert call("game", "new", str(file), "--size", "2x2/1", "--seed", "4").code == 0
    ended = call("game", "solve", str(file), "--strategy", "score_003", "--json")
    answer = json.loads(ended.out)
    assert ended.code == 0
    assert answer["guess"]["cell"] == [0, 0]
    wrong = call("game", "solve", str(file), "--strategy", "score_03")
    assert wrong.code == 2
    assert "did you mean 'score_003'" in wrong.err
