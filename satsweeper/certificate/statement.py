"""What a position says, as sums of cells: the whole of it, or some clues and perhaps the total."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

from satsweeper.clues import Sum


@dataclass(frozen=True)
class Statement:
    """Exactly so many of these cells are mines, for some sets of cells and perhaps for all.

    Variables 1 .. ``cells`` are the covered cells row by row. ``sums``: the variables of a clue and
    how many of them are mines, less the trusted flags; ``total``: of all variables, or None.
    """

    cells: int
    sums: tuple[tuple[tuple[int, ...], int], ...] = field(repr=False)
    total: int | None

    @classmethod
    def of(cls, cells: int, said: Iterable[Sum]) -> Self:
        """What some clues say, and perhaps the total."""
        sums = [*said]
        total = next((one.mines for one in sums if one.clue is None), None)
        return cls(cells, tuple((s.variables, s.mines) for s in sums if s.clue is not None), total)

    def opb(self, claim: Sequence[int] | None = None) -> bytes:
        """As an OPB problem, an equality each, the total last; behind it a clause, if any."""
        sums = [*self.sums]
        if self.total is not None:
            sums.append((tuple(range(1, self.cells + 1)), self.total))
        # As ``write_opb`` writes them, but in a fraction of its time: nothing here is resolved.
        empty = "+0 x1 " if self.cells else ""
        lines = [
            f"{''.join([f'+1 x{v} ' for v in variables]) or empty}= {mines} ;\n"
            for variables, mines in sums
        ]
        if claim is not None:
            # Without "~", which not all readers of OPB know.
            terms = "".join([f"+1 x{lit} " if lit > 0 else f"-1 x{-lit} " for lit in claim])
            lines.append(f"{terms}>= {1 - sum([lit < 0 for lit in claim])} ;\n")
        largest = max([len(variables) + abs(mines) for variables, mines in sums], default=0)
        largest = max(largest, 2 * len(claim or ()))
        count = len(sums)
        head = f"* #variable= {self.cells} #constraint= {len(lines)} #equal= {count}"
        return f"{head} intsize= {largest.bit_length()}\n{''.join(lines)}".encode("ascii")

    def touched(self) -> set[int]:
        """The variables that a clue counts."""
        return {variable for variables, _ in self.sums for variable in variables}
