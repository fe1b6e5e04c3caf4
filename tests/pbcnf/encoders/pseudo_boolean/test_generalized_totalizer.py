from itertools import product

from pbcnf import ENCODERS
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import GeneralizedTotalizer

TOTALIZER = GeneralizedTotalizer()


def test_what_only_both_bounds_imply_may_stay_open(weighted):
    """Nothing is claimed for two bounds: a forced input, and a conflict, that are missed."""
    _, forced = weighted.missed(weighted.correct(TOTALIZER, (2, 2, 1), 2, 2), (2, 2, 1), 2, 2)
    assert ((0, 0, 0), -3) in forced
    conflicts, _ = weighted.missed(
        weighted.correct(TOTALIZER, (2, 2, 2, 2, 1), 3, 3), (2, 2, 2, 2, 1), 3, 3
    )
    assert conflicts


def test_only_attainable_sums_become_outputs():
    # The published example: of 3, 3 at most one, 3; below 3, 2 the sums 2, 3 and 5.
    assert TOTALIZER.weighted_size((2, 3, 3, 3), 0, 5).variables == 1 + 3
    # 8 equal halves of a sum, whatever they weigh: as many outputs as there are counts.
    assert {TOTALIZER.weighted_size((w,) * 8, 0, 4 * w) for w in (1, 7, 10**30)} == {
        TOTALIZER.size(8, 0, 4)
    }


def test_weights_one_never_take_more_than_the_totalizer():
    plain = ENCODERS["totalizer"]
    for n in [2, 3, 5, 8, 9, 12, 16, 40]:
        for lower, upper in product(range(n), range(1, n + 1)):
            if lower <= upper and (lower, upper) != (0, n):
                found, other = TOTALIZER.size(n, lower, upper), plain.size(n, lower, upper)
                assert found.variables <= other.variables, (n, lower, upper)
