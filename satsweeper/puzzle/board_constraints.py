"""All constraints of a board: its rules, clues, flags, regions and total."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Final

from satsweeper.board.errors import one_line
from satsweeper.puzzle.board import Board
from satsweeper.puzzle.clue import Clue, Region
from satsweeper.puzzle.constraints.clause import Clause
from satsweeper.puzzle.constraints.protocol import Constraint, Part
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.rule import Value
from satsweeper.puzzle.rules.table import OWN_LETTERS, layout_rule, own_rules

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
        with _named((letters,)):
            found += _checked(board, (letters,), layout_rule(letters)(board, Part("rule", letters)))
    found += _clues(puzzle)
    if flags == "trust":
        found += [Clause(Part("flag", cell), (board.mine(cell),)) for cell in sorted(puzzle.flags)]
    for region in puzzle.regions:
        found += _region(puzzle, region)
    if puzzle.mines is not None:
        every = [variable for cell in board.variables for variable in cell]
        found.append(Sum.of(TOTAL, every, (puzzle.mines,)))
    return found


def clue_constraints(board: Board, cell: int, clue: Clue) -> list[Constraint]:
    """Return the constraints of one clue, which stands at the cell number ``cell``.

    For kinds of clues of which each stands for itself. Raises RuleError as `board_constraints`.
    """
    kind = clue.kind
    with _named(kind.letters):
        site = kind.site(board, Part("clue", cell), cell)
        return _checked(board, kind.letters, kind.constraints(site, clue.value))


def _clues(puzzle: Puzzle) -> Iterator[Constraint]:
    together: dict[tuple[str, ...], list[tuple[Part, int, Value]]] = {}
    if puzzle.clue_rules != (OWN_LETTERS,) and clue_kind(puzzle.clue_rules).together is not None:
        # A rule of the whole board may say something about a board without clues, too.
        together[puzzle.clue_rules] = []
    for cell, clue in sorted(puzzle.clues.items()):
        if clue.kind.together is not None:
            found = Part("clue", cell), cell, clue.value
            # V beside another rule says nothing: clues with it and without are of one group.
            letters = tuple([each for each in clue.kind.letters if each != "V"])
            together.setdefault(letters, []).append(found)
        else:
            yield from clue_constraints(puzzle.board, cell, clue)
    for letters, clues in together.items():
        rule = clue_kind(letters).together
        assert rule is not None
        assert rule.together is not None
        with _named(letters):
            yield from [*rule.together(puzzle.board, Part("rule", " ".join(letters)), clues)]


def _checked(board: Board, letters: Sequence[str], found: Iterable[Constraint]) -> list[Constraint]:
    """Return constraints, of a user's own rule after a look at each of them.

    Raises RuleError for what is no constraint, and for variables that no cell has: they would be
    taken for auxiliary ones.
    """
    constraints = [*found]
    for each in constraints if own_rules(letters) else ():
        if not all(hasattr(each, name) for name in ("parts", "scope", "write", "holds")):
            raise RuleError(f"gives {each!r}, which is no constraint")
        strange = [variable for variable in each.scope if not 0 < variable <= board.num_vars]
        if strange:
            cells = f"the variables of cells are 1 to {board.num_vars}"
            raise RuleError(f"gives a constraint on variable {strange[0]}: {cells}")
    return constraints


@contextmanager
def _named(letters: Sequence[str]) -> Iterator[None]:
    """Put the rule's letters before what a RuleError in the block says.

    Any other exception of a user's own rule becomes a RuleError.
    """
    rule = f"rule {' '.join(letters)}"
    try:
        yield
    except RuleError as error:
        raise RuleError(f"{rule} {error}") from None
    except Exception as error:
        if not own_rules(letters):
            raise
        raise RuleError(f"{rule} fails: {one_line(error)}") from None


def _region(puzzle: Puzzle, region: Region) -> Iterator[Constraint]:
    """Yield the total of a region, and that its mines are consecutive or not."""
    part = Part("region", region.name)
    mines = [puzzle.board.mine(cell) for cell in region.cells]
    every = [v for cell in region.cells for v in puzzle.board.variables[cell]]
    yield Sum.of(part, every, (region.mines,))
    if region.arranged and len(every) > len(mines):
        # Mines may share a cell: what counts is where runs of cells with mines begin.
        starts = ((mines[0],), *[(-one, other) for one, other in pairwise(mines)])
        runs = (0, 1) if region.arranged == "together" else (0, *range(2, len(mines) + 1))
        yield Sum(part, starts, (1,) * len(starts), runs)
    elif region.arranged == "together":
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
