"""The equations of a position: exactly k of these cells are mines, for clues and the total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from satsweeper.clues import BoardConstraints, ClueSum


@dataclass(frozen=True)
class Statement:
    """Equations "exactly k of these cells are mines": some clues, and perhaps the total.

    Variables 1 .. ``cells`` are the covered cells row by row. ``sums``: the variables of a clue and
    how many of them are mines, less the trusted flags; ``total``: of all variables, or None.
    """

    cells: int
    sums: tuple[tuple[tuple[int, ...], int], ...] = field(repr=False)
    total: int | None

    @classmethod
    def of(cls, cells: int, said: Iterable[ClueSum]) -> Self:
        """Return the statement of some clues, and the total if it is among `said`."""
        sums = [*said]
        total = next((one.mines for one in sums if one.clue is None), None)
        return cls(cells, tuple((s.variables, s.mines) for s in sums if s.clue is not None), total)

    @classmethod
    def of_board(cls, board: BoardConstraints) -> Self:
        """Return the statement of all clues of a board, and its total if that is known."""
        sums = [
            (tuple(variables), group.mines)
            for group in board.groups
            for variables in group.inputs.tolist()
        ]
        return cls(len(board.cells), tuple(sums), board.total)

    def without(self, verdicts: Mapping[int, bool]) -> Self:
        """Return the equations of the other cells, given the `verdicts` of some.

        The total, and clues that say nothing any more, are left out.
        """
        sums = []
        for variables, mines in self.sums:
            left = tuple([v for v in variables if v not in verdicts])
            need = mines - sum([verdicts.get(v, False) for v in variables])
            if left or need:
                sums.append((left, need))
        return type(self)(self.cells, tuple(sums), None)

    def opb(self, claim: Sequence[int] | None = None) -> bytes:
        """Return an OPB problem: an equality each, the total last, then the clause `claim`."""
        count, largest, body = self._equalities
        last = ""
        if claim is not None:
            # Without "~", which not all readers of OPB know.
            terms = "".join([f"+1 x{lit} " if lit > 0 else f"-1 x{-lit} " for lit in claim])
            last = f"{terms}>= {1 - sum([lit < 0 for lit in claim])} ;\n"
        largest = max(largest, 2 * len(claim or ()))
        lines = count + (claim is not None)
        head = f"* #variable= {self.cells} #constraint= {lines} #equal= {count}"
        head = f"{head} intsize= {largest.bit_length()}\n"
        return b"%b%b%b" % (head.encode("ascii"), body, last.encode("ascii"))

    @cached_property
    def _equalities(self) -> tuple[int, int, bytes]:
        """The number of equalities, the largest sum of left and right side, and the text."""
        sums = [*self.sums]
        if self.total is not None:
            sums.append((tuple(range(1, self.cells + 1)), self.total))
        # As ``write_opb`` writes them, but in a fraction of its time: nothing here is resolved.
        empty = "+0 x1 " if self.cells else ""
        names = ["", *[f"+1 x{v} " for v in range(1, self.cells + 1)]]
        lines = [
            f"{''.join([names[v] for v in variables]) or empty}= {mines} ;\n"
            for variables, mines in sums
        ]
        largest = max([len(variables) + abs(mines) for variables, mines in sums], default=0)
        return len(sums), largest, "".join(lines).encode("ascii")

    def touched(self) -> set[int]:
        """The variables that a clue counts."""
        return {variable for variables, _ in self.sums for variable in variables}
