"""Conflicts found by the linear relaxation of a position, every step proved exactly.

Searches by resolution fail on boards made to be hard for it, such as mutilated chessboards. Here
every clue, flag and the total is an equation; HiGHS minimises what they miss by, and its rounded
duals name equations that no values from 0 to 1 meet, which is checked in integers
(`satsweeper.engines.parts.weak_duality`). Then each is left out in turn: it is not needed if the
others still clash, and needed if HiGHS finds mines that meet them, which is checked as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from satsweeper.answers.classification import Conflict
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.engines.parts.import_conflicts import require, run_apart
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.linear.duality import bound, rounded
from satsweeper.linear.highs import LinearProgram, ProgramOutcome, mines_of
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

_MOST_WORK: Final = 500_000
"""Runs times variables and equations that making a conflict irreducible may take: some seconds."""


@dataclass(frozen=True)
class _LinearPart:
    """A clue, a flag, or the total (``cell`` None) as an equation over columns."""

    cell: Cell | None
    is_flag: bool
    columns: tuple[int, ...]
    number: int


def find_lp_conflict(position: Position, options: Options) -> Conflict | None:
    """Return clues, flags and perhaps the total that clash, irreducible as far as time allows.

    None: that the position has no layout is beyond the relaxation, or it has one.

    Raises:
        EngineMissingError: highspy is not installed.
    """
    require("highspy", "ilp")
    return run_apart("ortools", _conflict, position, options)


def _conflict(position: Position, options: Options) -> Conflict | None:
    deadline = Deadline.after(options.timeout)
    # Flags are cells here, so that each can be part of the conflict.
    sums = PositionSums(position, replace(options, flags="ignore"))
    parts = [
        _LinearPart(each.clue, False, tuple(v - 1 for v in each.variables), each.mines)
        for each in sums.sums
    ]
    trusted, index = position.view(options.flags).trusted, position.geometry.index
    for column, cell in enumerate(sums.cells):
        if trusted >> index(cell) & 1:
            parts.append(_LinearPart(cell, True, (column,), 1))
    # The total goes first and flags go last, so that what is left is near and plain.
    parts.sort(key=lambda part: (part.cell is not None, part.is_flag, part.cell or (-1, -1)))
    kept: set[int] | None = None
    if parts:
        search = _ClashSearch(parts, len(sums.cells))
        kept = search.clash(set(range(len(parts))), deadline.left())
    if kept is None:
        return None
    irreducible = True
    runs = _MOST_WORK // (len(sums.cells) + len(parts) + 1)
    for k in range(len(parts)):
        if k not in kept:
            continue
        runs -= 1
        if runs < 0 or deadline.passed():
            irreducible = False
            break
        fewer = search.clash(kept - {k}, deadline.left())
        if fewer is not None:
            kept = fewer
        elif not search.met(kept - {k}):
            irreducible = False
    found = [parts[k] for k in sorted(kept)]
    clues = (p.cell for p in found if p.cell is not None and not p.is_flag)
    return Conflict(
        clues=tuple(sorted(clues)),
        flags=tuple(sorted(p.cell for p in found if p.cell is not None and p.is_flag)),
        total=any(part.cell is None for part in found),
        irreducible=irreducible,
    )


class _ClashSearch:
    """The equations as a linear program in which any may be left out, by missing it at no cost."""

    def __init__(self, parts: Sequence[_LinearPart], variables: int) -> None:
        self._parts = parts
        self._variables = variables
        self._rows = [(part.columns, part.number) for part in parts]
        self._program = LinearProgram(variables, self._rows, slack=True)
        self._in = set(range(len(parts)))
        self._last = ProgramOutcome("limit")

    def clash(self, chosen: set[int], seconds: float | None) -> set[int] | None:
        """Return some of the equations ``chosen`` that no values from 0 to 1 meet, or None."""
        for k in self._in ^ chosen:
            cost = 1.0 if k in chosen else 0.0
            self._program.cost(self._variables + 2 * k, cost)
            self._program.cost(self._variables + 2 * k + 1, cost)
        self._in = set(chosen)
        self._last = self._program.run(seconds)
        if self._last.status != "optimal":
            return None
        weights = {k: w for k, w in rounded(self._last.duals).items() if k in chosen}
        return set(weights) if bound(self._rows, {}, weights) > 0 else None

    def met(self, chosen: set[int]) -> bool:
        """Whether the last run found mines that meet these equations, exactly."""
        mines = {v - 1 for v in mines_of(self._last.values, self._variables)}
        return all(
            sum(v in mines for v in self._parts[k].columns) == self._parts[k].number for k in chosen
        )
