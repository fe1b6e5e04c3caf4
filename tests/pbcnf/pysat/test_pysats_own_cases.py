"""What PySAT's own tests of `card` ask for, as facts about our layer; the counts are binomials."""

from math import comb

import pytest
from pysat.engines import BooleanEngine
from pysat.solvers import Solver

from pbcnf.pysat.card import CNF, CardEnc, EncType, IDPool


def models(found, n, name):
    """How many models there are on the variables 1 .. n."""
    with Solver(name, bootstrap_with=found) as solver:
        number = 0
        while solver.solve():
            number += 1
            solver.add_clause([-lit for lit in solver.get_model()[:n]])
    return number


def test_a_bound_beyond_all_literals_is_no_clause_and_keeps_the_pool():
    pool = IDPool()
    lits = [pool.id(v) for v in range(1, 21)]
    assert (CardEnc.atmost(lits, 50, vpool=pool).clauses, pool.top) == ([], 20)


@pytest.mark.parametrize("solver", ["cadical195", "minisat22", "glucose42", "minicard"])
def test_one_true_literal_of_at_most_one_propagates_all_others(solver):
    found = CardEnc.atmost(range(1, 6), 1, encoding=EncType.pairwise)
    with Solver(solver, bootstrap_with=found) as live:
        for lit in range(1, 6):
            fine, units = live.propagate([lit])
            assert fine
            assert {*units} == {lit, *(-other for other in range(1, 6) if other != lit)}
        live.add_clause([2])
        assert live.propagate([1]) == (False, [])


@pytest.mark.parametrize("solver", ["cadical195", "minisatep"])
def test_bounds_of_an_engine_have_the_models_of_the_clauses(solver):
    lits, pool = [*range(1, 6)], IDPool()
    native = [
        list(getattr(CardEnc, kind)(lits, bound, encoding=EncType.native).atmosts[0])
        for kind, bound in (("atmost", 2), ("atleast", 1))
    ]
    with Solver(solver, bootstrap_with=CNF()) as live:
        engine = BooleanEngine([("linear", bound) for bound in native], adaptive=True)
        live.connect_propagator(engine)
        engine.setup_observe(live)
        by_engine = sum(1 for _ in live.enum_models())
    found = CardEnc.atmost(lits, 2, vpool=pool, encoding=EncType.kmtotalizer)
    found.extend(CardEnc.atleast(lits, 1, vpool=pool, encoding=EncType.kmtotalizer))
    assert by_engine == models(found, 5, solver) == comb(5, 1) + comb(5, 2)


def test_formulas_are_copied_and_extended_as_pysats_are():
    native = CardEnc.atmost(range(1, 6), 1, encoding=EncType.native)
    clauses = CardEnc.atmost(range(1, 6), 1)
    both = native.copy()
    both.extend(clauses)
    assert (both.clauses, len(both.atmosts), both.nv) == (clauses.clauses, 1, clauses.nv)
    assert models(both, 5, "minicard") == models(native, 5, "gluecard4") == 6
