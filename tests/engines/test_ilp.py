"""The reduction to a 0/1 program: equations and verdicts against all layouts."""

import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from itertools import product
from typing import Any

import pytest

from satsweeper import Position, classify
from satsweeper.answers.options import Options
from satsweeper.board.facts import WrongModelError
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import Evidence
from tests.engines.verdicts import CertainCells

ILP = "satsweeper.engines.ilp"
EXAMPLE = Position.parse("1??\n12?\n01?")

highs = pytest.mark.skipif(
    find_spec("highspy") is None, reason="highspy is an extra: pip install satsweeper[ilp]"
)
scip = pytest.mark.skipif(
    None in map(find_spec, ("pyscipopt", "pysmt", "z3")), reason="extras: scip and smt"
)
FIVE_BY_FIVE = """
001??
001??
011??
12???
1????
"""
SAFE = frozenset({(1, 3), (2, 3), (3, 3), (4, 2)})
MINES = frozenset({(0, 3), (3, 2), (4, 1)})
FREE = frozenset({(0, 4), (1, 4), (2, 4), (3, 4), (4, 3), (4, 4)})


def solutions(sums: PositionSums) -> list[frozenset[tuple[int, int]]]:
    """The assignments that meet all equations, as the cells that are mines."""
    found = []
    for bits in product((0, 1), repeat=len(sums.cells)):
        if all(sum(bits[v - 1] for v in row) == number for row, number in sums.rows):
            found.append(frozenset(c for c, bit in zip(sums.cells, bits, strict=True) if bit))
    return found


def test_the_worked_example_has_the_equations_and_the_layouts_of_its_document() -> None:
    sums = PositionSums(EXAMPLE, Options())
    assert sums.cells == [(0, 1), (0, 2), (1, 2), (2, 2)]
    # The clue 0 counts no covered cell.
    assert sums.columns == [((0,), 1), ((0,), 1), ((0, 1, 2, 3), 2), ((2, 3), 1)]
    assert solutions(sums) == [{(0, 1), (2, 2)}, {(0, 1), (1, 2)}]


@highs
def test_the_worked_example_has_one_mine_and_one_safe_cell(
    apart: Callable[..., list[Any]], default: Options
) -> None:
    [answer] = apart(ILP, "by_optimising", [(EXAMPLE, default)])
    expected = CertainCells("consistent", frozenset({(0, 2)}), frozenset({(0, 1)}), decided=True)
    assert answer == expected
    assert classify(EXAMPLE).safe == [(0, 2)]


def test_the_solutions_of_the_equations_are_the_layouts(known: list[Any]) -> None:
    for one in known:
        assert len(solutions(PositionSums(one.position, Options()))) == one.layouts


@highs
@pytest.mark.parametrize("function", ["by_optimising", "by_test_constraints"])
def test_verdicts_are_those_of_brute_force(
    function: str, known: list[Any], apart: Callable[..., list[Any]], default: Options
) -> None:
    answers = apart(ILP, function, [(one.position, default) for one in known])
    assert [(k, a) for k, a in zip(known, answers, strict=True) if not k.agrees(a)] == []


@highs
def test_verdicts_are_those_of_sat_on_positions_of_games(
    sample: list[Any], apart: Callable[..., list[Any]], default: Options
) -> None:
    positions = [Position.parse(record.text) for record in sample]
    positions = [p for p in positions if p.rows * p.columns <= 256][:6]
    assert positions
    answers = apart(ILP, "by_optimising", [(position, default) for position in positions])
    for position, answer in zip(positions, answers, strict=True):
        by_sat = classify(position)
        assert (by_sat.safe, by_sat.mines) == (sorted(answer.safe), sorted(answer.mines))
        assert answer.decided


@highs
def test_in_the_worked_example_all_seven_cells_at_clues_are_forced_not_only_one(
    apart: Callable[..., list[Any]], default: Options
) -> None:
    [answer] = apart(ILP, "by_test_constraints", [(Position.parse(FIVE_BY_FIVE), default)])
    assert answer == CertainCells("consistent", SAFE, MINES, decided=True)


@highs
def test_in_the_worked_example_the_total_decides_the_six_free_cells(
    apart: Callable[..., list[Any]], default: Options
) -> None:
    totals = list(range(12))
    calls = [(Position.parse(FIVE_BY_FIVE, mines=total), default) for total in totals]
    for total, answer in zip(totals, apart(ILP, "by_test_constraints", calls), strict=True):
        if not 3 <= total <= 9:
            assert answer.status == "inconsistent"
        else:
            assert answer.safe == (SAFE | FREE if total == 3 else SAFE)
            assert answer.mines == (MINES | FREE if total == 9 else MINES)


@highs
def test_a_limit_is_kept_and_says_undecided(
    apart: Callable[..., list[Any]], chessboard: Callable[[int], Position]
) -> None:
    [answer] = apart(ILP, "by_test_constraints", [(chessboard(30), Options(timeout=0.001))])
    assert not answer.decided
    assert answer.notes


def test_a_layout_that_breaks_the_board_is_not_believed() -> None:
    evidence = Evidence(PositionSums(EXAMPLE, Options()))
    with pytest.raises(WrongModelError):
        evidence.add_layout(frozenset({1, 2, 3}))
    with pytest.raises(WrongModelError, match="asked for"):
        evidence.add_layout(frozenset({1, 3}), 4)
    assert not evidence.has_layout
    evidence.add_layout(frozenset({1, 3}), 3)
    assert evidence.has_layout


BOTH = """
from satsweeper import Position
from satsweeper.engines.table import ENGINES
from satsweeper.answers.options import Options
position = Position.parse("1??\\n12?\\n01?")
for engine in "ORDER".split(", "):
    print(ENGINES[engine].classify(position, Options(timeout=30)).grid())
"""


@highs
@pytest.mark.skipif(find_spec("ortools") is None, reason="OR-Tools is an extra")
@pytest.mark.parametrize(
    "order",
    [
        "cp_sat, ilp, lp_relaxation",
        "ilp, cp_sat",
        pytest.param("scip, cp_sat, ilp, smt, scip", marks=scip),
        pytest.param("smt, ilp, scip, cp_sat, scip", marks=scip),
        pytest.param("cp_sat, smt, scip, ilp", marks=scip),
    ],
)
def test_engines_of_packages_that_clash_work_in_one_process(order: str) -> None:
    child = subprocess.run(
        [sys.executable, "-c", BOTH.replace("ORDER", order)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
        check=False,
    )
    assert child.stderr == ""
    lines = child.stdout.splitlines()
    assert len(lines) == order.count(",") + 1
    assert len(set(lines)) == 1
