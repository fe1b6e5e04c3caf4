"""``satsweeper generate``: what it prints and writes, what it refuses, and that nothing is half."""

import json
from pathlib import Path

import pytest

from satsweeper import Position, check
from satsweeper.notation.formats import FORMATS, read_record
from tests.commands import call


def test_a_board_without_guessing_is_printed_with_its_id() -> None:
    ended = call("generate", "9x9/10", "--no-guess", "--seed", 7)
    assert (ended.code, ended.err) == (0, "")
    said, spread, *rows, game_id = ended.out.splitlines()
    assert said.startswith("9x9/10, first click 2,2 (opening), seed 7: no guess, ")
    assert "not equally likely" in spread
    assert len(rows) == 9
    assert sum(row.count("*") for row in rows) == 10
    record = read_record(game_id)
    assert (record.mines, record.first) == (10, (2, 2))


def test_the_object_has_layout_and_proof() -> None:
    ended = call("generate", "9x9/20%", "--no-guess", "--start", "8,4", "--count", 2, "--json")
    assert (ended.code, ended.err) == (0, "")
    first, second = map(json.loads, ended.out.splitlines())
    assert first["schema"] == "satsweeper/generate/1"
    assert (first["rows"], first["columns"], first["mines"], first["start"]) == (9, 9, 16, [8, 4])
    assert sum(row.count("*") for row in first["layout"]) == 16
    assert first["layout"] != second["layout"]
    assert {"cells", "clues", "total"} <= first["moves"][0].keys()
    assert (first["uniform"], second["number"]) == (False, 1)


@pytest.mark.parametrize(
    "format", [name for name, form in FORMATS.items() if "layout" in form.holds]
)
def test_every_notation_with_a_layout_takes_the_board(tmp_path: Path, format: str) -> None:
    file = tmp_path / "board"
    ended = call("generate", "9x9/10", "--no-guess", "--to", format, "-o", file, "--json")
    assert (ended.code, ended.err) == (0, "")
    record = read_record(file.read_bytes())
    assert record.truth is not None
    wanted = [
        (r, c) for r, row in enumerate(ended.json["layout"]) for c in range(9) if row[c] == "*"
    ]
    told = [(i // 10, i % 10) for i, code in enumerate(record.truth) if code == 254]
    assert told == wanted
    if "view" in FORMATS[format].holds:
        assert Position.read(file).cells[2, 2] == 0


def test_many_boards_go_to_numbered_files(tmp_path: Path) -> None:
    ended = call("generate", "9x9/10", "--count", 3, "-o", tmp_path / "{}.mine")
    assert (ended.code, ended.err) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.mine", "1.mine", "2.mine"]


def test_a_chain_of_certificates_proves_every_cell_before_it_opens(tmp_path: Path) -> None:
    folder = tmp_path / "chain"
    ended = call("generate", "7x6/10", "--no-guess", "--certify", folder, "--json")
    assert (ended.code, ended.err) == (0, "")
    chain = json.loads((folder / "chain.json").read_text())
    assert chain["layout"] == ended.json["layout"]
    opened = set()
    for position in chain["positions"]:
        checked = check(folder / position["folder"], external=False)
        grid = checked.grid
        assert grid is not None
        safe = {(r, c) for r, row in enumerate(grid) for c, cell in enumerate(row) if cell == "S"}
        assert safe == {tuple(cell) for cell in position["safe"]}
        opened |= safe
        shown = {
            (r, c) for r, row in enumerate(grid) for c, cell in enumerate(row) if cell.isdigit()
        }
    free = {(r, c) for r in range(6) for c in range(7) if chain["layout"][r][c] == "."}
    assert shown | opened == free
    again = call("generate", "7x6/10", "--no-guess", "--certify", folder)
    assert again.code == 1
    assert again.err == f"{folder} is not empty\n"


def test_nothing_is_written_once_the_budget_is_used_up(tmp_path: Path) -> None:
    file = tmp_path / "board.mine"
    click = ("--start", "0,1", "--first-click", "safe")
    ended = call("generate", "3x1/1", *click, "--no-guess", "--budget", 3, "-o", file)
    assert (ended.code, ended.out) == (124, "")
    assert (
        ended.err
        == "board 3x1/1: none without a guess, of 3 layouts (--budget); nothing is written\n"
    )
    assert not file.exists()
    ended = call(
        "generate", "3x1/1", *click, "--no-guess", "--budget", 10**9, "--timeout", 1, "-o", file
    )
    assert (ended.code, ended.out) == (124, "")
    assert not file.exists()


def test_a_format_without_room_for_the_layout_is_refused_by_those_that_hold_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "board.txt"
    for options, instead in (
        (["-o", file], f"-o {tmp_path / 'board.mine'}"),
        (["-o", file, "--to", "text"], "--to mine"),
        (["-o", "-", "--to", "text"], "--to mine"),
    ):
        ended = call("generate", "9x9/10", *options)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err == (
            "satsweeper generate: text does not hold the layout (which covered cells are mines); "
            f"json, mine, mbf, board, tatham, danamlund do: {instead}\n"
        )
        assert not file.exists()
    assert call("generate", "9x9/10", "-o", tmp_path / "board.mine").code == 0
    assert call("generate", "9x9/10", "-o", file, "--to", "mine").code == 0
    assert read_record(file.read_bytes()).truth is not None
