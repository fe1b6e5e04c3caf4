"""Encoders, counters, parities, formulas: what is examined and claimed; what is false is found."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import pytest
from pysat.solvers import Solver

from pbcnf import ENCODERS, PARITY_ENCODERS, Builder, Direction, EncodingSize, Formula, Propagation
from pbcnf.audit import (
    TRANSFORMATIONS,
    Bound,
    FormulaOf,
    Kind,
    ParityOf,
    Property,
    audit,
    audit_encoder,
    bounds_of,
    counted_bounds,
    every_formula,
    every_parity,
    weighted_bounds,
)
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.parity import CutParity, DirectParity
from pbcnf.encoders.protocol import UnitWeights, WeightedEncoder
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import GeneralizedTotalizer
from pbcnf.language import transformation as transformations
from pbcnf.language.expressions import Literal

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


def test_an_incorrect_encoder_is_told():
    class Forgetful(Altered):
        """Says at most one only of the inputs but the last."""

        def encode(self, lits, lower, upper, sink):
            if lower > 0:
                TOTALIZER.encode(lits, lower, len(lits), sink)
            for one, other in combinations(lits[:-1], 2):
                sink.add_clause([-one, -other])

        def size(self, n, lower, upper):
            raise ValueError("unknown")

    case = audit(Forgetful(), Bound((1, 1, 1), 0, 1))
    assert str(case.audit.failures[Property.CORRECT]) == "given 1 -2 3: a model too many"
    assert {prop for prop, _ in case.breaches()} >= {Property.CORRECT, Property.DETECTS}


class Weak(Altered):
    """At most k behind an auxiliary variable: every conflict is found, nothing is forced."""

    def encode(self, lits, lower, upper, sink):
        a = sink.new_var()
        broken = [[-lit for lit in chosen] for chosen in combinations(lits, upper + 1)]
        for clause in [*broken, *combinations(lits, len(lits) - lower + 1)]:
            sink.add_clause([a, *clause])
            sink.add_clause([-a, *clause])

    def size(self, n, lower, upper):
        raise ValueError("not known")

    def parsimonious(self, n, lower, upper):
        return False


@pytest.mark.parametrize("claim", Propagation)
def test_a_claim_of_propagation_is_broken_where_it_is_too_strong(claim):
    class Claiming(Weak):
        propagation = claim

    too_strong = {Property.ARC_CONSISTENT} if claim is Propagation.ARC_CONSISTENT else set()
    assert broken(Claiming()).keys() - {Property.EXACT_SIZE} == too_strong
    stronger = audit_encoder(Claiming(), 4).stronger()
    assert (Property.DETECTS in stronger) == (claim is Propagation.NONE)


def test_a_claim_that_is_too_weak_is_told_as_such():
    class Modest(Altered):
        propagation = Propagation.NONE

        def parsimonious(self, n, lower, upper):
            return False

    stronger = audit_encoder(Modest(), 4).stronger()
    assert broken(Modest()) == {}
    assert stronger.keys() == {Property.DETECTS, Property.ARC_CONSISTENT, Property.PARSIMONIOUS}
    kinds = {case.bound.kind for case in stronger[Property.PARSIMONIOUS]}
    assert {Kind.EXACTLY, Kind.RANGE} <= kinds


def test_the_claim_of_propagation_is_one_for_all_bounds_of_a_sum_without_weights():
    class OneSided(Weak):
        propagation = Propagation.NONE

        def encode(self, lits, lower, upper, sink):
            (TOTALIZER if lower <= 0 else super()).encode(lits, lower, upper, sink)

    stronger = audit_encoder(OneSided(), 4).stronger()
    assert stronger.keys() == {Property.DETECTS, Property.PARSIMONIOUS}


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
    [(0, 1, Kind.AT_MOST, "at most 1 of 3"), (2, 3, Kind.AT_LEAST, "at least 2 of 3"),
     (2, 2, Kind.EXACTLY, "exactly 2 of 3"), (1, 2, Kind.RANGE, "1 to 2 of 3"),
     (0, 3, Kind.TRIVIAL, "0 to 3 of 3"), (3, 3, Kind.TRIVIAL, "3 to 3 of 3"),
     (-1, 1, Kind.OUT_OF_RANGE, "-1 to 1 of 3"), (2, 1, Kind.OUT_OF_RANGE, "2 to 1 of 3")],
)  # fmt: skip
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


def breaches(encoder, upto=4):
    return {(case.bound.kind, prop) for case, prop, _ in audit_encoder(encoder, upto).breaches()}


@pytest.mark.parametrize("name", ENCODERS)
def test_every_counter_is_examined_and_keeps_what_its_encoder_claims(name):
    counters = {"count": Kind.COUNTER, "count_weighted": Kind.WEIGHTED_COUNTER}
    kinds = {case.bound.kind for case in audit_encoder(name, 6).cases}
    has = {kind for method, kind in counters.items() if hasattr(ENCODERS[name], method)}
    assert kinds & set(counters.values()) == has
    assert not {kind for kind, _ in breaches(name, 6)} & has


def test_all_bounds_of_a_counter_are_examined():
    asked = [(b.n, b.lower, b.upper) for b in counted_bounds(TOTALIZER, 2)]
    assert asked == [
        (0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1),
        (2, 0, 0), (2, 0, 1), (2, 0, 2), (2, 1, 1), (2, 1, 2), (2, 2, 2),
    ]  # fmt: skip


def test_a_counter_that_forgets_added_inputs_is_found_out():
    class Counting(Altered):
        count = TOTALIZER.count

    class Deaf(Altered):
        def count(self, lits, upto, sink, directions=Direction.BOTH, downto=0):
            count = TOTALIZER.count(lits, upto, sink, directions, downto)

            class Forgets:
                def __getattr__(self, name):
                    return getattr(count, name)

                def add_inputs(self, lits):
                    count.add_inputs(list(lits)[1:])

            return Forgets()

    assert breaches(Counting()) == set()
    assert (Kind.COUNTER, Property.CORRECT) in breaches(Deaf())


def test_a_false_claim_of_propagation_is_broken_by_the_weighted_counter():
    class Liar(Adder):
        weighted_propagation = Propagation.ARC_CONSISTENT

    class Boaster(Liar):
        """Claims of its bounds what only the generalized totalizer keeps."""

        count_weighted = GeneralizedTotalizer().count_weighted

    assert (Kind.WEIGHTED_COUNTER, Property.ARC_CONSISTENT) in breaches(Liar())
    assert Kind.WEIGHTED_COUNTER not in {kind for kind, _ in breaches(Boaster())}


# -- Parities


@pytest.mark.parametrize("name", PARITY_ENCODERS)
def test_every_encoder_of_parities_keeps_its_contract_and_has_no_more(name: str) -> None:
    contract = audit_encoder(PARITY_ENCODERS[name], upto=8)
    assert len(contract.cases) == 16
    assert contract.breaches() == []
    assert contract.stronger() == {}
    [row] = contract.rows()
    assert (row.kind, row.refused) == (Kind.PARITY, 0)
    assert {prop for prop in Property if row.holds(prop)} == set(Property) - {Property.RECORDED}


def test_encoders_of_parities_are_examined_on_parities_alone() -> None:
    assert bounds_of("direct", 3) == bounds_of("pairwise", 3)
    assert bounds_of("cut_4", 3) == bounds_of(CutParity(4), 3) == list(every_parity(3))
    assert audit("direct", ParityOf(3, True)).audit.size == EncodingSize(0, 4, 12)


@dataclass(frozen=True)
class Changed(CutParity):
    """With one clause lost, or one literal of it flipped."""

    at: int = 0
    flip: int | None = None

    def encode_parity(self, lits, odd, sink):
        every = Formula(sink.num_vars)
        super().encode_parity(lits, odd, every)
        sink.new_vars(every.num_vars - sink.num_vars)
        for place, clause in enumerate(every.clauses()):
            if place == self.at and self.flip is not None:
                clause[self.flip] *= -1
            if place != self.at or self.flip is not None:
                sink.add_clause(clause)


@pytest.mark.parametrize("flip", [None, 0, 1, 2])
@pytest.mark.parametrize("n", [3, 5])
def test_every_lost_clause_and_every_flipped_literal_of_a_parity_is_noticed(n, flip) -> None:
    for at in range(CutParity(3).parity_size(n).clauses):
        case = audit(Changed(3, at, flip), ParityOf(n, True))
        assert {prop for prop, _ in case.breaches()} >= {Property.CORRECT}


def test_a_breach_has_the_smallest_assignment_that_shows_it() -> None:
    [(prop, why), *_] = audit(Changed(3, 0), ParityOf(2, False)).breaches()
    assert (prop, str(why)) == (Property.CORRECT, "given -1 2: a model too many")
    assert str(ParityOf(2, False)) == "an even number of 2"


def test_a_wrong_prediction_of_a_parity_is_a_breach() -> None:
    class Optimist(DirectParity):
        def parity_size(self, n):
            return EncodingSize(0, n, n)

    case = audit(Optimist(), ParityOf(3, True))
    assert [prop for prop, _ in case.breaches()] == [Property.EXACT_SIZE]


# -- Formulas


def test_both_transformations_are_right_and_tseitin_keeps_the_number_of_models():
    tseitin, one_way = (audit_encoder(name, 4) for name in ("tseitin", "plaisted_greenbaum"))
    for found in (tseitin, one_way):
        assert found.breaches() == []
        [row] = found.rows()
        assert (row.kind, row.holds(Property.CORRECT)) == (Kind.FORMULA, True)
    assert tseitin.rows()[0].holds(Property.PARSIMONIOUS)
    assert not one_way.rows()[0].holds(Property.PARSIMONIOUS)


def test_formulas_of_all_kinds_are_examined():
    texts = [str(formula) for formula in every_formula(4)]
    assert len(texts) > 500
    for word in ("ite(", " ^ ", " & ", " | ", " <= ", " == ", "2*"):
        assert sum(word in text for text in texts) > 20, word
    assert {formula.n for formula in every_formula(8)} == {2, 3, 4}


@pytest.mark.parametrize("name", [*TRANSFORMATIONS])
def test_a_definition_that_is_left_out_is_found(name, monkeypatch):
    def nothing(self, ref, lit, polarity):
        """Define no gate."""

    monkeypatch.setattr(transformations.Transformer, "_define", nothing)
    x, y, z = map(Literal, (1, 2, 3))
    case = audit(name, FormulaOf(3, (x & y) ^ (y & z)))
    assert next(prop for prop, _ in case.breaches()) is Property.CORRECT


def test_formulas_have_the_models_of_their_text_in_python():
    """Python evaluates the text of a formula without negation and ite, and so is the oracle."""
    read = 0
    for formula in every_formula(3):
        text = str(formula)
        if "~" in text or "ite" in text:
            continue
        names = [f"x{i}" for i in range(1, formula.n + 1)]
        every = [dict(zip(names, v, strict=True)) for v in product((0, 1), repeat=formula.n)]
        builder, clauses = Builder(), Formula()
        builder.booleans(names)
        builder.add(formula.proposition)
        builder.encode(clauses, "tseitin")
        with Solver("minisat22", bootstrap_with=clauses) as solver:
            for values in every:
                fixed = [i if value else -i for i, value in enumerate(values.values(), start=1)]
                assert solver.solve(assumptions=fixed) == bool(eval(text, {}, values)), text
        read += 1
    assert read >= 20
