"""The modulo totalizers: all clauses derived at all bounds, and no others accepted."""

from __future__ import annotations

import io
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, Formula, encode
from pbcnf.derivation import BoundIds, Derivation, write_proof
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import derive_sum
from pbcnf.derivation.modulo_totalizers import filled
from pbcnf.derivation.opb import derive_problem
from pbcnf.emission.whole_problems import Choices, suited
from pbcnf.encoders.table import find_encoder
from pbcnf.proof.cutting_planes.encodings import ProvedClauses, check_encoding
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.format_error import ProofFormatError

BOTH = ["modulo_totalizer", "k_modulo_totalizer"]


def made(
    lits: list[int], lower: int, upper: int, encoder: str
) -> tuple[bytes, list[list[int]], int, bytes]:
    """The problem with a row for each bound, clauses, variables, proof."""
    row = " ".join(f"+1 {'~' * (lit < 0)}x{abs(lit)}" for lit in lits)
    raw = f"* #variable= {len(lits)} #constraint= 2\n{row} >= {lower} ;\n{row} <= {upper} ;\n"
    constraint = Cardinality(lits, lower, upper)
    numbers = BoundIds(1 if lower > 0 else None, 2 if upper < len(lits) else None)
    found = derive_problem([(constraint, numbers)], len(lits), 2, Choices(**suited(encoder)))
    stream = io.BytesIO()
    write_proof(found.derivation, stream)
    clauses = [[*clause] for clause in found.formula.clauses()]
    return raw.encode(), clauses, found.formula.num_vars, stream.getvalue()


def dimacs(clauses: list[list[int]], variables: int) -> bytes:
    lines = [f"p cnf {variables} {len(clauses)}"]
    lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join([*lines, ""]).encode()


def require_derived(lits: list[int], lower: int, upper: int, encoder: str) -> None:
    raw, clauses, variables, proof = made(lits, lower, upper, encoder)
    assert check_encoding(raw, dimacs(clauses, variables), proof).clauses == len(clauses)


def require_derived_at_every_bound(n: int, encoder: str) -> None:
    for lower, upper in product(range(n + 1), repeat=2):
        if lower <= upper:
            require_derived([*range(1, n + 1)], lower, upper, encoder)


@pytest.mark.parametrize("encoder", BOTH)
@pytest.mark.parametrize("n", [2, 5, 8, 9, 12])
def test_every_clause_is_derived_at_every_bound(encoder: str, n: int) -> None:
    require_derived_at_every_bound(n, encoder)


@pytest.mark.slow
@pytest.mark.parametrize("encoder", BOTH)
@pytest.mark.parametrize("n", [3, 4, 6, 7, 10, 11, *range(13, 17)])
def test_every_clause_is_derived_at_every_bound_of_further_sums(encoder: str, n: int) -> None:
    require_derived_at_every_bound(n, encoder)


@settings(max_examples=25, deadline=None)
@given(st.integers(13, 60), st.sampled_from(BOTH), st.data())
def test_larger_sums_of_negated_literals_in_any_order_are_derived(n, encoder, data) -> None:
    one, other = (data.draw(st.integers(0, n)) for _ in range(2))
    lower, upper = data.draw(st.sampled_from([(one, one), (0, one), (one, n), (one, other)]))
    random = Random(n)
    lits = [var * random.choice((1, -1)) for var in random.sample(range(1, n + 1), n)]
    require_derived(lits, min(lower, upper), max(lower, upper), encoder)


@pytest.mark.parametrize("encoder", BOTH)
@pytest.mark.parametrize(("lower", "upper"), [(0, 7), (7, 15), (6, 6), (4, 9), (9, 9), (0, 8)])
def test_a_clause_left_out_or_changed_is_refused(encoder: str, lower: int, upper: int) -> None:
    raw, clauses, variables, proof = made([*range(1, 16)], lower, upper, encoder)
    proved = ProvedClauses.of(raw, proof)
    random = Random(lower + 16 * upper)
    for place in random.sample(range(len(clauses)), 20):
        clause = clauses[place]
        gone = random.randrange(len(clause))
        others = [
            [],
            [clause[:gone] + clause[gone + 1 :]],
            [[-lit if at == gone else lit for at, lit in enumerate(clause)]],
        ]
        for other in others:
            changed = [*clauses[:place], *other, *clauses[place + 1 :]]
            with pytest.raises(ProofFormatError):
                proved.check(dimacs(changed, variables))


@pytest.mark.parametrize("encoder", BOTH)
@pytest.mark.parametrize(("lower", "upper"), [(0, 7), (8, 15), (6, 6), (4, 9)])
def test_a_weaker_bound_does_not_imply_the_clauses(encoder: str, lower: int, upper: int) -> None:
    raw, clauses, variables, proof = made([*range(1, 16)], lower, upper, encoder)
    for bound, weaker in [(f">= {lower}", f">= {lower - 1}"), (f"<= {upper}", f"<= {upper + 1}")]:
        if bound not in (">= 0", "<= 15"):
            changed = raw.replace(bound.encode(), weaker.encode())
            with pytest.raises(ProofError):
                check_encoding(changed, dimacs(clauses, variables), proof)


@pytest.mark.parametrize("encoder", BOTH)
@pytest.mark.parametrize("lower", [0, 3, 4, 7])
@pytest.mark.parametrize("upper", [7, 8, 13, 14])
def test_clauses_under_a_literal_that_implies_the_bounds_are_derived(
    encoder: str, lower: int, upper: int
) -> None:
    n = 14
    if (lower, upper) == (0, n):
        return
    lits, guard = tuple(range(1, n + 1)), -(n + 1)
    bare, formula = Formula(num_vars=n + 1), Formula()
    encode(Cardinality(lits, lower, upper), bare, encoder)
    formula.new_vars(bare.num_vars)
    for clause in bare.clauses():
        formula.add_clause([*clause, guard])
    state = DerivationState(Derivation(formula=2))
    state.last_var = formula.num_vars
    terms = [(1, lit) for lit in lits], [(1, -lit) for lit in lits]
    degrees = lower, n - upper
    state.declare(1, [*terms[0], (lower, guard)], lower)
    state.declare(2, [*terms[1], (n - upper, guard)], n - upper)
    numbers = 1 if lower else None, 2 if upper < n else None
    clauses = [[*clause] for clause in formula.clauses()]
    of = EncodedSum(find_encoder(encoder), lits, (1,) * n, lower, upper, *numbers, n + 2, clauses)
    kept = set(derive_sum(of, state))
    state.delete(number for number in [*state.rows] if number > 2 and number not in kept)
    stream = io.BytesIO()
    write_proof(state.derivation, stream)
    rows = [
        " ".join(f"+{w} {'~' * (lit < 0)}x{abs(lit)}" for w, lit in [*some, (degree, guard)])
        + f" >= {degree} ;\n"
        for some, degree in zip(terms, degrees, strict=True)
    ]
    raw = "".join(rows).encode()
    checked = check_encoding(raw, dimacs(clauses, formula.num_vars), stream.getvalue())
    assert checked.clauses == bare.num_clauses


def test_variables_of_the_proof_alone_come_after_those_of_all_clauses() -> None:
    row = " ".join(f"+1 x{var}" for var in range(1, 13))
    raw = f"{row} <= 5 ;\n{row} >= 5 ;\n".encode()
    upper, lower = Cardinality(range(1, 13), 0, 5), Cardinality(range(1, 13), 5, 12)
    choices = Choices(**suited("k_modulo_totalizer"))
    found = derive_problem([(upper, BoundIds(upper=1)), (lower, BoundIds(lower=2))], 12, 2, choices)
    stream = io.BytesIO()
    write_proof(found.derivation, stream)
    last = found.formula.num_vars
    words = stream.getvalue().split()
    assert max(int(word[1:]) for word in words if word.startswith(b"x")) == last + 5 + 7
    clauses = [[*clause] for clause in found.formula.clauses()]
    assert check_encoding(raw, dimacs(clauses, last), stream.getvalue()).variables == last


@pytest.mark.parametrize(("n", "most"), [(2, 1), (5, 1), (5, 4), (6, 3), (7, 5)])
def test_inputs_are_filled_up_to_exactly_so_many_and_none_is_lost(n: int, most: int) -> None:
    """By truth tables: what each row of the derivation says holds of what is filled up by hand."""
    lits = [var * (-1) ** var for var in range(1, n + 1)]
    state = DerivationState(Derivation(1))
    state.last_var = n
    bound = state.declare(1, [(1, -lit) for lit in lits], n - most)
    found = filled(lits, most, bound, state)
    assert set(found.implied) == {-lit for lit in lits[:most]}
    for values in product((False, True), repeat=n):
        if sum(values) > most:
            continue
        now = list(values)
        for place in reversed(range(most)):
            now[place] = now[place] or sum(now[place + 1 :]) < most - place
        assert sum(now) == most
        truth = {abs(lit): (lit > 0) == value for lit, value in zip(lits, values, strict=True)}
        truth |= {abs(lit): (lit > 0) == value for lit, value in zip(found.lits, now, strict=True)}
        for row in state.rows.values():
            assert sum(c for var, c in row.coefficients.items() if truth[var]) >= row.degree
    said = [state.rows[number] for number in (found.at_least, found.at_most)]
    signs = {abs(lit): 1 if lit > 0 else -1 for lit in found.lits}
    exact = most - sum(lit < 0 for lit in found.lits)
    assert [(dict(row.coefficients), row.degree) for row in said] == [
        (signs, exact),
        ({var: -sign for var, sign in signs.items()}, -exact),
    ]
