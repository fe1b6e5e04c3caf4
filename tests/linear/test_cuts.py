"""Cuts are met by every solution in zeros and ones, and broken by the optimum that they cut off."""

from itertools import product
from random import Random

import numpy as np
import pytest

from satsweeper.linear import cuts
from satsweeper.linear.cuts import CutGenerator, tightened
from satsweeper.linear.inequalities import AtLeastRow
from satsweeper.linear.row_relaxation import relaxed
from tests.commands import need_highs

VARIABLES = 8


def random_rows(random, most):
    """Rows over few variables, some with both bounds, some equations."""
    rows = []
    for _ in range(random.randint(1, 6)):
        named = random.sample(range(1, VARIABLES + 1), random.randint(2, VARIABLES))
        terms = {var: random.choice([-1, 1]) * random.randint(1, most) for var in named}
        low = sum(each for each in terms.values() if each < 0)
        high = sum(each for each in terms.values() if each > 0)
        least = random.randint(low, high)
        rows.append(AtLeastRow(terms, least))
        if random.random() < 0.4:
            upper = random.randint(least, high)
            rows.append(AtLeastRow({var: -each for var, each in terms.items()}, -upper, True))
    return rows


def value(row, point):
    return sum(each * point[var - 1] for var, each in row.terms.items())


def solutions(rows):
    points = product((0, 1), repeat=VARIABLES)
    return [point for point in points if all(value(row, point) >= row.least for row in rows)]


@pytest.mark.parametrize("most", [1, 9, 1000, 10**6])
def test_every_solution_meets_cuts_of_any_multipliers_and_the_given_point_breaks_them(most):
    random = Random(most)
    made = 0
    for _ in range(250):
        rows = random_rows(random, most)
        pairs = sum(row.paired for row in rows)
        point = np.array([random.choice([0, 1, random.random()]) for _ in range(VARIABLES)])
        tableau = [
            np.array([random.choice([0, random.uniform(-2, 2)]) for _ in rows[pairs:]])
            for _ in range(4)
        ]
        tableau.append(np.array([random.randint(-6, 6) / 7 for _ in rows[pairs:]]))
        found = CutGenerator(rows, VARIABLES).cuts(point, tableau, 20)
        made += len(found)
        held = solutions(rows)
        for cut in found:
            assert value(cut, point) < cut.least
            assert all(value(cut, solution) >= cut.least for solution in held)
    assert made > 200


def test_fractional_vertices_of_knapsacks_are_cut_off_by_covers():
    random = Random(3)
    for _ in range(300):
        signs = [random.choice([-1, 1]) for _ in range(VARIABLES)]
        sizes = [random.randint(2, 40) for _ in range(VARIABLES)]
        # What is packed greedily, its last piece in part, is a vertex of one row.
        room, point = random.randint(41, sum(sizes) - 1), [0.0] * VARIABLES
        left = room
        for place in random.sample(range(VARIABLES), VARIABLES):
            point[place] = min(1.0, left / sizes[place])
            left = max(0, left - sizes[place])
        if all(each in (0, 1) for each in point):
            continue
        # A negative sign stands for the complement of a variable.
        taken = [each if sign > 0 else 1 - each for sign, each in zip(signs, point, strict=True)]
        terms = {
            var: -sign * size for var, (sign, size) in enumerate(zip(signs, sizes, strict=True), 1)
        }
        turned = sum(size for sign, size in zip(signs, sizes, strict=True) if sign < 0)
        row = AtLeastRow(terms, turned - room)
        found = CutGenerator([row], VARIABLES).cuts(np.array(taken), [], 20)
        assert found
        for cut in found:
            assert value(cut, taken) < cut.least
            assert all(value(cut, solution) >= cut.least for solution in solutions([row]))


def test_bounds_rise_round_by_round_and_stay_below_the_optimum():
    need_highs()
    random = Random(5)
    raised = 0
    for _ in range(60):
        rows = random_rows(random, 30)
        cost = {var: random.randint(1, 20) for var in range(1, VARIABLES + 1)}
        held = solutions(rows)
        first = relaxed(rows, cost, VARIABLES)
        if not held or first is None:
            continue
        best = min(sum(cost[var] * point[var - 1] for var in cost) for point in held)
        bound = first.proved(first.run(None))
        for stronger, outcome in tightened(first, rows, cost, VARIABLES, None):
            following = stronger.proved(outcome)
            assert following.least <= best * following.factor
            raised += following.least * bound.factor > bound.least * following.factor
            bound = following
    assert raised > 20


def test_multipliers_become_small_fractions_where_there_are_any():
    found = cuts._fractions(np.array([0.5, -2 / 3, 0.0]))
    assert found is not None
    numerators, denominator = found
    assert (numerators.tolist(), denominator) == ([3, -4, 0], 6)
    assert cuts._fractions(np.array([0.0, float("nan")])) is None
