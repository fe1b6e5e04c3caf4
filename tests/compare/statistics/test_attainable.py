"""What so many instances can show at best: against every outcome that there can be."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from satsweeper.compare.statistics.signed_rank import (
    SIGNIFICANT,
    instances_needed,
    smallest_corrected,
    smallest_p,
)


def outcomes(n: int) -> set[Fraction]:
    """Every two-sided p-value of n signed ranks: all signs are equally likely."""
    sums = Counter(
        sum(rank for rank, sign in enumerate(signs, start=1) if sign)
        for signs in product((False, True), repeat=n)
    )
    whole = n * (n + 1) // 2
    found = set()
    for positive in sums:
        smaller = min(positive, whole - positive)
        tail = sum(count for each, count in sums.items() if each <= smaller)
        found.add(min(Fraction(2 * tail, 2**n), Fraction(1)))
    return found


def corrected(p_values: tuple[Fraction, ...]) -> list[Fraction]:
    """Holm, from its definition: a test passes at a level if all with a smaller p-value do."""
    ordered = sorted(range(len(p_values)), key=lambda at: p_values[at])
    return [
        max(
            min(Fraction(1), p_values[ordered[before]] * (len(p_values) - before))
            for before in range(ordered.index(at) + 1)
        )
        for at in range(len(p_values))
    ]


@pytest.mark.parametrize("n", range(1, 13))
def test_no_outcome_of_so_many_differences_has_a_smaller_p_value(n: int) -> None:
    assert smallest_p(n) == min(outcomes(n))


def test_without_differences_there_is_nothing_to_show() -> None:
    assert smallest_p(0) == 1


@pytest.mark.parametrize("comparisons", [1, 2, 5, 6, 25, 26, 30, 51, 52, 100])
def test_so_many_instances_are_needed_and_one_fewer_is_not_enough(comparisons: int) -> None:
    level = Fraction(str(SIGNIFICANT))

    def can(n: int) -> bool:
        best = min(outcomes(n))
        return min(corrected((best,) * comparisons)) < level

    needed = instances_needed(comparisons)
    assert can(needed)
    assert not any(map(can, range(1, needed)))


@pytest.mark.parametrize("sizes", [(1,), (3, 3), (1, 4), (4, 2, 3), (2, 2, 4), (3, 1, 1)])
def test_no_outcome_of_all_tests_together_is_smaller_after_the_correction(
    sizes: tuple[int, ...],
) -> None:
    every = [corrected(found) for found in product(*map(outcomes, sizes))]
    least = [min(found[at] for found in every) for at in range(len(sizes))]
    assert smallest_corrected(sizes) == [float(each) for each in least]
