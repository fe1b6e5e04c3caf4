"""At most one by edges of a multipartite graph: every shape, meanings, published sizes."""

from itertools import combinations
from math import cbrt, sqrt

import pytest

from pbcnf import ENCODERS, EncodingSize, Formula
from pbcnf.derivation import at_most_one as derivations
from pbcnf.encoders.at_most_one import multipartite
from pbcnf.encoders.at_most_one.multipartite import Plan, edge_ends, nodes_needed, plan
from tests import oracles
from tests.pbcnf.derivation.derived import SumCase
from tests.pbcnf.emitted import encoded, size_of

SIZES = [3, 4, 7, 12, 23, 24, 27, 31, 45, 50, 64, 100, 101, 150, 200, 333, 500, 1000]


def propagated(clauses, lits):
    """The literals that unit propagation makes true; a conflict is a failure."""
    true = oracles.unit_propagation(clauses, lits)
    assert true is not None
    return true


@pytest.mark.parametrize("parts", [3, 4, 5, 7])
def test_edges_join_nodes_of_two_parts_and_no_two_are_the_same(parts):
    for edges in range(4, 60):
        nodes = nodes_needed(edges, parts)
        ends = list(zip(*(end.tolist() for end in edge_ends(edges, nodes, parts)), strict=True))
        every = [pair for pair in combinations(range(nodes), 2) if (pair[1] - pair[0]) % parts]
        assert ends == sorted(every, key=lambda pair: pair[::-1])[:edges]
        # One node fewer would not do, so no node is without an edge.
        assert ends[-1][1] == nodes - 1


def test_a_true_input_marks_the_two_nodes_of_its_edge_and_no_other():
    n, (step, nodes) = 50, (plan(50), 12)
    assert (step.shape, step.by, nodes_needed(n, step.by)) == ("parts", 4, nodes)
    clauses = list(encoded("multipartite", n, 0, 1).clauses())
    for place, ends in enumerate(zip(*edge_ends(n, nodes, step.by), strict=True)):
        true = propagated(clauses, [place + 1])
        marked = {lit - n - 1 for lit in true if n < lit <= n + nodes}
        assert marked == set(map(int, ends))
        assert {-v for v in range(1, n + nodes + 1)} - true == {
            -place - 1,
            *(-n - 1 - v for v in marked),
        }


@pytest.mark.parametrize("n", SIZES)
def test_one_true_input_makes_all_others_false_by_propagation_and_two_are_a_conflict(n):
    clauses = list(encoded("multipartite", n, 0, 1).clauses())
    for first in range(1, n + 1, 1 + n // 60):
        true = propagated(clauses, [first])
        assert {-v for v in range(1, n + 1) if v != first} <= true
    propagated(clauses, [-v for v in range(1, n + 1)])


def test_sizes_are_no_larger_than_those_of_others_and_as_published():
    known = {50: 128, 100: 249, 200: 468, 500: 1112, 1000: 2150, 10**4: 20464, 10**5: 201280}
    for n, clauses in known.items():
        found = ENCODERS["multipartite"].size(n, 0, 1)
        assert found.clauses <= clauses
        assert found.clauses < ENCODERS["product"].size(n, 0, 1).clauses
        # The lower bound, and the published size with a small constant.
        assert 2 * n + sqrt(n + 1) - 2 <= found.clauses <= 2 * n + 2 * sqrt(2 * n) + 8 * cbrt(n)
    smallest = [ENCODERS[name] for name in ("product", "nested", "commander", "pairwise")]
    for n in range(3, 300):
        least = min(each.size(n, 0, 1).clauses for each in smallest)
        assert ENCODERS["multipartite"].size(n, 0, 1).clauses <= least


@pytest.mark.parametrize("n", SIZES)
def test_sizes_are_exact_and_every_clause_is_derived(n):
    for bounds in ((0, 1), (1, 1), (n - 1, n)):
        assert ENCODERS["multipartite"].size(n, *bounds) == size_of(
            encoded("multipartite", n, *bounds), n
        )
        if n <= 150:
            SumCase("multipartite", [1] * n, *bounds).require_derived()


@pytest.fixture(params=[(3, 6), (5, 12), (6, 20), (7, 40), (9, 44), (3, 80)], ids=str)
def forced(request, monkeypatch):
    """A number of inputs that are edges between a number of parts, inner graphs of three parts."""
    parts, n = request.param

    def parts_where_possible(number, output=False, grouped=True):
        if number == n:
            return Plan(EncodingSize(0, 0, 0), "parts", parts)
        if number >= 4 and nodes_needed(number, 3) < number:
            return Plan(EncodingSize(0, 0, 0), "parts", 3)
        return plan(number, output, grouped)

    monkeypatch.setattr(multipartite, "plan", parts_where_possible)
    monkeypatch.setattr(derivations, "plan", parts_where_possible)
    return n


def test_other_numbers_of_parts_and_parts_within_parts_say_the_same_and_are_derived(forced):
    n = forced
    formula = Formula(num_vars=n)
    multipartite.emit_parts(range(1, n + 1), multipartite.plan(n).by, True, formula)
    output = formula.num_vars
    clauses = list(formula.clauses())
    for first in range(1, n + 1):
        true = propagated(clauses, [first])
        assert {output, *(-v for v in range(1, n + 1) if v != first)} <= true
    falses = [-v for v in range(1, n + 1)]
    propagated(clauses, [*falses, -output])
    SumCase("multipartite", [1] * n, 0, 1).require_derived()
