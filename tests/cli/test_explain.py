"""``explain``: reasons are irreducible, and layouts are layouts."""

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.commands import EXAMPLES, call, done

KEYS = ["schema", "cell", "verdict"]
SYMBOLS = {-1: "?", -2: "F"}


def written(board: Any) -> str:
    rows = ["".join(SYMBOLS.get(int(c), str(c)) for c in row) for row in board.cells]
    total = "?" if board.total is None else board.total
    return "\n".join([f"{len(rows)} {len(rows[0])} {total}", *rows]) + "\n"


def forced(board: Any, cell: tuple[int, int], verdict: str, reason: dict[str, Any]) -> bool:
    """Whether already these clues, flags and perhaps the total force the verdict."""
    clues, flags = ([tuple(c) for c in reason[key]] for key in ("clues", "flags"))
    layouts = board.layouts(clues=clues, flags=flags, total=reason["total"])
    return all((cell in mines) is (verdict == "mine") for mines in layouts)


def lessened(reason: dict[str, Any]) -> list[dict[str, Any]]:
    """The reason without one of its members, in every way."""
    found = [
        {**reason, key: [c for c in reason[key] if c != cell]}
        for key in ("clues", "flags")
        for cell in reason[key]
    ]
    return found + ([{**reason, "total": False}] if reason["total"] else [])


def check(board: Any, cell: tuple[int, int], expected: str, answer: dict[str, Any]) -> None:
    """An explanation against all layouts of the board."""
    assert answer["schema"] == "satsweeper/explain/1"
    assert answer["cell"] == list(cell)
    assert answer["verdict"] == expected
    assert answer["sentence"].startswith(str(cell))
    if expected != "unknown":
        assert list(answer) == [*KEYS, "clues", "flags", "total", "irreducible", "sentence"]
        assert answer["irreducible"] is True
        reason = {key: answer[key] for key in ("clues", "flags", "total")}
        assert forced(board, cell, expected, reason)
        assert not any(forced(board, cell, expected, less) for less in lessened(reason))
        return
    assert list(answer) == [*KEYS, "witnesses", "sentence"]
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
@given(st.data())
def test_every_explanation_holds_over_all_layouts(small_boards, data):
    board = data.draw(small_boards(most=9))
    verdicts = board.verdicts()
    for cell in board.at(-1):
        ended = call("explain", "--json", "-", f"{cell[0]},{cell[1]}", board=written(board))
        if verdicts is None and ended.code == 1:
            # Refused by the reader; which boards are, is tested there.
            assert ": a clue is at most their number" in ended.err
            continue
        assert ended.err == ""
        if verdicts is None:
            assert ended.code == 20
            assert ended.json["status"] == "inconsistent"
        else:
            assert ended.code == 0
            check(board, cell, verdicts[cell], ended.json)


@pytest.mark.parametrize("solver", ["cadical195", "lingeling", "minicard"])
def test_other_solvers_explain_as_well(make_board, solver):
    board = make_board("1?? 12? 01?")
    verdicts = board.verdicts()
    assert sorted(verdicts.values()) == ["mine", "safe", "unknown", "unknown"]
    for (row, column), verdict in verdicts.items():
        cell = f"{row},{column}"
        ended = call("explain", "--json", "--solver", solver, "-", cell, board=written(board))
        check(board, (row, column), verdict, ended.json)


def test_three_clues_are_needed_where_no_pair_decides():
    ended = done("explain", "--json", EXAMPLES / "wikipedia_corner.txt", "2,2")
    assert ended.json == {
        "schema": "satsweeper/explain/1", "cell": [2, 2], "verdict": "safe",
        "clues": [[0, 1], [1, 0], [1, 1]], "flags": [], "total": False, "irreducible": True,
        "sentence": ended.json["sentence"],
    }  # fmt: skip
    assert ended.json["sentence"].startswith("(2, 2) is safe: ")


def test_an_unknown_cell_has_two_layouts():
    ended = done("explain", "--json", "--solver", "cadical195", "-", "1,0", board="?2?\n?2?\n")
    assert list(ended.json) == ["schema", "cell", "verdict", "witnesses", "sentence"]
    assert (ended.json["cell"], ended.json["verdict"]) == ([1, 0], "unknown")
    for verdict, grid in ended.json["witnesses"].items():
        cells = "".join(grid)
        assert (cells[3], cells.count("M"), cells.count("S")) == (verdict[0].upper(), 2, 2)


def test_the_total_is_named_where_it_is_needed_and_a_cell_may_have_a_blank():
    board = "1 3 1\n1??\n"
    ended = call("explain", "--json", "-", "0, 2", board=board)
    assert (ended.json["verdict"], ended.json["total"]) == ("safe", True)
    unneeded = call("explain", "--json", "-", "0,1", board=board)
    assert (unneeded.json["clues"], unneeded.json["total"]) == ([[0, 0]], False)


def test_a_trusted_flag_is_named_where_it_is_needed():
    answer = call("explain", "--json", "-", "0,1", board="1?\n?F\n").json
    assert (answer["verdict"], answer["clues"], answer["flags"]) == ("safe", [[0, 0]], [[1, 1]])
    ignored = call("explain", "--json", "--flags", "ignore", "-", "1,1", board="1?\n?F\n").json
    assert ignored["verdict"] == "unknown"


def test_the_total_on_the_command_line_counts():
    arguments = ["explain", "--json", "-", "0,2"]
    board = "1 3 2\n1??\n"
    assert call(*arguments, board=board).json["verdict"] == "mine"
    assert call(*arguments, "--mines", "1", board=board).json["verdict"] == "safe"
    assert call(*arguments, "--mines", "unknown", board=board).json["verdict"] == "unknown"


def test_text_marks_the_reason_on_the_board_and_says_it():
    ended = done("explain", EXAMPLES / "wikipedia_corner.txt", "2,2")
    assert "(2, 2) is safe: if it were a mine, the 1 at (0, 1)" in ended.out
    assert "3 clues; the total was not needed." in ended.out
    unknown = call("explain", EXAMPLES / "wikipedia_corner.txt", "0,2")
    assert "a layout in which (0, 2) is a mine:" in unknown.out
    assert "a layout in which (0, 2) is safe:" in unknown.out


def test_a_verdict_without_a_reason_is_said_as_with_one(monkeypatch):
    from satsweeper import Position, classify

    found = classify(Position.parse("1?"))
    monkeypatch.setattr("satsweeper.search.session.explain_within", lambda *given: (found, None))
    ended = call("explain", "-", "0,1", "--timeout", 9, board="1?\n")
    assert (ended.code, ended.out) == (124, "(0, 1) is a mine; no reason within 9 s\n")


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_a_reason_that_time_cut_short_is_told_with_the_code_of_a_limit(monkeypatch, json):
    from satsweeper import Conflict, Position, Verdict, classify
    from satsweeper.answers.classification import Explanation

    reason = Conflict(((0, 0),), (), False, irreducible=False, by=())
    given = Explanation((0, 1), Verdict.MINE, reason, None, None, "(0, 1) is a mine: so it is.")
    found = classify(Position.parse("1?"))
    monkeypatch.setattr("satsweeper.search.session.explain_within", lambda *_: (found, given))
    arguments = ["explain", "-", "0,1", *json]
    assert call(*arguments, board="1?\n").code == 0
    monkeypatch.setattr("satsweeper.cli.explain.Deadline.passed", lambda deadline: True)
    ended = call(*arguments, "--timeout", 9, board="1?\n")
    assert ended.code == 124
    assert ('"irreducible": false' if json else "; fewer of these may be enough.") in ended.out


# ``explain`` on boards too large to try every layout: what it shows is checked on the board


Cell = tuple[int, int]


def near(cell: Cell) -> list[Cell]:
    row, column = cell
    around = product(range(row - 1, row + 2), range(column - 1, column + 2))
    return [other for other in around if other != cell]


def is_layout(grid: list[str], rows: list[str], total: int | None) -> bool:
    """Whether a grid of ``S`` and ``M`` for covered cells meets every clue, and the total."""
    cells = {(r, c): text for r, row in enumerate(grid) for c, text in enumerate(row)}
    given = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row)}
    mines = {cell for cell, text in cells.items() if text in "MF"}
    kept = all(cells[cell] in ("SM" if text == "?" else text) for cell, text in given.items())
    clues = {cell: int(text) for cell, text in given.items() if text.isdigit()}
    met = all(sum(n in mines for n in near(cell)) == clue for cell, clue in clues.items())
    return kept and met and total in (None, len(mines))


def game(random: Random) -> tuple[list[str], int]:
    """A board in the middle of a game, and its mines."""
    rows, columns = random.randint(3, 6), random.randint(4, 8)
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    mines = {cell for cell in cells if random.random() < 0.25}
    shown = dict.fromkeys(cells, "?")
    for cell in cells:
        if cell not in mines and random.random() < 0.4:
            shown[cell] = str(sum(n in mines for n in near(cell)))
    return ["".join(shown[r, c] for c in range(columns)) for r in range(rows)], len(mines)


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
    assert not is_layout(["1MS"], ["1??"], 2)
    assert not is_layout(["1SM"], ["1??"], None)
    assert not is_layout(["1M?"], ["1??"], None)
    assert not is_layout(["2MS"], ["1??"], None)


@pytest.mark.parametrize("seed", range(6))
def test_unknown_cells_of_a_game_have_a_layout_of_each_kind(seed):
    random = Random(seed)
    for _ in range(8):
        rows, mines = game(random)
        explain_all(rows, random.choice([None, mines, mines]))


def test_cells_under_the_same_clues_have_layouts_of_their_own():
    explain_all(["??????", "3?3?33", "??1???", "11???2"], 7)
    explain_all(["???11?", "3????2", "??????"], 5)


def test_cells_of_an_expert_board_have_a_layout_of_each_kind(data):
    path = data.parents[1] / "examples" / "expert.txt"
    rows = [line for line in path.read_text().splitlines() if not line.startswith(";")][1:]
    grid = call("classify", "--json", path).json["grid"]
    unknown = [(r, c) for r, row in enumerate(grid) for c, text in enumerate(row) if text == "?"]
    for r, c in unknown[::12]:
        answer = call("explain", "--json", path, f"{r},{c}").json
        assert answer["witnesses"]["mine"][r][c] == "M"
        assert answer["witnesses"]["safe"][r][c] == "S"
        assert all(is_layout(layout, rows, 99) for layout in answer["witnesses"].values())
