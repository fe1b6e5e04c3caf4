"""Sinz's counter: its fixed bounds are those of Knuth's form, no larger than PySAT's."""

from pysat.card import CardEnc, EncType

from pbcnf import ENCODERS
from tests.pbcnf.emitted import encoded


def test_all_bounds_have_the_clauses_of_knuths_grid():
    for n in range(2, 11):
        for lower in range(n + 1):
            for upper in range(max(lower, 1), n + 1):
                found = encoded("sequential_counter", n, lower, upper)
                assert list(found) == list(encoded("knuth_counter", n, lower, upper))


def test_at_most_k_takes_what_pysat_takes():
    for n in range(3, 31):
        for k in range(1, n - 1):
            theirs = CardEnc.atmost(list(range(1, n + 1)), bound=k, encoding=EncType.seqcounter)
            ours = ENCODERS["sequential_counter"].size(n, 0, k)
            assert (ours.variables, ours.clauses) == (theirs.nv - n, len(theirs.clauses))


def test_exactly_k_takes_at_most_half_the_auxiliaries_of_pysat():
    # Where one of the two bounds is a single clause, PySAT has no auxiliaries for that one.
    for n in range(4, 31):
        for k in range(2, n - 1):
            theirs = CardEnc.equals(list(range(1, n + 1)), bound=k, encoding=EncType.seqcounter)
            ours = ENCODERS["sequential_counter"].size(n, k, k)
            assert ours.variables == k * (n - k)
            assert 2 * ours.variables <= theirs.nv - n
