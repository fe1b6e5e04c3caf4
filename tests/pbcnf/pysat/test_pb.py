"""PySAT's way to ask for bounds on weighted sums, without the libraries that it needs for them."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import IDPool
from pysat.solvers import Solver

from pbcnf.pysat.pb import EncType, NoSuchEncodingError, PBEnc
from tests.oracles import assignments, true_literals, value, weighted_sum

ENCODINGS = {name: number for name, number in vars(EncType).items() if not name.startswith("_")}
CLAUSES = [name for name in ENCODINGS if name != "native"]
INPUTS = 5
LIT = st.sampled_from([v * s for v in range(1, INPUTS + 1) for s in (1, -1)])
KINDS = {
    "leq": lambda value, bound: value <= bound,
    "atmost": lambda value, bound: value <= bound,
    "geq": lambda value, bound: value >= bound,
    "atleast": lambda value, bound: value >= bound,
    "equals": lambda value, bound: value == bound,
}


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(LIT, st.integers(-4, 9)), max_size=6),
    st.integers(-5, 20),
    st.sampled_from([*KINDS]),
    st.sampled_from(CLAUSES),
    st.none() | st.lists(LIT, max_size=2),
    st.booleans(),
)
def test_bounds_hold_exactly_as_by_adding_up(terms, bound, kind, name, conditionals, in_pairs):
    lits, weights = [lit for lit, _ in terms], [weight for _, weight in terms]
    options = {"top_id": 7, "encoding": ENCODINGS[name], "conditionals": conditionals}
    sums = [terms] if in_pairs and terms else [lits, weights]
    try:
        found = getattr(PBEnc, kind)(*sums, bound=bound, **options)
    except ValueError as error:
        assert str(error) == f"Wrong bound: {bound}"  # noqa: PT017
        assert bound < 0 <= min(weights, default=0)
        return
    assert found.nv >= 7
    assert not any(INPUTS < abs(lit) <= 7 for clause in found.clauses for lit in clause)
    with Solver("minisat22", bootstrap_with=found) as solver:
        for bits in assignments(INPUTS):
            wanted = KINDS[kind](weighted_sum(lits, bits, weights), bound)
            wanted |= not all(value(lit, bits) for lit in conditionals or [])
            assert solver.solve(assumptions=true_literals(bits)) == wanted, bits


def test_bounds_that_solvers_keep_are_written_as_triples():
    found = PBEnc.equals([1, -2], [2, 3], bound=3, top_id=4, encoding=EncType.native)
    assert found.atmosts == [([1, -2], 3, [2, 3]), ([-1, 2], 2, [2, 3])]
    assert (found.clauses, found.nv) == ([], 4)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(LIT, st.integers(-4, 9)), max_size=5),
    st.integers(0, 20),
    st.sampled_from([*KINDS]),
    st.lists(LIT, max_size=3),
)
def test_bounds_that_solvers_keep_wait_for_all_conditionals(terms, bound, kind, conditionals):
    """PySAT leaves the conditionals out."""
    found = getattr(PBEnc, kind)(
        terms, bound=bound, encoding=EncType.native, conditionals=conditionals
    )
    assert not found.clauses
    lits, weights = [lit for lit, _ in terms], [weight for _, weight in terms]
    for bits in assignments(INPUTS):
        ready = all(value(lit, bits) for lit in conditionals)
        wanted = not ready or KINDS[kind](weighted_sum(lits, bits, weights), bound)
        kept = all(weighted_sum(each, bits, heavy) <= most for each, most, heavy in found.atmosts)
        assert kept == wanted


@pytest.mark.parametrize("encoding", [ENCODINGS[name] for name in CLAUSES])
def test_an_empty_sum_reaches_nothing(encoding):
    """PySAT returns no clause, whatever the bound."""
    assert PBEnc.geq([], bound=1, encoding=encoding).clauses == [[]]
    assert PBEnc.equals([], bound=2, encoding=encoding, conditionals=[3]).clauses == [[-3]]
    assert PBEnc.leq([], bound=0, encoding=encoding).clauses == []


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        (([1, 2],), {"bound": -1}, ValueError),
        (([1, 2], [1]), {}, ValueError),
        (([(1, 2), (2, 3)], [1, 1]), {}, ValueError),
        (([(1, 2), 3],), {}, ValueError),
        (([1, 2],), {"encoding": 10}, NoSuchEncodingError),
        (([1, 2],), {"top_id": 3, "vpool": IDPool()}, ValueError),
    ],
    ids=["bound", "too few weights", "weights twice", "a pair missing", "number", "pool"],
)
def test_what_makes_no_sense_is_refused(arguments, options, error):
    with pytest.raises(error):
        PBEnc.leq(*arguments, **options)


def test_no_library_but_pysat_is_needed():
    code = (
        "import sys; from pbcnf.pysat import PBEnc\n"
        "assert PBEnc.leq([1, 2, 3], [2, 3, 4], bound=5).clauses\n"
        "assert not {'pindakaas', 'pypblib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
