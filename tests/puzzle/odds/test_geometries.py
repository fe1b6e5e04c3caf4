"""Odds of trees, cubes, regions and plain positions, and what they refuse."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import networkx
import pytest

import satsweeper
from satsweeper.count.budget import OddsLimitError
from satsweeper.count.odds import odds as odds_of_position
from satsweeper.position import Position
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.odds.odds import odds
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import clue_kind


def test_nodes_are_read_in_an_order_that_keeps_a_tree_of_many_cells_narrow() -> None:
    graph = networkx.balanced_tree(2, 6)
    depth = networkx.shortest_path_length(graph, 0)
    clues = {node: 1 for node in graph if depth[node] == 5}
    found = odds(Puzzle.from_graph(graph, clues=clues))
    # A mine above two clues is all that both count; otherwise each has one of its two leaves.
    assert found.solutions == 5**16 * 2**15
    assert {found.mine[node] for node in graph if depth[node] == 4} == {Fraction(1, 5)}
    assert {found.mine[node] for node in graph if depth[node] == 6} == {Fraction(2, 5)}
    assert (found.interior, found.interior_cells) == (Fraction(1, 2), 15)


def test_cubes_have_names_of_three_coordinates() -> None:
    kind = clue_kind(("V",))
    puzzle = Puzzle(cubes(2, 2, 2), clues={0: Clue(kind, 2)}, mines=2)
    found = odds(puzzle)
    assert found.solutions == 21
    assert found.mine[1, 1, 1] == Fraction(2, 7)
    assert found.as_json()["cells"][0] == {"cell": [0, 0, 1], "mine": "2/7", "value": 2 / 7}


def test_regions_have_totals_and_their_mines_lie_together_or_apart() -> None:
    graph = networkx.path_graph(5)
    for arranged, mines in (("together", [(0, 1), (1, 2), (2, 3), (3, 4)]), ("apart", None)):
        pairs = mines or [(a, b) for a, b in combinations(range(5), 2) if b - a > 1]
        puzzle = Puzzle.from_graph(graph, regions=[("line", range(5), 2)])
        region = puzzle.regions[0]._replace(arranged=arranged)
        found = odds(replace(puzzle, regions=(region,)))
        assert found.solutions == len(pairs)
        for node in range(5):
            shares = Fraction(sum(node in pair for pair in pairs), len(pairs))
            assert found.mine[node] == shares


def test_squares_under_the_plain_rule_have_the_odds_of_a_position() -> None:
    rng = random.Random(5)
    for _ in range(40):
        rows, columns = rng.randint(2, 7), rng.randint(2, 7)
        mines = {(r, c) for r in range(rows) for c in range(columns) if rng.random() < 0.2}
        text = ""
        for r in range(rows):
            for c in range(columns):
                near = sum((a, b) in mines for a in (r - 1, r, r + 1) for b in (c - 1, c, c + 1))
                covered = (r, c) in mines or rng.random() < 0.6
                text += "?" if covered else str(near)
            text += "\n"
        total = len(mines) if rng.random() < 0.5 else None
        position = Position.parse(text, mines=total)
        puzzle = Puzzle.parse(text, mines=total)
        density = Fraction(1, 5) if total is None and rng.random() < 0.5 else None
        expected = odds_of_position(position, density=density)
        found = odds(puzzle, density=density)
        assert found.solutions == expected.solutions
        assert found.mine == expected.mine
        assert (found.interior, found.interior_cells) == (
            expected.interior,
            expected.interior_cells,
        )
        assert found.safest() == expected.safest()
        both = found.as_json()
        assert both.pop("exact") is True
        assert (both.pop("rules"), both.pop("geometry")) == ([], "square")
        assert both == expected.as_json()


def test_a_position_has_the_odds_that_it_always_had() -> None:
    position = Position.parse("1??\n12?\n01?")
    assert odds(position).as_json() == odds_of_position(position).as_json()
    assert satsweeper.odds is odds


def test_a_density_is_for_an_unknown_total_and_cells_of_one_mine() -> None:
    graph = networkx.path_graph(2)
    for puzzle, message in (
        (Puzzle.from_graph(graph, mines=1), "known total"),
        (Puzzle.from_graph(graph, capacity={0: 2}), "one mine at most"),
    ):
        with pytest.raises(ValueError, match=message):
            odds(puzzle, density=Fraction(1, 3))
    with pytest.raises(ValueError, match="above 0"):
        odds(Puzzle.from_graph(graph), density=Fraction(1))


def test_lying_numbers_on_a_wide_board_are_refused() -> None:
    with pytest.raises(OddsLimitError, match="2L on more than 16 columns"):
        odds(Puzzle.parse("rules: 2L\n" + "1 " + "? " * 17 + "\n" + ("? " * 18 + "\n") * 17))


def test_the_time_limit_is_kept() -> None:
    with pytest.raises(OddsLimitError, match="time limit"):
        odds(Puzzle.parse("rules: C\n? ? ?\n? ? ?\n"), timeout=0)
