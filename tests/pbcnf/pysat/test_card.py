"""PySAT's way to ask for bounds on plain literals: its arguments, its types, and right answers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNFPlus, IDPool
from pysat.solvers import Solver

from pbcnf.pysat.card import CardEnc, EncType, NoSuchEncodingError, UnsupportedBound
from tests.oracles import assignments, true_literals, weighted_sum

ENCODINGS = {name: number for name, number in vars(EncType).items() if not name.startswith("_")}
CLAUSES = [name for name in ENCODINGS if name != "native"]
INPUTS = 5
LITS = st.lists(st.sampled_from([v * s for v in range(1, INPUTS + 1) for s in (1, -1)]), max_size=6)
MEANS = {
    "atmost": lambda count, bound: count <= bound,
    "atleast": lambda count, bound: count >= bound,
    "equals": lambda count, bound: count == bound,
}


def agrees(clauses, means):
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for bits in assignments(INPUTS):
            assert solver.solve(assumptions=true_literals(bits)) == means(bits), bits


@settings(max_examples=200, deadline=None)
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
    agrees(found.clauses, lambda values: MEANS[kind](weighted_sum(lits, values), bound))


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
    agrees(clauses, lambda v: all(weighted_sum(lits, v) <= bound for lits, bound in constraints))


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
