"""Answers to boards under rules are judged by the rules, as plain readings of them judge."""

import json
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import pytest

from satsweeper.export.decode import Judgement, MapMismatchError
from satsweeper.export.decode_puzzle import PuzzleDecoder
from satsweeper.export.name_map import PuzzleMap, read_any_map
from satsweeper.export.puzzle import PuzzleProblem
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.solvers.output import Claim, Output
from tests.commands import answer, call, done, refused, solved
from tests.export.test_puzzle import BOARDS, layouts


def map_of(puzzle: Puzzle, flags: str = "trust", **changes: Any) -> PuzzleMap:
    found = PuzzleProblem.of(puzzle, flags).as_json() | changes
    names = read_any_map(json.dumps(found).encode(), "map")
    assert isinstance(names, PuzzleMap)
    return names


def said(*literals: int) -> Output:
    return Output(Claim.SATISFIABLE, "literals", literals)


@pytest.mark.parametrize("board", BOARDS)
def test_a_model_is_right_exactly_if_brute_force_has_it_for_a_layout(board: str) -> None:
    puzzle = Puzzle.parse(BOARDS[board])
    names = map_of(puzzle)
    wanted = layouts(BOARDS[board])
    cells = {variable: cell for variable, (cell, _) in names.cells.items()}
    flags = frozenset(names.flags)
    rng = Random(4)
    tried = [frozenset(rng.sample([*cells.values()], rng.randint(2, 6))) for _ in range(40)]
    tried += [frozenset(mines) for mines in sorted(map(sorted, wanted))[:10]]
    for mines in tried:
        model = [v if cell in mines else -v for v, cell in cells.items()]
        decoded = PuzzleDecoder(puzzle, names).decode(said(*model))
        assert (decoded.judgement is Judgement.RIGHT) is (mines | flags in wanted)
        assert (decoded.layout is None) is bool(decoded.wrong)
        if decoded.layout is not None:
            assert {*decoded.layout.mines} == mines - flags


def test_the_layout_of_a_solver_is_printed_as_a_board(tmp_path: Path) -> None:
    board, cnf, names, out = (tmp_path / name for name in ("b.txt", "b.cnf", "b.json", "b.out"))
    for text in BOARDS.values():
        wanted = layouts(text)
        if not wanted:
            continue
        board.write_text(text)
        done("export", board, "-o", cnf, "--map", names)
        out.write_text(answer(solved(cnf)))
        ended = done("decode", board, "--map", names, out, "--json").json
        assert (ended["claim"], ended["judgement"], ended["free"]) == ("SATISFIABLE", "right", [])
        assert (ended["rules"], ended["geometry"]) == (text.split("\n")[0][7:].split(), "square")
        mines = {(r, c) for r, row in enumerate(ended["grid"]) for c, x in enumerate(row)
                 if x in "MF"}  # fmt: skip
        assert mines in wanted
        shown = done("decode", board, "--map", names, out).out
        assert shown.splitlines()[-1].startswith("A layout: ")
        assert "every rule and clue is met" in shown


BOARD = "rules: C\nmines: 3\n1 ? ?\n? ? ?\n? ? 1\n"


@pytest.mark.parametrize(
    ("model", "message", "wrong"),
    [
        ([1, -2, -3, -4, 5, 6, -7], "rule C", {"rule": "C"}),
        ([1, -2, 3, 4, -5, -6, -7], "the 1 at (0, 0) would be 3",
         {"clue": [0, 0], "shown": "1", "counted": "3"}),
        ([-1, -2, -3, 4, -5, -6, -7], "1 mine, and the total is 3", {"total": 3, "counted": 1}),
    ],
)  # fmt: skip
def test_the_first_part_of_the_board_that_a_model_breaks_is_named(
    model: list[int], message: str, wrong: dict[str, Any]
) -> None:
    puzzle = Puzzle.parse(BOARD)
    decoded = PuzzleDecoder(puzzle, map_of(puzzle)).decode(said(*model))
    assert message in decoded.sentence
    assert decoded.wrong == wrong


def test_cells_with_several_mines_and_regions_are_judged() -> None:
    graph = nx.path_graph(4)
    puzzle = Puzzle.from_graph(
        graph, clues={1: 3}, capacity={2: 2}, regions=[("right", [2, 3], 2)], mines=3
    )
    # The variables: nodes 0, 2 and 3, and the second mine of node 2.
    names = map_of(puzzle)
    assert names.cells == {1: (0, 1), 2: (2, 1), 3: (3, 1), 4: (2, 2)}
    for model, wrong in (
        ([1, 2, -3, 4], {}),
        ([1, 2, 3, 4], {"region": "right"}),
        ([1, 2, 3, -4], {"clue": 1, "shown": "3", "counted": "2"}),
        ([1, -2, 3, 4], {"cells": ""}),
    ):
        assert PuzzleDecoder(puzzle, names).decode(said(*model)).wrong == wrong


def test_cells_on_which_nothing_depends_may_be_left_open() -> None:
    puzzle = Puzzle.parse("rules: M\n? ? ? ? ?\n? 3 ? ? ?\n")
    names = map_of(puzzle)
    # The clue counts three columns; the dyed cells above and beside it weigh 2.
    model = [1, 2, -3, -6, -7]
    decoded = PuzzleDecoder(puzzle, names).decode(said(*model))
    assert decoded.judgement is Judgement.RIGHT
    assert decoded.free == ((0, 3), (0, 4), (1, 3), (1, 4))
    assert decoded.layout is not None
    assert decoded.layout.grid() == ["MMS??", "S3S??"]
    with pytest.raises(MapMismatchError, match=r"incomplete: no value for \(0, 0\); only cells"):
        PuzzleDecoder(puzzle, names).decode(said(*model[1:]))


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("rules: T\nmines: 3\n1 ? ?\n? ? ?\n? ? 1\n", "with rules C, and this one has T"),
        ("rules: C\nmines: 3\n1 ? ? ?\n? ? ? 1\n", "with size 3x3, and this one has 4x2"),
        ("rules: C\ngeometry: torus\n1 ? ?\n? ? ?\n? ? 1\n", "geometry square, and this one has"),
        ("rules: C\nmines: 3\n1 1 ?\n? ? ?\n? ? 1\n", r"a variable for \(0, 1\), which is not"),
    ],
)
def test_a_map_of_another_board_is_refused(board: str, message: str) -> None:
    names = map_of(Puzzle.parse(BOARD))
    with pytest.raises(MapMismatchError, match=message):
        PuzzleDecoder(Puzzle.parse(board), names).decode(said(1))


def test_flags_are_trusted_if_they_were() -> None:
    puzzle = Puzzle.parse("rules: H\n1 ? F\n? ? ?\n")
    assert PuzzleDecoder(puzzle, map_of(puzzle)).flags_mode() == "trust"
    ignored = map_of(puzzle, "ignore")
    assert PuzzleDecoder(puzzle, ignored).flags_mode() == "ignore"
    other = Puzzle.parse("rules: H\n1 ? ?\nF ? ?\n")
    with pytest.raises(MapMismatchError, match="the map trusts other flags"):
        PuzzleDecoder(other, map_of(puzzle)).flags_mode()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": [3]}, "rules: no list of letters"),
        ({"geometry": 3}, "geometry: missing, or not what it should be"),
        ({"mines": -1}, "mines: no number from 0"),
        ({"variables": {"1": {"cell": [0, 1]}, "2": {"cell": [0, 1]}}}, "is named twice"),
        ({"variables": {"1": {"cell": {}}}}, "variable 1: no name of a cell"),
        ({"variables": {"x": {}}}, "variables: 'x' is no variable"),
        ({"flags": [True]}, "flags: no name of a cell"),
        ({"auxiliaries": 3}, "auxiliaries: missing"),
    ],
)
def test_a_map_with_a_defect_says_which(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    found = PuzzleProblem.of(Puzzle.parse(BOARD)).as_json() | changes
    names, board, out = (tmp_path / name for name in ("map.json", "b.txt", "out"))
    names.write_text(json.dumps(found))
    board.write_text(BOARD)
    out.write_text("s SATISFIABLE\nv 1 0\n")
    assert message in refused(1, "decode", board, "--map", names, out).err


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"1": {"cell": [5, 5]}}, "the map names (5, 5), which is no cell of the board"),
        ({"1": {"cell": [0, 1], "mines": 2}}, "2 mines at (0, 1), which holds fewer"),
    ],
)
def test_a_map_of_cells_that_are_not_there_is_refused(
    variables: dict[str, Any], message: str
) -> None:
    puzzle = Puzzle.parse(BOARD)
    with pytest.raises(MapMismatchError) as found:
        PuzzleDecoder(puzzle, map_of(puzzle, variables=variables)).require_map()
    assert message in str(found.value)


@pytest.mark.parametrize(
    ("board", "code", "judgement"),
    [(BOARD, 1, "wrong"), (BOARDS["without a layout"], 20, "right")],
)
def test_a_claim_that_there_is_no_layout_is_judged_by_a_search(
    board: str, code: int, judgement: str, tmp_path: Path
) -> None:
    text, names, out = (tmp_path / name for name in ("b.txt", "map.json", "out"))
    text.write_text(board)
    names.write_text(done("export", text, "-o", "/dev/null", "--map", "-").out)
    out.write_text("s UNSATISFIABLE\n")
    ended = call("decode", text, "--map", names, out, "--json")
    assert (ended.code, ended.json["judgement"]) == (code, judgement)


def test_the_flat_and_the_ruled_map_belong_to_their_boards(tmp_path: Path) -> None:
    plain_board, ruled, names, out = (tmp_path / n for n in ("p.txt", "r.txt", "m.json", "out"))
    plain_board.write_text("1??\n???\n??1\n")
    ruled.write_text(BOARD)
    out.write_text("s SATISFIABLE\nv 1 0\n")
    names.write_text(done("export", ruled, "-o", "/dev/null", "--map", "-").out)
    assert (
        "with rules C, and this one has V"
        in refused(1, "decode", plain_board, "--map", names, out).err
    )
    names.write_text(done("export", plain_board, "-o", "/dev/null", "--map", "-").out)
    assert "(the map is of a board)" in refused(1, "decode", ruled, "--map", names, out).err


def test_clues_of_two_digits_set_the_width_of_all_cells(tmp_path: Path) -> None:
    board = tmp_path / "b.txt"
    board.write_text(BOARDS["connected runs"])
    names, cnf, out = tmp_path / "m.json", tmp_path / "b.cnf", tmp_path / "out"
    done("export", board, "-o", cnf, "--map", names)
    out.write_text(answer(solved(cnf)))
    lines = done("decode", board, "--map", names, out).out.splitlines()
    assert lines[0] == "rules C (connected), W (wall); square 4x3; 4 mines"
    assert [len(line) for line in lines[2:5]] == [15, 15, 15]
    assert lines[3].split()[2] == "13"
    assert lines[5] == "S no mine   M mine   anything else a clue"
