"""The clues of a position, each with a selector, so that an unsatisfiable core names clues.

Unlike the session's solvers, this solver has no facts: cells that a rule decided are variables, and
flags are assumptions. Clues are added outwards from the cell or clue to be explained, so that the
clues of a reason are near, and the cost does not grow with the size of the board.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Final

from pbcnf.constraints.constraint import Cardinality
from pbcnf.emission.encode import encode
from pbcnf.encoders.table import find_encoder
from pbcnf.sink import GuardedSink
from satsweeper.board.facts import View
from satsweeper.board.planes import indices
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.deletion import shrink
from satsweeper.solvers.protocol import Unsatisfied
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.search_budget import LimitedSolver
from satsweeper.solvers.sink import SolverSink
from satsweeper.solvers.sum_range import GuardedRange
from satsweeper.solvers.table import FAST

_COUNTER: Final = "totalizer"
"""The encoder of the total."""

_MOST_CLAUSES: Final = 2_000_000
"""The largest number of clauses of the encoded total."""

_TRIES: Final = 12
"""The number of irreducible sets that are compared with the first set."""

_EFFORT: Final = 20_000
"""The most conflicts for making a set of clues irreducible; ordinary boards need a few hundred."""


class Guarded:
    """Clues, flags and the total of a position, each behind a selector.

    Args:
        view: the position.
        deadline: the deadline of all questions; None: no deadline.
        effort: the most conflicts of all questions together; None: no limit.
    """

    def __init__(
        self, view: View, deadline: Deadline | None = None, effort: int | None = None
    ) -> None:
        self.view = view
        self.sink = SolverSink(PysatSolver(FAST))
        self._limited = None
        if deadline is not None or effort is not None:
            self._limited = LimitedSolver(self.sink.solver, deadline or Deadline(), effort)
            self.sink.solver = self._limited
        self.clue_of: dict[int, int] = {}
        """Selector -> clue."""
        self.flag_of: dict[int, int] = {}
        """Selector -> flagged cell."""
        self.total_selector: int | None = None
        self._effort = _EFFORT
        self._variable: dict[int, int] = {}
        self._known: set[int] = set()

    @property
    def over(self) -> bool:
        """Whether some question was stopped by the deadline or by ``effort``."""
        return self._limited is not None and self._limited.over

    def variable(self, cell: int) -> int:
        """Return the variable of a covered or flagged cell; a flag also gets its selector."""
        if cell not in self._variable:
            self._variable[cell] = self.sink.new_var()
            if self.view.trusted >> cell & 1:
                selector = self.sink.new_var()
                self.sink.add_clause((-selector, self._variable[cell]))
                self.flag_of[selector] = cell
        return self._variable[cell]

    def add_clues(self, clues: Iterable[int]) -> None:
        """Add ``clues``, each with its own selector, which implies the clue."""
        encoder = find_encoder("direct")
        for clue in clues:
            if clue in self._known:
                continue
            self._known.add(clue)
            literals = [self.variable(cell) for cell in self.view.hidden(clue)]
            value = self.view.value(clue)
            if not literals and value == 0:
                continue
            selector = self.sink.new_var()
            guarded = GuardedSink(self.sink, -selector)
            encode(Cardinality(literals, value, value), guarded, encoder)
            self.clue_of[selector] = clue

    def add_all(self) -> None:
        """Add every clue of the board, except clues 0 without covered or flagged neighbours."""
        self.add_clues(indices(self.view.clues, self.view.geometry.size))

    def add_total(self, also: Iterable[int] = ()) -> None:
        """Add the total as a range over the cells that have a variable, and the cells ``also``.

        The cells without a variable are in no clue and can hold any number of mines, so that the
        total becomes a range of numbers for the cells with a variable.
        """
        if self.view.total is None or self.total_selector is not None:
            return
        for cell in (*indices(self.view.trusted, self.view.geometry.size), *also):
            self.variable(cell)
        counted = list(self._variable.values())
        lower, upper = _bounds(self.view, len(counted))
        if lower > len(counted):
            # The range is empty: the total alone is contradictory.
            self.total_selector = self.sink.new_var()
            self.sink.add_clause((-self.total_selector,))
            return
        counter = GuardedRange(counted, self.sink, find_encoder(_COUNTER))
        # A range that every number meets needs no literal; a free variable is the selector then.
        literals = counter.assume(lower, upper)
        self.total_selector = literals[0] if literals else self.sink.new_var()

    def total_is_large(self) -> bool:
        """Whether encoding the total takes more than ``_MOST_CLAUSES`` clauses."""
        view = self.view
        if view.total is None:
            return False
        hidden = view.covered | view.trusted
        counted = view.geometry.spread(view.clues) & hidden | view.trusted
        lower, upper = _bounds(view, counted.bit_count())
        n = counted.bit_count()
        return lower <= n and find_encoder(_COUNTER).size(n, lower, upper).clauses > _MOST_CLAUSES

    def refute(self, *literals: int) -> list[int] | None:
        """Return a core: selectors that contradict ``literals``; None if no core is found.

        None if the constraints added so far have a model with ``literals``, or at a limit (`over`).
        """
        # With all selectors assumed, every constraint that was added so far holds.
        total = [] if self.total_selector is None else [self.total_selector]
        selectors = [*self.clue_of, *self.flag_of, *total]
        answer = self.sink.solver.solve([*selectors, *literals])
        if not isinstance(answer, Unsatisfied):
            return None
        self._effort = self.sink.solver.conflicts() + _EFFORT
        return [literal for literal in answer.core if literal not in literals]

    def smallest(
        self, core: Sequence[int], literals: Sequence[int], order: Callable[[int], tuple[int, ...]]
    ) -> tuple[list[int], bool]:
        """Return the smallest of a few sets of selectors that contradict ``literals``.

        The second value says whether the set is irreducible. The first set comes from ``core`` by
        dropping selectors in ascending ``order``, so that its clues are near; the other sets start
        from every selector, with the clues in random orders from a fixed seed. If the first set has
        the total, questions are expensive, and no other set is tried. The comparison ends when the
        effort is used up, which happens only on boards made to be hard.
        """
        best, irreducible = self._shrink(sorted(core, key=order), literals)
        if self.total_selector in best or len(best) == 1:
            return best, irreducible
        draw = Random(0)
        clues = list(self.clue_of)
        for _ in range(_TRIES):
            draw.shuffle(clues)
            candidate, finished = self._shrink([*clues, *self.flag_of], literals)
            if not finished:
                break
            if len(candidate) < len(best) or not irreducible:
                best, irreducible = candidate, True
        return best, irreducible

    def _shrink(self, core: Sequence[int], literals: Sequence[int]) -> tuple[list[int], bool]:
        """Return a subset of ``core`` by `shrink`, and whether it is irreducible."""
        return shrink(self.sink.solver, core, literals, self._effort)

    def rings(self, start: Iterable[int]) -> Iterator[list[int]]:
        """Yield ``start``, then the clues that share a cell with them, and so on outwards."""
        seen: set[int] = set()
        ring = list(dict.fromkeys(start))
        while ring:
            yield ring
            seen.update(ring)
            cells = dict.fromkeys(cell for clue in ring for cell in self.view.hidden(clue))
            near = dict.fromkeys(clue for cell in cells for clue in self.view.clues_at(cell))
            ring = [clue for clue in near if clue not in seen]

    def close(self) -> None:
        """Free the solver."""
        self.sink.solver.close()


def _bounds(view: View, counted: int) -> tuple[int, int]:
    """Return the fewest and the most mines that the total allows in ``counted`` hidden cells.

    Hidden cells are covered or flagged; the other hidden cells hold any number of mines.
    """
    assert view.total is not None
    rest = (view.covered | view.trusted).bit_count() - counted
    return max(view.total - rest, 0), min(view.total, counted)
