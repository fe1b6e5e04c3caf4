"""Reified constraints: every clause derived from rows that hold the literal."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from itertools import product
from random import Random

import pytest

from pbcnf import ENCODERS, Cardinality, Formula, Parity, PseudoBoolean, encode
from pbcnf.constraints.constraint import Constraint
from pbcnf.derivation import Derivation, write_proof
from pbcnf.derivation.at_most_one.bounds import FAMILIES
from pbcnf.derivation.families import DERIVABLE
from pbcnf.derivation.ledger import Ledger, UnderivableError
from pbcnf.derivation.reified import Opposite, Violation, derive_half_reified, derive_reified
from pbcnf.encoders.table import expresses
from pbcnf.encoders.weighted import WeightedEncoder
from pbcnf.proof.cutting_planes import check_proof

Terms = list[tuple[int, int]]
DIRECT, COUNTED = ["direct", "knuth_counter"], ["totalizer", "sequential_counter"]


@dataclass
class Problem:
    """Rows written by hand over n variables, and a ledger that knows them."""

    inputs: int
    lines: list[tuple[Terms, int]] = field(default_factory=list)

    def row(self, terms: Terms, least: int) -> int:
        self.lines.append((terms, least))
        return len(self.lines)

    def implies(self, lit: int, terms: Terms, least: int) -> int:
        """The row "if lit, then the sum is at least so much": no more is said if lit is false."""
        smallest = sum(min(weight, 0) for weight, _ in terms)
        return self.row([*terms, (max(least - smallest, 0), -lit)], least)

    def opb(self) -> bytes:
        rows = [
            " ".join(f"{w:+d} {'~' * (lit < 0)}x{abs(lit)}" for w, lit in terms) + f" >= {least} ;"
            for terms, least in self.lines
        ]
        head = f"* #variable= {self.inputs} #constraint= {len(rows)}"
        return "\n".join([head, *rows, ""]).encode()

    def ledger(self) -> Ledger:
        ledger = Ledger(Derivation(formula=len(self.lines)))
        for number, (terms, least) in enumerate(self.lines, start=1):
            ledger.given(number, terms, least)
        return ledger


def terms_of(constraint: Constraint) -> tuple[Terms, int, int]:
    assert isinstance(constraint, Cardinality | PseudoBoolean)
    weights = (1,) * len(constraint.lits)
    if isinstance(constraint, PseudoBoolean):
        weights = constraint.weights
    return [*zip(weights, constraint.lits, strict=True)], constraint.lower, constraint.upper


def required(constraint: Constraint, lit: int, problem: Problem) -> tuple[int, int]:
    terms, lower, upper = terms_of(constraint)
    negative = [(-weight, other) for weight, other in terms]
    return problem.implies(lit, terms, lower), problem.implies(lit, negative, -upper)


def opposite(constraint: Constraint, lit: int, problem: Problem) -> Opposite:
    """Two further inputs choose between too few and too many, unless one is impossible."""
    terms, lower, upper = terms_of(constraint)
    negative = [(-weight, other) for weight, other in terms]
    few = sum(min(weight, 0) for weight, _ in terms) < lower
    many = sum(max(weight, 0) for weight, _ in terms) > upper
    choose, not_less, not_more = None, -lit, -lit
    if few == many:
        not_less, not_more = problem.inputs - 1, problem.inputs
        choose = problem.row([(1, lit), (few, not_less), (many, not_more)], 1)
    return Opposite(
        Violation(not_less, problem.implies(not_less, negative, 1 - lower)) if few else None,
        Violation(not_more, problem.implies(not_more, terms, upper + 1)) if many else None,
        choose,
    )


def require_derived(constraint: Constraint, encoder: str | None, lit: int, full: bool) -> int:
    problem = Problem(max(map(abs, [*constraint.lits, lit])) + 2 * full)
    formula = Formula(num_vars=problem.inputs)
    encode(constraint, formula, encoder, **{"iff" if full else "when": lit})
    rows = required(constraint, lit, problem)
    first = problem.inputs + 1
    if full:
        rest = opposite(constraint, lit, problem)
        ledger = problem.ledger()
        numbers = derive_reified(constraint, encoder, lit, rows, rest, first, ledger)
    else:
        ledger = problem.ledger()
        numbers = derive_half_reified(constraint, encoder, lit, rows, first, ledger)
    stream = io.BytesIO()
    write_proof(ledger.derivation, stream)
    checked = check_proof(problem.opb(), stream.getvalue())
    clauses = [frozenset(clause) for clause in formula.clauses()]
    assert [checked.constraints[number].clause for number in numbers] == clauses
    return len(clauses)


def expressible(constraint: Constraint, encoder: str | None, full: bool) -> bool:
    try:
        encode(constraint, Formula(num_vars=9), encoder, **{"iff" if full else "when": 9})
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("full", [False, True], ids=["half", "full"])
@pytest.mark.parametrize("encoder", [*DIRECT, *COUNTED, *FAMILIES, "pairwise"])
def test_every_clause_is_derived_at_every_bound_of_4_inputs(encoder, full) -> None:
    tried = 0
    for lower, upper in product(range(-1, 6), repeat=2):
        constraint = Cardinality([1, -2, 3, 4], lower, upper)
        if expressible(constraint, encoder, full):
            require_derived(constraint, encoder, -5 if full else 5, full)
            tried += 1
    assert tried >= 40 if encoder in (*DIRECT, *COUNTED) else tried >= 20


@pytest.mark.parametrize("full", [False, True], ids=["half", "full"])
@pytest.mark.parametrize("encoder", COUNTED)
def test_counters_of_more_inputs_are_derived(encoder, full) -> None:
    random = Random(2)
    for n in [2, 7, 12, 17, 24]:
        for _ in range(4):
            bounds = sorted(random.choices(range(n + 1), k=2))
            lits = [v * random.choice((1, -1)) for v in range(1, n + 1)]
            require_derived(Cardinality(lits, *bounds), encoder, n + 1, full)


@pytest.mark.parametrize("encoder", FAMILIES)
def test_guarded_encoders_of_at_most_one_are_derived(encoder) -> None:
    for n in (9, 13, 50):
        for bounds in [(0, 1), (1, 1), (n - 1, n), (1, n)]:
            require_derived(Cardinality(range(1, n + 1), *bounds), encoder, n + 1, full=False)


@pytest.mark.parametrize("encoder", DERIVABLE)
def test_random_sums_are_derived_by_whatever_encoder_has_a_family(encoder) -> None:
    random = Random(9)
    weighted = isinstance(ENCODERS[encoder], WeightedEncoder)
    for _ in range(4):
        n = random.randint(3, 7)
        lits = [v * random.choice((1, -1)) for v in range(1, n + 1)]
        lower, upper = random.choice([(0, 1), (1, 1), (n - 1, n), (n - 1, n - 1)])
        if expresses(encoder, n, 0, 2):
            lower, upper = sorted(random.choices(range(n + 1), k=2))
        require_derived(Cardinality(lits, lower, upper), encoder, n + 1, full=False)
        if expressible(Cardinality(lits, lower, upper), encoder, full=True):
            require_derived(Cardinality(lits, lower, upper), encoder, -n - 1, full=True)
        if weighted:
            weights = [random.choice((-1, 1)) * random.randint(1, 30) for _ in lits]
            least = sum(min(weight, 0) for weight in weights)
            bounds = sorted(random.choices(range(least, least + sum(map(abs, weights))), k=2))
            for full in (False, True):
                require_derived(PseudoBoolean(lits, weights, *bounds), encoder, n + 1, full)


def test_of_weighted_sums_what_needs_no_encoder_is_derived_by_name_or_not() -> None:
    cases = [
        PseudoBoolean([1, 2, 3], [2, 2, 2], 3, 6),
        PseudoBoolean([1, 2, 3], [3, -1, 5], 3, 99),
        PseudoBoolean([1, 2, 3], [5, 3, 3], 5, 99),
        PseudoBoolean([1, 2, -2, 1], [1, 4, 4, 1], 5, 8),
        PseudoBoolean([1, 2], [3, 3], 4, 5),
        PseudoBoolean([1, 2, 3], [2, 2, 2], 3, 3),
        PseudoBoolean([1, 2, 3, 4], [2, 2, 2, 2], 1, 5),
    ]
    for constraint, full in product(cases, (False, True)):
        for encoder in (None, "direct"):
            if encoder is None or expressible(constraint, encoder, full):
                require_derived(constraint, encoder, 5, full)


def test_counters_may_count_a_literal_more_than_once() -> None:
    for bounds, encoder in product([(1, 2), (2, 4), (3, 3), (0, 3)], COUNTED):
        require_derived(Cardinality([1, 1, -2, 3, 3], *bounds), encoder, 4, full=True)


def test_literals_may_be_opposite_and_the_encoder_be_chosen_by_size() -> None:
    for lower, upper in product(range(-1, 5), repeat=2):
        for lits in ([1, -1, 2, 3, 4], [2, 1, -2, -3], [1, -1]):
            for encoder in (None, "totalizer", "direct"):
                require_derived(Cardinality(lits, lower, upper), encoder, 5, full=True)


def test_what_cannot_be_derived_is_refused() -> None:
    constraint, problem = Cardinality([1, 2, 3], 1, 2), Problem(6)
    rows = required(constraint, 4, problem)
    opposed = opposite(constraint, 4, problem)

    def half(constraint: Constraint, encoder: str, lit: int = 4, rows=rows) -> None:
        derive_half_reified(constraint, encoder, lit, rows, 7, problem.ledger())

    with pytest.raises(UnderivableError, match="a parity is no sum"):
        half(Parity([1, 2, 3], True), "direct")
    with pytest.raises(UnderivableError, match="literal -3 is one of the constraint, too"):
        half(constraint, "direct", -3)
    with pytest.raises(UnderivableError, match="gets a literal more than once"):
        half(Cardinality([1, 1, 2, 3], 1, 2), "knuth_counter")
    with pytest.raises(UnderivableError, match="does not follow"):
        half(constraint, "totalizer", rows=(rows[0], None))
    with pytest.raises(UnderivableError, match="does not follow"):
        half(constraint, "direct", rows=(rows[1], None))
    for encoder in ("totalizer", "direct"):
        for missing in ({"too_few": None}, {"choice": None}):
            with pytest.raises(UnderivableError, match=r"is not given|is not found"):
                derive_reified(
                    constraint, encoder, 4, rows, opposed._replace(**missing), 7, problem.ledger()
                )


@pytest.mark.parametrize("encoder", ["direct", "totalizer", "ladder"])
def test_a_row_without_the_literal_or_with_another_does_not_give_the_clauses(encoder) -> None:
    """The rows say so for literal 6; what 5 implies does not follow."""
    constraint, problem = Cardinality([1, 2, 3, 4], 1, 1), Problem(7)
    rows = required(constraint, 6, problem)
    with pytest.raises(UnderivableError, match=r"does not follow|is not found"):
        derive_half_reified(constraint, encoder, 5, rows, 8, problem.ledger())
