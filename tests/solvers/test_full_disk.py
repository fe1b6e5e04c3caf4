"""A solver whose disk is full leaves half a proof without a word: that is no proof."""

import resource
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import combinations

import pytest

from satsweeper.solvers.protocol import SolverFailedError, Unsatisfied
from satsweeper.solvers.pysat import ProvingSolver, PysatSolver
from satsweeper.solvers.table import SOLVERS

HOLES = 7
SIZE = 4096


@contextmanager
def no_room() -> Iterator[None]:
    """No file of this process grows beyond a page, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SIZE, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def pigeons() -> list[list[int]]:
    """One pigeon more than holes, and one hole for each of them."""
    rows = [[HOLES * row + hole for hole in range(1, HOLES + 1)] for row in range(HOLES + 1)]
    return rows + [[-a, -b] for pair in zip(*rows, strict=True) for a, b in combinations(pair, 2)]


@pytest.mark.parametrize("name", [name for name, row in SOLVERS.items() if row.proof])
def test_half_a_proof_of_a_solver_is_refused(name: str) -> None:
    with closing(PysatSolver(name, proof=True)) as solver:
        solver.add_clauses(map(tuple, pigeons()))
        with no_room():
            assert isinstance(solver.solve(), Unsatisfied)
            with pytest.raises(SolverFailedError, match="does not fit on the disk of "):
                solver.proof()


def test_half_a_proof_of_a_game_is_refused() -> None:
    with closing(ProvingSolver()) as solver:
        for clause in pigeons():
            solver.add_clause(clause)
        with no_room():
            assert solver.solve([], 10**6) is False
            with pytest.raises(SolverFailedError, match="does not fit on the disk of "):
                solver.written()
