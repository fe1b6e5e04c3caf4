"""Sinz's counter against his clauses written out by index, and its two-sided form."""

from pysat.card import CardEnc, EncType

from pbcnf import ENCODERS, Cardinality, Formula, encode

RANGE = [(n, k) for n in range(2, 13) for k in range(1, n)]


def clauses_of(n, lower, upper, name="sequential_counter"):
    formula = Formula(num_vars=n)
    encode(Cardinality(range(1, n + 1), lower, upper), formula, name)
    return list(formula.clauses())


def published(n, k):
    """Yield LT_SEQ for at most k of n, with s[i][j] numbered row by row after the inputs."""

    def s(i, j):
        return n + (i - 1) * k + j

    yield [-1, s(1, 1)]
    for j in range(2, k + 1):
        yield [-s(1, j)]
    for i in range(2, n):
        yield [-i, s(i, 1)]
        yield [-s(i - 1, 1), s(i, 1)]
        for j in range(2, k + 1):
            yield [-i, -s(i - 1, j - 1), s(i, j)]
            yield [-s(i - 1, j), s(i, j)]
        yield [-i, -s(i - 1, k)]
    yield [-n, -s(n - 1, k)]


def same(found, expected):
    return sorted(map(sorted, found)) == sorted(map(sorted, expected))


def test_at_most_has_the_published_clauses():
    assert all(same(clauses_of(n, 0, k), published(n, k)) for n, k in RANGE)


def test_at_least_has_the_published_clauses_of_the_negated_inputs():
    for n, k in RANGE:
        mirrored = [
            [-lit if abs(lit) <= n else lit for lit in clause] for clause in published(n, k)
        ]
        assert same(clauses_of(n, n - k, n), mirrored)


def test_two_bounds_have_the_clauses_of_knuths_grid():
    for n, upper in RANGE:
        for lower in range(1, upper + 1):
            found = clauses_of(n, lower, upper)
            assert found == clauses_of(n, lower, upper, "knuth_counter")


def test_exactly_k_takes_at_most_half_the_auxiliaries_of_pysat():
    # Where one of the two bounds is a single clause, PySAT has no auxiliaries for that one.
    for n in range(4, 31):
        for k in range(2, n - 1):
            theirs = CardEnc.equals(list(range(1, n + 1)), bound=k, encoding=EncType.seqcounter)
            ours = ENCODERS["sequential_counter"].size(n, k, k)
            assert ours.variables == k * (n - k)
            assert 2 * ours.variables <= theirs.nv - n
