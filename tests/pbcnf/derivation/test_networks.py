"""Networks of comparators follow from the bounds; the judge is the checker of such proofs."""

from __future__ import annotations

import io
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Formula, dimacs
from pbcnf.derivation import write_proof
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import derive_sum
from pbcnf.derivation.ledger import Ledger
from pbcnf.derivation.steps import Derivation
from pbcnf.encoders.table import find_encoder
from pbcnf.proof.cutting_planes.encodings import ProvedClauses, check_encoding
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.format_error import ProofFormatError

NAMES: Final = ("sorting_network", "cardinality_network")
WEIGHTS: Final = ([1] * 5, [3, 3, 5], [1, 3, 3, 9, 9], [1, 2, 4, 8], [6, 10, 15], [2, 3, 7, 7, 12])


def encoded(
    name: str, weights: list[int], lower: int, upper: int, guarded: bool = False
) -> Formula:
    """The clauses, all with one more literal if they are guarded."""
    encoder: Any = find_encoder(name)
    size = len(weights)
    formula = Formula(num_vars=size + guarded)
    inputs = [*range(1, size + 1)]
    if name in NAMES:
        encoder.encode(inputs, lower, upper, formula)
    else:
        encoder.encode_weighted(inputs, weights, lower, upper, formula)
    if not guarded:
        return formula
    found = Formula(num_vars=formula.num_vars)
    for clause in formula.clauses():
        found.add_clause([*clause, -size - 1])
    return found


def proved(
    name: str,
    weights: list[int],
    lower: int,
    upper: int,
    formula: Formula,
    guarded: bool = False,
) -> tuple[bytes, bytes]:
    """The two bounds as text, and the proof that leaves these clauses."""
    lits, total = tuple(range(1, len(weights) + 1)), sum(weights)
    terms = [*zip(weights, lits, strict=True)]
    negated = [(weight, -lit) for weight, lit in terms]
    rows = [(terms, lower), (negated, total - upper)]
    if guarded:
        rows = [([*some, (least, -len(lits) - 1)], least) for some, least in rows]
    ledger = Ledger(Derivation(formula=2))
    ledger.last_var = formula.num_vars
    for number, (some, least) in enumerate(rows, start=1):
        ledger.given(number, some, least)
    bounds = (1 if lower > 0 else None), (2 if upper < total else None)
    encoder, first = find_encoder(name), len(lits) + guarded + 1
    clauses = [*formula.clauses()]
    of = EncodedSum(encoder, lits, tuple(weights), lower, upper, *bounds, first, clauses)
    kept = set(derive_sum(of, ledger))
    ledger.forget(number for number in [*ledger.rows] if number > 2 and number not in kept)
    stream = io.BytesIO()
    write_proof(ledger.derivation, stream)
    return "".join(text(some, least) for some, least in rows).encode(), stream.getvalue()


def text(terms: list[tuple[int, int]], least: int) -> str:
    row = " ".join(f"{weight:+d} {'~' * (lit < 0)}x{abs(lit)}" for weight, lit in terms)
    return f"{row} >= {least} ;\n"


def require_derived(
    name: str, weights: list[int], lower: int, upper: int, guarded: bool = False
) -> None:
    formula = encoded(name, weights, lower, upper, guarded)
    problem, proof = proved(name, weights, lower, upper, formula, guarded)
    assert check_encoding(problem, dimacs(formula).encode(), proof).clauses == formula.num_clauses


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [2, 3, 5, 8])
@pytest.mark.parametrize("guarded", [False, True])
def test_all_bounds_are_derived_with_and_without_a_literal_that_implies_them(
    name: str, size: int, guarded: bool
) -> None:
    for lower in range(size):
        for upper in range(max(lower, 1), size + 1):
            if (lower, upper) != (0, size):
                require_derived(name, [1] * size, lower, upper, guarded)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("guarded", [False, True])
def test_all_bounds_of_weighted_sums_are_derived(weights: list[int], guarded: bool) -> None:
    total, most = sum(weights), max(weights)
    for lower in range(total - most + 1):
        for upper in range(max(lower, most), total + 1, 1 + 2 * guarded):
            if (lower, upper) != (0, total):
                require_derived("mixed_radix_sorter", weights, lower, upper, guarded)


@settings(max_examples=25, deadline=None)
@given(
    st.one_of(
        st.lists(st.integers(1, 1000), min_size=2, max_size=9),
        st.lists(st.sampled_from([1, 3, 4, 6, 7, 12, 36]), min_size=2, max_size=20),
    ),
    st.integers(0, 99),
    st.integers(0, 99),
    st.sampled_from(["lower", "upper", "both"]),
    st.booleans(),
)
def test_weights_of_many_digits_are_derived(
    weights: list[int], low: int, high: int, which: str, guarded: bool
) -> None:
    total, most = sum(weights), max(weights)
    lower = 0 if which == "upper" else (total - most) * low // 100
    upper = max(lower, most) + (total - max(lower, most)) * high // 100
    upper = total if which == "lower" else upper
    if (lower, upper) != (0, total):
        require_derived("mixed_radix_sorter", weights, lower, upper, guarded)


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.integers(9, 40),
    st.integers(0, 99),
    st.integers(0, 99),
    st.booleans(),
)
def test_bounds_of_many_inputs_are_derived(
    name: str, size: int, low: int, high: int, guarded: bool
) -> None:
    lower = size * low // 100
    upper = max(lower, 1) + (size - max(lower, 1)) * high // 100
    if (lower, upper) != (0, size):
        require_derived(name, [1] * size, lower, upper, guarded)


@pytest.mark.parametrize(("lower", "upper"), [(3, 19), (13, 13), (9, 33)])
def test_a_digit_that_no_sum_reaches_is_derived(lower: int, upper: int) -> None:
    require_derived("mixed_radix_sorter", [7, 5, 7, 7, 7, 7, 7, 5], lower, upper)


@pytest.mark.parametrize(
    ("name", "weights"),
    [(NAMES[0], [1] * 6), (NAMES[1], [1] * 6), ("mixed_radix_sorter", [1, 1, 2, 3])],
)
@pytest.mark.parametrize(("lower", "upper"), [(0, 3), (3, None), (2, 4)])
def test_a_clause_that_is_missing_or_changed_is_refused(
    name: str, weights: list[int], lower: int, upper: int | None
) -> None:
    upper = sum(weights) if upper is None else upper
    formula = encoded(name, weights, lower, upper)
    clauses = [*formula.clauses()]
    left = ProvedClauses.of(*proved(name, weights, lower, upper, formula))
    for place, clause in enumerate(clauses):
        for change in ([], [clause[:-1]], [[*clause[:-1], -clause[-1]]]):
            wrong = [*clauses[:place], *change, *clauses[place + 1 :]]
            other = Formula(num_vars=formula.num_vars)
            for each in wrong:
                other.add_clause(each)
            with pytest.raises(ProofFormatError):
                left.check(dimacs(other).encode())


@pytest.mark.parametrize("name", NAMES)
def test_a_bound_that_is_stronger_than_given_is_refused(name: str) -> None:
    weights = [1] * 7
    formula = encoded(name, weights, 0, 3)
    problem, proof = proved(name, weights, 0, 3, formula)
    weaker = problem.replace(b">= 4 ;", b">= 3 ;")
    assert weaker != problem
    with pytest.raises(ProofError):
        check_encoding(weaker, dimacs(formula).encode(), proof)


@pytest.mark.parametrize("name", NAMES)
def test_a_proof_grows_with_the_clauses(name: str) -> None:
    for bound in (6, 30, 54):
        formula = encoded(name, [1] * 60, 0, bound)
        _, proof = proved(name, [1] * 60, 0, bound, formula)
        assert proof.count(b";") < 8 * formula.num_clauses
