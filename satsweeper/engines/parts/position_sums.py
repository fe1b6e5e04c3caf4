"""A position for engines: numbered cells, equations over them, and verdicts on the board.

Variables 1 .. n are the covered cells, row by row (`satsweeper.clues`). An equation fixes the
number of mines among some variables. Engines that work on sets read ``clues`` and ``total``;
engines that use a solver read ``rows``, which include the total.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from satsweeper.answers.classification import Classification, Status
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.facts import WrongModelError, check_layout
from satsweeper.board.planes import board_of
from satsweeper.clues import ClueSum, constraints_of
from satsweeper.position import Position

CellSum = tuple[frozenset[int], int]
"""A set of variables, and the number of mines among them."""


class PositionSums:
    """The equations of a position, and how verdicts of its variables become a `Classification`.

    Args:
        position: the board.
        options: ``flags``: whether flags are trusted as mines or ignored; ``engine``: the name of
            the engine in answers.
    """

    def __init__(self, position: Position, options: Options) -> None:
        board = constraints_of(position, options.flags)
        self.cells: list[Cell] = board.cell_list()
        """The covered cells; variable ``v`` is ``cells[v - 1]``."""
        self.sums: list[ClueSum] = list(board.sums())
        """Every clue that counts a covered cell or is violated, then the total if known."""
        self.total = board.total
        """The mines among all variables, None if unknown; a total out of range has no layout."""
        self._view = position.view(options.flags)
        self._engine = options.engine

    @property
    def variables(self) -> range:
        """The numbers 1 .. n."""
        return range(1, len(self.cells) + 1)

    @cached_property
    def clues(self) -> list[CellSum]:
        """The distinct clues as sets of variables with numbers of mines."""
        sums = [each for each in self.sums if each.clue is not None]
        return list(dict.fromkeys((frozenset(each.variables), each.mines) for each in sums))

    @cached_property
    def rows(self) -> list[tuple[tuple[int, ...], int]]:
        """All ``sums`` as variables and number of mines."""
        return [(each.variables, each.mines) for each in self.sums]

    @cached_property
    def columns(self) -> list[tuple[tuple[int, ...], int]]:
        """The equations over columns (variable less 1): clues in board order, then the total."""
        ordered = sorted(self.sums, key=lambda each: each.clue or (len(self.cells), 0))
        return [(tuple(v - 1 for v in each.variables), each.mines) for each in ordered]

    @cached_property
    def interchangeable(self) -> list[list[int]]:
        """Groups of interchangeable variables, each ascending: every clue counts all or none.

        Two cells of a group may change places in every layout, so they have the same verdict.
        """
        counted_by: list[list[int]] = [[] for _ in self.cells]
        for number, each in enumerate(self.sums):
            for variable in each.variables if each.clue is not None else ():
                counted_by[variable - 1].append(number)
        groups: dict[tuple[int, ...], list[int]] = {}
        for variable, clues in enumerate(counted_by, 1):
            groups.setdefault(tuple(clues), []).append(variable)
        return list(groups.values())

    @property
    def impossible(self) -> bool:
        """Whether some equation has a number below 0 or above its number of variables."""
        return any(not 0 <= mines <= len(variables) for variables, mines in self.rows)

    def check(self, mines: Iterable[int]) -> None:
        """Raise WrongModelError unless ``mines`` meet every clue and the total on the board."""
        check_layout(self._view.facts(), self._indices(mines), self._view.total)

    def inconsistent(self, *notes: str) -> Classification:
        """Return the answer that no layout exists."""
        return Classification.of(self._view, Status.INCONSISTENT, engine=self._engine, notes=notes)

    def answer(
        self,
        decided: Mapping[int, bool],
        complete: bool,
        notes: Sequence[str] = (),
        *,
        has_layout: bool = False,
    ) -> Classification:
        """Return the verdicts of the variables in ``decided``, True for a mine.

        Args:
            decided: the variables with a proved verdict, True for a mine.
            complete: whether a layout exists and every other variable is proved unknown.
            notes: remarks for the reader of the answer.
            has_layout: whether a layout was checked; implied by ``complete``.
        """
        if not complete and len(decided) == len(self.cells):
            # A single assignment is left: the position is consistent iff it is a layout.
            try:
                self.check(v for v, mine in decided.items() if mine)
            except WrongModelError:
                return self.inconsistent(*notes)
            complete = True
        size = self._view.geometry.size
        safe, mines = (
            board_of(self._indices(v for v, mine in decided.items() if mine is wanted), size)
            for wanted in (False, True)
        )
        return Classification.of(
            self._view,
            Status.CONSISTENT if complete else Status.UNDECIDED,
            safe,
            mines,
            engine=self._engine,
            notes=tuple(notes),
            has_layout=complete or has_layout,
        )

    def _indices(self, variables: Iterable[int]) -> list[int]:
        geometry = self._view.geometry
        return [geometry.index(self.cells[variable - 1]) for variable in variables]


def undecided(sums: Iterable[CellSum], decided: Mapping[int, bool]) -> list[CellSum]:
    """Return ``sums`` over the variables that are not in ``decided``, each sum once.

    The mines of decided variables are subtracted. A sum without remaining variables is kept only if
    its number is not 0, as a contradiction.
    """
    rest: dict[CellSum, None] = {}
    for variables, mines in sums:
        left = frozenset(v for v in variables if v not in decided)
        mines -= sum(decided.get(v, False) for v in variables)
        if left or mines:
            rest[left, mines] = None
    return list(rest)


def split(sums: Sequence[CellSum]) -> list[list[CellSum]]:
    """Return ``sums`` by connected region: sums of different regions share no variable."""
    sums_of: dict[int, list[int]] = {}
    for i, (variables, _) in enumerate(sums):
        for variable in variables:
            sums_of.setdefault(variable, []).append(i)
    found: list[list[CellSum]] = []
    seen: set[int] = set()
    for start in range(len(sums)):
        if start in seen:
            continue
        seen.add(start)
        region = [start]
        for i in region:
            for variable in sums[i][0]:
                # Each variable is expanded once: `pop` leaves nothing for later visits.
                for other in sums_of.pop(variable, ()):
                    if other not in seen:
                        seen.add(other)
                        region.append(other)
        found.append([sums[i] for i in sorted(region)])
    return found
