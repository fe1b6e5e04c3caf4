"""W, P, HC and HN: the runs of mines in the circle around the cell."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from satsweeper.puzzle.board import MinesAt
from satsweeper.puzzle.constraints.protocol import Constraint
from satsweeper.puzzle.constraints.row_table import RowTable
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.rules.rule import ClueRule, Number, Site, Value, number

Runs = tuple[int, ...]


def runs(circle: Sequence[bool]) -> Runs:
    """Return the lengths of the runs of True in a circle, ascending.

    >>> runs([True, False, True, True]), runs([True, True]), runs([False])
    ((3,), (2,), ())
    """
    if all(circle):
        return (len(circle),) if circle else ()
    start = circle.index(False)
    found = []
    length = 0
    for value in (*circle[start:], *circle[:start], False):
        if value:
            length += 1
        elif length:
            found.append(length)
            length = 0
    return tuple(sorted(found))


class _OfRing:
    """A value read off the circle of neighbours; outside the board there are no mines."""

    counts = False

    def __init__(self, of: Callable[[Sequence[bool]], Value]) -> None:
        self._of = of

    def value(self, site: Site, mines: MinesAt) -> Value:
        """Return the value of the circle."""
        ring = site.board.geometry.ring(site.cell)
        return self._of([cell is not None and mines(cell) > 0 for cell in ring])

    def constraints(self, site: Site, allowed: Sequence[Value]) -> Iterator[Constraint]:
        """Yield one table over the neighbours on the board."""
        wanted = frozenset(allowed)
        yield self._table(site, (), wanted.__contains__, wanted)

    def _table(
        self, site: Site, mine: tuple[int, ...], wanted: Callable[[Value], bool], key: Hashable
    ) -> RowTable:
        """Return the table "a literal of ``mine`` is true, or the value is a wanted one"."""
        ring = site.board.geometry.ring(site.cell)
        inside = [place for place, cell in enumerate(ring) if cell is not None]
        first = len(mine)

        def accepts(values: tuple[bool, ...]) -> bool:
            circle = [False] * len(ring)
            for place, value in zip(inside, values[first:], strict=True):
                circle[place] = value
            return any(values[:first]) or wanted(self._of(circle))

        literals = [*mine, *[cell + 1 for cell in ring if cell is not None]]
        key = self._of, len(ring), tuple(inside), first, key
        return RowTable.where(site.part, literals, accepts, key)


class RunLengths(_OfRing):
    """The lengths of the runs, in no particular order."""

    name = "list of runs"
    numeric = False

    def __init__(self) -> None:
        super().__init__(runs)

    def parse(self, text: str) -> Runs:
        """Return the digits, ascending; 0 alone for no run."""
        if text == "0":
            return ()
        if not (text.isascii() and text.isdigit()) or "0" in text:
            raise RuleError(f"{text!r}: a digit for each run of mines, or 0 for none")
        return tuple(sorted(map(int, text)))

    def text(self, value: Runs) -> str:
        """Return the digits; a run of ten and more has no digit."""
        return "".join(map(str, value)) or "0"

    def most(self, site: Site) -> int:
        """Raise, as runs are no number."""
        raise NotImplementedError


class NumberOfRuns(Number, _OfRing):
    """The number of runs; all neighbours mines are one run."""

    name = "number of runs"
    numeric = True

    def __init__(self) -> None:
        super().__init__(lambda circle: len(runs(circle)))

    def most(self, site: Site) -> int:
        """Return half the length of the circle."""
        return max(len(site.board.geometry.ring(site.cell)) // 2, 1)


class Arranged(_OfRing):
    """The number of mines, which are one run, or are not; a layout of the other kind has no value.

    No mine and one mine are one run, and a place outside the board parts two runs.
    """

    name = "arranged number"
    numeric = False

    def __init__(self, together: bool) -> None:
        super().__init__(
            lambda circle: sum(circle) if (len(runs(circle)) < 2) is together else None
        )
        self._ends = ("{", "}") if together else ("-", "-")

    def parse(self, text: str) -> int:
        """Return a number; the braces or dashes around it may be left out."""
        before, after = self._ends
        inside = text[1:-1] if len(text) > 2 and text[0] == before and text[-1] == after else text
        return number(inside)

    def text(self, value: int) -> str:
        """Return the number between braces, or between dashes."""
        return f"{self._ends[0]}{value}{self._ends[1]}"

    def some_value(self, site: Site) -> RowTable:
        """Return the constraint that the cell has a mine or a value."""
        mine = (site.board.mine(site.cell),)
        return self._table(site, mine, lambda value: value is not None, None)

    def most(self, site: Site) -> int:
        """Return the length of the circle."""
        return len(site.board.geometry.ring(site.cell))


WALL = ClueRule("the lengths of the runs of mines around the cell", measure=RunLengths())
PARTITION = ClueRule("the number of runs of mines around the cell", measure=NumberOfRuns())
TOGETHER = ClueRule("the number of mines around the cell, which are one run",
                    measure=Arranged(together=True))  # fmt: skip
APART = ClueRule("the number of mines around the cell, which are more than one run",
                 measure=Arranged(together=False))  # fmt: skip
