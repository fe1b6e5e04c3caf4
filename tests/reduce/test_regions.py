"""Regions against connected components, and classes against swaps in all layouts."""

from collections import Counter
from itertools import combinations, product

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper.reduce.residual import Residual, cells_of, interchangeable_cells, regions


def constraints(cells: int, most: int) -> st.SearchStrategy[list[Residual]]:
    groups = st.sets(st.integers(0, cells - 1), min_size=1, max_size=5).map(sorted).map(tuple)
    one = groups.flatmap(lambda group: st.tuples(st.just(group), st.integers(0, len(group))))
    return st.lists(one, max_size=most, unique=True)


@settings(max_examples=200, deadline=None)
@given(constraints(40, 30))
def test_regions_are_the_connected_components(given_constraints):
    graph = nx.Graph()
    for group, _ in given_constraints:
        graph.add_nodes_from(group)
        nx.add_path(graph, group)
    expected = {frozenset(part) for part in nx.connected_components(graph)}
    found = regions(given_constraints)
    assert {frozenset(cells_of(region)) for region in found} == expected
    assert len(found) == len(expected)
    assert Counter(one for region in found for one in region) == Counter(given_constraints)


@settings(max_examples=100, deadline=None)
@given(constraints(40, 30))
def test_cells_come_once_and_in_the_order_of_their_first_constraint(given_constraints):
    seen = [cell for group, _ in given_constraints for cell in group]
    assert cells_of(given_constraints) == sorted(set(seen), key=seen.index)


def layouts(given_constraints: list[Residual], cells: list[int]) -> set[frozenset[int]]:
    return {
        mines
        for bits in product((False, True), repeat=len(cells))
        if (mines := frozenset(c for c, bit in zip(cells, bits, strict=True) if bit)) is not None
        and all(len(mines & set(group)) == need for group, need in given_constraints)
    }


@settings(max_examples=150, deadline=None)
@given(constraints(8, 5))
def test_swapping_two_cells_of_a_class_maps_layouts_to_layouts(given_constraints):
    cells = cells_of(given_constraints)
    found = layouts(given_constraints, cells)
    for group in interchangeable_cells(given_constraints):
        for one, other in combinations(group, 2):
            swap = {one: other, other: one}
            assert {frozenset(swap.get(c, c) for c in mines) for mines in found} == found


@settings(max_examples=150, deadline=None)
@given(constraints(12, 8))
def test_classes_hold_all_cells_that_stand_in_the_same_constraints(given_constraints):
    stands_in: dict[frozenset[int], set[int]] = {}
    for cell in cells_of(given_constraints):
        where = frozenset(k for k, (group, _) in enumerate(given_constraints) if cell in group)
        stands_in.setdefault(where, set()).add(cell)
    expected = {frozenset(group) for group in stands_in.values() if len(group) > 1}
    found = interchangeable_cells(given_constraints)
    assert {frozenset(group) for group in found} == expected
    assert len(found) == len(expected)
