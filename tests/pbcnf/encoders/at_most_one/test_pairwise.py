import pytest

from pbcnf import Cardinality, Formula, encode


def encoded(n, lower, upper):
    formula = Formula(num_vars=n)
    encode(Cardinality(range(1, n + 1), lower, upper), formula, "pairwise")
    return list(formula.clauses())


def test_at_most_one_is_a_clause_per_pair():
    assert encoded(3, 0, 1) == [[-1, -2], [-1, -3], [-2, -3]]


def test_exactly_one_adds_one_clause():
    assert encoded(3, 1, 1) == [[-1, -2], [-1, -3], [-2, -3], [1, 2, 3]]


def test_at_least_all_but_one_is_the_mirror_image():
    assert encoded(3, 2, 3) == [[1, 2], [1, 3], [2, 3]]


def test_at_least_one_and_at_most_all_but_one_are_clauses():
    assert encoded(4, 1, 3) == [[-1, -2, -3, -4], [1, 2, 3, 4]]


@pytest.mark.parametrize(("lower", "upper"), [(0, 2), (2, 2), (2, 4), (1, 2), (2, 3)])
def test_other_bounds_are_refused_with_what_is_possible(lower, upper):
    with pytest.raises(ValueError, match="it can do at most one, at least one"):
        encoded(5, lower, upper)
