"""Encoders of weights that count for both bounds at once: ranges, gaps between sums, reification.

What the proofs leave is judged by the checker, against rows written here.
"""

import io
import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import ENCODERS, Cardinality, Formula, PseudoBoolean
from pbcnf.constraints.weighted_normal_form import weighted_normal_form
from pbcnf.derivation import write_proof
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import derive_sum
from pbcnf.derivation.opb import CertifiedEncoding, derive_problem
from pbcnf.derivation.steps import BoundIds, Derivation
from pbcnf.emission.whole_problems import Choices, suited
from pbcnf.encoders.weighted import takes_weights
from pbcnf.proof.cutting_planes import check_proof
from pbcnf.proof.cutting_planes.encodings import ProvedClauses
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.format_error import ProofFormatError

NAMES = ("decision_diagram", "generalized_totalizer", "sequential_weight_counter")
every_encoder = pytest.mark.parametrize("encoder", NAMES)


def text(terms: Sequence[tuple[int, int]], degree: int) -> str:
    shown = " ".join(f"+{w} {'~' * (lit < 0)}x{abs(lit)}" for w, lit in terms)
    return f"{shown} >= {degree} ;\n"


def opb(weights: Sequence[int], lower: int, upper: int) -> bytes:
    inputs = range(1, len(weights) + 1)
    at_least = text([*zip(weights, inputs, strict=True)], lower)
    at_most = text([(w, -x) for w, x in zip(weights, inputs, strict=True)], sum(weights) - upper)
    return f"{at_least}{at_most}".encode()


def derived(encoder: str, weights: Sequence[int], lower: int, upper: int) -> CertifiedEncoding:
    lits = range(1, len(weights) + 1)
    equal = set(weights) == {1}
    constraint = (
        Cardinality(lits, lower, upper) if equal else PseudoBoolean(lits, weights, lower, upper)
    )
    choices = Choices(**suited(encoder))
    return derive_problem([(constraint, BoundIds(1, 2))], len(weights), 2, choices)


def dimacs(clauses: Sequence[Sequence[int]], variables: int) -> bytes:
    lines = [f"p cnf {variables} {len(clauses)}", *(" ".join(map(str, [*c, 0])) for c in clauses)]
    return "\n".join([*lines, ""]).encode()


def proved(made: CertifiedEncoding, raw: bytes) -> ProvedClauses:
    stream = io.BytesIO()
    write_proof(made.derivation, stream)
    return ProvedClauses.of(raw, stream.getvalue())


def check(encoder: str, weights: Sequence[int], lower: int, upper: int) -> CertifiedEncoding:
    made = derived(encoder, weights, lower, upper)
    clauses = [*made.formula.clauses()]
    checked = proved(made, opb(weights, lower, upper)).check(dimacs(clauses, made.formula.num_vars))
    assert checked.clauses == len(clauses)
    return made


@every_encoder
@pytest.mark.parametrize("n", range(1, 7))
def test_every_range_of_up_to_six_inputs_is_derived(encoder: str, n: int) -> None:
    for lower in range(n + 1):
        for upper in range(lower, n + 1):
            check(encoder, [1] * n, lower, upper)


@every_encoder
@settings(max_examples=40, deadline=None)
@given(
    weights=st.lists(st.integers(1, 12) | st.sampled_from([30, 100, 1000]), min_size=2, max_size=8),
    ends=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_every_range_of_any_weights_is_derived(
    encoder: str, weights: list[int], ends: tuple[float, float]
) -> None:
    lower, upper = sorted(round(end * sum(weights)) for end in ends)
    check(encoder, weights, lower, upper)


@every_encoder
@pytest.mark.parametrize(
    ("weights", "lower", "upper"),
    [
        ([3, 2, 2], 6, 6),
        ([7, 7, 7, 7, 7, 7, 3], 22, 23),
        ([30, 21, 14, 6, 6, 9], 37, 38),
        ([4, 4, 6, 6], 9, 9),
    ],
)
def test_a_range_in_a_gap_between_the_sums_is_refuted_by_its_clauses(
    encoder: str, weights: list[int], lower: int, upper: int
) -> None:
    # No subset of them weighs that much.
    subsets = range(1 << len(weights))
    sums = {sum(w for i, w in enumerate(weights) if bits >> i & 1) for bits in subsets}
    assert sums.isdisjoint(range(lower, upper + 1))
    check(encoder, weights, lower, upper)


def test_inputs_that_only_both_bounds_together_force_are_derived_as_units() -> None:
    made = check("decision_diagram", [3, 2, 2], 4, 4)
    assert sorted(made.formula.clauses()) == [[-1], [2], [3]]
    # 999 and 2, or 998 and 3.
    made = check("decision_diagram", [1000, 999, 998, 3, 2], 1001, 1001)
    assert [c for c in made.formula.clauses() if len(c) == 1] == [[-1]]


@every_encoder
@pytest.mark.parametrize(("lower", "upper"), [(0, 50), (40, 50), (47, 47), (40, 94)])
def test_steps_are_few_for_each_clause_however_many_inputs(
    encoder: str, lower: int, upper: int
) -> None:
    rng = random.Random(7)
    weights = [rng.randint(1, 9) for _ in range(22)]
    assert sum(weights) == 94
    made = check(encoder, weights, lower, upper)
    assert made.derivation.added <= 5 * made.formula.num_clauses


@every_encoder
def test_no_clause_of_a_range_can_be_left_out_or_changed(encoder: str) -> None:
    weights, lower, upper = [9, 7, 5, 4, 2, 2], 11, 14
    made = derived(encoder, weights, lower, upper)
    result, variables = proved(made, opb(weights, lower, upper)), made.formula.num_vars
    clauses = [*made.formula.clauses()]
    for place, clause in enumerate(clauses):
        before, behind = clauses[:place], clauses[place + 1 :]
        wrong = [[*before, *behind], [*before, clause[1:], *behind]]
        wrong.append([*before, [-clause[0], *clause[1:]], *behind])
        for other in wrong:
            with pytest.raises(ProofFormatError):
                result.check(dimacs(other, variables))


@every_encoder
def test_a_wider_range_does_not_imply_the_clauses(encoder: str) -> None:
    weights = [9, 7, 5, 4, 2, 2]
    made = derived(encoder, weights, 11, 14)
    for lower, upper in ((9, 14), (11, 15)):
        with pytest.raises(ProofError):
            proved(made, opb(weights, lower, upper))


@every_encoder
@settings(max_examples=25, deadline=None)
@given(
    weights=st.lists(st.integers(1, 9), min_size=3, max_size=7),
    ends=st.tuples(st.floats(0.2, 0.8), st.floats(0.2, 0.8)),
    one=st.sampled_from(["lower", "upper", "both"]),
)
def test_with_a_literal_in_the_bounds_each_clause_holds_it(
    encoder: str, weights: list[int], ends: tuple[float, float], one: str
) -> None:
    total, n = sum(weights), len(weights)
    lower, upper = sorted(round(end * total) for end in ends)
    bounds = {"lower": (lower, total), "upper": (0, upper), "both": (lower, upper)}[one]
    form = weighted_normal_form(PseudoBoolean(range(1, n + 1), weights, *bounds))
    if form is None or not form.lits or form.units:
        return
    either, chosen = n + 1, ENCODERS[encoder]
    assert takes_weights(chosen)
    formula = Formula(either)
    chosen.encode_weighted(form.lits, form.weights, form.lower, form.upper, formula)
    clauses = [[*clause, either] for clause in formula.clauses()]
    terms = [*zip(form.weights, form.lits, strict=True)]
    missing = sum(form.weights) - form.upper
    rows = (
        ([*terms, (max(form.lower, 1), either)], form.lower),
        ([*((w, -lit) for w, lit in terms), (max(missing, 1), either)], missing),
    )
    state = DerivationState(Derivation(2))
    state.last_var = formula.num_vars
    numbers = [state.declare(number, *row) for number, row in enumerate(rows, 1)]
    found = derive_sum(
        EncodedSum(
            chosen,
            form.lits,
            form.weights,
            form.lower,
            form.upper,
            numbers[0] if form.lower else None,
            numbers[1] if missing else None,
            either + 1,
            clauses,
        ),
        state,
    )
    stream = io.BytesIO()
    write_proof(state.derivation, stream)
    checked = check_proof("".join(text(*row) for row in rows).encode(), stream.getvalue())
    assert [checked.constraints[number].clause for number in found] == [*map(frozenset, clauses)]
