"""Bounds on a sum in a live solver, asked in any order, against counting by hand."""

import random
from contextlib import closing

import pytest

from satsweeper.solvers.protocol import Satisfied, SolverError
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.sink import SolverSink
from satsweeper.solvers.sum_range import range_maker


@pytest.mark.parametrize("encoding", ["totalizer", "sequential_counter"])
def test_bounds_hold_in_any_order_while_the_range_grows(encoding):
    rng = random.Random(3)
    n = 9
    literals = [-v if v % 2 else v for v in range(1, n + 1)]
    with closing(PysatSolver("minisat22")) as solver:
        sink = SolverSink(solver)
        sink.new_vars(n)
        total = range_maker(encoding)(literals, sink)
        for _ in range(150):
            lower, upper = rng.randint(0, n), rng.randint(0, n)
            fixed = rng.sample(literals, rng.randint(0, n))
            fixed = [lit * rng.choice((1, -1)) for lit in fixed]
            true = sum(lit in literals for lit in fixed)
            answer = solver.solve([*total.assume(lower, upper), *fixed])
            possible = max(lower, true) <= min(upper, true + n - len(fixed))
            assert isinstance(answer, Satisfied) == possible
            if isinstance(answer, Satisfied):
                assert lower <= sum(lit in answer.model[:n] for lit in literals) <= upper


def test_a_counter_is_built_for_the_bounds_that_are_asked_and_no_others():
    with closing(PysatSolver("minisat22")) as solver:
        sink = SolverSink(solver)
        sink.new_vars(200)
        total = range_maker("totalizer")(range(1, 201), sink)
        total.assume(3, 5)
        narrow = sink.num_clauses
        assert total.assume(4, 5) == [*total.assume(4, 200), *total.assume(0, 5)]
        assert sink.num_clauses == narrow
        total.assume(90, 110)
        assert sink.num_clauses > 3 * narrow


def test_a_counter_that_would_be_huge_is_refused_before_it_is_begun():
    with closing(PysatSolver("minisat22")) as solver:
        sink = SolverSink(solver)
        sink.new_vars(20_000)
        total = range_maker("totalizer")(range(1, 20_001), sink)
        before = sink.num_clauses
        with pytest.raises(SolverError, match="'totalizer' of 1 <= sum of 20000 <= 10000"):
            total.assume(1, 10_000)
        assert (sink.num_vars, sink.num_clauses) == (20_000, before)
