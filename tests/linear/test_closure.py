"""What is closed without search is true of all zeros and ones that meet the equations."""

from random import Random

import pytest

from satsweeper.board.errors import DefectError
from satsweeper.linear import closure
from satsweeper.linear.closure import TRUE, ContradictionError, EqualLiterals, closed
from satsweeper.linear.elimination import checked_rows, eliminate
from tests.oracles import assignments, equation_models


def system(random, variables):
    """Sums of some variables, most of the time met by a hidden assignment."""
    hidden = [random.randint(0, 1) for _ in range(variables)]
    found = []
    for _ in range(random.randint(1, 8)):
        which = tuple(random.sample(range(1, variables + 1), random.randint(1, variables)))
        wrong = random.random() < 0.04
        found.append((which, sum(hidden[v - 1] for v in which) + wrong))
    return found


def test_nothing_is_claimed_that_some_solution_denies_and_most_is_found():
    random = Random(4)
    certain = found = impossible = refuted = 0
    for _ in range(1500):
        variables = random.randint(1, 9)
        equations = system(random, variables)
        every = equation_models(equations, variables)
        answer = closed(equations)
        assert answer.complete
        if not every:
            impossible += 1
            refuted += answer.refuted
            continue
        assert not answer.refuted
        for variable, one in answer.decided.items():
            assert {values[variable - 1] for values in every} == {one}
        named = {v for which, _ in equations for v in which}
        certain += sum(len({values[v - 1] for values in every}) == 1 for v in named)
        found += len(answer.decided)
    assert 0.97 * certain < found <= certain
    assert 0.97 * impossible < refuted <= impossible


def test_bounds_of_long_sums_decide_as_well_as_of_given_ones():
    """Of 20 two clues hold one each and all hold two: the other 12 are 0."""
    clues = [(tuple(range(1, 5)), 1), (tuple(range(5, 9)), 1)]
    answer = closed([*clues, (tuple(range(1, 21)), 2)])
    assert answer.decided == dict.fromkeys(range(9, 21), False)


@pytest.mark.parametrize(("moduli", "decided"), [((2, 3), {6: True}), ((2,), {}), ((3,), {})])
def test_what_neither_modulus_says_alone_both_may(moduli, decided, monkeypatch):
    equations = [((1, 3, 5), 2), ((4, 5, 6), 2), ((1, 2, 3, 6), 3)]
    assert {values[5] for values in equation_models(equations, 6)} == {1}

    def some(equations, modulus, long):
        found = checked_rows(equations, modulus, long)
        return found if modulus in moduli else found._replace(rows=[])

    monkeypatch.setattr(closure, "checked_rows", some)
    assert closed(equations).decided == decided


def test_five_pigeons_in_four_holes_are_beyond_it():
    """Each in one hole of four, and each hole but one holds at most one: slack hides the clash."""
    pigeons = [(tuple(range(4 * p + 1, 4 * p + 5)), 1) for p in range(5)]
    holes = [((*(4 * p + h for p in range(5)), 20 + h), 1) for h in range(1, 5)]
    assert not closed([*pigeons, *holes]).refuted


def test_it_stops_when_it_is_late_and_says_so():
    answer = closed([((1, 2), 1), ((1, 2, 3), 2)], lambda: True)
    assert not answer.complete
    assert set(answer.decided.items()) <= {(3, True)}


def test_a_wrong_row_is_a_defect_and_no_verdict(monkeypatch):
    def wrong(equations, modulus, long):
        found = eliminate(equations, modulus, long=long)
        rows = [row._replace(value=(row.value + 1) % modulus) for row in found.rows]
        return found._replace(rows=rows)

    monkeypatch.setattr("satsweeper.linear.elimination.eliminate", wrong)
    with pytest.raises(DefectError):
        closed([((1, 2), 1), ((1, 2, 3), 2), ((3, 4), 1)])


def test_literals_are_equal_as_they_were_made():
    """Held against a table of all assignments that are left."""
    random = Random(7)
    for _ in range(300):
        known = EqualLiterals()
        left = list(assignments(6))
        for _ in range(random.randint(1, 9)):
            one, other = (random.choice([-1, 1]) * random.randint(1, 6) for _ in range(2))
            if random.random() < 0.2:
                other = random.choice([-1, 1]) * TRUE

            def value(literal, values):
                one = 1 if abs(literal) == TRUE else values[abs(literal) - 1]
                return one if literal > 0 else 1 - one

            left = [v for v in left if value(one, v) == value(other, v)]
            try:
                known.equate(one, other)
            except ContradictionError:
                assert not left
                break
            assert left
            for v in range(1, 7):
                assert all(value(v, each) == value(known.root(v), each) for each in left)
            assert known.decided() == {
                v: bool(left[0][v - 1])
                for v in range(1, 7)
                if len({each[v - 1] for each in left}) == 1
            }
            # As many are left as there are sets to choose a value for.
            assert len(left) == 2 ** (6 - len(known))
            assert all(
                sum(value(lit, each) for lit in which) == number
                for which, number in known.equations()
                for each in left
            )
