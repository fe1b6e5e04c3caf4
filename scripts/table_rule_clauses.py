#!/usr/bin/env python3
"""The tables of docs/rules_as_clauses.md: the size of each rule's clauses, and what they propagate.

Layout rules are measured on an empty board of 8x8 cells, clue rules by one clue in the middle of
it. What unit propagation finds is examined on boards of at most eight covered cells, in every
partial assignment: all values that are certain, or every contradiction, or not even that.

Exit codes: 0 done; 1 the file has no place for the tables, or --check finds them stale; 2 wrong
usage.

Example: scripts/table_rule_clauses.py --check
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf.audit import Audit, Property, audit_truth, truth
from satsweeper.export.puzzle import PuzzleProblem
from satsweeper.puzzle.board_constraints import board_constraints, holds
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.grids import square
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import ClueKind, clue_kind
from satsweeper.puzzle.rules.rule import Value
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from satsweeper.report.table import markdown_table
from scripts.frame.arguments import parser_of, write_tables

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "rules_as_clauses.md"
COMMAND: Final = "python scripts/table_rule_clauses.py"
OF_LAYOUTS: Final = "sizes of rules of layouts"
OF_CLUES: Final = "sizes of rules of clues"

ROWS: Final = 8
"""The rows and columns of the board on which sizes are measured."""
MINES: Final = 10
"""The total with which rules of connection are measured again."""
_MOST_OF_PRIMES: Final = 9
"""The most cells of a clue whose prime implicates are counted."""
PAIRS: Final = ("M X", "M N", "L M", "L P", "N X", "M 2M", "2X X", "K M", "2K 2M")
"""Combined rules of clues in the table."""

CLOSED: Final[Mapping[str, tuple[str, Callable[[int], int]]]] = {
    "Q": ("(n-1)^2", lambda n: (n - 1) ** 2),
    "T": ("4(n-1)(n-2)", lambda n: 4 * (n - 1) * (n - 2)),
    "A": ("4(n-1)(n-2)", lambda n: 4 * (n - 1) * (n - 2)),
    "H": ("n(n-1)", lambda n: n * (n - 1)),
    "U": ("2n(n-1)", lambda n: 2 * n * (n - 1)),
    "2H": ("n^2", lambda n: n**2),
    "2T": ("4n(n-2)", lambda n: 4 * n * (n - 2)),
    "D": ("7n^2-12n+4", lambda n: 7 * n**2 - 12 * n + 4),
}
"""Rules whose clauses need no auxiliary variables, and their number on n x n cells, n >= 3."""


class Size(NamedTuple):
    """The numbers of auxiliary variables and of clauses."""

    variables: int
    clauses: int

    def __str__(self) -> str:
        """Return both numbers as a cell of a table."""
        return f"{self.variables:,} / {self.clauses:,}"


def size(puzzle: Puzzle) -> Size:
    """Return the size of the clauses that ``satsweeper export`` writes for a board."""
    found = PuzzleProblem.of(puzzle)
    return Size(found.formula.num_vars - len(found.cells), found.formula.num_clauses)


def layout_size(letters: str, n: int, mines: int | None = None) -> Size:
    """Return the size of a rule of layouts on n x n covered cells, without the total's own.

    ``mines``: the total, which bounds how far connections have to be followed; None: unknown.
    """
    geometry = square(n, n)
    found = size(Puzzle(geometry, (letters,), mines=mines))
    own = size(Puzzle(geometry, mines=mines))
    return Size(found.variables - own.variables, found.clauses - own.clauses)


def clue_size(letters: str, n: int, value: Value) -> Size:
    """Return the size of one clue in the middle of n x n cells under ``letters``."""
    kind = clue_kind(tuple(letters.split()))
    middle = (n - 1) // 2 * n + (n - 1) // 2
    return size(Puzzle(square(n, n), tuple(letters.split()), {middle: Clue(kind, value)}))


@cache
def values(letters: str, n: int) -> tuple[Value, ...]:
    """Return values that a cell in the middle of n x n cells shows, ascending.

    All that the eight cells around it make of it, and those of 400 layouts drawn with the seed 1.
    """
    kind = clue_kind(tuple(letters.split()))
    puzzle = Puzzle(square(n, n), tuple(letters.split()))
    middle = (n - 1) // 2 * n + (n - 1) // 2
    around = puzzle.geometry.neighbours[middle]
    layouts = [
        frozenset(each) for count in range(9) for each in combinations(around, count)
    ]  # fmt: skip
    rng = Random(1)
    others = [cell for cell in range(n * n) if cell != middle]
    for density in (0.05, 0.1, 0.2, 0.4):
        layouts += [
            frozenset(cell for cell in others if rng.random() < density) for _ in range(100)
        ]
    return tuple(sorted(_shown(puzzle, kind, middle, layouts)))


def _shown(
    puzzle: Puzzle, kind: ClueKind, cell: int, layouts: Iterable[frozenset[int]]
) -> set[Value]:
    """Return the values that ``cell`` shows in some of ``layouts``, sets of cells with mines."""
    from satsweeper.puzzle.constraints.protocol import Part

    site = kind.site(puzzle.board, Part("clue", cell), cell)
    return {value for mines in layouts for value in kind.shown(site, lambda c: c in mines)}  # noqa: B023


def audited(puzzle: Puzzle) -> Audit:
    """Return the audit of a board's clauses against its rules; at most eight cells are covered."""
    found = PuzzleProblem.of(puzzle)
    table = _solutions(puzzle, [cell + 1 for cell, _ in found.cells])
    clauses = [list(clause) for clause in found.formula.clauses()]
    return audit_truth(clauses, found.formula.num_vars, len(found.cells), truth(table))


def number_of_primes(letters: str, n: int, value: Value) -> int | None:
    """Return the number of prime implicates of the clue of `clue_size`; None beyond nine cells."""
    kind = clue_kind(tuple(letters.split()))
    middle = (n - 1) // 2 * n + (n - 1) // 2
    puzzle = Puzzle(square(n, n), tuple(letters.split()), {middle: Clue(kind, value)})
    scope = sorted({v for each in board_constraints(puzzle) for v in each.scope})
    if len(scope) > _MOST_OF_PRIMES or kind.together is not None:
        return None
    return len(prime_implicates(_solutions(puzzle, scope)))


def _solutions(puzzle: Puzzle, variables: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Return whether a board's rules are met, for each assignment of ``variables`` of cells.

    The other cells are safe.
    """
    found = np.zeros((2,) * len(variables), dtype=np.bool_)
    for assignment in product((0, 1), repeat=len(variables)):
        mines = {v for v, mine in zip(variables, assignment, strict=True) if mine}
        found[assignment] = holds(puzzle, mines)
    return found


def prime_implicates(table: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Return all prime implicates of a table of the solutions, one axis of length 2 an input.

    With all of them unit propagation finds every value. Literal v is true at index 1 of axis v - 1.

    >>> prime_implicates(np.array([[False, True], [True, True]]))
    [[1, 2]]
    """
    n = table.ndim
    # Index 2 of an axis leaves the input open: no assignment of such a cube is a solution.
    empty = ~table
    for axis in range(n):
        both = empty.take([0], axis) & empty.take([1], axis)
        empty = np.concatenate([empty, both], axis)
    # A cube is maximal if it is not empty any more with any of its inputs open.
    maximal = empty.copy()
    for axis in range(n):
        decided = (slice(None),) * axis + (slice(0, 2),)
        maximal[decided] &= ~empty.take([2], axis)
    signs = (1, -1)
    return [
        [signs[code] * v for v, code in enumerate(cube, start=1) if code < 2]
        for cube in np.argwhere(maximal).tolist()
    ]


def small_layout_boards(letters: str) -> Iterator[Puzzle]:
    """Yield boards of at most eight covered cells under a rule of layouts."""
    for rows, columns, opened in ((2, 4, ()), (4, 2, ()), (3, 3, (0,)), (3, 3, (1,)), (3, 3, (4,))):
        yield Puzzle(square(rows, columns), (letters,), opened=frozenset(opened))


def small_clue_boards(letters: str) -> Iterator[Puzzle]:
    """Yield boards of 3x3 cells with one clue, for each place and each value that it can show.

    Where clues depend on one another there are two of them.
    """
    rules = tuple(letters.split())
    kind = clue_kind(rules)
    geometry = square(3, 3)
    plain = Puzzle(geometry, rules)
    every = [frozenset(c for c in range(9) if number >> c & 1) for number in range(512)]
    if kind.together is None:
        for cell in range(9):
            for value in sorted(_shown(plain, kind, cell, [m for m in every if cell not in m])):
                yield Puzzle(geometry, rules, {cell: Clue(kind, value)})
        return
    for places in ((0, 1), (0, 4), (0, 8), (1, 3)):
        free = [mines for mines in every if mines.isdisjoint(places)]
        found = [sorted(_shown(plain, kind, cell, free)) for cell in places]
        for chosen in product(*found):
            clues = {c: Clue(kind, v) for c, v in zip(places, chosen, strict=True)}
            yield Puzzle(geometry, rules, clues)


def propagated(puzzles: Iterable[Puzzle]) -> tuple[str, str]:
    """Return the strength of unit propagation on all these boards, and the models of a layout.

    Raises ValueError for clauses that are not those of the rules.
    """
    failing: set[Property] = set()
    for puzzle in puzzles:
        failing.update(audited(puzzle).failures)
    if Property.CORRECT in failing:
        raise ValueError(f"wrong clauses for {puzzle!r}")
    models = "one or more" if Property.PARSIMONIOUS in failing else "one"
    if Property.DETECTS in failing:
        return "some conflicts", models
    return "every conflict" if Property.ARC_CONSISTENT in failing else "every value", models


def layouts_table() -> str:
    """Return the table of rules of layouts."""
    lines = []
    for letters, row in LAYOUTS.items():
        own = layout_size(letters, ROWS)
        bounded = layout_size(letters, ROWS, MINES)
        strength, models = propagated(small_layout_boards(letters))
        closed = CLOSED[letters][0] if letters in CLOSED else ""
        few = str(bounded) if bounded != own else ""
        lines.append([f"`{letters}`", row.summary, str(own), few, closed, strength, models])
    head = ["rule", "says", "variables / clauses", f"with {MINES} mines", "on n x n cells",
            "unit propagation finds", "models of a layout"]  # fmt: skip
    return markdown_table(head, lines)


def clues_table() -> str:
    """Return the table of rules of clues, alone and combined."""
    lines = []
    for letters in (*CLUES, *PAIRS):
        kind = clue_kind(tuple(letters.split()))
        sizes = {value: clue_size(letters, ROWS, value) for value in values(letters, ROWS)}
        largest = max(sizes, key=lambda value: (sizes[value].clauses, value))
        strength, models = propagated(small_clue_boards(letters))
        shown = f"`{kind.text(largest)}`"
        number = number_of_primes(letters, ROWS, largest)
        primes = "" if number is None else str(number)
        lines.append([f"`{letters}`", shown, str(sizes[largest]), primes, strength, models])
    head = ["rule", "largest clue", "variables / clauses", "prime implicates",
            "unit propagation finds", "models of a layout"]  # fmt: skip
    return markdown_table(head, lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the tables, or only check them; return the exit code."""
    return write_tables(
        parser_of(__doc__),
        PAGE,
        COMMAND,
        lambda _: {OF_LAYOUTS: layouts_table(), OF_CLUES: clues_table()},
        argv,
        (OSError, RuleError, ValueError),
    )


if __name__ == "__main__":
    sys.exit(main())
