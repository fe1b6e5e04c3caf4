"""All constraints of a board: its rules, clues, flags, regions and total."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import pairwise
from typing import Final

from satsweeper.puzzle.clue import Region
from satsweeper.puzzle.constraints.clause import Clause
from satsweeper.puzzle.constraints.protocol import Constraint, Part
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.rule import Value
from satsweeper.puzzle.rules.table import layout_rule

TOTAL: Final = Part("total", "")
"""The part of the total."""
CELLS: Final = Part("cells", "")
"""The part that no reason names: a cell with k mines also has k - 1."""


def board_constraints(puzzle: Puzzle, flags: str = "trust") -> list[Constraint]:
    """Return the constraints of a board, the total last.

    ``flags``: "trust" or "ignore".

    Raises RuleError, naming the rule, for a board that lacks what a rule needs.
    """
    found: list[Constraint] = []
    board = puzzle.board
    for cell in sorted(board.capacity):
        for less, more in pairwise(board.variables[cell]):
            found.append(Clause(CELLS, (less, -more)))
    for letters in puzzle.layout_rules:
        part = Part("rule", letters)
        try:
            found += layout_rule(letters)(board, part)
        except RuleError as error:
            raise RuleError(f"rule {letters} {error}") from None
    found += _clues(puzzle)
    if flags == "trust":
        found += [Clause(Part("flag", cell), (board.mine(cell),)) for cell in sorted(puzzle.flags)]
    for region in puzzle.regions:
        found += _region(puzzle, region)
    if puzzle.mines is not None:
        every = [variable for cell in board.variables for variable in cell]
        found.append(Sum.of(TOTAL, every, (puzzle.mines,)))
    return found


def _clues(puzzle: Puzzle) -> Iterator[Constraint]:
    together: dict[tuple[str, ...], list[tuple[Part, int, Value]]] = {}
    for cell, clue in sorted(puzzle.clues.items()):
        part = Part("clue", cell)
        kind = clue.kind
        if kind.together is not None:
            together.setdefault(kind.letters, []).append((part, cell, clue.value))
            continue
        try:
            yield from kind.constraints(kind.site(puzzle.board, part, cell), clue.value)
        except RuleError as error:
            raise RuleError(f"rule {' '.join(kind.letters)} {error}") from None
    for letters, clues in together.items():
        rule = puzzle.clues[clues[0][1]].kind.together
        assert rule is not None
        assert rule.together is not None
        try:
            yield from rule.together(puzzle.board, Part("rule", " ".join(letters)), clues)
        except RuleError as error:
            raise RuleError(f"rule {' '.join(letters)} {error}") from None


def _region(puzzle: Puzzle, region: Region) -> Iterator[Constraint]:
    """Yield the total of a region, and that its mines are consecutive or not."""
    part = Part("region", region.name)
    mines = [puzzle.board.mine(cell) for cell in region.cells]
    every = [v for cell in region.cells for v in puzzle.board.variables[cell]]
    yield Sum.of(part, every, (region.mines,))
    if region.arranged == "together":
        # No two mines so far apart that as many cells as there are mines do not span them.
        for start, mine in enumerate(mines):
            for other in mines[start + max(region.mines, 1) :]:
                yield Clause(part, (-mine, -other))
    elif region.arranged == "apart" and region.mines:
        # Of each stretch of as many cells as there are mines one holds none. No mines are no run.
        for start in range(len(mines) - region.mines + 1):
            stretch = mines[start : start + region.mines]
            yield Clause(part, tuple([-mine for mine in stretch]))


def holds(puzzle: Puzzle, mines: Container[int], flags: str = "trust") -> bool:
    """Whether a layout, as the set of its true variables, meets all constraints of a board."""
    if any((v in mines) != value for v, value in puzzle.known.items()):
        return False
    return all(each.holds(mines) for each in board_constraints(puzzle, flags))
