"""Encoders and counters: which bounds are examined, what is claimed, and claims that are false."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import pytest

from pbcnf import ENCODERS, Direction, EncodingSize, Propagation
from pbcnf.audit import (
    Bound,
    Kind,
    Property,
    audit,
    audit_encoder,
    bounds_of,
    counted_bounds,
    weighted_bounds,
)
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.protocol import UnitWeights, WeightedEncoder
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import GeneralizedTotalizer

TOTALIZER = Totalizer()


class Altered:
    """The totalizer, but for what a test alters."""

    name = "altered"
    propagation = Propagation.ARC_CONSISTENT
    parsimonious, size, encode = TOTALIZER.parsimonious, TOTALIZER.size, TOTALIZER.encode


def broken(encoder, upto=4):
    """The properties whose claims are broken, with the first case of each."""
    found = {}
    for case, prop, why in audit_encoder(encoder, upto).breaches():
        found.setdefault(prop, (str(case.bound), why))
    return found


def test_an_encoder_that_keeps_its_claims_has_no_breach_and_claims_enough():
    assert broken(Altered()) == {}
    assert audit_encoder(Altered(), 4).stronger() == {}


def test_a_false_claim_of_parsimony_is_broken():
    class Liar(Altered):
        def parsimonious(self, n, lower, upper):
            return True

    assert broken(Liar()).keys() == {Property.PARSIMONIOUS}
    assert broken(Liar())[Property.PARSIMONIOUS][0] == "-1 to 1 of 3"


class Forgetful(Altered):
    """Says at most one only of the inputs but the last."""

    def encode(self, lits, lower, upper, sink):
        if lower > 0:
            TOTALIZER.encode(lits, lower, len(lits), sink)
        for one, other in combinations(lits[:-1], 2):
            sink.add_clause([-one, -other])

    def size(self, n, lower, upper):
        raise ValueError("unknown")


def test_an_incorrect_encoder_is_told():
    case = audit(Forgetful(), Bound((1, 1, 1), 0, 1))
    assert str(case.audit.failures[Property.CORRECT]) == "given 1 -2 3: a model too many"
    assert {prop for prop, _ in case.breaches()} >= {Property.CORRECT, Property.DETECTS}


class Weak(Altered):
    """At most k behind an auxiliary variable: every conflict is found, nothing is forced."""

    def encode(self, lits, lower, upper, sink):
        a = sink.new_var()
        for chosen in combinations(lits, upper + 1):
            for end in (a, -a):
                sink.add_clause([end, *(-lit for lit in chosen)])
        for chosen in combinations(lits, len(lits) - lower + 1):
            for end in (a, -a):
                sink.add_clause([end, *chosen])

    def size(self, n, lower, upper):
        raise ValueError("not known")

    def parsimonious(self, n, lower, upper):
        return False


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (Propagation.NONE, set()),
        (Propagation.DETECTS, set()),
        (Propagation.ARC_CONSISTENT, {Property.ARC_CONSISTENT}),
    ],
)
def test_a_claim_of_propagation_is_broken_where_it_is_too_strong(claim, expected):
    class Claiming(Weak):
        propagation = claim

    assert broken(Claiming()).keys() - {Property.EXACT_SIZE} == expected
    stronger = audit_encoder(Claiming(), 4).stronger()
    assert (Property.DETECTS in stronger) == (claim is Propagation.NONE)


def test_a_claim_that_is_too_weak_is_told_as_such():
    class Modest(Altered):
        propagation = Propagation.NONE

        def parsimonious(self, n, lower, upper):
            return False

    stronger = audit_encoder(Modest(), 4).stronger()
    assert broken(Modest()) == {}
    assert stronger.keys() == {
        Property.DETECTS,
        Property.ARC_CONSISTENT,
        Property.PARSIMONIOUS,
    }
    kinds = {case.bound.kind for case in stronger[Property.PARSIMONIOUS]}
    assert {Kind.EXACTLY, Kind.RANGE} <= kinds


def test_to_refuse_a_bound_or_a_size_alone_or_in_the_middle_of_an_encoding_is_a_breach():
    class Timid(Altered):
        def encode(self, lits, lower, upper, sink):
            raise ValueError("not today")

    class Shy(Altered):
        def size(self, n, lower, upper):
            raise ValueError("a secret")

    class Late(Shy):
        def encode(self, lits, lower, upper, sink):
            sink.new_var()
            raise ValueError("too late")

    where, why = broken(Timid())[Property.EXACT_SIZE]
    assert where == "-1 to 1 of 2"
    assert str(why).startswith("refused (not today); predicted 0 variables, 1 clause,")
    assert str(broken(Shy())[Property.EXACT_SIZE][1]) == "emitted, but `size` refuses the bound"
    case = audit(Late(), Bound((1, 1, 1), 0, 1))
    why = "refused (too late) after something was emitted"
    assert [(prop, str(found)) for prop, found in case.breaches()] == [(Property.EXACT_SIZE, why)]


def test_every_pair_of_bounds_is_examined_trivial_and_out_of_range_ones_included():
    found = [(b.n, b.lower, b.upper) for b in bounds_of("direct", 3)]
    assert len(found) == len(set(found)) == 9 + 16 + 25 + 36
    assert {(0, 0, 0), (3, -1, 4), (3, 4, 4), (3, 2, 1)} <= set(found)


@pytest.mark.parametrize(
    ("lower", "upper", "kind", "words"),
    [
        (0, 1, Kind.AT_MOST, "at most 1 of 3"),
        (2, 3, Kind.AT_LEAST, "at least 2 of 3"),
        (2, 2, Kind.EXACTLY, "exactly 2 of 3"),
        (1, 2, Kind.RANGE, "1 to 2 of 3"),
        (0, 3, Kind.TRIVIAL, "0 to 3 of 3"),
        (3, 3, Kind.TRIVIAL, "3 to 3 of 3"),
        (-1, 1, Kind.OUT_OF_RANGE, "-1 to 1 of 3"),
        (2, 1, Kind.OUT_OF_RANGE, "2 to 1 of 3"),
    ],
)
def test_the_kind_of_a_bound(lower, upper, kind, words):
    bound = Bound((1, 1, 1), lower, upper)
    assert (bound.kind, str(bound)) == (kind, words)


def test_weighted_bounds_are_in_the_form_that_encoders_rely_on():
    for bound in weighted_bounds(8):
        total = sum(bound.weights)
        assert 0 <= bound.lower <= bound.upper <= total
        assert (bound.lower, bound.upper) != (0, total)
        assert all(w <= bound.upper and w <= total - bound.lower for w in bound.weights)
    assert list(weighted_bounds(8)) == list(weighted_bounds(8))
    assert {len(bound.weights) for bound in weighted_bounds(5)} == {2, 3, 4, 5}


@dataclass(frozen=True)
class Subsets(UnitWeights):
    """Every set of inputs that breaks a bound, forbidden by a clause."""

    slack: int = 0
    name = "subsets"
    propagation = Propagation.ARC_CONSISTENT
    weighted_propagation = Propagation.ARC_CONSISTENT
    weighted_range_propagation = Propagation.NONE  # two bounds can rule each other out

    def weighted_parsimonious(self, weights, lower, upper):
        return True

    def weighted_size(self, weights, lower, upper):
        clauses = list(self._clauses(range(1, len(weights) + 1), weights, lower, upper))
        return EncodingSize(0, len(clauses), sum(map(len, clauses)))

    def encode_weighted(self, lits: Sequence[int], weights, lower, upper, sink):
        for clause in self._clauses(lits, weights, lower, upper):
            sink.add_clause(clause)

    def _clauses(self, lits, weights, lower, upper):
        inputs = list(zip(lits, weights, strict=True))
        total = sum(weights)
        for number in range(len(inputs) + 1):
            for chosen in combinations(inputs, number):
                weight = sum(w for _, w in chosen)
                if weight > upper + (self.slack if len(set(weights)) > 2 else 0):
                    yield [-lit for lit, _ in chosen]
                if total - weight < lower:
                    yield [lit for lit, _ in chosen]


def test_an_encoder_of_weights_is_examined_on_weighted_sums_too():
    assert isinstance(Subsets(), WeightedEncoder)
    rows = {row.kind: row for row in audit_encoder(Subsets(), 4).rows()}
    assert len(rows[Kind.WEIGHTED].cases) > 60
    assert len(rows[Kind.WEIGHTED_RANGE].cases) > 140
    assert audit_encoder(Subsets(), 4).breaches() == []
    assert audit_encoder(Subsets(), 4).stronger() == {}


def test_a_defect_of_weighted_sums_alone_is_found_there():
    breaches = audit_encoder(Subsets(slack=1), 4).breaches()
    assert {case.bound.kind for case, _, _ in breaches} == {Kind.WEIGHTED, Kind.WEIGHTED_RANGE}
    case, prop, why = breaches[0]
    assert (str(case.bound), prop) == ("0 <= 2*x1 + 1*x2 + 3*x3 <= 3", Property.CORRECT)
    assert str(why) == "given -1 2 3: a model too many"


def test_a_function_makes_no_claim_but_to_be_correct_and_may_refuse():
    def at_most_one(n, lower, upper):
        if (lower, upper) != (0, 1):
            raise ValueError("at most one only")
        return n, [[-i, -j] for i, j in combinations(range(1, n + 1), 2)]

    contract = audit_encoder(at_most_one, 5, "mine")
    assert contract.name == "mine"
    assert contract.breaches() == []
    rows = {row.kind: row for row in contract.rows()}
    assert (len(rows[Kind.AT_MOST].cases), rows[Kind.AT_MOST].refused) == (4, 6)
    assert rows[Kind.AT_MOST].holds(Property.ARC_CONSISTENT) is True
    assert rows[Kind.AT_MOST].holds(Property.EXACT_SIZE) is None
    assert rows[Kind.RANGE].holds(Property.CORRECT) is None


def test_the_encoders_of_the_table_are_examined_by_name_or_as_they_are():
    by_name = audit_encoder("direct", 3)
    assert by_name.cases == audit_encoder(ENCODERS["direct"], 3).cases
    assert by_name.name == "direct"


KINDS = {"count": Kind.COUNTER, "count_weighted": Kind.WEIGHTED_COUNTER}


def breaches(encoder, upto=4):
    found = audit_encoder(encoder, upto).breaches()
    return {(case.bound.kind, prop) for case, prop, _ in found}


@pytest.mark.parametrize("name", ENCODERS)
def test_every_counter_is_examined_and_keeps_what_its_encoder_claims(name):
    kinds = {case.bound.kind for case in audit_encoder(name, 6).cases}
    has = {kind for method, kind in KINDS.items() if hasattr(ENCODERS[name], method)}
    assert kinds & set(KINDS.values()) == has
    assert not {kind for kind, _ in breaches(name, 6)} & has


def test_all_bounds_of_a_counter_are_examined():
    asked = [(b.n, b.lower, b.upper) for b in counted_bounds(TOTALIZER, 2)]
    assert asked == [
        (0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1),
        (2, 0, 0), (2, 0, 1), (2, 0, 2), (2, 1, 1), (2, 1, 2), (2, 2, 2),
    ]  # fmt: skip


class Counting(Altered):
    count = TOTALIZER.count


class Deaf(Altered):
    """Its counters forget an input that is added."""

    def count(self, lits, upto, sink, directions=Direction.BOTH, downto=0):
        count = TOTALIZER.count(lits, upto, sink, directions, downto)
        add = count.add_inputs

        class Forgets:
            def __getattr__(self, name):
                return getattr(count, name)

            def add_inputs(self, lits):
                add(list(lits)[1:])

        return Forgets()


def test_a_counter_that_forgets_added_inputs_is_found_out():
    assert breaches(Counting()) == set()
    assert (Kind.COUNTER, Property.CORRECT) in breaches(Deaf())


class Boaster(Adder):
    """Claims of its bounds what only the generalized totalizer keeps."""

    count_weighted = GeneralizedTotalizer().count_weighted
    weighted_propagation = Propagation.ARC_CONSISTENT


def test_a_false_claim_of_propagation_is_broken_by_the_weighted_counter():
    class Liar(Adder):
        weighted_propagation = Propagation.ARC_CONSISTENT

    assert (Kind.WEIGHTED_COUNTER, Property.ARC_CONSISTENT) in breaches(Liar())
    assert Kind.WEIGHTED_COUNTER not in {kind for kind, _ in breaches(Boaster())}
