"""Boards from graphs of networkx against all layouts, and what a board may consist of."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from itertools import product
from random import Random
from typing import Any

import networkx as nx
import pytest

from satsweeper.answers.classification import Status
from satsweeper.puzzle.clue import read_clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.grids import square
from satsweeper.puzzle.geometry.hexcells import hexcells
from satsweeper.puzzle.json_board import json_text
from satsweeper.puzzle.puzzle import Puzzle, parse_board_or_puzzle
from satsweeper.puzzle.session import PuzzleSession

Layout = dict[Hashable, int]


def layouts(
    graph: Any,
    clues: dict[Hashable, int],
    mines: int | None = None,
    weights: dict[Hashable, int] | None = None,
    capacity: dict[Hashable, int] | None = None,
    flags: tuple[Hashable, ...] = (),
    opened: tuple[Hashable, ...] = (),
    regions: tuple[tuple[str, list[Hashable], int], ...] = (),
) -> Iterator[Layout]:
    """All layouts, as mines of each node, tried one after the other."""
    nodes = list(graph)
    safe = {*clues, *opened}
    ranges = [range(1 if n in safe else (capacity or {}).get(n, 1) + 1) for n in nodes]
    for counts in product(*ranges):
        layout = dict(zip(nodes, counts, strict=True))
        weighted = {n: count * (weights or {}).get(n, 1) for n, count in layout.items()}
        if (
            (mines is None or sum(counts) == mines)
            and all(layout[n] for n in flags)
            and all(sum(layout[n] for n in cells) == total for _, cells, total in regions)
            and all(sum(weighted[n] for n in graph.adj[v]) == clue for v, clue in clues.items())
        ):
            yield layout


def verdicts(found: list[Layout]) -> tuple[set[Hashable], set[Hashable]]:
    nodes = found[0].keys()
    safe = {n for n in nodes if not any(layout[n] for layout in found)}
    return safe, {n for n in nodes if all(layout[n] for layout in found)}


def random_board(seed: int) -> tuple[Any, dict[str, Any]]:
    """A graph and the arguments of `Puzzle.from_graph`, which some layout meets."""
    rng = Random(seed)
    kind = nx.DiGraph if seed % 2 else nx.Graph
    graph = kind(nx.gnp_random_graph(8, 0.35, seed=seed, directed=seed % 2 == 1))
    graph = nx.relabel_nodes(graph, {0: "a", 1: (1, "b"), 2: "c"})
    nodes = list(graph)
    capacity = {n: 2 for n in nodes if seed % 3 == 0 and rng.random() < 0.4}
    weights = {n: rng.choice([2, 3, -1]) for n in nodes if seed % 4 == 2 and rng.random() < 0.4}
    truth = {n: rng.choice([0, 0, 1, capacity.get(n, 1)]) for n in nodes}
    safe = [n for n in nodes if not truth[n]]
    shown = rng.sample(safe, min(3, len(safe)))
    some = rng.sample(nodes, 3)
    sums = {n: sum(truth[near] * weights.get(near, 1) for near in graph.adj[n]) for n in shown}
    # A clue below zero has no text: such a cell is opened without one.
    board: dict[str, Any] = {
        "clues": {n: value for n, value in sums.items() if value >= 0},
        "opened": tuple(n for n, value in sums.items() if value < 0),
        "mines": sum(truth.values()) if seed % 5 else None,
        "weights": weights,
        "capacity": capacity,
        "flags": tuple(n for n in nodes if truth[n])[: seed % 2],
        "regions": (("three", some, sum(truth[n] for n in some)),) if seed % 3 else (),
    }
    return graph, board


@pytest.mark.parametrize("seed", range(40))
def test_verdicts_on_a_graph_are_those_of_all_layouts(seed):
    graph, board = random_board(seed)
    puzzle = Puzzle.from_graph(graph, **board)
    found = [*layouts(graph, **board)]
    with PuzzleSession(puzzle) as session:
        answer = session.classify()
    safe, mines = verdicts(found)
    known = {*board["clues"], *board["opened"], *board["flags"]}
    assert answer.status is Status.CONSISTENT
    assert ({*answer.safe}, {*answer.mines}) == (safe - known, mines - known)
    assert Puzzle.parse(json_text(puzzle)) == puzzle
    assert parse_board_or_puzzle(json_text(puzzle)) == puzzle


def test_a_directed_graph_counts_where_its_edges_lead():
    graph = nx.DiGraph([("a", "b"), ("c", "a")])
    puzzle = Puzzle.from_graph(graph, clues={"a": 1})
    with PuzzleSession(puzzle) as session:
        answer = session.classify()
    assert (answer.mines, answer.unknown) == (["b"], ["c"])
    # By touch a and c are connected all the same.
    assert puzzle.geometry.touching == ((1, 2), (0,), (0,))


def test_a_graph_without_a_layout_names_what_clashes():
    graph = nx.path_graph(3)
    puzzle = Puzzle.from_graph(graph, clues={0: 1}, regions=[("ends", [1, 2], 0)])
    with PuzzleSession(puzzle) as session:
        answer = session.classify()
    assert answer.status is Status.INCONSISTENT
    assert answer.conflict is not None
    assert (answer.conflict.clues, answer.conflict.regions) == ((0,), ("ends",))


def test_rules_of_clues_hold_on_a_graph():
    star = nx.star_graph(3)
    liar = Puzzle.from_graph(star, clues={0: 2}, rules=["L"], mines=3)
    with PuzzleSession(liar) as session:
        assert session.classify().mines == [1, 2, 3]
    own = Puzzle.from_graph(star, clues={0: "L4"}, rules=["#"])
    with PuzzleSession(own) as session:
        assert session.classify().mines == [1, 2, 3]
    dyed = Puzzle.from_graph(star, clues={0: 5}, rules=["M"], dyed=[1, 2])
    with PuzzleSession(dyed) as session:
        assert session.classify().mines == [1, 2, 3]


PATH = nx.path_graph(3)


@pytest.mark.parametrize(
    ("board", "what"),
    [
        ({"clues": {7: 1}}, "7 is no cell"),
        ({"flags": ["a"]}, "'a' is no cell"),
        ({"regions": [("r", [0, 9], 1)]}, "9 is no cell"),
        ({"clues": {0: "x"}}, "'x': a clue is a number"),
        ({"clues": {0: -1}}, "'-1': a clue is a number"),
        ({"rules": ["C", "Z"]}, "unknown rule 'Z'"),
        ({"rules": ["#"], "clues": {0: 1}}, "'1': a clue begins with the letters of its rule"),
        ({"mines": 4}, "4 mines in 3 cells: the total is 0 to 3"),
        ({"mines": -1}, "-1 mines in 3 cells"),
        ({"mines": 5, "capacity": {0: 2}}, "the total is 0 to 4"),
        ({"flags": [0], "clues": {0: 1}}, "cell 0 has a flag and has a clue"),
        ({"opened": [1], "flags": [1]}, "cell 1 is opened and has a flag"),
        ({"capacity": {0: 0}}, "cell 0 has room for 0 mines: 1 at least"),
        ({"regions": [("r", [0, 1], 1), ("r", [1], 0)]}, "two regions 'r'"),
        ({"regions": [("r", [0, 0], 1)]}, "region 'r' has a cell twice"),
    ],
)
def test_what_is_no_board_is_refused(board, what):
    with pytest.raises(RuleError, match=re.escape(what)):
        Puzzle.from_graph(PATH, **board)


def test_a_loop_is_refused_and_parallel_edges_count_once():
    with pytest.raises(RuleError, match="each once, and not the cell itself"):
        Puzzle.from_graph(nx.Graph([(1, 1)]))
    double = nx.MultiGraph([(1, 2), (1, 2)])
    assert Puzzle.from_graph(double).geometry.neighbours == ((1,), (0,))


def test_a_clue_on_a_shown_cell_stands_on_a_mine():
    geometry = hexcells([(0, 0), (2, 0), (4, 0)])
    puzzle = Puzzle(geometry, ("#",), clues={0: read_clue("1", ("HB",))}, shown=frozenset({0}))
    assert puzzle.known == {1: True}
    assert puzzle.hidden() == [1, 2]
    with PuzzleSession(puzzle) as session:
        assert session.classify().unknown == [(2, 0), (4, 0)]
        assert session.classify().grid()[0][0] == "HB1"
    two = Puzzle(geometry, ("#",), clues={0: read_clue("2", ("HB",))}, shown=frozenset({0}))
    with PuzzleSession(two) as session:
        assert session.classify().mines == [(2, 0), (4, 0)]


def test_numbers_of_cells_beyond_the_board_are_refused():
    with pytest.raises(RuleError, match="cell number 4 of 4 has a flag"):
        Puzzle(square(2, 2), flags=frozenset({4}))
