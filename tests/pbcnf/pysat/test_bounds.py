"""PySAT's ways to ask for bounds, `CardEnc` and `PBEnc`: arguments, types, and right answers."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNFPlus, IDPool
from pysat.solvers import Solver

from pbcnf.pysat import card, pb
from pbcnf.pysat.card import CardEnc, NoSuchEncodingError, UnsupportedBound
from pbcnf.pysat.pb import PBEnc
from tests.oracles import assignments, true_literals, value, weighted_sum


def numbers(kind):
    return {name: number for name, number in vars(kind).items() if not name.startswith("_")}


CARD, PB = numbers(card.EncType), numbers(pb.EncType)
CARD_CLAUSES, PB_CLAUSES = ([name for name in kind if name != "native"] for kind in (CARD, PB))
INPUTS = 5
LIT = st.sampled_from([v * s for v in range(1, INPUTS + 1) for s in (1, -1)])
LITS = st.lists(LIT, max_size=6)
TERMS = st.lists(st.tuples(LIT, st.integers(-4, 9)), max_size=6)
MEANS = {
    "atmost": lambda value, bound: value <= bound,
    "atleast": lambda value, bound: value >= bound,
    "equals": lambda value, bound: value == bound,
}
PB_MEANS = MEANS | {"leq": MEANS["atmost"], "geq": MEANS["atleast"]}


def agrees(clauses, means):
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for bits in assignments(INPUTS):
            assert solver.solve(assumptions=true_literals(bits)) == means(bits), bits


@settings(max_examples=200, deadline=None)
@given(
    LITS, st.integers(0, 6), st.sampled_from(list(MEANS)), st.sampled_from(CARD_CLAUSES), st.data()
)
def test_bounds_hold_exactly_as_by_counting(lits, bound, kind, name, data):
    top = data.draw(st.integers(INPUTS, 12))
    encoding = data.draw(st.sampled_from([CARD[name], "totalizer", "adder"]))
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
        found = CardEnc.atmost(lits, bound, vpool=pool, encoding=card.EncType.totalizer)
        auxiliaries = {abs(lit) for c in found.clauses for lit in c if abs(lit) > INPUTS}
        assert not auxiliaries & seen
        assert not any(first <= v <= last for v in auxiliaries for first, last in taken)
        seen |= auxiliaries
        clauses += found.clauses
    assert pool.id("next") not in seen
    agrees(clauses, lambda v: all(weighted_sum(lits, v) <= bound for lits, bound in constraints))


@pytest.mark.parametrize("kind", list(MEANS))
@pytest.mark.parametrize("name", CARD)
def test_a_bound_that_needs_no_variable_keeps_those_that_there_are(kind, name):
    for bound in (0, 3):
        assert getattr(CardEnc, kind)([1, 2, 3], bound, 10, encoding=CARD[name]).nv == 10
    assert getattr(CardEnc, kind)([], 0, 10, encoding=CARD[name]).nv == 10


def test_a_pool_learns_of_inputs_that_it_did_not_give():
    pool = IDPool()
    assert CardEnc.atmost([8, 9], 2, vpool=pool).nv == 9
    assert pool.id("x") == 10
    assert CardEnc.atmost([1, 2], 2, vpool=pool).nv == 10


def test_bounds_that_solvers_keep_are_written_as_pairs_and_with_weights_as_triples():
    found = CardEnc.equals([1, -2, 3], 2, encoding=card.EncType.native)
    assert (found.clauses, found.atmosts) == ([], [([1, -2, 3], 2), ([-1, 2, -3], 1)])
    with Solver("minicard", bootstrap_with=found) as solver:
        assert sum(1 for _ in solver.enum_models()) == 3
    found = PBEnc.equals([1, -2], [2, 3], bound=3, top_id=4, encoding=pb.EncType.native)
    assert found.atmosts == [([1, -2], 3, [2, 3]), ([-1, 2], 2, [2, 3])]
    assert (found.clauses, found.nv) == ([], 4)


@settings(max_examples=200, deadline=None)
@given(
    TERMS,
    st.integers(-5, 20),
    st.sampled_from(list(PB_MEANS)),
    st.sampled_from(PB_CLAUSES),
    st.none() | st.lists(LIT, max_size=2),
    st.booleans(),
)
def test_bounds_hold_exactly_as_by_adding_up(terms, bound, kind, name, conditionals, in_pairs):
    lits, weights = [lit for lit, _ in terms], [weight for _, weight in terms]
    options = {"top_id": 7, "encoding": PB[name], "conditionals": conditionals}
    sums = [terms] if in_pairs and terms else [lits, weights]
    try:
        found = getattr(PBEnc, kind)(*sums, bound=bound, **options)
    except ValueError as error:
        assert str(error) == f"Wrong bound: {bound}"  # noqa: PT017
        assert bound < 0 <= min(weights, default=0)
        return
    assert found.nv >= 7
    assert not any(INPUTS < abs(lit) <= 7 for clause in found.clauses for lit in clause)
    agrees(
        found,
        lambda bits: (
            PB_MEANS[kind](weighted_sum(lits, bits, weights), bound)
            or not all(value(lit, bits) for lit in conditionals or [])
        ),
    )


@settings(max_examples=200, deadline=None)
@given(
    TERMS,
    st.integers(0, 20),
    st.sampled_from(list(PB_MEANS)),
    st.lists(LIT, max_size=3),
)
def test_bounds_that_solvers_keep_wait_for_all_conditionals(terms, bound, kind, conditionals):
    """PySAT leaves the conditionals out."""
    found = getattr(PBEnc, kind)(
        terms, bound=bound, encoding=pb.EncType.native, conditionals=conditionals
    )
    assert not found.clauses
    lits, weights = [lit for lit, _ in terms], [weight for _, weight in terms]
    for bits in assignments(INPUTS):
        ready = all(value(lit, bits) for lit in conditionals)
        wanted = not ready or PB_MEANS[kind](weighted_sum(lits, bits, weights), bound)
        kept = all(weighted_sum(each, bits, heavy) <= most for each, most, heavy in found.atmosts)
        assert kept == wanted


@pytest.mark.parametrize("encoding", [PB[name] for name in PB_CLAUSES])
def test_an_empty_sum_reaches_nothing(encoding):
    """PySAT returns no clause, whatever the bound."""
    assert PBEnc.geq([], bound=1, encoding=encoding).clauses == [[]]
    assert PBEnc.equals([], bound=2, encoding=encoding, conditionals=[3]).clauses == [[-3]]
    assert PBEnc.leq([], bound=0, encoding=encoding).clauses == []


@pytest.mark.parametrize(
    ("ask", "arguments", "options", "error"),
    [
        (CardEnc.atmost, ([1, 2], -1), {}, ValueError),
        (CardEnc.atmost, ([1, 2, 3, 4], 2), {"encoding": card.EncType.pairwise}, UnsupportedBound),
        (CardEnc.atmost, ([1, 2],), {"encoding": 10}, NoSuchEncodingError),
        (CardEnc.atmost, ([1, 2],), {"encoding": "seq"}, NoSuchEncodingError),
        (CardEnc.atmost, ([1, 2],), {"top_id": 5, "vpool": IDPool()}, ValueError),
        (PBEnc.leq, ([1, 2],), {"bound": -1}, ValueError),
        # Too few weights, weights twice, a pair missing.
        (PBEnc.leq, ([1, 2], [1]), {}, ValueError),
        (PBEnc.leq, ([(1, 2), (2, 3)], [1, 1]), {}, ValueError),
        (PBEnc.leq, ([(1, 2), 3],), {}, ValueError),
        (PBEnc.leq, ([1, 2],), {"encoding": 10}, NoSuchEncodingError),
        (PBEnc.leq, ([1, 2],), {"top_id": 3, "vpool": IDPool()}, ValueError),
    ],
)
def test_what_pysat_refuses_or_makes_no_sense_is_refused(ask, arguments, options, error):
    with pytest.raises(error):
        ask(*arguments, **options)


def test_no_library_but_pysat_is_needed():
    code = (
        "import sys; from pbcnf.pysat import PBEnc\n"
        "assert PBEnc.leq([1, 2, 3], [2, 3, 4], bound=5).clauses\n"
        "assert not {'pindakaas', 'pypblib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
