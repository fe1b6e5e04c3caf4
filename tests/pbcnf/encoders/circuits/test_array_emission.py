"""What is emitted in bulk: the same clauses in any chunks, and counted exactly at size."""

import numpy as np
import pytest
from pysat.solvers import Solver

from pbcnf import Formula
from pbcnf.encoders.circuits import array_emission, sequential_grid, totalizer_tree
from pbcnf.encoders.circuits.output_ranges import Asked
from tests.pbcnf.emitted import encoded

every_counter = pytest.mark.parametrize(
    "name", ["totalizer", "sequential_counter", "knuth_counter"]
)


@every_counter
@pytest.mark.parametrize("bounds", [(0, 1), (0, 9), (30, 50), (20, 20), (7, 24), (49, 50)])
def test_neither_chunks_nor_caches_change_a_clause(monkeypatch, name, bounds):
    whole = list(encoded(name, 50, *bounds))
    for module in (array_emission, sequential_grid):
        monkeypatch.setattr(module, "CHUNK", 7)
    monkeypatch.setattr(totalizer_tree, "FEW", 0)
    assert sorted(encoded(name, 50, *bounds)) == sorted(whole)


@pytest.mark.parametrize("few", [0, 1024])
@pytest.mark.parametrize("n", [1, 2, 3, 7, 16, 41, 90])
def test_a_tree_in_lists_emits_what_a_tree_in_arrays_emits(monkeypatch, few, n):
    monkeypatch.setattr(totalizer_tree, "FEW", few)
    rising, falling = range(n // 3 + 1, n // 2 + 2), range(max(n // 4, 1), n // 2 + 1)
    both = Asked(range(max(n // 4, 1), n // 2 + 1), falling)
    for asked in ([Asked(rising, range(0))], [Asked(range(0), falling)], [both, _wider(both, n)]):
        lists, arrays = Formula(num_vars=n), Formula(num_vars=n)
        for sink in (lists, arrays):
            tree = totalizer_tree.TotalizerTree(
                [-v for v in range(1, n + 1)], arrays=sink is arrays
            )
            outputs = [tree.grow(each, sink) for each in asked]
            if n > 1:
                tree.bound_root(asked[-1], sink)
            sink.add_clause([*outputs[-1]])
        assert list(lists) == list(arrays)


def _wider(asked, n):
    return Asked(*(range(1, n + 1) for _ in asked))


def test_a_staircase_is_cut_between_its_rows():
    starts, stops = np.array([3, 0, 5, 2, 0]), np.array([3, 4, 6, 1, 2])
    places = [(r, c) for r in range(5) for c in range(starts[r], stops[r])]
    for chunk in range(12):
        parts = [
            list(zip(rows.tolist(), columns.tolist(), strict=True))
            for rows, columns in array_emission.staircase(starts, stops, chunk)
        ]
        assert [place for part in parts for place in part] == places
        assert all(len(part) <= chunk or len({r for r, _ in part}) == 1 for part in parts)
        assert all(parts)


@every_counter
@pytest.mark.parametrize("lower", [0, 50, 100])
def test_hundreds_of_inputs_are_counted_exactly(name, lower):
    n, upper = 250, 100
    with Solver("minisat22", bootstrap_with=encoded(name, n, lower, upper)) as solver:
        true = [*range(1, 200, 4), *range(2, 200, 4)]
        forced = {lit for lit in solver.propagate(true)[1] if abs(lit) <= n}
        assert forced == {v if v in true else -v for v in range(1, n + 1)}
        assert solver.propagate(true[1:])[0]
        assert not solver.propagate([*true, n])[0]
        assert solver.propagate([-v for v in range(1, n + 1 - lower)])[0]
        assert solver.propagate([-v for v in range(1, n + 2 - lower)])[0] == (lower == 0)
