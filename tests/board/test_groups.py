"""Groups of cells under common clues, against a graph."""

from random import Random

import networkx as nx

from satsweeper.board.geometry import Square
from satsweeper.board.groups import groups
from satsweeper.board.planes import board_of, indices


def test_groups_are_the_components_of_the_graph_of_cells_and_clues():
    square = Square(8, 9)
    random = Random(3)
    cells = [square.index((r, c)) for r in range(8) for c in range(9)]
    several = 0
    for _ in range(200):
        clues = random.sample(cells, random.randint(0, 20))
        counted = random.sample(sorted(set(cells) - set(clues)), random.randint(0, 40))
        graph = nx.Graph()
        for clue in clues:
            for cell in set(square.neighbours(clue)) & set(counted):
                graph.add_edge(("clue", clue), cell)
        expected = {
            frozenset(n for n in part if isinstance(n, int))
            for part in nx.connected_components(graph)
        }
        several += len(expected) > 1
        found = groups(square, board_of(clues, square.size), board_of(counted, square.size))
        assert {frozenset(indices(group, square.size)) for group in found} == expected
        assert len(found) == len(expected)
    assert several > 50


def test_cells_that_no_clue_counts_are_in_no_group():
    # A clue at each end of a row, and a cell in the middle that neither counts.
    assert groups(Square(1, 7), 0b1000001, 0b0111110) == [0b10, 0b100000]
    assert groups(Square(1, 7), 0, 0b1111111) == []


def test_cells_left_out_no_longer_tie_their_neighbours():
    # Clues in the upper row; below, the second clue counts all three cells.
    square = Square(2, 3)
    assert groups(square, 0b0000_0111, 0b0111_0000) == [0b0111_0000]
    assert groups(square, 0b0000_0101, 0b0101_0000) == [0b0001_0000, 0b0100_0000]
