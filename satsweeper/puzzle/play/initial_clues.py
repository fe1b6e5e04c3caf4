"""Boards that begin with a few clues open, from which every move is certain."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from random import Random
from typing import Final

from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.play.certain_game import EFFORT, CertainGame
from satsweeper.puzzle.puzzle import Puzzle

_FIRST: Final = 5
"""The number of safe cells for each cell that is open when a game is first played."""


def with_given(puzzle: Puzzle, clues: Mapping[int, Clue], given: Collection[int]) -> Puzzle:
    """Return the board with the cells ``given`` open."""
    return replace(puzzle, clues={cell: clues[cell] for cell in sorted(given)})


def enough_given(
    puzzle: Puzzle, clues: Mapping[int, Clue], random: Random, deadline: Deadline
) -> frozenset[int]:
    """Return safe cells, drawn at random, from which a board is solved; none can be left out.

    Cells are added wherever the game is stuck; with every safe cell open it is solved. Then cells
    are left out if the rest is enough: clues only remove layouts, so what is enough stays enough
    with more of them, and a cell that is needed once stays needed. A cell counts as needed, too, if
    without it some move takes a proof of more than `EFFORT` conflicts.

    Args:
        puzzle: the board with nothing open, with its total.
        clues: the clue of each safe cell, by number.
        random: draws the cells.
        deadline: the end of the search; PuzzleTimeError if it comes first.
    """

    def game(given: Collection[int]) -> CertainGame:
        here = with_given(puzzle, clues, given)
        return CertainGame(here, clues, deadline=deadline, effort=EFFORT)

    # With nothing open the first positions would be the hardest ones.
    given = {*random.sample(sorted(clues), len(clues) // _FIRST)}
    with game(given) as first:
        while first.left:
            safe = first.safe()
            if not safe:
                safe = [random.choice(sorted(first.left))]
                given.update(safe)
            first.open(safe)

    def enough(given: Collection[int], without: Collection[int]) -> bool:
        # Once the cells left out are open, more is open than what was enough.
        with game(given) as rest:
            while not rest.left.isdisjoint(without):
                safe = rest.safe()
                if not safe:
                    return False
                rest.open(safe)
        return True

    order = sorted(given)
    random.shuffle(order)
    # Twice as many cells at once after each success, as most are needed or most are not.
    size = 1
    while order:
        block = {*order[:size]}
        if enough(given - block, block):
            given -= block
            order, size = order[size:], 2 * size
        elif size > 1:
            size = 1
        else:
            order = order[1:]
    return frozenset(given)
