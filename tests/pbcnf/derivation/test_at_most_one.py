"""The encoders of at-most-one: every clause derived, and nothing that does not follow."""

from __future__ import annotations

import io
from itertools import product
from random import Random

import pytest

from pbcnf import ENCODERS, Cardinality, Formula, dimacs, encode
from pbcnf.derivation import Derivation, write_proof
from pbcnf.derivation.at_most_one import FAMILIES
from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import derive_sum
from pbcnf.derivation.opb import derive_opb
from pbcnf.emission.whole_problems import Choices
from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.formats.problems import read_problem
from pbcnf.proof.cutting_planes import check_proof
from pbcnf.proof.cutting_planes.encodings import check_encoding
from pbcnf.proof.format_error import ProofFormatError

Certificate = tuple[bytes, bytes, bytes]


def certificate(problem: bytes, encoder: str) -> Certificate:
    read = read_problem(io.BytesIO(problem))
    made = derive_opb(problem, read.constraints, Choices(at_most_one=encoder))
    stream = io.BytesIO()
    write_proof(made.derivation, stream)
    return problem, dimacs(made.formula).encode(), stream.getvalue()


def opb(n: int, lower: int, upper: int) -> bytes:
    """One row: n inputs, every third of them negated."""
    terms = " ".join(f"+1 {'~' * (v % 3 == 0)}x{v}" for v in range(1, n + 1))
    bound = f"= {lower}" if lower == upper else f">= {lower}" if upper == n else f"<= {upper}"
    return f"* #variable= {n} #constraint= 1\n{terms} {bound} ;\n".encode()


@pytest.mark.parametrize("encoder", FAMILIES)
def test_every_clause_is_derived_at_every_bound_of_up_to_20_inputs(encoder) -> None:
    for n in range(2, 21):
        for lower, upper in {(0, 1), (1, 1), (1, n), (0, n - 1), (n - 1, n - 1), (n - 1, n)}:
            found = check_encoding(*certificate(opb(n, lower, upper), encoder))
            if n > 2:
                assert found.clauses == ENCODERS[encoder].size(n, lower, upper).clauses


@pytest.mark.parametrize("encoder", FAMILIES)
def test_every_clause_is_derived_where_rows_are_halved(encoder) -> None:
    for n, lower, upper in [(65, 1, 1), (100, 0, 1), (70, 69, 70), (131, 130, 130)]:
        size = ENCODERS[encoder].size(n, lower, upper)
        assert check_encoding(*certificate(opb(n, lower, upper), encoder)).clauses == size.clauses


@pytest.mark.parametrize("encoder", FAMILIES)
def test_a_clause_left_out_or_changed_is_refused(encoder) -> None:
    problem, cnf, proof = certificate(opb(8, 1, 1), encoder)
    head, *clauses = cnf.decode().splitlines()
    variables = head.split()[2]
    for place, clause in enumerate(clauses):
        lits = clause.split()[:-1]
        changed = [" ".join([*lits[1:], "0"]), " ".join([str(-int(lits[0])), *lits[1:], "0"])]
        for wrong in ([], *([line] for line in changed)):
            left = [*clauses[:place], *wrong, *clauses[place + 1 :]]
            text = "\n".join([f"p cnf {variables} {len(left)}", *left, ""])
            with pytest.raises(ProofFormatError, match=r"is not what constraint|clauses are"):
                check_encoding(problem, text.encode(), proof)


def given_sum(
    encoder: str, n: int, guard: int | None = None, bounds: tuple[int, int] = (1, 1)
) -> tuple[EncodedSum, DerivationState, bytes]:
    """Bounds of n inputs unless the guard is true; what is encoded has it in every clause."""
    state, own = DerivationState(Derivation(formula=2)), [] if guard is None else [guard]
    (lower, upper), text = bounds, f"* #variable= {n + len(own)} #constraint= 2\n"
    for sign, least in ((1, lower), (-1, n - upper)):
        terms = [(1, sign * v) for v in range(1, n + 1)] + [(least, g) for g in own]
        state.declare(len(state.rows) + 1, terms, least)
        words = [f"+{weight} {'~' * (lit < 0)}x{abs(lit)}" for weight, lit in terms]
        text += f"{' '.join(words)} >= {least} ;\n"
    formula = Formula(num_vars=n + len(own))
    encode(Cardinality(range(1, n + 1), lower, upper), formula, encoder)
    clauses = [[*own, *clause] for clause in formula.clauses()]
    numbers = 1 if lower > 0 else None, 2 if upper < n else None
    lits, first = tuple(range(1, n + 1)), n + len(own) + 1
    of = EncodedSum(ENCODERS[encoder], lits, (1,) * n, *bounds, *numbers, first, clauses)
    return of, state, text.encode()


@pytest.mark.parametrize("encoder", FAMILIES)
def test_a_further_literal_of_the_rows_goes_into_every_clause(encoder) -> None:
    cases = [*product([3, 7, 12, 40], [(0, 1), (1, 1)]), (5, (1, 4)), (8, (7, 7)), (2, (1, 1))]
    for n, bounds in cases:
        of, state, problem = given_sum(encoder, n, n + 1, bounds)
        numbers = derive_sum(of, state)
        stream = io.BytesIO()
        write_proof(state.derivation, stream)
        checked = check_proof(problem, stream.getvalue())
        found = [checked.constraints[number].clause for number in numbers]
        assert found == [frozenset(clause) for clause in of.clauses]


@pytest.mark.parametrize("encoder", FAMILIES)
def test_a_clause_without_one_of_its_literals_cannot_be_derived(encoder) -> None:
    """None of the clauses of exactly one has a literal too many."""
    clauses = [*given_sum(encoder, 9)[0].clauses]
    for place, clause in enumerate(clauses):
        for lit in clause:
            of, state, _ = given_sum(encoder, 9)
            wrong = [other for other in clause if other != lit]
            assert isinstance(of.clauses, list)
            of.clauses[place] = wrong
            with pytest.raises(UnderivableError, match="is not found by propagation"):
                derive_sum(of, state)


@pytest.mark.parametrize(("n", "size"), [*product([3, 4, 9, 33, 50], [1, 2, 3, 4, 7, 50])])
def test_the_groups_of_bimander_may_have_any_size(n, size) -> None:
    of, state, _ = given_sum("bimander", n)
    formula = Formula(num_vars=n)
    encode(Cardinality(range(1, n + 1), 1, 1), formula, Bimander(size))
    clauses = [*formula.clauses()]
    sized = EncodedSum(Bimander(size), of.lits, of.weights, 1, 1, 1, 2, of.first, clauses)
    assert len(derive_sum(sized, state)) == len(clauses)


@pytest.mark.parametrize("encoder", FAMILIES)
def test_steps_are_few_and_the_rows_that_clauses_are_found_on_are_short(encoder) -> None:
    of, state, _ = given_sum(encoder, 600)
    derive_sum(of, state)
    steps = state.derivation.steps
    assert len(steps) <= 2.1 * len(of.clauses)
    hinted = [step.ids for step in steps if hasattr(step, "ids") and len(step.ids) == 1]
    assert len(hinted) >= len(of.clauses) - 1
    literals = sum(len(state.rows[number].coefficients) for (number,) in hinted)
    assert literals <= 40 * len(of.clauses)


@pytest.mark.parametrize("encoder", FAMILIES)
def test_many_constraints_of_one_file_have_variables_of_their_own(encoder) -> None:
    random = Random(5)
    lines = ["* #variable= 30 #constraint= 12\n"]
    for _ in range(12):
        lits = [f"{'~' * random.randint(0, 1)}x{v}" for v in random.sample(range(1, 31), 10)]
        relation = random.choice(["<= 1", "= 1", ">= 9", "<= 9"])
        lines.append(f"{' '.join(f'+1 {lit}' for lit in lits)} {relation} ;\n")
    assert check_encoding(*certificate("".join(lines).encode(), encoder)).constraints >= 12
