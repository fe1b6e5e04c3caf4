"""The frontier of a position: what the rules leave of it, in tables and in live solvers.

Regions share no clue. A small one is decided by its truth table, unless an encoding or a solver was
named; the others go to live solvers, to which clauses are only ever added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from satsweeper.board.facts import Facts
from satsweeper.board.planes import board_of, indices
from satsweeper.processes.deadline import Deadline
from satsweeper.reduce.regions import cells_of, regions
from satsweeper.reduce.residual import Reduced, Residual, reduce_clues
from satsweeper.reduce.table import MOST_CELLS, Table
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.table import features

if TYPE_CHECKING:
    from satsweeper.answers.classification import HardRegion
    from satsweeper.search.bundle import Bundle

_BUNDLE: Final = 300
"""Cells above which regions are spread over several solvers; 200 to 400 took the same time."""

_TELL: Final = 0.3
"""Seconds of a search after which what it has proved is told."""


class Frontier:
    """Tables and bundles of regions.

    Args:
        encoding: the name of the encoder of the clues.
        solver: the solver to begin with.
        strong: the solver for a region that the first one does not settle quickly.
        tabulate: whether small regions are decided by their tables.
        beyond: whether what the first search does not settle is looked at without search.
    """

    def __init__(
        self, encoding: str, solver: str, strong: str, tabulate: bool, beyond: bool = False
    ) -> None:
        self.bundles: list[Bundle] = []
        self.tables: list[Table] = []
        self._closed_calls = self._closed_models = 0
        """Of bundles that are no more."""
        self._encoding = encoding
        self._solver = solver
        self._strong = strong
        self._tabulate = tabulate
        self._stoppable = features(solver).budget
        """Whether searches keep a budget; if not, one hard region may take all the time."""
        self._encoded = 0
        self._beyond = beyond
        self._by_sums = 0
        self.hard_regions: list[HardRegion] = []
        """Regions that search did not settle at once, and what sums of their clues did."""

    def reduce(self, facts: Facts, limit: SearchBudget) -> Reduced:
        """The constraints of the clues that no solver has yet."""
        geometry, clues, values, undecided, mines = facts
        new = clues & ~self._encoded
        return reduce_clues(geometry, new, values, undecided, mines, limit.deadline.passed)

    def add(
        self, constraints: list[Residual], facts: Facts, limit: SearchBudget
    ) -> tuple[dict[int, bool], bool]:
        """Take constraints in; returns the cells that tables decide (True for a mine).

        And whether all were taken in. If not, as the time is over, those that wait are among the
        constraints of the next :meth:`reduce`.

        What it returns is of no use where a table has no layout: see ``inconsistent``.
        """
        clues = facts.clues
        decided: dict[int, bool] = {}
        waiting: list[Residual] = []
        self.tables = []
        if self._tabulate:
            parts = regions(constraints)
            constraints = []
            for part in parts:
                if self._is_small(part):
                    if limit.deadline.passed():
                        waiting += part
                    else:
                        self.tables.append(Table(part))
                else:
                    constraints += part
            if self.tables:
                for table in self.tables:
                    decided |= table.decided
        older = list(self.bundles)
        for part in _shares(constraints) if self._stoppable else regions(constraints):
            if limit.deadline.passed():
                waiting += part
            else:
                self._bundle_for(part, older).add(part)
        apart = [cell for table in self.tables for cell in table.cells] + cells_of(waiting)
        if apart:
            clues &= ~facts.geometry.spread(board_of(apart, facts.geometry.size))
        self._encoded |= clues
        return decided, not waiting

    def _is_small(self, region: Sequence[Residual]) -> bool:
        if len(region) > 2 * MOST_CELLS:
            return False
        cells = cells_of(region)
        return len(cells) <= MOST_CELLS and not any(
            cell in bundle.variable for bundle in self.bundles for cell in cells
        )

    def _bundle_for(self, constraints: Sequence[Residual], older: list[Bundle]) -> Bundle:
        """The bundle that takes these constraints; older bundles that they join become one."""
        touched = [
            bundle
            for bundle in older
            if any(cell in bundle.variable for cells, _ in constraints for cell in cells)
        ]
        if not touched and self._stoppable:
            touched = [b for b in self.bundles[-1:] if len(b.variable) < _BUNDLE]
        if not touched:
            patient = self._solver == self._strong
            touched = [self._bundle(self._solver, patient)]
            self.bundles += touched
        touched.sort(key=lambda bundle: -len(bundle.variable))
        for other in touched[1:]:
            touched[0].absorb(other)
            self._drop(other)
            older.remove(other)
        return touched[0]

    def _bundle(self, solver: str, patient: bool) -> Bundle:
        """A new bundle. Only here are solvers and encoders imported: most boards need neither."""
        from satsweeper.search.bundle import new_bundle

        return new_bundle(solver, self._encoding, patient)

    def settle(self, decided: int, facts: Facts) -> None:
        """Tell the solvers about cells (a bit board) that were decided without them."""
        if self.bundles or self.tables:
            cells = indices(decided, facts.geometry.size)
            told = {cell: bool(facts.mines >> cell & 1) for cell in cells}
            for bundle in self.bundles:
                bundle.settle(told)
            for table in self.tables:
                table.settle(told)

    def search(
        self, facts: Facts, limit: SearchBudget, learn: Callable[[Mapping[int, bool]], None]
    ) -> bool:
        """Search in all bundles until all is decided (True) or the time is over (False).

        ``learn`` is called with what was proved, now and then. Stops at an inconsistent bundle.
        """
        waiting = list(self.bundles)
        tell_next = Deadline.after(_TELL)
        if not self._stoppable:
            waiting.sort(key=lambda bundle: len(bundle.variable))
        while waiting and not limit.deadline.passed():
            stopped = []
            for bundle in waiting:
                if limit.deadline.passed() or not bundle.classify(facts, limit):
                    stopped.append(bundle)
                if tell_next.passed() or not self._stoppable:
                    learn(self._take_proved())
                    tell_next = Deadline.after(_TELL)
            learn(self._take_proved())
            if self.inconsistent is not None:
                return True
            waiting = [part for bundle in stopped for part in self._split(bundle)]
            if self._beyond:
                for bundle in waiting:
                    if not (bundle.looked_at or limit.deadline.passed()):
                        decided = self._look_beyond(bundle, limit)
                        mines = [cell for cell, mine in decided.items() if mine]
                        size = facts.geometry.size
                        facts = facts.decided(
                            board_of(decided, size) & ~board_of(mines, size), board_of(mines, size)
                        )
                        learn(decided)
                if self.inconsistent is not None:
                    return True
            limit.widen()
        return not waiting

    def _take_proved(self) -> dict[int, bool]:
        proved: dict[int, bool] = {}
        for bundle in self.bundles:
            proved |= bundle.take_proved()
        return proved

    @property
    def inconsistent(self) -> Iterable[int] | None:
        """Some cells of a region without a layout, or None while none is known."""
        for table in self.tables:
            if not table.truth:
                return table.cells
        for bundle in self.bundles:
            if bundle.consistent is False:
                return bundle.undecided
        return None

    def _split(self, bundle: Bundle) -> list[Bundle]:
        """What goes on where a search stopped: a bundle a region, on the strong solver.

        A region that no solver decides in time must not keep its neighbours' verdicts back.
        """
        parts = regions(bundle.constraints)
        if bundle.patient and (len(parts) == 1 or bundle.consistent):
            return [bundle]
        pieces = []
        for part in parts:
            piece = self._bundle(self._strong, patient=True)
            piece.add(part)
            piece.settle(bundle.decided)
            pieces.append(piece)
        bundle.sink.solver.close()
        self._drop(bundle)
        self.bundles += pieces
        return pieces

    def _look_beyond(self, bundle: Bundle, limit: SearchBudget) -> dict[int, bool]:
        """Look at a region without search; the cells that are decided so."""
        from satsweeper.answers.classification import HardRegion
        from satsweeper.search.beyond import look

        cells = len(bundle.undecided)
        found = look(bundle.open_sums(), limit.deadline.left)
        decided = bundle.learn(found.decided, found.clauses, found.solutions, refuted=found.refuted)
        self._by_sums += len(decided)
        region = HardRegion(cells, len(decided), bundle.consistent is False, tuple(found.by))
        self.hard_regions.append(region)
        return decided

    def _drop(self, bundle: Bundle) -> None:
        """Let go of a bundle whose solver has been closed."""
        self._closed_calls += bundle.sink.solver.calls
        self._closed_models += bundle.models_found
        self.bundles.remove(bundle)

    def open_tables(self) -> list[Table]:
        """The tables that leave some cell open."""
        return [table for table in self.tables if len(table.decided) < len(table.cells)]

    def undecided(self) -> list[int]:
        """The cells next to clues that are still undecided."""
        tabled = [c for table in self.tables for c in table.cells if c not in table.decided]
        return tabled + [cell for bundle in self.bundles for cell in bundle.undecided]

    def cost(self) -> dict[str, Any]:
        """Its share of ``Stats``, by field."""
        bundles = self.bundles
        calls = sum([bundle.sink.solver.calls for bundle in bundles])
        models = sum([bundle.models_found for bundle in bundles])
        return {
            "sat_calls": self._closed_calls + calls,
            "models": self._closed_models + models,
            "variables": sum([bundle.sink.num_vars for bundle in bundles]),
            "clauses": sum([bundle.sink.num_clauses for bundle in bundles]),
            "constraints": sum([len(bundle.constraints) for bundle in bundles])
            + sum([table.constraints for table in self.tables]),
            "solvers": len(bundles),
            "by_sums": self._by_sums,
            "hard_regions": tuple(self.hard_regions),
        }

    def close(self) -> None:
        """Free the solvers."""
        for bundle in self.bundles:
            bundle.sink.solver.close()


def _shares(constraints: list[Residual]) -> list[list[Residual]]:
    """The constraints in parts of about ``_BUNDLE`` cells that share none."""
    if not constraints:
        return []
    if len(constraints) < _BUNDLE // 8 or len(cells_of(constraints)) <= _BUNDLE:
        return [constraints]
    shares: list[list[Residual]] = []
    size = _BUNDLE
    for region in regions(constraints):
        if size >= _BUNDLE:
            shares.append([])
            size = 0
        shares[-1] += region
        size += len(cells_of(region))
    return shares


def check_encodings(*names: str) -> None:
    """Raise ValueError for a name that is not an encoder's."""
    from pbcnf.encoders.table import find_encoder

    for name in names:
        find_encoder(name)
