"""A region in a live solver: its possible numbers of mines, and verdicts under allowed numbers."""

from itertools import groupby

from satsweeper.board.facts import WrongModelError
from satsweeper.search.solver_group import SolverGroup
from satsweeper.search.sumset import bits
from satsweeper.solvers.backbone import Backbone
from satsweeper.solvers.protocol import Satisfied, Unknown
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sum_range import SumRange, range_maker

_RANGES = 2
"""The number of ranges of allowed numbers in which `SearchedRegion.explore` seeks layouts."""


class SearchedRegion:
    """A region's undecided cells, the numbers of mines of its known layouts, and the search.

    Sets of numbers of mines are the bits of integers. ``reachable``: the numbers of known layouts.
    ``proved``: the verdicts of the last `classify`, True for a mine.

    Args:
        group: the live solver that holds the region's clues.
        cells: board indices of the region's undecided cells.
        encoding: the name of the encoder of the counter over ``cells``.
    """

    def __init__(self, group: SolverGroup, cells: list[int], encoding: str) -> None:
        self.group = group
        self.cells = cells
        self.variables = [group.variable[cell] for cell in cells]
        self.reachable = 0
        self.proved: dict[int, bool] = {}
        self._encoding = encoding
        self._with = dict.fromkeys(self.variables, 0) | {-v: 0 for v in self.variables}
        own = set(cells)
        inside = [[cell for cell in like if cell in own] for like in group.interchangeable]
        self._interchangeable = [like for like in inside if len(like) > 1]
        self._interchangeable_variables = [
            [group.variable[cell] for cell in like] for like in self._interchangeable
        ]
        self._range: SumRange | None = None
        for model in group.models:
            self._note(model)

    def numbers_with(self, cell: int, mine: bool) -> int:
        """Return the numbers of mines of known layouts in which ``cell`` is ``mine``.

        A cell of another region restricts nothing: then all known layouts count.
        """
        if cell not in self.cells:
            return self.reachable
        variable = self.group.variable[cell]
        return self._with[variable if mine else -variable]

    def show(self, cell: int, mine: bool, allowed: int, limit: SearchBudget) -> None:
        """Look for a layout with an allowed number of mines in which ``cell`` is ``mine``."""
        variable = self.group.variable[cell]
        wanted = variable if mine else -variable
        for low, high in _ranges(allowed, self.reachable):
            if self._with[wanted] & allowed:
                return
            self._ask(low, high, limit, wanted)

    def layout(self, number: int, cell: int, mine: bool) -> list[int]:
        """Return the mines of a known layout with ``number``, in which ``cell`` is ``mine``.

        ``number`` is in ``numbers_with(cell, mine)``; a cell of another region restricts nothing.
        """
        for model in self.group.models:
            found = [cell for cell in self.cells if model[self.group.variable[cell] - 1] > 0]
            if len(found) == number:
                if cell not in self.cells or (cell in found) is mine:
                    return found
                # The model has the cell the other way. Exchanging ``cell`` with an interchangeable
                # cell of the wanted value gives a layout with the same number of mines.
                for group in self._interchangeable:
                    mines = [member for member in group if member in found]
                    if cell in group and 0 < len(mines) < len(group):
                        safe = next(member for member in group if member not in found)
                        removed, added = (mines[0], cell) if mine else (cell, safe)
                        return [each for each in found if each != removed] + [added]
        raise LookupError(f"no known layout with {number} mines")

    def open_under(self, allowed: int) -> bool:
        """Whether known layouts with an allowed number of mines show every cell both ways."""
        return all(numbers & allowed for numbers in self._with.values())

    def explore(self, allowed: int, limit: SearchBudget) -> None:
        """Look for layouts with an allowed number of mines that show cells in a new way.

        A search stopped by its budget is not continued, and proved literals are not kept: both are
        left to `classify`.
        """
        for low, high in _ranges(allowed, (2 << len(self.cells)) - 1)[:_RANGES]:
            open_variables = self._unshown(allowed)
            if open_variables:
                self._backbone(open_variables, low, high).run(limit, patient=False)

    def find_reachable(self, within: int, limit: SearchBudget) -> bool:
        """Make ``reachable`` exact for the numbers in ``within``; False if a limit came first."""
        if not within:
            return True
        low = (within & -within).bit_length() - 1
        high = within.bit_length() - 1
        solver = self.group.sink.solver
        for signs in (1, -1):
            # First upwards, then downwards: solve for a layout with more (fewer) mines than all
            # known layouts until none exists. The preferred phases make each step large.
            solver.prefer([signs * v for v in self.variables])
            while True:
                known = self.reachable & within
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
                if self.reachable & within == known:
                    raise WrongModelError("a solver's model does not hold the assumptions")
        # The least and the largest number are exact now; each number in between is one question.
        known = self.reachable & within
        if known:
            for number in range((known & -known).bit_length(), known.bit_length() - 1):
                wanted = within >> number & 1 and not self.reachable >> number & 1
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
        for low, high in _ranges(allowed, self.reachable):
            if not open_variables:
                break
            search = self._backbone(open_variables, low, high)
            if not search.run(limit):
                return False
            # The ranges partition the allowed layouts by their number of mines. A literal holds in
            # all allowed layouts iff it is a backbone literal under every range.
            found = set(search.proved)
            agreed = found if agreed is None else agreed & found
            open_variables = [v for v in open_variables if v in agreed or -v in agreed]
        cell_of = dict(zip(self.variables, self.cells, strict=True))
        self.proved = {cell_of[abs(literal)]: literal > 0 for literal in agreed or ()}
        return True

    def _unshown(self, allowed: int) -> list[int]:
        """Return the variables that no known layouts with an allowed number show both ways."""
        return [
            v for v in self.variables if not (self._with[v] & allowed and self._with[-v] & allowed)
        ]

    def _backbone(self, variables: list[int], low: int, high: int) -> Backbone:
        """Return the search for the backbone of ``variables`` under ``low`` to ``high`` mines."""
        assumed = self._assume(low, high)
        return Backbone(self.group.sink, variables, self._accept, assumptions=assumed)

    def _ask(self, low: int, high: int, limit: SearchBudget, *literals: int) -> bool | None:
        """Whether a layout with ``low`` to ``high`` mines has ``literals``; None: a limit came."""
        answer = limit.solve(self.group.sink.solver, [*self._assume(low, high), *literals])
        if isinstance(answer, Satisfied):
            self._accept(answer.model)
            return True
        return None if isinstance(answer, Unknown) else False

    def _assume(self, low: int, high: int) -> list[int]:
        if self._range is None:
            self._range = range_maker(self._encoding)(self.variables, self.group.sink)
        return self._range.assume(low, high)

    def _accept(self, model: list[int]) -> None:
        self.group.accept_model(model)
        self._note(model)

    def _note(self, model: list[int]) -> None:
        """Record the number of mines of a model, for the region and for each literal."""
        literals = [model[v - 1] for v in self.variables]
        number = 1 << sum(literal > 0 for literal in literals)
        self.reachable |= number
        for literal in literals:
            self._with[literal] |= number
        for variables in self._interchangeable_variables:
            # Exchanging two interchangeable cells keeps the number of mines, so a group with mines
            # and safe cells shows every one of its cells both ways with this number.
            if 0 < sum(model[v - 1] > 0 for v in variables) < len(variables):
                for v in variables:
                    self._with[v] |= number
                    self._with[-v] |= number


def _ranges(allowed: int, reachable: int) -> list[tuple[int, int]]:
    """Return the fewest ranges whose reachable numbers are exactly the numbers in ``allowed``."""
    # No layout has an unreachable number, so a range may include such numbers. Only a reachable
    # number that is not allowed has to end a range; fewer ranges need fewer questions.
    runs = groupby(bits(reachable), lambda number: allowed >> number & 1)
    inside = [list(run) for is_allowed, run in runs if is_allowed]
    return [(run[0], run[-1]) for run in inside]
