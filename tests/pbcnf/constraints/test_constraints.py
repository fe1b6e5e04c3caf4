"""Constraints, objectives and problems as values: what they hold, and what they refuse."""

import dataclasses
from itertools import product

import numpy as np
import pytest

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem


def test_bounds_default_to_the_reachable_range():
    counted, weighted = Cardinality([1, -2, 2]), PseudoBoolean([1, 2, 3], [3, -2, -4])
    assert (counted.lower, counted.upper) == (0, 3)
    assert (weighted.lower, weighted.upper) == (-6, 3)


def test_a_cardinality_holds_iff_the_count_is_within_bounds():
    lits = [1, -2, 3, 3]
    for signs in product((1, -1), repeat=3):
        model = {sign * var for var, sign in enumerate(signs, start=1)}
        count = (1 in model) + (-2 in model) + 2 * (3 in model)
        for lower, upper in product(range(-1, 6), repeat=2):
            assert Cardinality(lits, lower, upper).holds(model) == (lower <= count <= upper)


def test_a_pseudo_boolean_holds_iff_the_weighted_sum_is_within_bounds():
    for x, y in product((1, -1), repeat=2):
        total = 3 * (x > 0) - 2 * (y < 0)
        for lower, upper in product(range(-3, 5), repeat=2):
            constraint = PseudoBoolean([1, -2], [3, -2], lower, upper)
            assert constraint.holds([x, 2 * y]) == (lower <= total <= upper)


def test_an_undecided_variable_is_an_error_not_a_false_one():
    with pytest.raises(ValueError, match="neither -2 nor 2"):
        Cardinality([1, -2]).holds({1})


def test_constraints_are_frozen_values():
    assert Cardinality([1, 2], 1) == Cardinality((1, 2), lower=1, upper=2)
    assert hash(Cardinality([1])) == hash(Cardinality([1]))
    with pytest.raises(dataclasses.FrozenInstanceError):
        Cardinality([1]).lower = 1  # type: ignore[misc]


@pytest.mark.parametrize("bound", [True, 1.0, "1"])
def test_a_bound_that_is_no_integer_is_refused(bound):
    with pytest.raises(TypeError, match="upper must be an int"):
        Cardinality([1], upper=bound)
    with pytest.raises(TypeError, match="lower must be an int"):
        PseudoBoolean([1], [1], lower=bound)


def test_literals_bounds_and_weights_of_numpy_become_plain_ints():
    assert type(Cardinality([1], upper=np.int64(1)).upper) is int
    assert type(PseudoBoolean([1], [np.int8(4)]).weights[0]) is int
    assert Cardinality(np.array([1, -2]), lower=1).lits == (1, -2)


@pytest.mark.parametrize("kind", [PseudoBoolean, Objective])
def test_a_weight_is_needed_for_every_literal(kind):
    with pytest.raises(ValueError, match=r"2 literals but 1 weight$"):
        kind((1, 2), (3,))


def test_an_instance_holds_where_all_its_constraints_do() -> None:
    problem = Problem(3, (Cardinality([1, 2], lower=1), PseudoBoolean([2, -3], [2, 1], upper=2)))
    assert problem.holds({1, 2, 3})
    assert not problem.holds({1, 2, -3})
    assert not problem.holds({-1, -2, 3})
    assert Problem(0, ()).holds(set())


def test_variables_without_a_name_are_called_by_their_number() -> None:
    assert list(Problem(3, (), {2: "b"}).variables()) == [(1, "x1"), (2, "b"), (3, "x3")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2, (Cardinality([1], 1), Cardinality([2, -3], 1))), "^constraint 2: literal -3, but"),
        ((-1, ()), "^-1 variables"),
        ((2**30, ()), "^1073741824 variables"),
        ((2, (), {3: "c"}), "^a name for 3: there are 2 variables"),
        ((2, (), {0: "c"}), "^a name for 0"),
        ((2, (), {}, Objective((3,), (1,))), "^the objective: literal 3"),
    ],
)
def test_what_is_beyond_the_variables_is_refused(arguments, message) -> None:
    with pytest.raises(ValueError, match=message):
        Problem(*arguments)


def test_an_objective_has_a_value_in_a_model() -> None:
    objective = Objective((1, -2, 1), (3, 4, -1), constant=10)
    assert objective.value({1, -2}) == 16
    assert objective.value({-1, 2}) == 10
    with pytest.raises(ValueError, match="decides neither"):
        objective.value({1})
