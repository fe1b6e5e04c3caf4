"""One region under a total: how many mines it can hold, and what a set of numbers decides in it."""

from satsweeper.board.facts import WrongModelError
from satsweeper.search.bundle import Bundle
from satsweeper.search.sums import Sums, bits
from satsweeper.solvers.backbone import Backbone
from satsweeper.solvers.protocol import Satisfied, Unknown
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sum_range import SumRange, range_maker

_RUNS = 2
"""Ranges of allowed numbers in which layouts are looked for before anything is proved."""


class Region:
    """A region's undecided cells, the numbers of mines of its known layouts, and the search."""

    def __init__(self, bundle: Bundle, cells: list[int], encoding: str) -> None:
        self.bundle = bundle
        self.cells = cells
        self.variables = [bundle.variable[cell] for cell in cells]
        self.sums = Sums(0, 0, 0)
        self.proved: dict[int, bool] = {}
        self._encoding = encoding
        self._with = dict.fromkeys(self.variables, 0) | {-v: 0 for v in self.variables}
        own = set(cells)
        inside = [[cell for cell in group if cell in own] for group in bundle.classes]
        self._classes = [group for group in inside if len(group) > 1]
        self._exchange = [[bundle.variable[cell] for cell in group] for group in self._classes]
        self._range: SumRange | None = None
        for model in bundle.models:
            self._note(model)

    def numbers_with(self, cell: int, mine: bool) -> int:
        """The numbers of mines of its known layouts; with ``cell`` as asked if it is one of its."""
        if cell not in self.cells:
            return self.sums.any
        variable = self.bundle.variable[cell]
        return self._with[variable if mine else -variable]

    def show(self, cell: int, mine: bool, allowed: int, limit: SearchBudget) -> None:
        """Look for a layout with an allowed number of mines and ``cell`` as asked."""
        variable = self.bundle.variable[cell]
        wanted = variable if mine else -variable
        for low, high in _runs(allowed, self.sums.any):
            if self._with[wanted] & allowed:
                return
            self._ask(low, high, limit, wanted)

    def layout(self, number: int, cell: int, mine: bool) -> list[int]:
        """The mines of a layout with this many, and ``cell`` as asked if it is one of its.

        ``number`` is one of ``numbers_with``.
        """
        for model in self.bundle.models:
            found = self.bundle.mines_in(model, self.cells)
            if len(found) == number:
                if cell not in self.cells or (cell in found) is mine:
                    return found
                for group in self._classes:
                    here = [other for other in group if other in found]
                    if cell in group and 0 < len(here) < len(group):
                        there = next(other for other in group if other not in found)
                        gone, come = (here[0], cell) if mine else (cell, there)
                        return [other for other in found if other != gone] + [come]
        raise LookupError(f"no known layout with {number} mines")

    def open_under(self, allowed: int) -> bool:
        """Whether known layouts with an allowed number of mines show every cell both ways."""
        return all(numbers & allowed for numbers in self._with.values())

    def explore(self, allowed: int, limit: SearchBudget) -> None:
        """Look for layouts with an allowed number of mines that show what none shows yet.

        Only as far as that is easy: what a budget stops, or what is proved, is left as it is.
        """
        for low, high in _runs(allowed, (2 << len(self.cells)) - 1)[:_RUNS]:
            open_variables = self._unshown(allowed)
            if open_variables:
                assumed = self._assume(low, high)
                search = Backbone(
                    self.bundle.sink, open_variables, self._believe, assumptions=assumed
                )
                search.run(limit, patient=False)

    def find_sums(self, within: int, limit: SearchBudget) -> bool:
        """Find out which of these numbers of mines are reachable; False when a limit came first."""
        if not within:
            return True
        low = (within & -within).bit_length() - 1
        high = within.bit_length() - 1
        solver = self.bundle.sink.solver
        for signs in (1, -1):
            # Outwards from the known layouts in jumps, then no further.
            solver.prefer([signs * v for v in self.variables])
            while True:
                known = self.sums.any & within
                if signs > 0:
                    bounds = (known.bit_length() if known else low, high)
                else:
                    bounds = (low, (known & -known).bit_length() - 2 if known else high)
                if bounds[0] > bounds[1]:
                    break
                found = self._ask(*bounds, limit)
                if found is None:
                    return False
                if not found:
                    break
                if self.sums.any & within == known:
                    raise WrongModelError("a solver's model does not hold the assumptions")
        known = self.sums.any & within
        if known:
            for number in range((known & -known).bit_length(), known.bit_length() - 1):
                wanted = within >> number & 1 and not self.sums.any >> number & 1
                if wanted and self._ask(number, number, limit) is None:
                    return False
        return True

    def classify(self, allowed: int, limit: SearchBudget) -> bool:
        """Find the cells that all layouts with an allowed number of mines agree on.

        ``allowed`` holds reachable numbers only. The cells found are in ``proved``. False when a
        limit came first.
        """
        open_variables = self._unshown(allowed)
        agreed: set[int] | None = None
        for low, high in _runs(allowed, self.sums.any):
            if not open_variables:
                break
            search = Backbone(
                self.bundle.sink, open_variables, self._believe, assumptions=self._assume(low, high)
            )
            if not search.run(limit):
                return False
            found = set(search.proved)
            agreed = found if agreed is None else agreed & found
            open_variables = [v for v in open_variables if v in agreed or -v in agreed]
        cell_of = dict(zip(self.variables, self.cells, strict=True))
        self.proved = {cell_of[abs(literal)]: literal > 0 for literal in agreed or ()}
        return True

    def _unshown(self, allowed: int) -> list[int]:
        """The variables that no known layout with an allowed number shows both ways."""
        return [
            v for v in self.variables if not (self._with[v] & allowed and self._with[-v] & allowed)
        ]

    def _ask(self, low: int, high: int, limit: SearchBudget, *literals: int) -> bool | None:
        answer = limit.solve(self.bundle.sink.solver, [*self._assume(low, high), *literals])
        if isinstance(answer, Satisfied):
            self._believe(answer.model)
            return True
        return None if isinstance(answer, Unknown) else False

    def _assume(self, low: int, high: int) -> list[int]:
        if self._range is None:
            self._range = range_maker(self._encoding)(self.variables, self.bundle.sink)
        return self._range.assume(low, high)

    def _believe(self, model: list[int]) -> None:
        self.bundle.believe(model)
        self._note(model)

    def _note(self, model: list[int]) -> None:
        literals = [model[v - 1] for v in self.variables]
        number = 1 << sum(literal > 0 for literal in literals)
        self.sums.any |= number
        for literal in literals:
            self._with[literal] |= number
        for group in self._exchange:
            if 0 < sum(model[v - 1] > 0 for v in group) < len(group):
                for v in group:
                    self._with[v] |= number
                    self._with[-v] |= number


def _runs(allowed: int, reachable: int) -> list[tuple[int, int]]:
    """Ranges whose reachable numbers are exactly the allowed ones, as few as possible."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    last = -1
    for number in bits(reachable):
        if allowed >> number & 1:
            start = number if start is None else start
            last = number
        elif start is not None:
            runs.append((start, last))
            start = None
    if start is not None:
        runs.append((start, last))
    return runs
