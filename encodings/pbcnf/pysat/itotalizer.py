"""`ITotalizer` as in `pysat.card`, over our totalizers."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Any

from pbcnf.encoders.circuits.asked import Asked, SharedCount
from pbcnf.encoders.circuits.totalizer_tree import Tree, joined
from pbcnf.formula import Formula
from pbcnf.literals import Lit, literal
from pbcnf.pysat.formulas import new_cnf, top_of
from pbcnf.sink import NormalisingSink


class ITotalizer:
    """A totalizer for upper bounds that grows: in bounds, in literals, by another one.

    `cnf`, a `pysat.formula.CNF`, has its clauses, `rhs` its outputs: the unit clause
    ``-rhs[k]`` says that at most k of `lits` are true, for each k up to `ubound` that says
    anything. `nof_new` is the number of clauses at the end of `cnf` that the last call has added,
    `top_id` the largest variable that is in use, inputs included.

    >>> with ITotalizer(lits=[1, 2, 3], ubound=1) as t:
    ...     t.rhs, t.cnf.clauses, t.nof_new
    ([6, 7], [[-2, 4], [-3, 4], [-2, -3, 5], [-1, 6], [-4, 6], [-5, 7], [-1, -4, 7]], 7)
    """

    def __init__(
        self, lits: Iterable[Lit] = (), ubound: int = 1, top_id: int | None = None
    ) -> None:
        """Start empty, or with `new`."""
        self._count: SharedCount | None
        self.lits: list[Lit]
        self.rhs: list[Lit]
        self.cnf: Any
        self.delete()
        lits = list(lits)
        if lits:
            self.new(lits, ubound, top_id)

    def new(self, lits: Iterable[Lit] = (), ubound: int = 1, top_id: int | None = None) -> None:
        """Count `lits` up to `ubound`, with auxiliary variables above these and `top_id`."""
        self.delete()
        self.lits, self.ubound = [literal(lit) for lit in lits], ubound
        self.top_id = top_of(self.lits, top_id, None)
        self._count = _count(self.lits)
        self._emit()

    def increase(self, ubound: int = 1, top_id: int | None = None) -> None:
        """Allow bounds up to `ubound`; less than before changes nothing."""
        self._refuse_merged()
        self.ubound, self.top_id = max(self.ubound, ubound), max(self.top_id, top_id or 0)
        self._emit()

    def extend(
        self, lits: Iterable[Lit] = (), ubound: int | None = None, top_id: int | None = None
    ) -> None:
        """Count those of `lits` that are not counted yet, too, and bounds up to `ubound`."""
        self._refuse_merged()
        added = sorted({literal(lit) for lit in lits}.difference(self.lits))
        self.top_id = top_of(added, max(self.top_id, top_id or 0), None)
        self._join(_count(added) if added else None, added)
        self.increase(ubound or 0)

    def merge_with(
        self, another: ITotalizer, ubound: int | None = None, top_id: int | None = None
    ) -> None:
        """Count what `another` counts, on top of its clauses; it cannot grow by itself then.

        The auxiliary variables of both are to be distinct: begin the second at the `top_id` of the
        first.
        """
        self._refuse_merged()
        another._refuse_merged()
        if another is self:
            raise ValueError("a totalizer cannot be merged with itself")
        self.top_id = max(self.top_id, another.top_id)
        self.cnf.clauses.extend(another.cnf.clauses)
        self._join(another._count, another.lits)
        another._merged = True
        self.increase(max(ubound or 0, another.ubound), top_id)
        self.nof_new += len(another.cnf.clauses)

    def delete(self) -> None:
        """Forget everything."""
        self._count = None
        self._merged = False
        self.lits = []
        self.ubound = self.top_id = self.nof_new = 0
        self.cnf = new_cnf()
        self.rhs = []

    def __enter__(self) -> ITotalizer:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Forget everything."""
        self.delete()

    def _join(self, added: SharedCount | None, lits: list[Lit]) -> None:
        if added is not None:
            self._count = joined(self._count, added) if self._count else added
            self.lits = [*self.lits, *lits]

    def _emit(self) -> None:
        if self._count is None:
            return
        formula = Formula(self.top_id)
        distinct = len(set(map(abs, self.lits))) == len(self.lits)
        asked = Asked(range(1, min(len(self.lits), self.ubound + 1) + 1), range(0))
        sink = formula if distinct else NormalisingSink(formula)
        self.rhs = list(self._count.grow(asked, sink))
        self.cnf.clauses.extend(formula.clauses())
        self.cnf.nv = self.top_id = formula.num_vars
        self.nof_new = formula.num_clauses

    def _refuse_merged(self) -> None:
        if self._merged:
            raise ValueError("this totalizer has been merged into another one, which grows instead")


def _count(lits: list[Lit]) -> SharedCount:
    return SharedCount(Tree(lits), len(lits))
