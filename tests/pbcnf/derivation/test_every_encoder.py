"""Whole OPB problems: what every encoder makes of them is derived, and nothing else passes."""

import io
import operator
import random
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple, cast

import pytest

from pbcnf import ENCODERS, dimacs
from pbcnf.derivation import Derivation
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import DERIVABLE, derive_sum
from pbcnf.derivation.opb import derive_opb
from pbcnf.emission.whole_problems import Choices, suited
from pbcnf.errors import EncodingError
from pbcnf.formats.problems import read_problem
from pbcnf.proof.cutting_planes.encodings import ProvedClauses, check_encoding
from pbcnf.proof.format_error import ProofFormatError
from tests.oracles import unit_propagation
from tests.pbcnf.derivation.derived import written
from tests.problem_files import formula_of

SAMPLE, ALL = range(8), range(8, 60)
ENTIRE = 60
"""Clauses, up to which each one is left out and changed."""


class RandomRow(NamedTuple):
    terms: list[tuple[int, int]]
    relation: str
    degree: int

    def text(self) -> str:
        terms = " ".join(f"{w:+d} {'~' * (lit < 0)}x{abs(lit)}" for w, lit in self.terms)
        return f"{terms} {self.relation} {self.degree} ;"

    def holds(self, values: tuple[bool, ...]) -> bool:
        total = sum(w for w, lit in self.terms if values[abs(lit) - 1] == (lit > 0))
        return {">=": operator.ge, "<=": operator.le, "=": operator.eq}[self.relation](
            total, self.degree
        )


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
    problem = read_problem(io.BytesIO(raw), "row.opb")
    found = derive_opb(raw, problem.constraints, Choices(**suited(encoder)))
    return (
        [[*c] for c in found.formula.clauses()],
        found.formula.num_vars,
        written(found.derivation),
    )


def cnf(clauses: list[list[int]], variables: int) -> bytes:
    return dimacs(formula_of(variables, clauses)).encode()


def altered(clauses: list[list[int]], rng: random.Random) -> Iterator[list[list[int]]]:
    """The clauses without one of them, with one shorter, and with a literal turned around."""
    places = range(len(clauses))
    if len(clauses) > ENTIRE:
        places = rng.sample(places, ENTIRE)  # type: ignore[assignment]
    for place in places:
        clause = clauses[place]
        before, behind = clauses[:place], clauses[place + 1 :]
        yield [*before, *behind]
        if clause:
            gone = rng.randrange(len(clause))
            yield [*before, clause[:gone] + clause[gone + 1 :], *behind]
            yield [*before, [-lit if at == gone else lit for at, lit in enumerate(clause)], *behind]


def try_out(encoder: str, seed: int) -> None:
    rng = random.Random(seed)
    weighted = "pseudo_boolean" in suited(encoder) and bool(seed % 2)
    inputs = rng.choice((4, 6, 9, 14))
    raw = opb(random_rows(seed, inputs, weighted), inputs)
    clauses, variables, proof = made(raw, encoder)
    proved = ProvedClauses.of(raw, proof)
    assert proved.check(cnf(clauses, variables)).clauses == len(clauses)
    for other in altered(clauses, rng):
        with pytest.raises(ProofFormatError):
            proved.check(cnf(other, variables))


@pytest.mark.parametrize("encoder", DERIVABLE)
def test_clauses_are_derived_from_the_rows_and_none_can_be_left_out_or_changed(encoder) -> None:
    for seed in SAMPLE:
        try_out(encoder, seed)


@pytest.mark.slow
@pytest.mark.parametrize("encoder", DERIVABLE)
def test_the_clauses_of_60_problems_are_derived(encoder: str) -> None:
    for seed in ALL:
        try_out(encoder, seed)


def test_solutions_are_lost_by_none_of_the_clauses_that_pass() -> None:
    """The claim itself, by truth tables: each solution extends to a model."""
    for seed, encoder in enumerate(DERIVABLE):
        inputs = 5
        rows = random_rows(seed, inputs, weighted=False)
        clauses, variables, _ = made(opb(rows, inputs), encoder)
        for values in product((False, True), repeat=inputs):
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
    [
        "2 x1 3 x2 >= 6",
        # Between two multiples of what divides all weights, or once a literal is forced.
        "2 x1 4 x2 6 x3 = 5",
        "2 x1 -4 ~x2 6 x3 = 3",
        "4 x1 6 x2 6 x3 6 x4 = 9",
        "7 x1 2 x2 4 x3 = 3",
    ],
)
def test_a_row_that_never_holds_becomes_the_empty_clause_and_is_derived(row: str) -> None:
    raw = f"{row} ;\n".encode()
    clauses, variables, proof = made(raw, "direct")
    assert [] in clauses
    assert check_encoding(raw, cnf(clauses, variables), proof).clauses == len(clauses)


def test_inputs_that_only_both_bounds_together_force_are_derived_as_units() -> None:
    for row, units in (
        ("3 x1 2 x2 2 x3 = 4", [[-1], [2], [3]]),
        ("1000 x1 999 x2 998 x3 3 x4 2 x5 = 1001", [[-1]]),  # 999 and 2, or 998 and 3.
    ):
        raw = f"{row} ;\n".encode()
        clauses, variables, proof = made(raw, "decision_diagram")
        assert sorted(clause for clause in clauses if len(clause) == 1) == units
        assert check_encoding(raw, cnf(clauses, variables), proof)


def test_variables_of_the_proof_alone_come_after_those_of_all_clauses() -> None:
    row = " ".join(f"+1 x{v}" for v in range(1, 13))
    raw = f"{row} <= 5 ;\n{row} >= 5 ;\n".encode()
    clauses, last, proof = made(raw, "k_modulo_totalizer")
    # Each bound alone fills its inputs up to exactly as many.
    assert max(int(word.strip(b"~x")) for word in proof.split() if b"x" in word) == last + 5 + 7
    assert check_encoding(raw, cnf(clauses, last), proof).variables == last


def test_rows_that_the_checker_reads_otherwise_are_refused() -> None:
    raw = b"+1 x1 +1 x2 >= 1 ;\n"
    others = read_problem(io.BytesIO(b"+1 x1 +1 x2 >= 2 ;\n")).constraints
    with pytest.raises(EncodingError, match="read in two ways"):
        derive_opb(raw, others)


def test_a_variable_of_the_objective_alone_is_no_auxiliary() -> None:
    raw = b"min: +1 x9 ;\n+1 x1 +1 x2 +1 x3 +1 x4 >= 2 ;\n"
    clauses, variables, proof = made(raw, "totalizer")
    assert min(abs(lit) for clause in clauses for lit in clause if abs(lit) > 4) == 10
    assert check_encoding(raw, cnf(clauses, variables), proof).inputs == 9


def test_every_encoder_has_a_derivation() -> None:
    assert set(DERIVABLE) == set(ENCODERS)


def test_an_encoder_of_somebody_else_is_refused_by_its_name() -> None:
    class Own:
        name = "own"

    of = EncodedSum(cast(Any, Own()), (1, 2), (1, 1), 0, 1, None, 1, 3, [[-1, -2]])
    with pytest.raises(EncodingError, match="the clauses of own cannot be derived"):
        derive_sum(of, DerivationState(Derivation(1)))
