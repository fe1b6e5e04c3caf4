"""What each encoder makes of a bound, or of a whole OPB problem, is derived; nothing else is."""

from __future__ import annotations

import operator
import random
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import gcd
from random import Random
from typing import Any, Final, NamedTuple, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import ENCODERS, dimacs
from pbcnf.derivation import Derivation
from pbcnf.derivation.at_most_one import FAMILIES
from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import DERIVABLE, derive_sum
from pbcnf.derivation.opb import derive_opb
from pbcnf.emission.whole_problems import Choices, suited
from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.encoders.protocol import takes_weights
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.table import expresses, find_encoder
from pbcnf.errors import EncodingError
from pbcnf.proof.cutting_planes.encodings import ProvedClauses, check_encoding
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.format_error import ProofFormatError
from tests.oracles import unit_propagation
from tests.pbcnf.derivation.derived import SumCase, written
from tests.problem_files import cnf, read


class RandomRow(NamedTuple):
    terms: list[tuple[int, int]]
    relation: str
    degree: int

    def text(self) -> str:
        terms = " ".join(f"{w:+d} {'~' * (lit < 0)}x{abs(lit)}" for w, lit in self.terms)
        return f"{terms} {self.relation} {self.degree} ;"

    def holds(self, values: tuple[bool, ...]) -> bool:
        total = sum(w for w, lit in self.terms if values[abs(lit) - 1] == (lit > 0))
        relations = {">=": operator.ge, "<=": operator.le, "=": operator.eq}
        return bool(relations[self.relation](total, self.degree))


def random_rows(seed: int, inputs: int, weighted: bool) -> list[RandomRow]:
    rng = random.Random(seed)
    rows = []
    for _ in range(rng.randint(1, 3)):
        size = rng.randint(1, inputs)
        lits = [v * rng.choice((1, 1, -1)) for v in rng.sample(range(1, inputs + 1), size)]
        weights = [rng.randint(1, 9) if weighted else 1 for _ in lits]
        if weighted and rng.random() < 0.3:
            weights = [w * rng.choice((-1, 1, 10)) for w in weights]
        least = sum(w for w in weights if w < 0)
        degree = rng.randint(least, least + sum(map(abs, weights)))
        terms = [*zip(weights, lits, strict=True)]
        rows.append(RandomRow(terms, rng.choice((">=", "<=", "=")), degree))
    return rows


def opb(rows: list[RandomRow], inputs: int) -> bytes:
    head = f"* #variable= {inputs} #constraint= {len(rows)}"
    return "\n".join([head, *(row.text() for row in rows), ""]).encode()


def made(raw: bytes, encoder: str) -> tuple[list[list[int]], int, bytes]:
    """Clauses, variables, proof."""
    found = derive_opb(raw, read(raw, "row.opb").constraints, Choices(**suited(encoder)))
    clauses = [[*clause] for clause in found.formula.clauses()]
    return clauses, found.formula.num_vars, written(found.derivation)


def altered(clauses: list[list[int]], rng: random.Random) -> Iterator[list[list[int]]]:
    """The clauses without one of them, with one shorter, and with a literal turned around.

    If they are many, some of them.
    """
    for place in rng.sample(range(len(clauses)), min(60, len(clauses))):
        clause = clauses[place]
        before, behind = clauses[:place], clauses[place + 1 :]
        yield [*before, *behind]
        if clause:
            gone = rng.randrange(len(clause))
            first, lit, last = clause[:gone], clause[gone], clause[gone + 1 :]
            yield [*before, [*first, *last], *behind]
            yield [*before, [*first, -lit, *last], *behind]


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 60), marks=pytest.mark.slow)])
@pytest.mark.parametrize("encoder", DERIVABLE)
def test_clauses_are_derived_from_the_rows_and_none_can_be_left_out_or_changed(encoder, seeds):
    for seed in seeds:
        rng = random.Random(seed)
        weighted = "pseudo_boolean" in suited(encoder) and bool(seed % 2)
        inputs = rng.choice((4, 6, 9, 14))
        raw = opb(random_rows(seed, inputs, weighted), inputs)
        clauses, variables, proof = made(raw, encoder)
        proved = ProvedClauses.of(raw, proof)
        assert proved.check(cnf(variables, clauses).encode()).clauses == len(clauses)
        for other in altered(clauses, rng):
            with pytest.raises(ProofFormatError):
                proved.check(cnf(variables, other).encode())


def test_solutions_are_lost_by_none_of_the_clauses_that_pass() -> None:
    """The claim itself, by truth tables: each solution extends to a model."""
    for seed, encoder in enumerate(DERIVABLE):
        rows = random_rows(seed, 5, weighted=False)
        clauses, variables, _ = made(opb(rows, 5), encoder)
        for values in product((False, True), repeat=5):
            if all(row.holds(values) for row in rows):
                units = [v if value else -v for v, value in enumerate(values, 1)]
                assert extends(clauses, variables, units), (encoder, values)


def extends(clauses: list[list[int]], variables: int, units: list[int]) -> bool:
    """Whether a model has these literals, by splitting on what is left after propagation."""
    true = unit_propagation(clauses, units)
    if true is None:
        return False
    free = next((v for v in range(1, variables + 1) if not {v, -v} & true), None)
    return free is None or any(extends(clauses, variables, [*true, lit]) for lit in (free, -free))


@pytest.mark.parametrize(
    "row",
    # But for the first: between two multiples of what divides all weights, or of the rest's.
    ["2 x1 3 x2 >= 6", "2 x1 4 x2 6 x3 = 5", "2 x1 -4 ~x2 6 x3 = 3", "4 x1 6 x2 6 x3 6 x4 = 9",
     "7 x1 2 x2 4 x3 = 3"],
)  # fmt: skip
def test_a_row_that_never_holds_becomes_the_empty_clause_and_is_derived(row: str) -> None:
    raw = f"{row} ;\n".encode()
    clauses, variables, proof = made(raw, "direct")
    assert [] in clauses
    assert check_encoding(raw, cnf(variables, clauses).encode(), proof).clauses == len(clauses)


def test_inputs_that_only_both_bounds_together_force_are_derived_as_units() -> None:
    for row, units in (
        ("3 x1 2 x2 2 x3 = 4", [[-1], [2], [3]]),
        ("1000 x1 999 x2 998 x3 3 x4 2 x5 = 1001", [[-1]]),  # 999 and 2, or 998 and 3.
    ):
        raw = f"{row} ;\n".encode()
        clauses, variables, proof = made(raw, "decision_diagram")
        assert sorted(clause for clause in clauses if len(clause) == 1) == units
        assert check_encoding(raw, cnf(variables, clauses).encode(), proof)


def test_variables_of_the_proof_alone_come_after_those_of_all_clauses() -> None:
    row = " ".join(f"+1 x{v}" for v in range(1, 13))
    raw = f"{row} <= 5 ;\n{row} >= 5 ;\n".encode()
    clauses, last, proof = made(raw, "k_modulo_totalizer")
    # Each bound alone fills its inputs up to exactly as many, until the rows are deleted.
    forward = proof[: proof.index(b"\ndel id 1 ")].split()
    assert max(int(word.strip(b"~x")) for word in forward if b"x" in word) == last + 5 + 7
    assert check_encoding(raw, cnf(last, clauses).encode(), proof).variables == last


def test_rows_that_the_checker_reads_otherwise_are_refused() -> None:
    raw = b"+1 x1 +1 x2 >= 1 ;\n"
    others = read("+1 x1 +1 x2 >= 2 ;\n").constraints
    with pytest.raises(EncodingError, match="read in two ways"):
        derive_opb(raw, others)


def test_a_variable_of_the_objective_alone_is_no_auxiliary() -> None:
    raw = b"min: +1 x9 ;\n+1 x1 +1 x2 +1 x3 +1 x4 >= 2 ;\n"
    clauses, variables, proof = made(raw, "totalizer")
    assert min(abs(lit) for clause in clauses for lit in clause if abs(lit) > 4) == 10
    assert check_encoding(raw, cnf(variables, clauses).encode(), proof).inputs == 9


def test_every_encoder_has_a_derivation_and_that_of_somebody_else_is_refused_by_its_name() -> None:
    assert set(DERIVABLE) == set(ENCODERS)

    class Own:
        name = "own"

    of = EncodedSum(cast(Any, Own()), (1, 2), (1, 1), 0, 1, None, 1, 3, [[-1, -2]])
    with pytest.raises(EncodingError, match="the clauses of own cannot be derived"):
        derive_sum(of, DerivationState(Derivation(1)))


WEIGHTED: Final = tuple(name for name in DERIVABLE if takes_weights(find_encoder(name)))
WEIGHTS: Final = (
    [3, 3, 5], [1, 2, 3, 3, 5], [1, 1, 4, 6], [1, 3, 3, 9, 9], [6, 10, 15], [2, 3, 7, 7, 12],
    [16, 8, 8, 8, 1], [9, 7, 5, 4, 2, 2],
)  # fmt: skip
Bounds = tuple[int, int]

every_encoder = pytest.mark.parametrize("name", DERIVABLE)
every_weighted = pytest.mark.parametrize("name", WEIGHTED)


def bounds(name: str, weights: Sequence[int]) -> list[Bounds]:
    """All that the encoder expresses in normal form: not both trivial, and no input forced."""
    total, most = sum(weights), max(weights)
    every = combinations_with_replacement(range(total + 1), 2)
    fitting = [(lo, up) for lo, up in every if most <= min(up, total - lo)]
    known = [pair for pair in fitting if most > 1 or expresses(name, len(weights), *pair)]
    return [pair for pair in known if pair != (0, total)]


@every_encoder
def test_all_bounds_are_derived(name: str) -> None:
    for size in (2, 3, 6, 9):
        every = bounds(name, [1] * size)
        for pair in Random(size).sample(every, min(len(every), 12)):
            SumCase(name, [1] * size, *pair).require_derived()


@every_weighted
def test_bounds_of_weighted_sums_are_derived(name: str) -> None:
    for place, weights in enumerate(WEIGHTS):
        every = bounds(name, weights)
        one_sided = [pair for pair in every if pair[0] == 0 or pair[1] == sum(weights)]
        random = Random(place)
        for pair in random.sample(every, 8) + random.sample(one_sided, 4):
            SumCase(name, weights, *pair).require_derived()


@pytest.mark.parametrize(
    "encoder", [Adder(equivalent=True), *map(Bimander, (1, 3, 4, 7, 50))], ids=repr
)
def test_options_of_encoders_are_derived_too(encoder: Any) -> None:
    for size in (3, 9, 33):
        SumCase(encoder, [1] * size, 1, 1).require_derived()
    if takes_weights(encoder):
        for pair in ((0, 10), (10, 20), (10, 10), (12, 29)):
            SumCase(encoder, WEIGHTS[-1], *pair).require_derived()


@pytest.mark.parametrize("name", FAMILIES)
def test_every_clause_is_derived_where_rows_are_halved(name: str) -> None:
    for size, *pair in [(40, 1, 1), (65, 1, 1), (100, 0, 1), (70, 69, 70), (131, 130, 130)]:
        SumCase(name, [1] * size, *pair).require_derived()


@settings(max_examples=80)
@given(
    st.sampled_from(sorted({*DERIVABLE} - {*FAMILIES} - {"direct", "pairwise"})),
    st.one_of(
        st.integers(9, 40).map(lambda size: [1] * size),
        st.lists(st.integers(1, 1000), min_size=2, max_size=7),
        st.lists(st.sampled_from([1, 3, 4, 6, 7, 12, 36]), min_size=2, max_size=9),
    ),
    st.tuples(st.integers(0, 99), st.integers(0, 99)),
    st.sampled_from(["lower", "upper", "both", "equal"]),
)
def test_larger_sums_are_derived(name, weights, ends, which) -> None:
    # As in a normal form, the weights have no common divisor.
    divisor = gcd(*weights)
    weights = [weight // divisor if name in WEIGHTED else 1 for weight in weights]
    total, most = sum(weights), max(weights)
    lower = 0 if which == "upper" else (total - most) * ends[0] // 100
    upper = max(lower, most) + (total - max(lower, most)) * ends[1] // 100
    upper = {"lower": total, "equal": max(lower, most)}.get(which, upper)
    if (lower, upper) != (0, total) and (most > 1 or expresses(name, total, lower, upper)):
        SumCase(name, weights, lower, upper).require_derived()


@pytest.mark.parametrize(("lower", "upper"), [(3, 19), (13, 13), (9, 33)])
def test_a_digit_that_no_sum_reaches_is_derived(lower: int, upper: int) -> None:
    SumCase("mixed_radix_sorter", [7, 5, 7, 7, 7, 7, 7, 5], lower, upper).require_derived()


@every_weighted
@pytest.mark.parametrize(
    ("weights", "lower", "upper"),
    [([7, 7, 7, 7, 7, 7, 3], 22, 23), ([30, 21, 14, 6, 6, 9], 37, 38), ([4, 4, 6, 6], 9, 9)],
)
def test_a_range_in_a_gap_between_the_sums_is_refuted_by_its_clauses(name, weights, lower, upper):
    subsets = range(1 << len(weights))
    attained = {sum(w for i, w in enumerate(weights) if bits >> i & 1) for bits in subsets}
    assert attained.isdisjoint(range(lower, upper + 1))
    SumCase(name, weights, lower, upper).require_derived()


def example(name: str) -> tuple[list[int], list[Bounds]]:
    """Weights, and bounds of all three kinds."""
    if name in FAMILIES:
        return [1] * 8, [(1, 1), (0, 1), (7, 8)]
    if name in WEIGHTED:
        return [1, 2, 3, 5], [(4, 7), (0, 5), (5, 11)]
    found = [(2, 4), (0, 3), (3, 6)]
    return [1] * 6, [pair for pair in found if expresses(name, 6, *pair)] or [(0, 1)]


@every_encoder
def test_a_bound_that_is_stronger_than_given_is_refused(name: str) -> None:
    weights, pairs = example(name)
    for lower, upper in pairs:
        case = SumCase(name, weights, lower, upper)
        formula = case.encoded()
        problem, proof = case.proved(formula)
        at_least, at_most = problem.splitlines(keepends=True)
        for degree, row in ((lower, at_least), (sum(weights) - upper, at_most)):
            if degree:
                weaker = row.replace(f">= {degree} ;".encode(), f">= {degree - 1} ;".encode())
                with pytest.raises(ProofError):
                    check_encoding(problem.replace(row, weaker), dimacs(formula).encode(), proof)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_clause_without_one_of_its_literals_cannot_be_derived(name: str) -> None:
    """None of the clauses of exactly one has a literal too many."""
    case = SumCase(name, [1] * 9, 1, 1)
    formula = case.encoded()
    clauses = [*formula.clauses()]
    for place, clause in enumerate(clauses):
        for lit in clause:
            wrong = [[other for other in clause if other != lit]]
            changed = [*clauses[:place], *wrong, *clauses[place + 1 :]]
            with pytest.raises(UnderivableError, match="is not found by propagation"):
                derive_sum(*case.given(changed, formula.num_vars))


@pytest.mark.parametrize("name", FAMILIES)
def test_the_rows_that_clauses_of_at_most_one_are_found_on_are_short(name: str) -> None:
    case = SumCase(name, [1] * 300, 1, 1)
    formula = case.encoded()
    of, state = case.given([*formula.clauses()], formula.num_vars)
    derive_sum(of, state)
    steps = state.derivation.steps
    assert len(steps) <= 2.1 * len(of.clauses)
    hinted = [step.ids for step in steps if hasattr(step, "ids") and len(step.ids) == 1]
    assert len(hinted) >= len(of.clauses) - 1
    literals = sum(len(state.rows[number].coefficients) for (number,) in hinted)
    assert literals <= 40 * len(of.clauses)


@pytest.mark.parametrize("name", sorted({*DERIVABLE} - {*FAMILIES} - {"direct", "pairwise"}))
def test_a_proof_grows_with_the_clauses(name: str) -> None:
    weights = [1] * 40
    if name in WEIGHTED:
        random = Random(7)
        weights = [random.randint(1, 9) for _ in range(16)]
    total = sum(weights)
    for pair in ((0, total // 2), (total // 2, total), (total // 3, total // 2)):
        if pair in bounds(name, weights):
            case = SumCase(name, weights, *pair)
            formula = case.encoded()
            _, proof = case.proved(formula)
            # Where every comparator is defined, those without clauses take steps as well.
            most = 14 if name in ("pairwise_network", "multiway_network") else 8
            assert proof.count(b";") < most * formula.num_clauses
