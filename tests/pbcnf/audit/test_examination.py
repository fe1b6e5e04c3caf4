"""One encoding at a time: against a naive oracle on random clauses, and on planted defects."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import EncodingSize
from pbcnf.audit import Property, audit_clauses, audit_truth, truth
from pbcnf.emission.dispatch import template
from tests.oracles import models, true_literals, unit_propagation


def number_of_models(clauses, num_vars, lits):
    """The number of models that have the literals."""
    return sum(lits <= true_literals(bits) for bits in models(clauses, num_vars))


def in_order(n):
    """All partial assignments as the audit tries them: few inputs, first inputs, true first."""
    every = product((1, -1, 0), repeat=n)
    return sorted(every, key=lambda a: sum(map(bool, a)))


def naive(clauses, num_vars, n, solutions):
    """What the audit should find: property -> (inputs, literal) of the first counter-example."""
    found = {}

    def note(prop, inputs, literal=None):
        found.setdefault(prop, (tuple(inputs), literal))

    missed = []
    for assignment in in_order(n):
        lits = [value * var for var, value in enumerate(assignment, start=1) if value]
        completions = [s for s in solutions if set(lits) <= set(s)]
        known = unit_propagation(clauses, lits)
        if len(lits) == n:
            number = number_of_models(clauses, num_vars, set(lits))
            if bool(number) != bool(completions):
                note(Property.CORRECT, lits)
            if completions and number != 1:
                note(Property.PARSIMONIOUS, lits)
        if not completions:
            if known is not None:
                note(Property.DETECTS, lits)
            continue
        if known is None:
            continue
        for var in range(1, n + 1):
            for lit in (var, -var):
                forced = lit not in lits and all(lit in s for s in completions)
                if forced and lit not in known:
                    missed.append((lits, lit))
    if missed:
        note(Property.ARC_CONSISTENT, *missed[0])
    elif Property.DETECTS in found:
        note(Property.ARC_CONSISTENT, *found[Property.DETECTS])
    return found


def table_of(n, solutions):
    table = np.zeros((2,) * n, dtype=bool)
    for solution in solutions:
        table[tuple(int(lit > 0) for lit in solution)] = True
    return table


@st.composite
def cases(draw):
    n = draw(st.integers(0, 4))
    num_vars = n + draw(st.integers(0, 3))
    lits = st.integers(1, num_vars).flatmap(lambda v: st.sampled_from((v, -v)))
    clause = st.lists(lits, min_size=1, max_size=4) if num_vars else st.just([])
    clauses = draw(st.lists(clause, max_size=9))
    every = [*product(*[(v, -v) for v in range(1, n + 1)])]
    if draw(st.booleans()):  # the clauses are correct, whatever else they are
        solutions = [a for a in every if number_of_models(clauses, num_vars, set(a))]
    else:
        solutions = draw(st.lists(st.sampled_from(every), unique=True))
    return clauses, num_vars, n, solutions


@given(cases())
@settings(max_examples=150)
def test_random_clauses_are_judged_as_a_naive_oracle_judges_them(case):
    clauses, num_vars, n, solutions = case
    audit = audit_truth(clauses, num_vars, n, truth(table_of(n, solutions)))
    found = {prop: (why.inputs, why.literal) for prop, why in audit.failures.items()}
    assert found == naive(clauses, num_vars, n, solutions)
    assert audit.judged == set(Property) - {Property.EXACT_SIZE, Property.RECORDED}


@pytest.mark.parametrize("name", ["totalizer", "sequential_counter", "direct"])
def test_encodings_are_judged_as_the_oracle_of_the_tests_judges_them(oracle, name):
    for n, lower, upper in [(4, 0, 2), (4, 2, 2), (5, 1, 3), (5, 2, 4)]:
        encoding = template(name, n, lower, upper)
        for lost in range(len(encoding.clauses)):
            rest = [c for place, c in enumerate(encoding.clauses) if place != lost]
            audit = audit_clauses(rest, n + encoding.auxiliaries, [1] * n, lower, upper)
            conflicts, forced = oracle.missed(rest, n, lower, upper)
            assert audit.holds(Property.DETECTS) == (not conflicts)
            assert audit.holds(Property.ARC_CONSISTENT) == (not conflicts and not forced)
            every = product((1, -1), repeat=n)
            solutions = {a for a in every if lower <= a.count(1) <= upper}
            correct = oracle.projected_models(rest, n) == solutions
            assert audit.holds(Property.CORRECT) == correct
            if correct:
                unique = oracle.extends_uniquely(rest, n, n + encoding.auxiliaries)
                assert audit.holds(Property.PARSIMONIOUS) == unique


AT_MOST_ONE_OF_THREE = [[-1, -2], [-1, -3], [-2, -3]]


def failures(clauses, num_vars=3, weights=(1, 1, 1), lower=0, upper=1, predicted=None):
    audit = audit_clauses(clauses, num_vars, weights, lower, upper, predicted)
    return {prop: (why.problem, why.inputs, why.literal) for prop, why in audit.failures.items()}


CORRECT, PARSIMONIOUS = Property.CORRECT, Property.PARSIMONIOUS
DETECTS, ARC_CONSISTENT = Property.DETECTS, Property.ARC_CONSISTENT
TOO_MANY, MISSING, SEVERAL = "a model too many", "a model is missing", "several models"
PASSED = "no completion, but no conflict by unit propagation"
UNFORCED = " holds in every completion, but not by unit propagation"
FREE = [[-aux, aux + 1] for aux in range(4, 1500)]


@pytest.mark.parametrize(
    ("clauses", "num_vars", "n", "expected"),
    [
        # A lost clause lets in a model, a clause too many loses one.
        (AT_MOST_ONE_OF_THREE[:2], 3, 3,
         {CORRECT: (TOO_MANY, (-1, 2, 3), None), DETECTS: (PASSED, (2, 3), None),
          ARC_CONSISTENT: ("-3" + UNFORCED, (2,), -3)}),
        ([*AT_MOST_ONE_OF_THREE, [2, 3]], 3, 3,
         {CORRECT: (MISSING, (1, -2, -3), None), PARSIMONIOUS: (MISSING, (1, -2, -3), None)}),
        # A conflict behind an auxiliary variable forces nothing, behind two it is not found.
        ([[-1, -2, 3], [-1, -2, -3]], 3, 2,
         {PARSIMONIOUS: (SEVERAL, (1, -2), None), ARC_CONSISTENT: ("-2" + UNFORCED, (1,), -2)}),
        ([[-1, -2, a, b] for a in (3, -3) for b in (4, -4)], 4, 2,
         {PARSIMONIOUS: (SEVERAL, (1, -2), None), DETECTS: (PASSED, (1, 2), None),
          ARC_CONSISTENT: ("-2" + UNFORCED, (1,), -2)}),
        # Auxiliary variables that occur nowhere, or are many, are free.
        (AT_MOST_ONE_OF_THREE, 4, 3, {PARSIMONIOUS: (SEVERAL, (1, -2, -3), None)}),
        (AT_MOST_ONE_OF_THREE + FREE, 1500, 3, {PARSIMONIOUS: (SEVERAL, (1, -2, -3), None)}),
    ],
)  # fmt: skip
def test_a_defect_is_shown_by_its_smallest_assignment(clauses, num_vars, n, expected):
    assert failures(clauses, num_vars, (1,) * n) == expected


@pytest.mark.parametrize("wrong", [(1, 3, 6), (0, 2, 6), (0, 3, 5)])
def test_a_wrong_size_is_told_beside_the_right_one(wrong):
    assert failures(AT_MOST_ONE_OF_THREE, predicted=EncodingSize(0, 3, 6)) == {}
    found = failures(AT_MOST_ONE_OF_THREE, predicted=EncodingSize(*wrong))
    assert found.keys() == {Property.EXACT_SIZE}
    emitted = "emitted 0 variables, 3 clauses, 6 literals"
    variables = "1 variable" if wrong[0] == 1 else f"{wrong[0]} variables"
    predicted = f"predicted {variables}, {wrong[1]} clauses, {wrong[2]} literals"
    assert found[Property.EXACT_SIZE][0] == f"{emitted}; {predicted}"


def test_weights_and_huge_ones_are_added_exactly():
    weights = (2**70, 2**70 + 1)
    assert failures([[-2]], 2, weights, 0, 2**70) == {}
    assert failures([[-2]], 2, weights, 0, 2**70 + 1)[Property.CORRECT][1] == (-1, 2)


def test_a_constraint_that_never_holds_needs_the_empty_clause_to_be_detected():
    assert failures([[]], 3, lower=3, upper=2) == {}
    assert failures([[1, 2]], 3, lower=3, upper=2)[Property.DETECTS][1] == ()


@pytest.mark.parametrize("clause", [[0], [4], [-4, 1]])
def test_a_literal_outside_the_variables_is_refused(clause):
    with pytest.raises(ValueError, match="in a formula of 3 variables"):
        failures([clause])


def test_more_inputs_than_brute_force_can_do_are_refused():
    with pytest.raises(ValueError, match="at most 8"):
        failures([], 9, (1,) * 9)
