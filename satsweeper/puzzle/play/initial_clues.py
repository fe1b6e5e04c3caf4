"""Boards that begin with a few clues open, from which every move is certain."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from random import Random
from typing import Final

from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.play.moves import play_certain
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

    Cells are added wherever the game is stuck; with every safe cell open it is solved. Then each is
    left out if the rest is enough: clues only remove layouts, so what is enough stays enough with
    more of them, and a cell that is needed once stays needed.

    Args:
        puzzle: the board with nothing open, with its total.
        clues: the clue of each safe cell, by number.
        random: draws the cells.
        deadline: the end of the search; PuzzleTimeError if it comes first.
    """
    # With nothing open the first positions would be the hardest ones.
    given = {*random.sample(sorted(clues), len(clues) // _FIRST)}
    here = with_given(puzzle, clues, given)
    while True:
        play = play_certain(here, clues, deadline=deadline)
        if play.solved:
            break
        stuck = [cell for cell in play.puzzle.hidden() if cell in clues]
        added = random.choice(stuck)
        given.add(added)
        opened = {**play.puzzle.clues, added: clues[added]}
        here = replace(play.puzzle, clues=opened)
    order = sorted(given)
    random.shuffle(order)
    for cell in order:
        rest = given - {cell}
        if play_certain(with_given(puzzle, clues, rest), clues, deadline=deadline).solved:
            given = rest
    return frozenset(given)
