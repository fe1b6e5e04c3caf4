"""``game`` and ``generate``: games in a text editor, boards without guesses, and their proofs."""

import json
import os
import re
from pathlib import Path

import pytest

from satsweeper import Position, check
from satsweeper.count.budget import OddsLimitError
from satsweeper.notation.formats import FORMATS, read_record
from tests.commands import call, done, refused

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
def file(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(PUBLISHED)
    return path


def test_a_new_game_on_the_easiest_board_has_the_form_of_the_page(tmp_path):
    path = tmp_path / "game.txt"
    ended = done("game", "new", path, "--level", 0, "--seed", 1327442006)
    assert ended.out == "new game, seed 1327442006; in play, 10 mines left\n"
    lines = path.read_text().splitlines()
    assert lines[:11] == [HEAD, *COVERED, "", "Solution encrypted with seed 1327442006"]
    assert all(re.fullmatch(r"[ 1-8.!?*]{8}", line) for line in lines[11:])
    assert len(lines) == 19


def test_the_game_of_the_page_from_start_to_end(file):
    # A random cell becomes a ?, and turns out to be a mine.
    edit(file, (4, 4), "?")
    hit = [*COVERED[:4], "....*...", *COVERED[:3]]
    ended = done("game", "process", file, "-v")
    assert ended.out.splitlines() == ["hit 1 mine; lost, 9 mines left", *hit]
    assert grid(file) == hit
    # We pretend that it never happened, and have the rest solved: by guesses and all that follows.
    edit(file, (4, 4), "!")
    said = []
    while "." in "".join(grid(file)):
        said.append(done("game", "solve", file).out)
        assert call("game", "process", file).out.startswith("nothing to do; ")
        # A mine that a guess hits is taken for a mine, as the first one was.
        for row, column in [(r, c) for r in range(8) for c in range(8) if grid(file)[r][c] == "*"]:
            edit(file, (row, column), "!")
    assert grid(file) == [
        "  123!1 ", "  1!!221", "  12322!", "   12!21", "   1!32 ", "  134!1 ", "  1!!31 ",
        "  13!2  ",
    ]  # fmt: skip
    first = "nothing is certain: guessed 0,0, a mine with 16 %, opened 28 cells; "
    assert said[0] == f"{first}in play, 9 mines left\n"
    assert said[-1].endswith("; won, 0 mines left\n")
    assert file.read_text() == "\n".join([HEAD, *grid(file), SECRET])
    assert call("game", "solve", file).out == "nothing to do; won, 0 mines left\n"


def test_the_way_of_the_page_to_solve_and_process_in_turn(file):
    for _ in range(40):
        call("game", "solve", file, "--mark")
        assert "*" not in "".join(grid(file))
        call("game", "process", file)
    assert call("game", "process", file, "--json").json["status"] == "won"


def test_a_new_board_is_one_of_four_or_any_under_a_convention_and_by_a_seed(tmp_path):
    def new(*options):
        assert call("game", "new", tmp_path / "game.txt", "--force", *options).code == 0
        return (tmp_path / "game.txt").read_text()

    boards = [("8x8", 10), ("16x16", 40), ("30x16", 99), ("78x21", 450)]
    for level, (size, mines) in enumerate(boards):
        assert new("--level", level).startswith(f"Minesweeper {size} grid with {mines} mines\n")
    options = ["--size", "9x4/8", "--first-click", "opening", "--start", "1,4", "--seed"]
    first = new(*options, 3)
    assert first == new(*options, 3) != new(*options, 4)
    rows = first.splitlines()[1:5]
    assert [row[3:6].count(".") for row in rows[:3]] == [0, 0, 0]
    assert rows[1][4] == " "
    assert len({new() for _ in range(3)}) == 3


def test_a_pipe_plays_from_standard_input_to_standard_output(child, file):
    edit(file, (0, 0), "?")
    with file.open() as typed:
        ended = child("game", "process", "-", "-v", stdin=typed)
    first, *rows = ended.err.splitlines()
    assert first == "opened 28 cells; in play, 10 mines left"
    assert rows[:4] == ["  1.....", "  1.....", "  12....", "   1...."]
    assert ended.out == "\n".join([HEAD, *rows, SECRET])


def test_json_tells_what_was_done_and_how_the_game_stands(file):
    assert call("game", "solve", file, "--json").json == {
        "schema": "satsweeper/game/1", "rows": 8, "columns": 8, "mines": 10, "mines_left": 10,
        "seed": 1327442006, "status": "in play",
        "done": {"opened": 28, "hit": 0, "flagged": 0, "unflagged": 0, "chose": 0},
        "guess": {"cell": [0, 0], "mine": "5/32", "value": 0.15625}, "exploded": [],
        "grid": ["001?????", "001?????", "0012????", "0001????", "0001????", "0013????",
                 "001?????", "001?????"],
    }  # fmt: skip
    edit(file, (0, 5), "?")
    answer = call("game", "process", file, "--json").json
    found = (answer["status"], answer["exploded"], answer["grid"][0])
    assert found == ("lost", [[0, 5]], "001??*??")
    new = call("game", "new", file, "--json", "--force").json
    assert (new["status"], new["guess"], new["done"]["opened"]) == ("in play", None, 0)


def test_the_file_keeps_its_permissions_and_a_link_goes_on_pointing_to_it(file, tmp_path):
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
    [("", ": no board: the file is empty"),
     ("8 8 10\n", ":1:1: '8 8 10': a game begins with 'Minesweeper WxH grid with N mines'"),
     (PUBLISHED.replace("........", ".........", 1), ":2:9: row of 9 cells: every row has 8"),
     (PUBLISHED.replace("........", "...x....", 1), ":2:4: unknown character 'x': a cell is"),
     (PUBLISHED.replace("........", "1.......", 1), ":2:1: opened cell 1: the layout has 0 the"),
     (PUBLISHED.replace("10 mines", "11 mines"), ": total 11: the layout has 10 mines"),
     (PUBLISHED.replace("seed 1", "seed 2"), ":12:1: the solution does not decrypt with seed"),
     (PUBLISHED[:150], ": the header says 8 rows, the solution has 1")],
)  # fmt: skip
@pytest.mark.parametrize("action", ["process", "solve"])
def test_a_damaged_game_is_one_line_and_stays_as_it_is(file, action, wrong, said):
    file.write_text(wrong)
    ended = refused(1, "game", action, file)
    assert ended.err.startswith(f"{file}:")
    assert said in ended.err
    assert file.read_text() == wrong


@pytest.mark.parametrize("held", ["a game in progress", "notes"])
@pytest.mark.parametrize("option", ["FILE", "--proof"])
def test_a_new_game_replaces_a_file_only_by_force(tmp_path, option, held):
    game, proof = tmp_path / "game.txt", tmp_path / "game.lidrup"
    call("game", "new", game, "--seed", 1, "--proof", proof)
    call("game", "solve", game, "--proof", proof)
    file = game if option == "FILE" else proof
    if held == "notes":
        file.write_text("notes of mine\n")
    if option == "--proof":
        game.unlink()
    before = file.read_bytes()
    said = f"{file}: it exists already and stays as it is; --force replaces it\n"
    assert call("game", "new", game, "--seed", 2, "--proof", proof) == (1, "", said, "")
    assert file.read_bytes() == before
    assert call("game", "new", game, "--seed", 2, "--proof", proof, "--force").code == 0
    assert "seed 2\n" in game.read_text()
    assert file.read_bytes() != before
    # An empty file is there for a new game.
    game.write_text("")
    proof.write_text("")
    assert call("game", "new", game, "--proof", proof).code == 0


def test_a_guess_that_is_too_hard_is_a_limit_and_the_file_stays(file, monkeypatch):
    def refuse(*_: object) -> None:
        raise OddsLimitError("41 clues are open at once: 40 at most")

    monkeypatch.setattr("satsweeper.play.game_file.odds", refuse)
    ended = refused(124, "game", "solve", file)
    assert ended.err.startswith(f"{file}: no move is certain, and the chances are too hard")
    assert file.read_text() == PUBLISHED


def test_the_guess_of_a_strategy(tmp_path):
    file = tmp_path / "game.txt"
    assert call("game", "new", file, "--size", "2x2/1", "--seed", "4").code == 0
    wrong = refused(2, "game", "solve", file, "--strategy", "score_03")
    assert "did you mean 'score_003'" in wrong.err
    ended = done("game", "solve", file, "--strategy", "score_003", "--json")
    assert ended.json["guess"]["cell"] == [0, 0]


# ``--proof`` of game and generate, and what ``check FILE`` says of such a file


@pytest.fixture
def proof(tmp_path):
    path = tmp_path / "game.lidrup"
    words = ("generate", "9x9/10", "--no-guess", "--seed", 7, "--proof", path)
    assert call(*words).code == 0
    return path


def test_a_board_without_guesses_comes_with_the_proof_of_its_whole_game(proof):
    ended = done("check", "--no-external", proof)
    said, about, *grid = ended.out.splitlines()
    assert said.startswith("verified: 71 opened cells, at least 1 of them by a guess; ")
    assert about.endswith("): 9 columns, 9 rows, total 10")
    assert sum(row.count("M") for row in grid) == 10

    found = call("check", "--no-external", "--json", proof).json
    assert (found["schema"], found["verified"]) == ("satsweeper/check-game/1", True)
    assert found["board"] == {"rows": 9, "columns": 9, "mines": 10}
    assert (found["status"], found["guesses"], found["complete"]) == ("consistent", 1, True)


def test_a_board_of_which_no_layout_is_shown_is_not_said_to_be_consistent(proof):
    words = ("check", "--no-external", proof)
    head, _, rest = proof.read_text().partition("c open")
    proof.write_text(f"{head}c open{rest.partition(chr(10))[0]}\n")
    found = call(*words, "--json")
    assert (found.code, found.json["status"], found.json["complete"]) == (0, "not shown", False)
    said = "not shown: that the last position has a layout, or that it has none\n"
    assert said in call(*words).out
    board = "1 2 ?\nc open 0 0 8\nc by 0 0\ni 1 0\nq 0\ns UNSATISFIABLE\nu 0 1 0\n"
    text = f"p lidrup\nc satsweeper game 1 {board}"
    proof.write_text(f"{text}c proved 0 1 safe\nc classified 1 0 0\n")
    said = "no layout of this position is shown, so that it may have none\n"
    assert refused(1, *words).err.endswith(said)
    proof.write_text(f"{text}c inconsistent\n")
    assert call(*words).code == 20


def test_what_was_changed_is_refused_in_one_line(proof):
    data = proof.read_bytes()
    at = data.index(b" safe\n")
    proof.write_bytes(data[:at] + b" mine\n" + data[at + 6 :])
    line = data[:at].count(b"\n") + 1
    said = f"{proof}: line {line}: no core proves that cell "
    assert refused(1, "check", proof).err.startswith(said)
    ended = call("check", proof, "--json")
    assert (ended.code, ended.json["verified"]) == (1, False)


def test_the_last_position_must_be_the_board_that_is_named(tmp_path):
    game, proof, board = (tmp_path / name for name in ("game.txt", "game.lidrup", "board.txt"))
    call("game", "new", game, "--seed", 3, "--first-click", "opening", "--proof", proof)
    rows = call("check", proof, "--json", "--no-external").json["rows"]
    words = ("check", proof, "--board", board, "--no-external")
    board.write_text("8 8 10\n" + "\n".join(rows) + "\n")
    assert call(*words).code == 0
    assert call(*words, "--mines", 9).code == 1
    board.write_text("8 8 10\n" + "\n".join(["?" * 8] * 8) + "\n")
    said = "its last position is another board than the one given"
    assert said in refused(1, *words).err


def test_each_action_goes_on_with_the_proof_of_the_game(tmp_path):
    game, proof = tmp_path / "game.txt", tmp_path / "game.lidrup"
    call("game", "new", game, "--seed", 3, "--proof", proof)
    opened = []
    for _ in range(3):
        assert call("game", "solve", game, "--proof", proof).code == 0
        found = call("check", proof, "--json", "--no-external").json
        opened.append(found["opened"])
    assert opened == [27, 54, 54]
    assert (found["guesses"], found["classified"] > 5) == (1, True)


def test_the_proof_of_another_game_stays_as_it_is(proof, tmp_path):
    before, game = proof.read_bytes(), tmp_path / "game.txt"
    call("game", "new", game, "--seed", 3)
    ended = call("game", "solve", game, "--proof", proof)
    assert (ended.code, proof.read_bytes()) == (1, before)
    assert ended.err == f"{proof}: this is no proof of a game on such a board\n"


# ``satsweeper generate``: what it prints and writes, what it refuses, and that nothing is half


def test_a_board_without_guessing_is_printed_with_its_id():
    ended = done("generate", "9x9/10", "--no-guess", "--seed", 7)
    said, spread, *rows, game_id = ended.out.splitlines()
    assert said.startswith("9x9/10, first click 2,2 (opening), seed 7: no guess, ")
    assert "not equally likely" in spread
    assert (len(rows), sum(row.count("*") for row in rows)) == (9, 10)
    record = read_record(game_id)
    assert (record.mines, record.first) == (10, (2, 2))


def test_the_object_has_layout_and_proof():
    ended = done("generate", "9x9/20%", "--no-guess", "--start", "8,4", "--count", 2, "--json")
    first, second = map(json.loads, ended.out.splitlines())
    some = {"schema": "satsweeper/generate/1", "rows": 9, "columns": 9, "mines": 16}
    assert first | some | {"start": [8, 4], "uniform": False} == first
    assert sum(row.count("*") for row in first["layout"]) == 16
    assert first["layout"] != second["layout"]
    assert {"cells", "clues", "total"} <= first["moves"][0].keys()
    assert second["number"] == 1


def test_the_clicks_that_a_board_needs_are_told_where_they_are_asked_for():
    words = ("generate", "9x9/10", "--seed", 5)
    told = done(*words, "--clicks").out.splitlines()
    assert told[1] == "3BV 9 with 1 opening, ZiNi 8, Human ZiNi 9"
    assert [told[0], *told[2:]] == done(*words).out.splitlines()
    counted = json.loads(done(*words, "--clicks", "--json").out)
    assert counted.pop("clicks") == {"3bv": 9, "openings": 1, "zini": 8, "human_zini": 9}
    assert counted == json.loads(done(*words, "--json").out)
    assert "squares without rules" in refused(2, *words, "--clicks", "--rules", "C").err


@pytest.mark.parametrize("format", [name for name in FORMATS if "layout" in FORMATS[name].holds])
def test_every_notation_with_a_layout_takes_the_board(tmp_path, format):
    file = tmp_path / "board"
    ended = done("generate", "9x9/10", "--no-guess", "--to", format, "-o", file, "--json")
    record = read_record(file.read_bytes())
    assert record.truth is not None
    mines = {(i // 10, i % 10) for i, code in enumerate(record.truth) if code == 254}
    cells = [["*" if (r, c) in mines else "." for c in range(9)] for r in range(9)]
    assert ended.json["layout"] == ["".join(row) for row in cells]
    if "view" in FORMATS[format].holds:
        assert Position.read(file).cells[2, 2] == 0


def test_many_boards_go_to_numbered_files(tmp_path):
    done("generate", "9x9/10", "--count", 3, "-o", tmp_path / "{}.mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.mine", "1.mine", "2.mine"]


def test_a_chain_of_certificates_proves_every_cell_before_it_opens(tmp_path):
    folder = tmp_path / "chain"
    ended = done("generate", "7x6/10", "--no-guess", "--certify", folder, "--json")
    chain = json.loads((folder / "chain.json").read_text())
    assert chain["layout"] == ended.json["layout"]
    opened = set()
    for position in chain["positions"]:
        checked = check(folder / position["folder"], external=False)
        grid = checked.grid
        assert grid is not None
        cells = {(r, c): cell for r, row in enumerate(grid) for c, cell in enumerate(row)}
        safe = {at for at, cell in cells.items() if cell == "S"}
        assert safe == {tuple(cell) for cell in position["safe"]}
        opened |= safe
        shown = {at for at, cell in cells.items() if cell.isdigit()}
    free = {(r, c) for r in range(6) for c in range(7) if chain["layout"][r][c] == "."}
    assert shown | opened == free
    again = call("generate", "7x6/10", "--no-guess", "--certify", folder)
    assert again == (1, "", f"{folder} is not empty\n", "")


def test_nothing_is_written_once_the_budget_is_used_up(tmp_path):
    file = tmp_path / "board.mine"
    click = ("--start", "0,1", "--first-click", "safe")
    words = ("generate", "3x1/1", *click, "--no-guess", "-o", file)
    said = "board 3x1/1: none without a guess, of 3 layouts (--budget); nothing is written\n"
    assert call(*words, "--budget", 3) == (124, "", said, "")
    ended = call(*words, "--budget", 10**9, "--timeout", 1)
    assert (ended.code, ended.out) == (124, "")
    assert not file.exists()
