"""Auxiliary variables that count cells, and a test of the clauses that contain them.

The meaning of a variable is taken from its definition in the derivation, and not believed: if every
layout satisfies the clauses with these values of the auxiliary variables, then the clauses exclude
no layout, whatever the variables were meant to be.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from satsweeper.checker.board import CellCount

_DEFINED: Final = re.compile(
    rb"^red [0-9]+ ~x([0-9]{1,9}) ((?:1 ~?x[0-9]{1,9} )+)>= ([0-9]{1,9}) : x\1 -> 0 ;$",
    re.MULTILINE,
)


class MineRange(NamedTuple):
    """From ``least`` to ``most`` of ``cells`` are mines; bit v of ``cells`` is variable v."""

    cells: int
    least: int
    most: int


Meanings = Mapping[int, tuple[MineRange, MineRange]]
"""Auxiliary variable -> condition for true, condition for false."""


def meanings_in(derivation: bytes, cells: int) -> Meanings:
    """Return the auxiliary variables, above ``cells``, that ``derivation`` defines by a count."""
    found: dict[int, tuple[MineRange, MineRange]] = {}
    for match in _DEFINED.finditer(derivation):
        words = match[2].split()[1::2]
        mask, least = 0, int(match[3])
        for word in words:
            mask |= 1 << int(word.lstrip(b"~x"))
        size = mask.bit_count()
        if size < len(words) or mask >> cells + 1 or len({word[:1] for word in words}) > 1:
            continue
        true, false = MineRange(mask, least, size), MineRange(mask, 0, least - 1)
        if words[0].startswith(b"~"):
            true, false = MineRange(mask, 0, size - least), MineRange(mask, size - least + 1, size)
        found.setdefault(int(match[1]), (true, false))
    return found


class SumTester:
    """Tests clauses over cells and counting variables against the counts of the board."""

    def __init__(
        self, meanings: Meanings, cells: int, counts: Iterable[CellCount], known: Mapping[int, bool]
    ) -> None:
        self.meanings = meanings
        self.cells = cells
        self._known = sum(1 << v for v in known)
        self._mines = sum(1 << v for v, mine in known.items() if mine)
        self._counts = [
            self._open(MineRange(sum(1 << v for v in count.variables), count.mines, count.mines))
            for count in counts
        ]

    def confirm(self, clause: Sequence[int]) -> bool:
        """Whether no layout breaks ``clause``: the counts of a broken clause contradict each other.

        Also False if a variable has no known meaning, or if counted sets overlap partly.
        """
        # A layout breaks the clause if each literal is false: each puts a range on some cells.
        broken = []
        for lit in clause:
            if abs(lit) <= self.cells:
                mines = int(lit < 0)
                broken.append(self._open(MineRange(1 << abs(lit), mines, mines)))
            elif abs(lit) in self.meanings:
                broken.append(self._open(self.meanings[abs(lit)][lit > 0]))
            else:
                return False
        return any(_contradictory([*broken, count]) for count in self._counts)

    def _open(self, of: MineRange) -> MineRange:
        """Return range ``of`` restricted to undecided cells, known mines subtracted."""
        mines = (of.cells & self._mines).bit_count()
        return MineRange(of.cells & ~self._known, of.least - mines, of.most - mines)


def _contradictory(ranges: Iterable[MineRange]) -> bool:
    """Whether no assignment lies in all ranges; False unless their cells are nested or disjoint."""
    outer: list[MineRange] = []
    for cells, least, most in sorted(ranges, key=lambda of: of.cells.bit_count()):
        # ``outer``: disjoint ranges that cover all smaller ones; those inside ``cells`` are merged.
        inner = [of for of in outer if of.cells & cells]
        if any(of.cells & ~cells for of in inner):
            return False
        free = cells.bit_count() - sum(of.cells.bit_count() for of in inner)
        least = max(least, sum(of.least for of in inner))
        most = min(most, sum(of.most for of in inner) + free)
        if least > most:
            return True
        outer = [of for of in outer if not of.cells & cells] + [MineRange(cells, least, most)]
    return False
