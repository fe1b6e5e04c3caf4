"""Counters against the clauses that were published, written out by index or node by node."""

from itertools import product

import pytest
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from pbcnf import Direction, Formula
from pbcnf.encoders.cardinality.totalizer import Totalizer
from tests.pbcnf.emitted import encoded


def knuths(n, r):
    """Yield (18) and (19) for at most r of n, with s[j][k] numbered row by row after the inputs."""

    def s(j, k):
        return n + (j - 1) * r + k

    for j in range(1, n - r):
        for k in range(1, r + 1):
            yield [-s(j, k), s(j + 1, k)]
    for j in range(1, n - r + 1):
        for k in range(r + 1):
            before, after = [-s(j, k)] if k > 0 else [], [s(j, k + 1)] if k < r else []
            yield [-(j + k), *before, *after]


def test_knuths_counter_has_his_clauses_and_sinzs_counter_those_of_knuths():
    for n in range(2, 13):
        for r in range(1, n):
            found = sorted(map(sorted, encoded("knuth_counter", n, 0, r)))
            assert found == sorted(map(sorted, knuths(n, r))), (n, r)
    for n, lower, upper in product(range(2, 11), range(11), range(1, 11)):
        if lower <= upper <= n:
            assert list(encoded("sequential_counter", n, lower, upper)) == list(
                encoded("knuth_counter", n, lower, upper)
            )


def totalizers(inputs):
    """Yield the clauses of a whole totalizer, as literals (inputs, t, sign): "at least t of them".

    Both directions of Bailleux and Boufkhad, for every value of both children of every node.
    """
    if len(inputs) == 1:
        return
    left, right = inputs[: len(inputs) // 2], inputs[len(inputs) // 2 :]
    for i, j in product(range(len(left) + 1), range(len(right) + 1)):
        if i + j > 0:
            reached = [(left, i, -1)] * (i > 0) + [(right, j, -1)] * (j > 0)
            yield [*reached, (inputs, i + j, 1)]
        if i + j < len(inputs):
            passed = [(left, i + 1, 1)] * (i < len(left)) + [(right, j + 1, 1)] * (j < len(right))
            yield [*passed, (inputs, i + j + 1, -1)]
    yield from totalizers(left)
    yield from totalizers(right)


@pytest.mark.parametrize("n", range(1, 8))
def test_a_totalizer_of_everything_has_the_published_clauses(n):
    formula = Formula(num_vars=n)
    count = Totalizer().count(range(1, n + 1), n, formula)
    assignments = list(product((1, -1), repeat=n))
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        known = [
            set(solver.propagate([s * v for v, s in enumerate(signs, start=1)])[1])
            for signs in assignments
        ]
    name = [tuple(var in true for true in known) for var in range(formula.num_vars + 1)]
    found = [
        sorted((name[abs(lit)], lit > 0) for lit in clause)
        for clause in formula.clauses()
        if clause != [-count.false]
    ]
    expected = [
        sorted(
            (tuple(sum(signs[v] > 0 for v in inputs) >= t for signs in assignments), sign > 0)
            for inputs, t, sign in clause
        )
        for clause in totalizers(range(n))
    ]
    assert sorted(found) == sorted(expected)


def test_an_upward_totalizer_of_everything_is_as_large_as_that_of_pysat():
    for n in range(3, 41):
        theirs = CardEnc.atmost(list(range(1, n + 1)), bound=1, encoding=EncType.totalizer)
        ours = Totalizer().count_size(n, n, Direction.AT_MOST)
        # Theirs fixes one output, ours has a variable that is false.
        assert (ours.variables - 1, ours.clauses) == (theirs.nv - n, len(theirs.clauses))
