"""``explain``: reasons are irreducible, and layouts are layouts."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from satsweeper import Conflict, Position, Verdict, classify
from satsweeper.answers.classification import Explanation
from tests.boards import Parts, board_of, boards, neighbours, without_one
from tests.commands import EXAMPLES, call, done

SYMBOLS = {-1: "?", -2: "F"}


def written(board: Any) -> str:
    rows = ["".join(SYMBOLS.get(int(c), str(c)) for c in row) for row in board.cells]
    total = "?" if board.total is None else board.total
    return "\n".join([f"{len(rows)} {len(rows[0])} {total}", *rows]) + "\n"


def forced(board: Any, cell: tuple[int, int], verdict: str, reason: Parts) -> bool:
    """Whether already these clues, flags and perhaps the total force the verdict."""
    clues, flags, total = reason
    layouts = board.layouts(clues=list(clues), flags=list(flags), total=total)
    return all((cell in mines) is (verdict == "mine") for mines in layouts)


def check(board: Any, cell: tuple[int, int], expected: str, answer: dict[str, Any]) -> None:
    """An explanation against all layouts of the board."""
    keys = ["schema", "cell", "verdict"]
    assert [answer[key] for key in keys] == ["satsweeper/explain/1", list(cell), expected]
    assert answer["sentence"].startswith(str(cell))
    if expected != "unknown":
        assert list(answer) == [*keys, "clues", "flags", "total", "irreducible", "sentence"]
        assert answer["irreducible"] is True
        clues, flags = ({(r, c) for r, c in answer[key]} for key in ("clues", "flags"))
        reason = (clues, flags, answer["total"])
        assert forced(board, cell, expected, reason)
        assert not any(forced(board, cell, expected, less) for less in without_one(reason))
        return
    assert list(answer) == [*keys, "witnesses", "sentence"]
    assert list(answer["witnesses"]) == ["mine", "safe"]
    layouts = set(board.layouts())
    for verdict, grid in answer["witnesses"].items():
        symbols = np.array([list(row) for row in grid])
        assert symbols.shape == board.cells.shape
        assert symbols[cell] == verdict[0].upper()
        covered = board.cells == -1
        assert set(symbols[covered]) <= {"S", "M"}
        given_cells = [SYMBOLS.get(int(c), str(c)) for c in board.cells[~covered]]
        assert symbols[~covered].tolist() == given_cells
        mines = np.argwhere((symbols == "M") | (symbols == "F")).tolist()
        assert frozenset(tuple(mine) for mine in mines) in layouts


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(boards(most=9))
def test_every_explanation_holds_over_all_layouts(board):
    verdicts = board.verdicts()
    for cell in board.at(-1):
        ended = call("explain", "--json", "-", f"{cell[0]},{cell[1]}", board=written(board))
        if verdicts is None and ended.code == 1:
            # Refused by the reader; which boards are, is tested there.
            assert ": a clue is at most their number" in ended.err
            continue
        assert ended.err == ""
        if verdicts is None:
            assert (ended.code, ended.json["status"]) == (20, "inconsistent")
        else:
            assert ended.code == 0
            check(board, cell, verdicts[cell], ended.json)


@pytest.mark.parametrize("solver", ["cadical195", "lingeling", "minicard"])
def test_other_solvers_explain_as_well(solver):
    board = board_of("1?? 12? 01?")
    verdicts = board.verdicts()
    assert sorted(verdicts.values()) == ["mine", "safe", "unknown", "unknown"]
    for (row, column), verdict in verdicts.items():
        words = ("explain", "--json", "--solver", solver, "-", f"{row},{column}")
        check(board, (row, column), verdict, call(*words, board=written(board)).json)


def test_three_clues_are_needed_where_no_pair_decides():
    ended = done("explain", "--json", EXAMPLES / "wikipedia_corner.txt", "2,2")
    assert ended.json == {
        "schema": "satsweeper/explain/1", "cell": [2, 2], "verdict": "safe",
        "clues": [[0, 1], [1, 0], [1, 1]], "flags": [], "total": False, "irreducible": True,
        "sentence": ended.json["sentence"],
    }  # fmt: skip
    assert ended.json["sentence"].startswith("(2, 2) is safe: ")


def test_the_total_or_a_trusted_flag_is_named_where_it_is_needed_and_a_cell_may_have_a_blank():
    words = ("explain", "--json", "-")
    answer = call(*words, "0, 2", board="1 3 1\n1??\n").json
    assert (answer["verdict"], answer["total"]) == ("safe", True)
    answer = call(*words, "0,1", board="1 3 1\n1??\n").json
    assert (answer["clues"], answer["total"]) == ([[0, 0]], False)
    answer = call(*words, "0,1", board="1?\n?F\n").json
    assert (answer["verdict"], answer["clues"], answer["flags"]) == ("safe", [[0, 0]], [[1, 1]])


@pytest.mark.parametrize(
    ("board", "asked", "verdict"),
    [("1?\n?F\n", "1,1 --flags ignore", "unknown"), ("1 3 2\n1??\n", "0,2", "mine"),
     ("1 3 2\n1??\n", "0,2 --mines 1", "safe"), ("1 3 2\n1??\n", "0,2 --mines unknown", "unknown")],
)  # fmt: skip
def test_flags_and_total_on_the_command_line_count(board, asked, verdict):
    answer = call("explain", "--json", "-", *asked.split(), board=board).json
    assert answer["verdict"] == verdict


def test_text_marks_the_reason_on_the_board_and_says_it():
    told = done("explain", EXAMPLES / "wikipedia_corner.txt", "2,2").out
    assert "(2, 2) is safe: if it were a mine, the 1 at (0, 1)" in told
    assert "3 clues; the total was not needed." in told
    unknown = done("explain", EXAMPLES / "wikipedia_corner.txt", "0,2").out
    assert all(f"a layout in which (0, 2) is {how}:" in unknown for how in ("a mine", "safe"))


def test_a_reason_that_time_cut_short_or_none_is_told_with_the_code_of_a_limit(monkeypatch):
    found = classify(Position.parse("1?"))
    monkeypatch.setattr("satsweeper.search.session.explain_within", lambda *given: (found, None))
    ended = call("explain", "-", "0,1", "--timeout", 9, board="1?\n")
    assert (ended.code, ended.out) == (124, "(0, 1) is a mine; no reason within 9 s\n")
    reason = Conflict(((0, 0),), (), False, irreducible=False, by=())
    given = Explanation((0, 1), Verdict.MINE, reason, None, None, "(0, 1) is a mine: so it is.")
    monkeypatch.setattr("satsweeper.search.session.explain_within", lambda *_: (found, given))
    assert call("explain", "-", "0,1", board="1?\n").code == 0
    monkeypatch.setattr("satsweeper.cli.explain.Deadline.passed", lambda deadline: True)
    for json, said in (
        ([], "; fewer of these may be enough."),
        (["--json"], '"irreducible": false'),
    ):
        ended = call("explain", "-", "0,1", *json, "--timeout", 9, board="1?\n")
        assert (ended.code, said in ended.out) == (124, True)


# ``explain`` on boards too large to try every layout: what it shows is checked on the board


def is_layout(grid: list[str], rows: list[str], total: int | None) -> bool:
    """Whether a grid of ``S`` and ``M`` for covered cells meets every clue, and the total."""
    shape = len(rows), len(rows[0])
    cells = {(r, c): text for r, row in enumerate(grid) for c, text in enumerate(row)}
    given = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row)}
    mines = {cell for cell, text in cells.items() if text in "MF"}
    kept = all(cells[cell] in ("SM" if text == "?" else text) for cell, text in given.items())
    clues = {cell: int(text) for cell, text in given.items() if text.isdigit()}
    near = {cell: neighbours(cell, shape) for cell in clues}
    met = all(len(mines.intersection(near[cell])) == clue for cell, clue in clues.items())
    return kept and met and total in (None, len(mines))


def game(random: Random) -> tuple[list[str], int]:
    """A board in the middle of a game, and its mines."""
    shape = random.randint(3, 6), random.randint(4, 8)
    mines = {cell for cell in np.ndindex(shape) if random.random() < 0.25}
    shown = np.full(shape, "?")
    for cell in np.ndindex(shape):
        if cell not in mines and random.random() < 0.4:
            shown[cell] = str(len(mines.intersection(neighbours(cell, shape))))
    return ["".join(row) for row in shown], len(mines)


def explain_all(rows: list[str], total: int | None) -> None:
    """Explain every covered cell; verdicts must be those of ``classify``, layouts layouts."""
    header = f"{len(rows)} {len(rows[0])} {'?' if total is None else total}"
    board = "\n".join([header, *rows]) + "\n"
    grid = call("classify", "--json", "-", board=board).json["grid"]
    meaning = {"S": "safe", "M": "mine", "?": "unknown"}
    covered = [(r, c) for r, row in enumerate(rows) for c, text in enumerate(row) if text == "?"]
    for r, c in covered:
        answer = call("explain", "--json", "-", f"{r},{c}", board=board).json
        assert answer["verdict"] == meaning[grid[r][c]]
        for verdict, layout in answer.get("witnesses", {}).items():
            assert layout[r][c] == verdict[0].upper()
            assert is_layout(layout, rows, total)


def test_the_check_of_layouts_tells_layouts_from_others():
    assert is_layout(["1MS"], ["1??"], 1)
    for grid, total in (("1MS", 2), ("1SM", None), ("1M?", None), ("2MS", None)):
        assert not is_layout([grid], ["1??"], total)


@pytest.mark.parametrize("seed", range(6))
def test_unknown_cells_of_a_game_have_a_layout_of_each_kind(seed):
    random = Random(seed)
    for _ in range(8):
        rows, mines = game(random)
        explain_all(rows, random.choice([None, mines, mines]))


def test_cells_under_the_same_clues_have_layouts_of_their_own():
    explain_all(["??????", "3?3?33", "??1???", "11???2"], 7)
    explain_all(["???11?", "3????2", "??????"], 5)


def test_cells_of_an_expert_board_have_a_layout_of_each_kind():
    path = EXAMPLES / "expert.txt"
    rows = [line for line in path.read_text().splitlines() if not line.startswith(";")][1:]
    grid = call("classify", "--json", path).json["grid"]
    unknown = [(r, c) for r, row in enumerate(grid) for c, text in enumerate(row) if text == "?"]
    for r, c in unknown[::12]:
        witnesses = call("explain", "--json", path, f"{r},{c}").json["witnesses"]
        assert {kind: grid[r][c] for kind, grid in witnesses.items()} == {"mine": "M", "safe": "S"}
        assert all(is_layout(layout, rows, 99) for layout in witnesses.values())
