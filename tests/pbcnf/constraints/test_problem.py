import numpy as np
import pytest

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem


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
    with pytest.raises(ValueError, match=r"2 literals but 1 weight$"):
        Objective((1, 2), (3,))


def test_literals_of_numpy_are_plain_in_the_constraints() -> None:
    problem = Problem(2, (Cardinality(np.array([1, -2]), lower=1),))
    assert problem.constraints[0].lits == (1, -2)
