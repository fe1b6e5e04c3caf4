"""Boards from graphs of networkx, and what a board may consist of."""

from __future__ import annotations

import re
from dataclasses import replace
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
from scripts.fuzzing.rule_boards import Subject, draw
from scripts.fuzzing.rule_checks import puzzle_of


@pytest.mark.parametrize("seed", range(40))
def test_a_board_of_a_network_is_the_board_of_its_graph(seed):
    """The puzzle of a networkx graph equals the puzzle of the same drawn board."""
    board = draw(Subject("graph", (), "V"), Random(seed))
    names: list[Any] = [(n, "b") if n % 3 else "a" * n for n in range(len(board.shape.cells))]
    shape = board.shape._replace(cells=tuple(names))
    board = replace(board, shape=shape, shown=frozenset(), dyed=board.mask)
    network = nx.DiGraph(
        {names[c]: [names[n] for n in near] for c, near in enumerate(board.shape.near)}
    )
    puzzle = Puzzle.from_graph(
        network,
        clues={names[cell]: text for cell, (_, text) in board.clues.items()},
        mines=board.mines,
        regions=[
            (name, [names[c] for c in cells], mines) for name, cells, mines, _ in board.regions
        ],
        **{
            part: {names[cell]: value for cell, value in getattr(board, part).items()}
            for part in ("weights", "capacity")
        },
        **{part: [names[cell] for cell in getattr(board, part)] for part in ("flags", "opened")},
        dyed=[names[cell] for cell in board.mask],
    )
    regions = tuple([(*each[:3], "") for each in board.regions])
    assert puzzle == puzzle_of(replace(board, regions=regions))
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
