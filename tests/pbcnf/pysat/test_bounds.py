"""PySAT's bounds, `CardEnc`, `PBEnc` and the totalizer that grows: names, types, right answers."""

import json
import pickle
import random
from math import comb

import pysat.card
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.engines import BooleanEngine
from pysat.formula import CNF, CNFPlus, IDPool
from pysat.solvers import Solver

from pbcnf import pysat as face
from pbcnf.encoders.circuits import template
from pbcnf.errors import EncodingError
from pbcnf.literals import MAX_VAR
from pbcnf.pysat import card, pb
from pbcnf.pysat.card import CardEnc, EncType, ITotalizer, NoSuchEncodingError, UnsupportedBound
from pbcnf.pysat.pb import PBEnc
from tests.commands import python
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


KIND, NAME = st.sampled_from(list(MEANS)), st.sampled_from(CARD_CLAUSES)


@settings(max_examples=200, deadline=None)
@given(LITS, st.integers(0, 6), KIND, NAME, st.integers(INPUTS, 12), st.integers(0, 2))
def test_bounds_hold_exactly_as_by_counting(lits, bound, kind, name, top, way):
    encoding = [CARD[name], "totalizer", "adder"][way]
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


@pytest.mark.parametrize("name", CARD_CLAUSES)
def test_a_bound_whose_shape_was_met_before_has_the_clauses_of_the_first(name):
    def bounds(sign):
        template._made.cache_clear() if sign > 0 else None
        for n in (4, 13, 30):
            lits = [sign * v for v in range(1, n + 1)]
            pool = IDPool(start_from=n + 1, occupied=[[n + 2, n + 4]])
            for numbering in ({"top_id": n + 5}, {"vpool": pool}):
                found = CardEnc.atmost(lits, 1, encoding=CARD[name], **numbering)
                yield found.nv, [[sign * x if abs(x) <= n else x for x in c] for c in found.clauses]

    assert len({json.dumps([*bounds(sign)]) for sign in (1, -1, -1)}) == 1


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


def test_a_pool_learns_of_inputs_that_it_did_not_give_and_stays_where_no_clause_is_needed():
    pool = IDPool()
    lits = [pool.id(v) for v in range(1, 21)]
    assert (CardEnc.atmost(lits, 50, vpool=pool).clauses, pool.top) == ([], 20)
    pool = IDPool()
    assert CardEnc.atmost([8, 9], 2, vpool=pool).nv == 9
    assert pool.id("x") == 10
    assert CardEnc.atmost([1, 2], 2, vpool=pool).nv == 10


WITHOUT_NAMES = st.lists(
    st.tuples(st.lists(LIT, min_size=1, max_size=4, unique_by=abs), st.integers(0, 2)),
    min_size=2,
    max_size=4,
)


@settings(max_examples=200, deadline=None)
@given(WITHOUT_NAMES, st.sampled_from(["equals", "atmost"]), NAME, st.booleans())
def test_a_pool_that_was_never_told_the_inputs_gives_no_wrong_answer(sums, kind, name, weighted):
    """PySAT's users then find no solution where there are some (its documentation warns)."""
    pool, clauses, kept = IDPool(), [], []
    for lits, bound in sums:
        try:
            if weighted:
                found = getattr(PBEnc, kind)(lits, [1, 2, 1, 3][: len(lits)], bound, vpool=pool)
            else:
                found = getattr(CardEnc, kind)(lits, bound, vpool=pool, encoding=CARD[name])
        except ValueError as error:
            # Refused, whatever its reason: the next constraint is tried.
            refused = "Wrong bound", "is an auxiliary variable", "is of at most one"
            assert any(each in str(error) for each in refused)  # noqa: PT017
            continue
        clauses += found.clauses
        kept.append((lits, [1, 2, 1, 3][: len(lits)] if weighted else None, bound))
    inputs = {abs(lit) for lits, _, _ in kept for lit in lits}
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for bits in assignments(INPUTS):
            assert solver.solve([lit for lit in true_literals(bits) if abs(lit) in inputs]) == all(
                MEANS[kind](weighted_sum(lits, bits, weights), bound)
                for lits, weights, bound in kept
            )


def test_an_auxiliary_variable_of_a_pool_is_refused_as_an_input_until_the_pool_begins_anew():
    def three(pool):
        sums = (([1, 3, 5], 1), ([1, 2, 4], 1), ([2, 4, 6], 2))
        found = [CardEnc.equals(lits, bound, vpool=pool) for lits, bound in sums]
        return [clause for each in found for clause in each.clauses]

    pool = IDPool()
    with pytest.raises(ValueError, match="variable 6 is an auxiliary variable of an earlier"):
        three(pool)
    with pytest.raises(ValueError, match="variable 6 is an auxiliary variable of an earlier"):
        PBEnc.leq([1, 2], [3, 4], 5, vpool=pool, conditionals=[-6])
    pool.restart(start_from=7)
    assert models(three(pool), 6, "minisat22") == 4
    assert models(three(IDPool(start_from=7)), 6, "minisat22") == 4


def test_bounds_that_solvers_keep_are_written_as_pairs_and_with_weights_as_triples():
    found = CardEnc.equals([1, -2, 3], 2, encoding=card.EncType.native)
    assert (found.clauses, found.atmosts) == ([], [([1, -2, 3], 2), ([-1, 2, -3], 1)])
    with Solver("minicard", bootstrap_with=found) as solver:
        assert sum(1 for _ in solver.enum_models()) == 3
    found = PBEnc.equals([1, -2], [2, 3], bound=3, top_id=4, encoding=pb.EncType.native)
    assert found.atmosts == [([1, -2], 3, [2, 3]), ([-1, 2], 2, [2, 3])]
    assert (found.clauses, found.nv) == ([], 4)


@pytest.mark.parametrize("kind", ["leq", "geq", "equals"])
def test_weighted_bounds_that_solvers_keep_have_the_models_of_arithmetic(kind):
    weights = [3, 2, 2, 4]
    found = getattr(PBEnc, kind)([1, -2, 3, 4], weights, 6, encoding=pb.EncType.native)
    assert (found.clauses, bool(found.atmosts)) == ([], True)
    with Solver("cadical195", bootstrap_with=found, native_card=True) as solver:
        for bits in assignments(4):
            wanted = PB_MEANS[kind](weighted_sum([1, -2, 3, 4], bits, weights), 6)
            assert solver.solve(assumptions=true_literals(bits)) == wanted


@pytest.mark.parametrize("name", PB_CLAUSES)
def test_eighty_weights_are_encoded_by_every_encoding(name):
    """PBLib's diagram of them, the default of PySAT for years, was never finished."""
    weights, lits, rng = [3] * 70 + [4] * 10, [*range(1, 81)], random.Random(name)
    found = PBEnc.atleast(lits, weights, 136, top_id=82, encoding=PB[name])
    assert len(found.clauses) < 10_000
    with Solver("minisat22", bootstrap_with=found) as solver:
        for true in range(38, 48):
            bits = [0] * 80
            for at in rng.sample(range(80), true):
                bits[at] = 1
            reached = weighted_sum(lits, bits, weights) >= 136
            assert solver.solve(assumptions=true_literals(bits)) == reached


PB_KIND, PB_NAME = st.sampled_from(list(PB_MEANS)), st.sampled_from(PB_CLAUSES)
SOME = st.none() | st.lists(LIT, max_size=2)


@settings(max_examples=200, deadline=None)
@given(TERMS, st.integers(-5, 20), PB_KIND, PB_NAME, SOME, st.booleans())
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

    def means(bits):
        ready = all(value(lit, bits) for lit in conditionals or [])
        return not ready or PB_MEANS[kind](weighted_sum(lits, bits, weights), bound)

    agrees(found, means)


@settings(max_examples=200, deadline=None)
@given(TERMS, st.integers(0, 20), PB_KIND, st.lists(LIT, max_size=3))
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
    assert python("-c", code).returncode == 0


COUNTED = 7
GROWN = st.lists(
    st.sampled_from([v * s for v in range(1, COUNTED + 1) for s in (1, -1)]),
    max_size=4,
    unique=True,
)


def counts_rightly(t):
    bounds = min(len(t.lits), t.ubound + 1)
    assert len(t.rhs) == bounds
    assert isinstance(t.cnf, CNF)
    with Solver("minisat22", bootstrap_with=t.cnf) as solver:
        for bits in assignments(COUNTED):
            fixed, count = true_literals(bits), weighted_sum(t.lits, bits)
            for bound in range(bounds):
                assert solver.solve(assumptions=[*fixed, -t.rhs[bound]]) == (count <= bound)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_it_counts_after_any_growth(data):
    t = ITotalizer(data.draw(GROWN), data.draw(st.integers(0, 4)), top_id=COUNTED)
    lits, before = list(t.lits), len(t.cnf.clauses)
    assert t.nof_new == before
    for _ in range(data.draw(st.integers(1, 3))):
        match data.draw(st.sampled_from(["increase", "extend", "merge"])):
            case "increase":
                t.increase(data.draw(st.integers(0, 8)))
            case "extend":
                more = data.draw(GROWN)
                t.extend(more, data.draw(st.none() | st.integers(0, 8)), top_id=COUNTED)
                lits += sorted({*more} - {*lits})
            case "merge":
                other = ITotalizer(data.draw(GROWN), 1, top_id=max(t.top_id, COUNTED))
                t.merge_with(other, data.draw(st.none() | st.integers(0, 8)))
                lits += other.lits
        assert t.lits == lits
        assert t.nof_new == len(t.cnf.clauses) - before
        before = len(t.cnf.clauses)
    counts_rightly(t)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(COUNTED + 1, 20), st.integers(0, 3)), max_size=2), st.data())
def test_a_totalizer_a_constraint_and_names_of_one_pool_share_no_variable(occupied, data):
    """PySAT's takes no pool: whoever does not move the pool on uses variables twice."""
    taken = [[first, first + more] for first, more in occupied]
    pool = IDPool(start_from=COUNTED + 1, occupied=taken)
    t, clauses, seen = ITotalizer(ubound=1, vpool=pool), [], [*range(1, COUNTED + 1)]
    for lits in data.draw(st.lists(GROWN, min_size=1, max_size=3)):
        before = t.top_id
        t.extend(lits, data.draw(st.integers(0, 5)))
        new = {abs(lit) for clause in t.cnf.clauses for lit in clause if abs(lit) > before}
        found = CardEnc.atmost(range(1, COUNTED), COUNTED - 2, vpool=pool)
        clauses += found.clauses
        new |= {abs(lit) for clause in found.clauses for lit in clause if abs(lit) > COUNTED}
        seen += [*(new - {*seen}), pool.id(f"name{len(seen)}")]
    assert len({*seen}) == len(seen)
    assert not any(first <= var <= last for var in seen for first, last in taken)
    other = ITotalizer([1, 2], vpool=pool)
    assert not {*other.rhs} & {*seen}
    t.merge_with(other)
    counts_rightly(t)
    with Solver("minisat22", bootstrap_with=[*clauses, *t.cnf.clauses]) as solver:
        assert solver.solve([*range(1, COUNTED - 1), -(COUNTED - 1)])
        assert not solver.solve([*range(1, COUNTED)])
    with pytest.raises(ValueError, match="have one pool, or both have none"):
        t.merge_with(ITotalizer([3, 4], top_id=pool.top))
    with pytest.raises(ValueError, match="there can be one of them"):
        ITotalizer([1, 2], top_id=9, vpool=pool)


def test_a_totalizer_ends_with_the_last_variable_of_all():
    """Numbers of more than 32 bits end CaDiCaL and are cut off by other solvers."""
    t = ITotalizer([1, 2, 3], ubound=0, top_id=MAX_VAR - 2)
    assert (t.top_id, len(t.rhs)) == (MAX_VAR, 1)
    with pytest.raises(ValueError, match="is beyond the last, 1073741823"):
        t.increase(2)


def test_inputs_beyond_its_variables_are_never_taken_for_auxiliary_ones():
    with ITotalizer([1, 2, 3, 4], ubound=0) as t:
        t.extend([15], ubound=0)
        t.increase(ubound=4)
        with Solver("minisat22", bootstrap_with=t.cnf) as solver:
            assert solver.solve(assumptions=[-t.rhs[1], 15, -1, -2, -3, -4])
            assert not solver.solve(assumptions=[-t.rhs[1], 15, 1])
        assert not any(15 in clause for clause in t.cnf.clauses)
    assert (t.rhs, t.cnf.clauses, t.lits) == ([], [], [])


def test_one_that_was_merged_into_another_grows_no_more():
    one, other = ITotalizer([1, 2], top_id=4), ITotalizer([3, 4], top_id=10)
    one.merge_with(other)
    for grow in (other.increase, other.extend, lambda: one.merge_with(other)):
        with pytest.raises(ValueError, match="merged into another"):
            grow()
    with pytest.raises(ValueError, match="with itself"):
        one.merge_with(one)


def test_a_variable_of_its_own_or_of_what_was_merged_never_becomes_an_input():
    """PySAT takes it, and counts something else: x3 of the caller, and "one of x1, x2"."""
    one, other = ITotalizer([1, 2]), ITotalizer([5, 6])
    assert (one.rhs, other.rhs) == ([3, 4], [7, 8])
    with pytest.raises(ValueError, match="variable 3 is an auxiliary variable"):
        one.extend([-3])
    one.merge_with(other)
    with pytest.raises(ValueError, match="variable 7 is an auxiliary variable"):
        one.extend([7])


@pytest.mark.parametrize(
    ("one", "other"),
    [(([1, 2],), ([3, 9],)), (([1, 5],), ([2, 3],)), (([1, 2], 1, 10), ([3, 4], 1, 10))],
    ids=["an input of the second", "an input of the first", "an auxiliary variable of both"],
)
def test_two_that_share_an_auxiliary_variable_are_not_merged(one, other):
    with pytest.raises(ValueError, match="is an auxiliary variable"):
        ITotalizer(*one).merge_with(ITotalizer(*other))


@pytest.mark.parametrize("lits", [[1, 1, 2], [1, -1, 2], [2, 1, 2, -3, 2]])
def test_literals_given_more_than_once_count_as_often(lits):
    t = ITotalizer(lits, ubound=1, top_id=COUNTED)
    t.increase(len(lits))
    assert all(len({*map(abs, clause)}) == len(clause) for clause in t.cnf.clauses)
    counts_rightly(t)


@pytest.mark.parametrize("step", [1, 2, 7])
def test_as_many_clauses_as_pysats_whatever_it_grew(step):
    """Martins et al. (CP 2014): bounds that are asked for later cost nothing more."""
    t, theirs = ITotalizer(range(1, 30), ubound=step), pysat.card.ITotalizer(range(1, 30), step)
    for bound in range(2 * step, 29, step):
        t.increase(bound)
        theirs.increase(bound)
        assert (len(t.rhs), len(t.cnf.clauses)) == (len(theirs.rhs), len(theirs.cnf.clauses))
        assert t.top_id == theirs.top_id


STAR = {
    "card": "CNF CNFPlus CardEnc EncType IDPool ITotalizer NoSuchEncodingError UnsupportedBound",
    "pb": "CNFPlus CardEnc EncType NoSuchEncodingError PBEnc",
}
"""Names that ``import *`` of PySAT 1.9 brings, without Python's modules and pindakaas."""


@pytest.mark.parametrize("module", [*STAR])
def test_import_star_brings_what_pysats_does(module):
    names: dict[str, object] = {}
    exec(f"from pbcnf.pysat.{module} import *", names)
    assert {*names} - {"__builtins__"} == {*STAR[module].split()}


def test_classes_of_formulas_and_both_numberings_are_pysats_own():
    assert (card.CNF, card.CNFPlus, card.IDPool, pb.CNFPlus) == (CNF, CNFPlus, IDPool, CNFPlus)
    assert numbers(pysat.card.EncType) == CARD
    names = "best bdd seqcounter sortnetwrk adder binmerge native watchdog totalizer mixedradix"
    assert [getattr(pb.EncType, name) for name in names.split()] == [*range(10)]


def test_a_number_of_one_numbering_means_its_name_in_the_other():
    """6 is a totalizer for `CardEnc`, and for `PBEnc` a bound without any clause."""
    assert (face.EncType, face.CardEnc, face.PBEnc) == (EncType, CardEnc, PBEnc)
    lits, weights = [1, 2, 3, 4], [1, 2, 3, 4]
    for name in ("seqcounter", "sortnetwrk", "totalizer", "native"):
        one, other = getattr(EncType, name), getattr(pb.EncType, name)
        assert int(one) != int(other)
        found, wanted = (PBEnc.leq(lits, weights, 4, encoding=n) for n in (one, int(other)))
        assert (found.clauses, found.atmosts) == (wanted.clauses, wanted.atmosts)
        found, wanted = (CardEnc.atmost(lits, 2, encoding=n) for n in (other, int(one)))
        assert (found.clauses, found.atmosts) == (wanted.clauses, wanted.atmosts)
    found = CardEnc.atmost(lits, 2, encoding=pb.EncType.adder)
    assert found.clauses == CardEnc.atmost(lits, 2, encoding="adder").clauses
    with pytest.raises(EncodingError, match="pairwise takes weights 1 only"):
        PBEnc.leq(lits, weights, bound=4, encoding=EncType.pairwise)


def test_numbers_are_numbers():
    number = card.EncType.kmtotalizer
    again = pickle.loads(pickle.dumps(number))
    assert (again, again.name, again.encoder) == (8, "kmtotalizer", "k_modulo_totalizer")
    assert (json.dumps([number]), str(number), {8: "x"}[number]) == ("[8]", "8", "x")


def models(found, n, name):
    """How many models there are on the variables 1 .. n."""
    with Solver(name, bootstrap_with=found) as solver:
        number = 0
        while solver.solve():
            number += 1
            solver.add_clause([-lit for lit in solver.get_model()[:n]])
    return number


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
