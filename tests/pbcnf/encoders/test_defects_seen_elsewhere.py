"""Defects measured in python-sat 1.9.dev17, each as a claim that it does not happen here."""

import numpy as np
import pytest
from pysat.solvers import Solver

from pbcnf import ENCODERS, Cardinality, Formula, PseudoBoolean, dimacs, encode
from pbcnf.encoders.table import expresses

GENERAL = [name for name in ENCODERS if expresses(name, 8, 3, 3)]


def backbone(formula, n):
    """Each input as S (false in every model), M (true in every one) or ?, by a solver."""
    with Solver("glucose4", bootstrap_with=list(formula.clauses())) as solver:
        possible = [(solver.solve([-v]), solver.solve([v])) for v in range(1, n + 1)]
    return "".join("?" if both == (True, True) else "SM"[both[1]] for both in possible)


@pytest.mark.parametrize("name", GENERAL)
def test_a_clue_0_does_not_give_its_variables_to_the_next_clue(name):
    # There the number of variables falls to 3 after a clue 0, and the auxiliary variables of the
    # next clues collide with cells: five to six unconstrained cells get a certain verdict.
    formula = Formula(num_vars=12)
    for lits, mines in (([1, 2, 3], 0), ([3, 4, 5, 6], 2), ([4, 5], 2)):
        encode(Cardinality(lits, mines, mines), formula, name)
    assert backbone(formula, 12) == "SSSMMS??????"


@pytest.mark.parametrize("name", GENERAL)
def test_what_an_encoder_emits_can_be_written_with_an_exact_header(name):
    formula = Formula(num_vars=8)
    encode(Cardinality(range(1, 9), 3, 3), formula, name)
    header, *clauses = dimacs(formula).splitlines()
    assert header == f"p cnf {formula.num_vars} {len(clauses)}"


@pytest.mark.parametrize(
    "lits",
    [iter([1, 2, 3]), (v for v in (1, 2, 3)), np.array([1, 2, 3]), {1: 0, 2: 0, 3: 0}, range(1, 4)],
    ids=["iterator", "generator", "array", "dictionary", "range"],
)
def test_literals_may_come_in_any_iterable(lits):
    formula = Formula(num_vars=3)
    encode(Cardinality(lits, 1, 1), formula)
    assert list(formula.clauses()) == [[-1, -2], [-1, -3], [-2, -3], [1, 2, 3]]


def test_negative_weights_are_moved_to_the_negated_literal():
    weighted, counted = Formula(num_vars=3), Formula(num_vars=3)
    encode(PseudoBoolean([1, 2, 3], [1, -1, 1], lower=1), weighted, "totalizer")
    encode(Cardinality([1, -2, 3], lower=2), counted, "totalizer")
    assert list(weighted.clauses()) == list(counted.clauses())
