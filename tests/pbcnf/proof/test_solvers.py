"""What solvers log passes if it is right, on every road to a verdict."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from pysat.solvers import Solver

from pbcnf.proof import (
    Addition,
    check_drat,
    check_lrat,
    parse_drat,
    session_lemmas,
    to_lrat,
)

RIGHT = ["cadical153", "cadical195", "glucose4", "maplechrono", "lingeling"]
Clauses = list[list[int]]


def test_proofs_of_maplesat_are_refused_because_every_variable_is_shifted(
    refuted: dict[str, Clauses], prove: Callable[..., bytes]
) -> None:
    # Three holes are so symmetric that the shifted proof is one too.
    for clauses in (clauses for name, clauses in refuted.items() if name != "pigeonhole 3"):
        proof = parse_drat(prove("maplesat", clauses))
        checked = check_drat(clauses, proof)
        assert not checked
        by = [
            Addition(tuple(lit - 1 if lit > 0 else lit + 1 for lit in step.literals))
            for step in session_lemmas(proof)
        ]
        assert check_drat(clauses, by)


@pytest.mark.parametrize("name", RIGHT)
def test_an_empty_clause_that_a_solver_logs_under_assumptions_is_refused(
    name: str, refuted: dict[str, Clauses]
) -> None:
    clauses = [[-50, *clause] for clause in refuted["random 20"]]
    with Solver(name, bootstrap_with=clauses, with_proof=True) as solver:
        assert not solver.solve(assumptions=[50])
        proof = parse_drat("\n".join(line.strip() for line in solver.get_proof()).encode())
    assert not check_drat(clauses, proof)
    assert check_drat(clauses, session_lemmas(proof), goals=[[-50]])
    assert not check_drat(clauses, session_lemmas(proof), goals=[[50]])
    assert check_drat([*clauses, [50]], session_lemmas(proof))


@pytest.mark.parametrize("name", RIGHT)
def test_one_session_proves_all_its_backbone_and_nothing_else(
    name: str, formulas: SimpleNamespace
) -> None:
    clauses = formulas.random(random.Random(8), 30, 115)
    with Solver(name, bootstrap_with=clauses, with_proof=True) as solver:
        literals = [sign * var for var in range(1, 31) for sign in (1, -1)]
        certain = [lit for lit in literals if not solver.solve(assumptions=[-lit])]
        open_literals = [lit for lit in literals if lit not in certain]
        lines = "\n".join(line.strip() for line in solver.get_proof()).encode()
    assert certain
    assert open_literals
    lemmas = session_lemmas(parse_drat(lines))
    goals = [[lit] for lit in certain]
    assert check_drat(clauses, lemmas, goals=goals)
    for lit in open_literals:
        assert not check_drat(clauses, lemmas, goals=[*goals, [lit]])
    hints = to_lrat(clauses, lemmas, goals=goals)
    assert check_lrat(clauses, hints, goals=goals)
    assert not check_lrat(clauses, hints, goals=[*goals, [open_literals[0]]])
    some_wrong = [*clauses, [-lit for lit in certain]]
    assert check_drat(some_wrong, [*lemmas, *(Addition((lit,)) for lit in certain)])
