"""The frontier of a position: undecided cells next to clues, in tables and in live solvers.

Regions share no clue. A small region is decided by the counts of its layouts, unless a solver is
named, or an encoding other than the defaults; all other regions go to live solvers, to which
clauses are only ever added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from satsweeper.board.facts import Facts
from satsweeper.board.planes import board_of, indices
from satsweeper.count.table import MOST_CELLS, RegionTable
from satsweeper.processes.deadline import Deadline
from satsweeper.reduce.residual import Reduced, Residual, cells_of, reduce_clues, regions
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.table import features

if TYPE_CHECKING:
    from satsweeper.answers.classification import HardRegion
    from satsweeper.search.solver_group import SolverGroup

_GROUP: Final = 300
"""Cells above which regions are spread over several solvers; 200 to 400 took equal time."""

_REPORT: Final = 0.3
"""Seconds between two calls of ``learn`` with proved cells, while a search runs."""


class Frontier:
    """The regions of a position: small ones in tables, the others in groups of live solvers.

    Args:
        encoding: the name of the encoder of the clues.
        solver: the solver to begin with.
        strong: the solver for a region that the first one does not settle quickly.
        tabulate: whether small regions are decided by their tables.
        algebraic: whether a region that the first search does not settle is also tried by
            elimination modulo 2 and 3 and by a linear program (``algebraic_fallback``).
    """

    def __init__(
        self, encoding: str, solver: str, strong: str, tabulate: bool, algebraic: bool = False
    ) -> None:
        self.groups: list[SolverGroup] = []
        self.tables: list[RegionTable] = []
        self._closed_calls = self._closed_models = 0
        """Solver calls and models of groups that were closed; ``cost`` includes them."""
        self._encoding = encoding
        self._solver = solver
        self._strong = strong
        self._tabulate = tabulate
        self._stoppable = features(solver).budget
        """Whether the solver stops at a budget of conflicts; if not, a region may use all time."""
        self._encoded = 0
        """The clues, as a bit board, whose constraints are encoded in some live solver."""
        self._algebraic = algebraic
        self._by_sums = 0
        self.hard_regions: list[HardRegion] = []
        """Regions that the first search did not settle, and the cells that sums then decided."""

    def reduce(self, facts: Facts, limit: SearchBudget) -> Reduced:
        """Return the residual constraints of the clues that are not encoded in any solver."""
        geometry, clues, values, undecided, mines = facts
        new = clues & ~self._encoded
        return reduce_clues(geometry, new, values, undecided, mines, limit.deadline.passed)

    def add(
        self, constraints: list[Residual], facts: Facts, limit: SearchBudget
    ) -> tuple[dict[int, bool], bool]:
        """Add ``constraints`` to tables and solvers; return decided cells, and whether all fit.

        The decided cells (True for a mine) are those that tables decide; they mean nothing if a
        table has no layout: see ``inconsistent``. The second value is False if the time was over
        before all constraints were added; the next :meth:`reduce` returns the missing ones again.
        """
        clues = facts.clues
        decided: dict[int, bool] = {}
        waiting: list[Residual] = []
        # Tables are made anew: clues of tables are never marked as encoded, so that `reduce` has
        # returned their constraints again.
        self.tables = []
        if self._tabulate:
            parts = regions(constraints)
            constraints = []
            for part in parts:
                if self._is_small(part):
                    if limit.deadline.passed():
                        waiting += part
                    else:
                        table = RegionTable(part)
                        self.tables.append(table)
                        decided |= table.decided
                else:
                    constraints += part
        if not (constraints or self.groups):
            return decided, not waiting
        older = list(self.groups)
        for part in _shares(constraints) if self._stoppable else regions(constraints):
            if limit.deadline.passed():
                waiting += part
            else:
                self._group_for(part, older).add(part)
        # Only clues of solvers are marked as encoded. A clue next to an undecided cell of a table,
        # or of a waiting constraint, belongs to the region of that cell, so no solver holds it.
        unencoded = [cell for table in self.tables for cell in table.cells] + cells_of(waiting)
        if unencoded:
            clues &= ~facts.geometry.spread(board_of(unencoded, facts.geometry.size))
        self._encoded |= clues
        return decided, not waiting

    def _is_small(self, region: Sequence[Residual]) -> bool:
        if len(region) > 2 * MOST_CELLS:
            return False
        # A region that shares a cell with a solver has to go to that solver, however small it is:
        # the solver holds further constraints on the cell, which a table would not see.
        cells = cells_of(region)
        return len(cells) <= MOST_CELLS and not any(
            cell in group.variable for group in self.groups for cell in cells
        )

    def _group_for(self, constraints: Sequence[Residual], older: list[SolverGroup]) -> SolverGroup:
        """Return the group for ``constraints``; groups that they connect are merged."""
        touched = [
            group
            for group in older
            if any(cell in group.variable for cells, _ in constraints for cell in cells)
        ]
        if not touched and self._stoppable:
            touched = [group for group in self.groups[-1:] if len(group.variable) < _GROUP]
        if not touched:
            patient = self._solver == self._strong
            touched = [self._group(self._solver, patient)]
            self.groups += touched
        # Clauses cannot move between solvers: the largest group encodes the smaller groups anew.
        touched.sort(key=lambda group: -len(group.variable))
        for smaller in touched[1:]:
            touched[0].absorb(smaller)
            self._drop(smaller)
            older.remove(smaller)
        return touched[0]

    def _group(self, solver: str, patient: bool) -> SolverGroup:
        """Return a new group. The imports of solvers and encoders are delayed to this call."""
        from satsweeper.search.solver_group import SolverGroup

        return SolverGroup(solver, self._encoding, patient)

    def settle(self, decided: int, facts: Facts) -> None:
        """Fix the cells of the bit board ``decided`` in tables and solvers, as ``facts`` has them.

        The cells were decided outside the frontier: by the rules, by the total or by opening.
        """
        if self.groups or self.tables:
            cells = indices(decided, facts.geometry.size)
            given = {cell: bool(facts.mines >> cell & 1) for cell in cells}
            for group in self.groups:
                group.settle(given)
            for table in self.tables:
                table.settle(given)

    def search(
        self, facts: Facts, limit: SearchBudget, learn: Callable[[Mapping[int, bool]], None]
    ) -> bool:
        """Search all groups until every cell is settled (True) or the time is over (False).

        ``learn`` is called from time to time with newly proved cells (True for a mine). A group
        without a layout ends the search with True.
        """
        if not self.groups:
            return True
        waiting = list(self.groups)
        next_report = Deadline.after(_REPORT)
        if not self._stoppable:
            waiting.sort(key=lambda group: len(group.variable))
        while waiting and not limit.deadline.passed():
            stopped = []
            for group in waiting:
                if limit.deadline.passed() or not group.classify(facts, limit):
                    stopped.append(group)
                if next_report.passed() or not self._stoppable:
                    learn(self._take_proved())
                    next_report = Deadline.after(_REPORT)
            learn(self._take_proved())
            if self.inconsistent is not None:
                return True
            # A contradiction in one group decides the position. Otherwise go on with the stopped
            # groups, split into regions, and with a larger budget for each question every round.
            waiting = [part for group in stopped for part in self._split(group)]
            if self._algebraic:
                for group in waiting:
                    if not (group.tried_without_search or limit.deadline.passed()):
                        decided = self._try_without_search(group, limit)
                        facts = with_verdicts(facts, decided)
                        learn(decided)
                if self.inconsistent is not None:
                    return True
            limit.widen()
        return not waiting

    def _take_proved(self) -> dict[int, bool]:
        proved: dict[int, bool] = {}
        for group in self.groups:
            proved |= group.take_proved()
        return proved

    @property
    def inconsistent(self) -> Iterable[int] | None:
        """Some cells of a region without a layout, or None while no such region is known."""
        for table in self.tables:
            if not table.layouts:
                return table.cells
        for group in self.groups:
            if group.consistent is False:
                return group.undecided
        return None

    def _split(self, group: SolverGroup) -> list[SolverGroup]:
        """Replace ``group``, whose search was stopped, by one group for each of its regions.

        The new groups use the strong solver. A region that no solver decides in time must not
        delay the verdicts of other regions.
        """
        # A patient group stays if it is one region, or if its layout is known already: splitting
        # would gain nothing. Otherwise each region gets its own solver, so that a question is about
        # one region, and a hard region does not stop the questions of the others.
        parts = regions(group.constraints)
        if group.patient and (len(parts) == 1 or group.consistent):
            return [group]
        pieces = []
        for part in parts:
            piece = self._group(self._strong, patient=True)
            piece.add(part)
            piece.settle(group.decided)
            pieces.append(piece)
        group.sink.solver.close()
        self._drop(group)
        self.groups += pieces
        return pieces

    def _try_without_search(self, group: SolverGroup, limit: SearchBudget) -> dict[int, bool]:
        """Try elimination and a linear program on the group's sums; return the decided cells."""
        from satsweeper.answers.classification import HardRegion
        from satsweeper.search.algebraic_fallback import prove_without_search

        cells, variable = len(group.undecided), group.variable
        sums = [([variable[c] for c in under], need) for under, need in group.open_constraints()]
        found = prove_without_search(sums, limit.deadline.left)
        decided = group.learn(found.decided, found.clauses, found.solutions, refuted=found.refuted)
        self._by_sums += len(decided)
        region = HardRegion(cells, len(decided), group.consistent is False, tuple(found.by))
        self.hard_regions.append(region)
        return decided

    def _drop(self, group: SolverGroup) -> None:
        """Remove ``group``, whose solver has been closed, and keep its calls and models."""
        self._closed_calls += group.sink.solver.calls
        self._closed_models += group.models_found
        self.groups.remove(group)

    def open_tables(self) -> list[RegionTable]:
        """Return the tables that leave some of their cells undecided."""
        return [table for table in self.tables if len(table.decided) < len(table.cells)]

    def undecided(self) -> list[int]:
        """Return the cells next to clues that are still undecided."""
        tabled = [c for table in self.tables for c in table.cells if c not in table.decided]
        return tabled + [cell for group in self.groups for cell in group.undecided]

    def cost(self) -> dict[str, Any]:
        """Return the fields of ``Stats`` that the frontier knows, by name."""
        tabled = sum([table.constraints for table in self.tables])
        if not (self.groups or self._closed_calls):
            return {"constraints": tabled}
        groups = self.groups
        calls = sum([group.sink.solver.calls for group in groups])
        models = sum([group.models_found for group in groups])
        return {
            "sat_calls": self._closed_calls + calls,
            "models": self._closed_models + models,
            "variables": sum([group.sink.num_vars for group in groups]),
            "clauses": sum([group.sink.num_clauses for group in groups]),
            "constraints": sum([len(group.constraints) for group in groups]) + tabled,
            "solvers": len(groups),
            "by_sums": self._by_sums,
            "hard_regions": tuple(self.hard_regions),
        }

    def close(self) -> None:
        """Free the solvers."""
        for group in self.groups:
            group.sink.solver.close()


def _shares(constraints: list[Residual]) -> list[list[Residual]]:
    """Return ``constraints`` in parts of about ``_GROUP`` cells; parts share no cell."""
    if not constraints:
        return []
    if len(constraints) < _GROUP // 8 or len(cells_of(constraints)) <= _GROUP:
        return [constraints]
    shares: list[list[Residual]] = []
    size = _GROUP
    for region in regions(constraints):
        if size >= _GROUP:
            shares.append([])
            size = 0
        shares[-1] += region
        size += len(cells_of(region))
    return shares


def with_verdicts(facts: Facts, proved: Mapping[int, bool]) -> Facts:
    """Return ``facts`` with the cells of ``proved`` decided: True for a mine, False for safe."""
    if not proved:
        return facts
    size = facts.geometry.size
    mines = board_of([cell for cell, mine in proved.items() if mine], size)
    return facts.decided(board_of(proved, size) & ~mines, mines)


def check_encodings(*names: str) -> None:
    """Raise ValueError for a name that is not an encoder's."""
    from pbcnf.encoders.table import find_encoder

    for name in names:
        find_encoder(name)
