"""A tabulated region under a total: everything about it is read off its table."""

from satsweeper.reduce.table import Table
from satsweeper.search.sums import Sums
from satsweeper.solvers.search_budget import SearchBudget


class Tabulated:
    """The undecided cells of a table, and the numbers of mines that they can hold.

    Cells that all layouts agree on are decided already; their mines are not counted.
    """

    def __init__(self, table: Table) -> None:
        decided = table.decided
        self.cells = [cell for cell in table.cells if cell not in decided]
        self._own = set(self.cells)
        self._table = table
        self._known = sum(decided.values())
        self.sums = Sums(table.numbers() >> self._known, 0, 0)
        self.proved: dict[int, bool] = {}

    def numbers_with(self, cell: int, mine: bool) -> int:
        """The numbers of mines of its layouts; with ``cell`` as asked if it is one of its."""
        if cell not in self._own:
            return self.sums.any
        return self._table.numbers(cell, mine) >> self._known

    def show(self, cell: int, mine: bool, allowed: int, limit: SearchBudget) -> None:
        """Nothing is left to find."""
        del cell, mine, allowed, limit

    def layout(self, number: int, cell: int, mine: bool) -> list[int]:
        """The mines of a layout with this many, and ``cell`` as asked if it is one of its."""
        wanted = cell if cell in self._own else None
        found = self._table.layout(number + self._known, wanted, mine)
        return [one for one in found if one in self._own]

    def open_under(self, allowed: int) -> bool:
        """Whether layouts with an allowed number of mines show every cell both ways."""
        return not self._agreed(allowed)

    def explore(self, allowed: int, limit: SearchBudget) -> None:
        """Nothing: all layouts are known."""

    def find_sums(self, within: int, limit: SearchBudget) -> bool:
        """Nothing is left to find."""
        del within, limit
        return True

    def classify(self, allowed: int, limit: SearchBudget) -> bool:
        """Put what all layouts with an allowed number agree on in ``proved``."""
        del limit
        self.proved = self._agreed(allowed)
        return True

    def _agreed(self, allowed: int) -> dict[int, bool]:
        found = self._table.agreed(allowed << self._known)
        return {cell: mine for cell, mine in found.items() if cell in self._own}
