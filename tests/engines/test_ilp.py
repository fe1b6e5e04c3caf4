"""The reduction to a 0/1 program: equations and verdicts against all layouts."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from satsweeper import Position
from satsweeper.answers.options import Options
from satsweeper.board.facts import WrongModelError
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import Evidence
from satsweeper.families.chessboard import chessboard_with_private_cells
from tests.commands import python
from tests.oracles import equation_models

ILP = "satsweeper.engines.ilp"
EXAMPLE = Position.parse("1??\n12?\n01?")

highs = pytest.mark.skipif(
    find_spec("highspy") is None, reason="highspy is an extra: pip install satsweeper[ilp]"
)
scip = pytest.mark.skipif(
    None in map(find_spec, ("pyscipopt", "pysmt", "z3")), reason="extras: scip and smt"
)


def solutions(sums: PositionSums) -> list[frozenset[tuple[int, int]]]:
    """The assignments that meet all equations, as the cells that are mines."""
    return [
        frozenset(cell for cell, bit in zip(sums.cells, bits, strict=True) if bit)
        for bits in equation_models(sums.rows, len(sums.cells))
    ]


def test_the_worked_example_has_the_equations_and_the_layouts_of_its_document() -> None:
    sums = PositionSums(EXAMPLE, Options())
    assert sums.cells == [(0, 1), (0, 2), (1, 2), (2, 2)]
    # The clue 0 counts no covered cell.
    assert sums.columns == [((0,), 1), ((0,), 1), ((0, 1, 2, 3), 2), ((2, 3), 1)]
    assert solutions(sums) == [{(0, 1), (2, 2)}, {(0, 1), (1, 2)}]


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
def test_a_limit_is_kept_and_says_undecided(
    apart: Callable[..., list[Any]],
) -> None:
    calls = [(chessboard_with_private_cells(30), Options(timeout=0.001))]
    [answer] = apart(ILP, "by_test_constraints", calls)
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
        pytest.param("smt, ilp, scip, cp_sat, scip", marks=scip),
    ],
)
def test_engines_of_packages_that_clash_work_in_one_process(order: str) -> None:
    child = python("-c", BOTH.replace("ORDER", order))
    assert child.stderr == ""
    lines = child.stdout.splitlines()
    assert len(lines) == order.count(",") + 1
    assert len(set(lines)) == 1
