"""PySAT's way to ask for bounds on plain literals: its arguments, its types, and right answers."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNFPlus, IDPool
from pysat.solvers import Solver

from pbcnf.pysat.card import CardEnc, EncType, NoSuchEncodingError, UnsupportedBound

ENCODINGS = {name: number for name, number in vars(EncType).items() if not name.startswith("_")}
CLAUSES = [name for name in ENCODINGS if name != "native"]
INPUTS = 5
LITS = st.lists(st.sampled_from([v * s for v in range(1, INPUTS + 1) for s in (1, -1)]), max_size=6)
MEANS = {
    "atmost": lambda count, bound: count <= bound,
    "atleast": lambda count, bound: count >= bound,
    "equals": lambda count, bound: count == bound,
}


def true(lits, values):
    return sum(values[abs(lit) - 1] == (lit > 0) for lit in lits)


def agrees(clauses, means):
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for values in product((False, True), repeat=INPUTS):
            fixed = [v if values[v - 1] else -v for v in range(1, INPUTS + 1)]
            assert solver.solve(assumptions=fixed) == means(values), fixed


@settings(max_examples=400, deadline=None)
@given(LITS, st.integers(0, 6), st.sampled_from([*MEANS]), st.sampled_from(CLAUSES), st.data())
def test_bounds_hold_exactly_as_by_counting(lits, bound, kind, name, data):
    top = data.draw(st.integers(INPUTS, 12))
    encoding = data.draw(st.sampled_from([ENCODINGS[name], "totalizer", "adder"]))
    try:
        found = getattr(CardEnc, kind)(lits, bound, top_id=top, encoding=encoding)
    except UnsupportedBound:
        assert name in ("pairwise", "bitwise", "ladder")
        assert 1 < bound < len(lits) - 1
        return
    except ValueError as error:
        assert str(error) == f"Wrong bound: {bound}"  # noqa: PT017
        assert kind != "atmost"
        assert bound > len(lits)
        return
    assert isinstance(found, CNFPlus)
    variables = {abs(lit) for clause in found.clauses for lit in clause}
    assert found.nv == max(top, *variables, 0)
    assert not any(INPUTS < variable <= top for variable in variables)
    agrees(found.clauses, lambda values: MEANS[kind](true(lits, values), bound))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(LITS, st.integers(0, 3)), min_size=1, max_size=3),
    st.integers(INPUTS + 1, 9),
    st.lists(st.tuples(st.integers(7, 30), st.integers(0, 4)), max_size=2),
)
def test_constraints_with_one_pool_share_no_auxiliary_variable(constraints, start, occupied):
    taken = [[first, first + length] for first, length in occupied]
    pool = IDPool(start_from=start, occupied=taken)
    seen, clauses = set(range(1, start)), []
    for lits, bound in constraints:
        found = CardEnc.atmost(lits, bound, vpool=pool, encoding=EncType.totalizer)
        auxiliaries = {abs(lit) for c in found.clauses for lit in c if abs(lit) > INPUTS}
        assert not auxiliaries & seen
        assert not any(first <= v <= last for v in auxiliaries for first, last in taken)
        seen |= auxiliaries
        clauses += found.clauses
    assert pool.id("next") not in seen
    agrees(clauses, lambda v: all(true(lits, v) <= bound for lits, bound in constraints))


@pytest.mark.parametrize("kind", [*MEANS])
@pytest.mark.parametrize("name", [*ENCODINGS])
def test_a_bound_that_needs_no_variable_keeps_those_that_there_are(kind, name):
    for bound in (0, 3):
        assert getattr(CardEnc, kind)([1, 2, 3], bound, 10, encoding=ENCODINGS[name]).nv == 10
    assert getattr(CardEnc, kind)([], 0, 10, encoding=ENCODINGS[name]).nv == 10


def test_a_pool_learns_of_inputs_that_it_did_not_give():
    pool = IDPool()
    assert CardEnc.atmost([8, 9], 2, vpool=pool).nv == 9
    assert pool.id("x") == 10
    assert CardEnc.atmost([1, 2], 2, vpool=pool).nv == 10


def test_bounds_that_solvers_keep_are_written_as_pairs():
    found = CardEnc.equals([1, -2, 3], 2, encoding=EncType.native)
    assert (found.clauses, found.atmosts) == ([], [([1, -2, 3], 2), ([-1, 2, -3], 1)])
    with Solver("minicard", bootstrap_with=found) as solver:
        assert sum(1 for _ in solver.enum_models()) == 3


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (([1, 2], -1), ValueError),
        (([1, 2, 3, 4], 2, None, None, EncType.pairwise), UnsupportedBound),
        (([1, 2], 1, None, None, 10), NoSuchEncodingError),
        (([1, 2], 1, None, None, "seq"), NoSuchEncodingError),
        (([1, 2], 1, 5, IDPool()), ValueError),
    ],
    ids=["no such bound", "at most one only", "no such number", "no such name", "top and pool"],
)
def test_what_pysat_refuses_is_refused(arguments, error):
    with pytest.raises(error):
        CardEnc.atmost(*arguments)


@pytest.mark.parametrize("n", [10, 14])
@pytest.mark.parametrize("name", CLAUSES)
def test_models_are_as_many_as_pysats_own_tests_count(n, name):
    """At most one, one or all but one of n: n + 1 and n models on the inputs."""
    wanted = [("atmost", 1, n + 1), ("equals", 1, n), ("equals", n - 1, n)]
    for kind, bound, number in wanted:
        found = getattr(CardEnc, kind)(range(1, n + 1), bound, encoding=ENCODINGS[name])
        with Solver("minisat-gh", bootstrap_with=found) as solver:
            models = 0
            while solver.solve():
                models += 1
                solver.add_clause([-lit for lit in solver.get_model()[:n]])
        assert models == number
