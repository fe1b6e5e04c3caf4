"""Bounds on the differences that a number of instances can show, whatever is measured.

The signed-rank test of n differences cannot give a p-value below 2 / 2^n, which it gives where all
of them are on one side. So with few instances and many comparisons no difference can pass the
correction, however large it is. R. E. Tarone, A modified Bonferroni method for discrete data,
Biometrics 46 (1990) 515-522, makes use of such bounds; here they only say when to measure more.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted by Holm's step-down method, in the order given.

    Claiming what is adjusted to below 0.05 makes one false claim or more in at most 5 % of sweeps,
    however the tests depend on each other. S. Holm, A simple sequentially rejective multiple test
    procedure, Scandinavian Journal of Statistics 6 (1979) 65-70.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [1.0] * len(p_values)
    reached = 0.0
    for done, at in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        reached = max(reached, min(1.0, p_values[at] * (len(p_values) - done)))
        adjusted[at] = reached
    return adjusted


SIGNIFICANT: Final = 0.05
"""Below this a corrected p-value makes a claim."""


def smallest_p(instances: int) -> float:
    """Return the least two-sided p-value of the signed-rank test with ``n`` differences.

    >>> smallest_p(5), smallest_p(6)
    (0.0625, 0.03125)
    """
    return 2.0 ** (1 - instances) if instances else 1.0


def smallest_corrected(instances: Sequence[int]) -> list[float]:
    """The least p-value of each of these tests after Holm's correction over all of them.

    Args:
        instances: how many each test has.

    No other outcome of the other tests makes it smaller: the least ones come first, and what comes
    first needs the most.
    """
    return holm([smallest_p(each) for each in instances])


def instances_needed(comparisons: int) -> int:
    """Return the least number of instances with which one of ``comparisons`` tests can pass Holm's.

    Exact: the least n with comparisons * 2 / 2^n < 0.05.

    >>> instances_needed(1), instances_needed(30)
    (6, 11)
    """
    # The least n with 2^n above a number is the number of its binary digits.
    return int(comparisons * 2 / Fraction(str(SIGNIFICANT))).bit_length()
