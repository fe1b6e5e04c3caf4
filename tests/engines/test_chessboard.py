"""The mutilated chessboard with private cells: linear programs prove at once what SAT cannot."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import pytest

from satsweeper import Session, Status
from satsweeper.answers.options import Options
from satsweeper.engines.table import ENGINES
from satsweeper.families.chessboard import chessboard_with_private_cells
from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.protocol import Answer, LiveSolver, Unknown
from satsweeper.solvers.search_budget import SearchBudget

MOST_CONFLICTS = 3_000


class FewConflicts(SearchBudget):
    """A limit of conflicts in all: the deadline comes when they are used up."""

    def __init__(self) -> None:
        super().__init__()
        self.conflicts_left = MOST_CONFLICTS

    def solve(self, solver: LiveSolver, assumptions: Sequence[int] = ()) -> Answer:
        if self.deadline.passed():
            return Unknown("conflicts")
        before = solver.conflicts()
        answer = solver.solve(assumptions, self.conflicts_left)
        self.conflicts_left -= solver.conflicts() - before
        if self.conflicts_left <= 0:
            self.deadline = Deadline.after(0.0)
        return answer


def corners(n: int) -> set[tuple[int, int]]:
    return {(0, 0), (2 * n, 2 * n)}


def test_sat_reaches_its_limit() -> None:
    limit = FewConflicts()
    with Session(chessboard_with_private_cells(30), beyond=False) as session:
        answer = session.classify(limit)
    assert limit.deadline.passed()
    assert answer.status is Status.UNDECIDED
    assert not set(answer.safe) & corners(30)
    assert not answer.mines


@pytest.mark.skipif(find_spec("highspy") is None, reason="an extra: pip install satsweeper[ilp]")
@pytest.mark.parametrize(
    "name", ["ilp:by_optimising", "ilp:by_test_constraints", "lp_relaxation:classify"]
)
def test_linear_programs_prove_both_cells_safe_and_the_proof_is_exact(
    name: str, apart: Callable[..., list[Any]]
) -> None:
    module, _, function = name.partition(":")
    calls = [(chessboard_with_private_cells(n), Options()) for n in (10, 30)]
    found = apart(f"satsweeper.engines.{module}", function, calls)
    for n, answer in zip((10, 30), found, strict=True):
        assert (answer.safe, answer.mines) == (corners(n), set())
        assert answer.decided
        # Nothing rests on doubles.
        assert not answer.notes


def test_the_table_says_who_is_strong_and_weak_there() -> None:
    for name in ("sat", "elimination", "cp_sat", "ilp", "lp", "lp_relaxation", "scip", "smt"):
        assert "mutilated chessboard" in ENGINES[name].promise
    for name in ("sat", "elimination", "ilp", "lp", "lp_relaxation", "scip"):
        assert "parity" in ENGINES[name].promise
