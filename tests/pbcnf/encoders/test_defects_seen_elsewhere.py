"""Defects measured in python-sat 1.9.dev17, each as a claim that it does not happen here."""

import io
from itertools import product
from typing import Any

import numpy as np
import pytest
from pysat.solvers import Solver

from pbcnf import ENCODERS, Cardinality, Formula, PseudoBoolean, dimacs, encode, find_encoder
from pbcnf.encoders.table import expresses
from pbcnf.formats.problems import open_problem

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


@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.parametrize(("lower", "upper"), [(0, 3), (0, 0), (3, 3), (-5, 9), (4, 9), (0, -1)])
def test_trivial_bounds_leave_the_number_of_variables_alone(name, lower, upper):
    formula = Formula(num_vars=10)
    encode(Cardinality([1, 2, 3], lower, upper), formula, name)
    assert formula.num_vars == 10


def test_inputs_that_were_not_allocated_cannot_collide_with_auxiliaries():
    formula = Formula(num_vars=2)
    with pytest.raises(ValueError, match="variable 3 is not allocated"):
        encode(Cardinality([1, 2, 3, 4], upper=2), formula, "totalizer")


@pytest.mark.parametrize("name", GENERAL)
def test_what_an_encoder_emits_can_be_written_with_an_exact_header(name):
    formula = Formula(num_vars=8)
    encode(Cardinality(range(1, 9), 3, 3), formula, name)
    header, *clauses = dimacs(formula).splitlines()
    assert header == f"p cnf {formula.num_vars} {len(clauses)}"


def test_declared_variables_survive_writing_and_reading():
    formula = Formula(num_vars=9)
    formula.add_clause([1, 2])
    text = dimacs(formula)
    assert text.startswith("p cnf 9 1\n")
    assert open_problem(lambda: io.BytesIO(text.encode()), "f").num_vars == 9


@pytest.mark.parametrize(
    "text", ["p cnf 2 2\n1\n2 0\n-1 0\n", "p cnf 2 2\n1 2 0 -1 0\n"], ids=["spanning", "sharing"]
)
def test_clauses_may_span_lines_and_share_them(text):
    constraints = open_problem(lambda: io.BytesIO(text.encode()), "f").constraints
    assert [constraint.lits for constraint in constraints] == [(1, 2), (-1,)]


@pytest.mark.parametrize("k", range(-1, 10))
@pytest.mark.parametrize("name", GENERAL)
def test_every_bound_has_an_encoding_even_one_that_is_out_of_range(oracle, name, k):
    formula = Formula(num_vars=5)
    encode(Cardinality(range(1, 6), k, k), formula, name)
    models = oracle.projected_models(list(formula.clauses()), 5)
    assert models == {m for m in product((1, -1), repeat=5) if m.count(1) == k}


def test_a_clue_has_an_encoding_without_auxiliary_variables():
    formula = Formula(num_vars=8)
    encode(Cardinality(range(1, 9), 4, 4), formula, "direct")
    assert (formula.num_vars, formula.num_clauses) == (8, 112)


@pytest.mark.parametrize(
    "lits",
    [iter([1, 2, 3]), (v for v in (1, 2, 3)), np.array([1, 2, 3]), {1: 0, 2: 0, 3: 0}, range(1, 4)],
    ids=["iterator", "generator", "array", "dictionary", "range"],
)
def test_literals_may_come_in_any_iterable(lits):
    formula = Formula(num_vars=3)
    encode(Cardinality(lits, 1, 1), formula)
    assert list(formula.clauses()) == [[-1, -2], [-1, -3], [-2, -3], [1, 2, 3]]


@pytest.mark.parametrize("name", ["totalizer", "sequential_counter"])
def test_a_counter_bounds_from_both_sides_and_takes_its_variables_from_the_formula(oracle, name):
    formula = Formula(num_vars=4)
    formula.new_vars(6)
    encoder: Any = find_encoder(name)
    count = encoder.count([1, 2, 3, 4], 4, formula)
    assert min(count.outputs) > 10
    for lower, upper in [(1, 2), (2, 2), (0, 3), (3, 4)]:
        bounds = [[lit] for lit in (*count.at_least(lower), *count.at_most(upper))]
        models = oracle.projected_models([*formula.clauses(), *bounds], 4)
        assert {m.count(1) for m in models} == set(range(lower, upper + 1))


def test_models_can_be_counted_where_parsimony_is_claimed(oracle):
    # There at most 2 of 4 has 29 models instead of 11 by seqcounter.
    for name in GENERAL:
        encoder = ENCODERS[name]
        for lower, upper in ((0, 2), (2, 2), (1, 3)):
            if encoder.parsimonious(4, lower, upper):
                formula = Formula(num_vars=4)
                encode(Cardinality([1, 2, 3, 4], lower, upper), formula, name)
                assert oracle.extends_uniquely(list(formula.clauses()), 4, formula.num_vars)
    assert ENCODERS["direct"].parsimonious(4, 0, 2)


def test_negative_weights_are_moved_to_the_negated_literal():
    weighted, counted = Formula(num_vars=3), Formula(num_vars=3)
    encode(PseudoBoolean([1, 2, 3], [1, -1, 1], lower=1), weighted, "totalizer")
    encode(Cardinality([1, -2, 3], lower=2), counted, "totalizer")
    assert list(weighted.clauses()) == list(counted.clauses())
