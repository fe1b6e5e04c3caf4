"""Auxiliary variables that say whether enough of some cells are mines, and clauses of them.

What a variable means is taken from where the derivation defines it, and not believed: if with
these values every layout satisfies the clauses, then they exclude no layout, whatever the variables
were meant to be.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from satsweeper.checker.board import Count

_DEFINED: Final = re.compile(
    rb"^red [0-9]+ ~x([0-9]{1,9}) ((?:1 ~?x[0-9]{1,9} )+)>= ([0-9]{1,9}) : x\1 -> 0 ;$",
    re.MULTILINE,
)


class Range(NamedTuple):
    """From ``least`` to ``most`` of the cells, bit v for variable v, are mines."""

    cells: int
    least: int
    most: int


Meanings = Mapping[int, tuple[Range, Range]]
"""Variable -> when it is true, and when it is false."""


def meanings_in(derivation: bytes, cells: int) -> Meanings:
    """The variables above ``cells`` that are defined by how many of some cells are mines."""
    found: dict[int, tuple[Range, Range]] = {}
    for match in _DEFINED.finditer(derivation):
        words = match[2].split()[1::2]
        mask, least = 0, int(match[3])
        for word in words:
            mask |= 1 << int(word.lstrip(b"~x"))
        size = mask.bit_count()
        if size < len(words) or mask >> cells + 1 or len({word[:1] for word in words}) > 1:
            continue
        true, false = Range(mask, least, size), Range(mask, 0, least - 1)
        if words[0].startswith(b"~"):
            true, false = Range(mask, 0, size - least), Range(mask, size - least + 1, size)
        found.setdefault(int(match[1]), (true, false))
    return found


class Sums:
    """Tests clauses of cells and of variables with a meaning, against what counts say."""

    def __init__(
        self, meanings: Meanings, cells: int, counts: Iterable[Count], known: Mapping[int, bool]
    ) -> None:
        self.meanings = meanings
        self.cells = cells
        self._known = sum(1 << v for v in known)
        self._mines = sum(1 << v for v, mine in known.items() if mine)
        self._counts = [
            self._open(Range(sum(1 << v for v in count.variables), count.mines, count.mines))
            for count in counts
        ]

    def confirm(self, clause: Sequence[int]) -> bool:
        """Whether no layout breaks the clause: the sums that it would need contradict each other.

        False as well if the variables have no meaning, or their sums overlap.
        """
        broken = []
        for lit in clause:
            if abs(lit) <= self.cells:
                mines = int(lit < 0)
                broken.append(self._open(Range(1 << abs(lit), mines, mines)))
            elif abs(lit) in self.meanings:
                broken.append(self._open(self.meanings[abs(lit)][lit > 0]))
            else:
                return False
        return any(_contradictory([*broken, count]) for count in self._counts)

    def _open(self, of: Range) -> Range:
        """What is left for the cells that are not known."""
        mines = (of.cells & self._mines).bit_count()
        return Range(of.cells & ~self._known, of.least - mines, of.most - mines)


def _contradictory(ranges: Iterable[Range]) -> bool:
    """Whether no assignment is in all ranges; False for cells that are not nested or apart."""
    outer: list[Range] = []
    for cells, least, most in sorted(ranges, key=lambda of: of.cells.bit_count()):
        inner = [of for of in outer if of.cells & cells]
        if any(of.cells & ~cells for of in inner):
            return False
        free = cells.bit_count() - sum(of.cells.bit_count() for of in inner)
        least = max(least, sum(of.least for of in inner))
        most = min(most, sum(of.most for of in inner) + free)
        if least > most:
            return True
        outer = [of for of in outer if not of.cells & cells] + [Range(cells, least, most)]
    return False
