"""The clues of a position, each behind a selector, so that an unsatisfiable answer names clues.

Unlike the session's solvers, this solver takes nothing as known: cells that a rule decided are
variables too, and flags are assumptions. Clues are added outwards from where a reason is wanted, so
that reasons are near and a large board costs no more than a small board.
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
from satsweeper.solvers.protocol import Unknown, Unsatisfied
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.search_budget import LimitedSolver
from satsweeper.solvers.sink import SolverSink
from satsweeper.solvers.sum_range import GuardedRange
from satsweeper.solvers.table import FAST

_COUNTER: Final = "totalizer"
"""The encoder of the total."""

_MOST_CLAUSES: Final = 2_000_000
"""Clauses of the encoded total, at the most."""

_TRIES: Final = 12
"""Irreducible sets to compare, beside the first set."""

_EFFORT: Final = 20_000
"""Conflicts to spend on making a set of clues irreducible; ordinary boards need a few hundred."""


class Guarded:
    """Clues, flags and the total of a position, each behind a selector.

    Args:
        view: the position.
        deadline: after which no question is answered; None: it never comes.
        effort: conflicts of all questions, after which none is answered; None for any number.
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
        """Whether a question was given up since a limit was reached."""
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
        """Add ``clues``, each behind a selector of its own."""
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
        """Add every clue of the board that counts a covered or flagged cell, or cannot hold."""
        self.add_clues(indices(self.view.clues, self.view.geometry.size))

    def add_total(self, also: Iterable[int] = ()) -> None:
        """Add the total as a range over the cells that have a variable, and the cells ``also``.

        All other cells can hold any number of mines, so the total becomes a range.
        """
        if self.view.total is None or self.total_selector is not None:
            return
        for cell in (*indices(self.view.trusted, self.view.geometry.size), *also):
            self.variable(cell)
        counted = list(self._variable.values())
        lower, upper = _bounds(self.view, len(counted))
        if lower > len(counted):
            # More mines than cells: the total alone cannot hold.
            self.total_selector = self.sink.new_var()
            self.sink.add_clause((-self.total_selector,))
            return
        counter = GuardedRange(counted, self.sink, find_encoder(_COUNTER))
        # A range that no number breaks needs no literal: a free variable selects the total then.
        literals = counter.assume(lower, upper)
        self.total_selector = literals[0] if literals else self.sink.new_var()

    def total_is_large(self) -> bool:
        """Whether the total over all cells next to clues would be too much for the solver."""
        view = self.view
        if view.total is None:
            return False
        hidden = view.covered | view.trusted
        counted = view.geometry.spread(view.clues) & hidden | view.trusted
        lower, upper = _bounds(view, counted.bit_count())
        n = counted.bit_count()
        return lower <= n and find_encoder(_COUNTER).size(n, lower, upper).clauses > _MOST_CLAUSES

    def refute(self, *literals: int) -> list[int] | None:
        """Return selectors that contradict ``literals``, or None if the position allows them."""
        # Under all selectors everything that was added so far holds.
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
        dropping selectors in the given order, so its clues are near; the other sets start from
        every selector, the clues in orders drawn at random from a fixed seed. With the total in the
        core each question is dear, and the first set must do. All this ends when the effort is
        spent, which only boards made to be hard bring about.
        """
        best, irreducible = self._shrink(sorted(core, key=order), literals)
        if self.total_selector in best or len(best) == 1:
            return best, irreducible
        draw = Random(0)
        clues = list(self.clue_of)
        for _ in range(_TRIES):
            draw.shuffle(clues)
            other, whole = self._shrink([*clues, *self.flag_of], literals)
            if not whole:
                break
            if len(other) < len(best) or not irreducible:
                best, irreducible = other, True
        return best, irreducible

    def _shrink(self, core: Sequence[int], literals: Sequence[int]) -> tuple[list[int], bool]:
        """Return a part of ``core``, first selectors dropped first; False: the effort was spent."""
        # Invariant: ``kept`` contradicts ``literals``, and no selector before ``position`` can go.
        kept = list(core)
        solver = self.sink.solver
        position = 0
        while position < len(kept):
            tried = kept[:position] + kept[position + 1 :]
            left = self._effort - solver.conflicts()
            if left <= 0:
                return kept, False
            answer = solver.solve([*tried, *literals], left)
            if isinstance(answer, Unknown):
                return kept, False
            if isinstance(answer, Unsatisfied):
                still = set(answer.core)
                # All before this position are needed, so they are in every core.
                kept = [selector for selector in tried if selector in still]
            else:
                # A model of all others: this selector is needed, also in every part of ``kept``.
                position += 1
        return kept, True

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
    """Return the fewest and the most mines that the total allows in ``counted`` hidden cells."""
    assert view.total is not None
    rest = (view.covered | view.trusted).bit_count() - counted
    return max(view.total - rest, 0), min(view.total, counted)
