"""Knuth's counter against his formulas written out by index."""

from tests.pbcnf.emitted import encoded


def published(n, r):
    """Yield (18) and (19) for at most r of n, with s[j][k] numbered row by row after the inputs."""

    def s(j, k):
        return n + (j - 1) * r + k

    for j in range(1, n - r):
        for k in range(1, r + 1):
            yield [-s(j, k), s(j + 1, k)]
    for j in range(1, n - r + 1):
        for k in range(r + 1):
            yield [
                -(j + k),
                *([-s(j, k)] if k > 0 else []),
                *([s(j, k + 1)] if k < r else []),
            ]


def test_at_most_has_the_published_clauses():
    for n in range(2, 13):
        for r in range(1, n):
            found = sorted(map(sorted, encoded("knuth_counter", n, 0, r)))
            assert found == sorted(map(sorted, published(n, r))), (n, r)
