"""The table of encoders, and defects of python-sat 1.9.dev17 that no encoder of the table has."""

import numpy as np
import pytest
from pysat.solvers import Solver

from pbcnf import ENCODERS, Cardinality, Formula, PseudoBoolean, encode, find_encoder
from pbcnf.emission.dispatch import template
from pbcnf.encoders.table import expresses


def test_the_table_cannot_be_written():
    with pytest.raises(TypeError):
        ENCODERS["mine"] = ENCODERS["direct"]


@pytest.mark.parametrize("name", ENCODERS)
def test_an_encoder_stands_under_its_own_name_and_is_a_hashable_value(name):
    encoder = ENCODERS[name]
    assert encoder.name == name
    assert encoder == type(encoder)()
    assert len({encoder, type(encoder)()}) == 1


@pytest.mark.parametrize("use", [find_encoder, lambda name: template(name, 3, 1, 1)])
def test_an_unknown_name_lists_the_names_and_suggests_one(use):
    with pytest.raises(
        ValueError, match=r"'totaliser'; did you mean 'totalizer'\? \(known: direct, pairwise"
    ):
        use("totaliser")
    # Even for a trivial bound.
    with pytest.raises(ValueError, match=r"unknown encoder 'x' \(known: direct"):
        encode(Cardinality([], 0, 0), Formula(), "x")


@pytest.mark.parametrize("name", [name for name in ENCODERS if expresses(name, 8, 3, 3)])
def test_a_clue_0_does_not_give_its_variables_to_the_next_clue(name):
    # There the number of variables falls to 3 after a clue 0, and the auxiliary variables of the
    # next clues collide with cells: five to six unconstrained cells get a certain verdict.
    formula = Formula(num_vars=12)
    for lits, mines in (([1, 2, 3], 0), ([3, 4, 5, 6], 2), ([4, 5], 2)):
        encode(Cardinality(lits, mines, mines), formula, name)
    with Solver("glucose4", bootstrap_with=list(formula.clauses())) as solver:
        possible = [(solver.solve([-v]), solver.solve([v])) for v in range(1, 13)]
    verdicts = "".join("?" if both == (True, True) else "SM"[both[1]] for both in possible)
    assert verdicts == "SSSMMS??????"


@pytest.mark.parametrize(
    "lits",
    [iter([1, 2, 3]), (v for v in (1, 2, 3)), np.array([1, 2, 3]), {1: 0, 2: 0, 3: 0}, range(1, 4)],
    ids=["iterator", "generator", "array", "dictionary", "range"],
)
def test_literals_may_come_in_any_iterable(lits):
    formula = Formula(num_vars=3)
    encode(Cardinality(lits, 1, 1), formula)
    assert list(formula.clauses()) == [[-1, -2], [-1, -3], [-2, -3], [1, 2, 3]]


@pytest.mark.parametrize(
    ("weighted", "counted"),
    [
        (PseudoBoolean([1, 2, 3], [1, -1, 1], lower=1), Cardinality([1, -2, 3], lower=2)),
        (PseudoBoolean([1, -2, 3], [5, 5, 5], 3, 11), Cardinality([1, -2, 3], 1, 2)),
    ],
    ids=["negative weights are of the negated literal", "a common weight is 1"],
)
def test_weights_that_only_count_are_encoded_by_any_encoder(weighted, counted):
    formulas = Formula(num_vars=3), Formula(num_vars=3)
    for constraint, formula in zip((weighted, counted), formulas, strict=True):
        encode(constraint, formula, "totalizer")
    assert list(formulas[0].clauses()) == list(formulas[1].clauses())
