"""Orders of literals: each is what it says, and none changes the meaning of a constraint."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf.constraints.constraint import Cardinality, Constraint, Parity, PseudoBoolean
from pbcnf.constraints.order import LiteralOrder, literal_order

CONSTRAINTS: list[Constraint] = [
    Cardinality([1, 2, 3, 4], lower=2, upper=3),
    Cardinality([4, -3, 2], lower=1),
    Cardinality([4, 5], upper=1),
    PseudoBoolean([2, 5, 6], [3, 4, 5], lower=4),
    Parity([1, -4, 6], odd=True),
]


@pytest.mark.parametrize("order", list(LiteralOrder))
@pytest.mark.parametrize("seed", [0, 1])
def test_every_order_keeps_the_constraint(order: LiteralOrder, seed: int) -> None:
    ordered = literal_order(order, seed, CONSTRAINTS)
    for constraint in CONSTRAINTS:
        found = ordered(constraint)
        assert type(found) is type(constraint)
        for name in ("lower", "upper", "odd"):
            assert getattr(found, name, None) == getattr(constraint, name, None)
        weights = getattr(constraint, "weights", (1,) * len(constraint.lits))
        new = getattr(found, "weights", (1,) * len(found.lits))
        assert sorted(zip(found.lits, new, strict=True)) == sorted(
            zip(constraint.lits, weights, strict=True)
        )


def test_each_simple_order_is_what_it_says() -> None:
    def lits(order: LiteralOrder, seed: int = 0) -> list[tuple[int, ...]]:
        ordered = literal_order(order, seed, CONSTRAINTS[:4])
        return [ordered(constraint).lits for constraint in CONSTRAINTS[:4]]

    given = [constraint.lits for constraint in CONSTRAINTS[:4]]
    assert lits(LiteralOrder.GIVEN) == given
    assert lits(LiteralOrder.REVERSED) == [each[::-1] for each in given]
    # 2 and 4 are in three constraints, 5 in two, the others in one; 3 and -3 are two literals.
    assert lits(LiteralOrder.OCCURRENCE) == [(2, 4, 1, 3), (4, 2, -3), (4, 5), (2, 5, 6)]
    assert lits(LiteralOrder.RANDOM, 1) == lits(LiteralOrder.RANDOM, 1)
    assert len({tuple(lits(LiteralOrder.RANDOM, seed)) for seed in range(9)}) > 5


def plain_proximity(constraints: list[Cardinality]) -> list[int]:
    """The order by the definition, every score computed anew at each step."""
    variables = Counter(var for each in constraints for var in {*map(abs, each.lits)})
    order: list[int] = []

    def score(var: int) -> float:
        found = 0.0
        for each in constraints:
            around = {*map(abs, each.lits)}
            if var in around:
                taken = len(around & {*order})
                n = len(each.lits)
                if each.upper == 1 or each.lower == n - 1:
                    found += taken * n * n
                elif each.lower == 1:
                    found += taken / n
        return found

    while len(order) < len(variables):
        left = [var for var in variables if var not in order]
        best = max(round(score(var), 6) for var in left)
        near = [var for var in left if round(score(var), 6) == best]
        order.append(min(near, key=lambda var: (-variables[var], var)))
    return order


@st.composite
def problems(draw: st.DrawFn) -> list[Cardinality]:
    found = []
    for _ in range(draw(st.integers(1, 7))):
        variables = draw(st.lists(st.integers(1, 9), min_size=1, max_size=5, unique=True))
        signs = draw(st.lists(st.sampled_from((1, -1)), min_size=len(variables), max_size=5))
        lits = [sign * var for sign, var in zip(signs, variables, strict=False)]
        bounds = draw(st.sampled_from(((0, 1), (1, None), (2, 3), (0, 2), (1, 1))))
        found.append(Cardinality(lits, *bounds))
    return found


@given(problems())
def test_proximity_takes_the_highest_score_then_the_most_frequent(
    constraints: list[Cardinality],
) -> None:
    everything = Cardinality(range(1, 10))
    found = literal_order(LiteralOrder.PROXIMITY, 0, constraints)(everything).lits
    plain = plain_proximity(constraints)
    assert list(found) == plain + [var for var in range(1, 10) if var not in plain]


def test_bandwidth_puts_a_chain_of_clues_into_its_order() -> None:
    # A path 1 - 5 - 2 - 6 - 3 - 7 - 4, and a total over all of it, too long to be a neighbourhood.
    path = [1, 5, 2, 6, 3, 7, 4]
    clues = [Cardinality(path[at : at + 2], 1, 1) for at in range(6)]
    total = Cardinality([*range(1, 8), *range(8, 41)], 3, 3)
    found = literal_order(LiteralOrder.BANDWIDTH, 0, [*clues, total])(total).lits
    assert found == (*path[::-1], *range(8, 41))


def test_a_constraint_of_many_literals_takes_no_quadratic_time() -> None:
    wide = Cardinality(range(1, 50_001), upper=1)
    for order in LiteralOrder:
        found = literal_order(order, 0, [wide, Cardinality([7, 9], upper=1)])(wide)
        assert sorted(found.lits) == sorted(wide.lits)
