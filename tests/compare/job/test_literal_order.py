"""The orders in which literals enter an encoding."""

import pytest

from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
from satsweeper.compare.job.job import LiteralOrder, reorder

CONSTRAINTS: list[Cardinality | PseudoBoolean] = [
    Cardinality([1, 2, 3, 4], lower=2, upper=3),
    Cardinality([4, -3, 2], lower=1),
    Cardinality([4, 5], upper=1),
    PseudoBoolean([2, 5, 6], [3, 4, 5], lower=4),
]


@pytest.mark.parametrize("order", list(LiteralOrder))
@pytest.mark.parametrize("seed", [0, 1])
def test_every_order_keeps_the_constraint(order: LiteralOrder, seed: int) -> None:
    ordered = reorder(order, seed, CONSTRAINTS)
    for constraint in CONSTRAINTS:
        found = ordered(constraint)
        assert type(found) is type(constraint)
        assert (found.lower, found.upper) == (constraint.lower, constraint.upper)
        weights = getattr(constraint, "weights", (1,) * len(constraint.lits))
        new = getattr(found, "weights", (1,) * len(found.lits))
        assert sorted(zip(found.lits, new, strict=True)) == sorted(
            zip(constraint.lits, weights, strict=True)
        )


def test_each_order_is_what_it_says() -> None:
    def lits(order: LiteralOrder, seed: int = 0) -> list[tuple[int, ...]]:
        ordered = reorder(order, seed, CONSTRAINTS)
        return [ordered(constraint).lits for constraint in CONSTRAINTS]

    given = [constraint.lits for constraint in CONSTRAINTS]
    assert lits(LiteralOrder.GIVEN) == given
    assert lits(LiteralOrder.REVERSED) == [each[::-1] for each in given]
    # 2 and 4 are in three constraints, 5 in two, the others in one; 3 and -3 are two literals.
    assert lits(LiteralOrder.OCCURRENCE) == [(2, 4, 1, 3), (4, 2, -3), (4, 5), (2, 5, 6)]
    assert lits(LiteralOrder.RANDOM, 1) == lits(LiteralOrder.RANDOM, 1)
    assert len({tuple(lits(LiteralOrder.RANDOM, seed)) for seed in range(9)}) > 5
