"""Clause sinks, which receive variables and clauses: the only operations an encoder may use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pbcnf.literals import Block, Clause, Lit, Var
from pbcnf.wording import are, counted


class ClauseSink(Protocol):
    """A receiver of clauses that also allocates fresh variables, such as a `Formula`.

    A wrapped live solver is a sink, too. A sink with the method `add_terminated` of `Formula` gets
    the clauses of a small constraint in one call.
    """

    @property
    def num_vars(self) -> int:
        """The number of allocated variables; they are 1 .. num_vars."""
        ...

    def new_var(self) -> Var:
        """Allocate one fresh variable and return it."""
        ...

    def new_vars(self, count: int) -> Var:
        """Allocate `count` >= 0 consecutive variables and return the first."""
        ...

    def add_clause(self, clause: Clause) -> None:
        """Add one clause; the empty clause makes the formula unsatisfiable."""
        ...

    def add_block(self, block: Block) -> None:
        """Add many clauses of one width: an integer array of shape (clauses, width)."""
        ...


@dataclass(frozen=True, slots=True)
class _SinkWrapper:
    """A sink that wraps the sink `sink` and allocates all variables there."""

    sink: ClauseSink

    @property
    def num_vars(self) -> int:
        """The number of variables allocated in the wrapped sink."""
        return self.sink.num_vars

    def new_var(self) -> Var:
        """Allocate one variable in the wrapped sink."""
        return self.sink.new_var()

    def new_vars(self, count: int) -> Var:
        """Allocate consecutive variables in the wrapped sink."""
        return self.sink.new_vars(count)


@dataclass(frozen=True, slots=True)
class NormalisingSink(_SinkWrapper):
    """A sink that passes clauses on without repeated literals, and drops tautologies.

    Needed where the inputs of an encoder are not distinct variables.
    """

    def add_clause(self, clause: Clause) -> None:
        """Add the clause's distinct literals, in order, unless it contains both l and -l."""
        distinct = dict.fromkeys(clause)
        if not any(-lit in distinct for lit in distinct):
            self.sink.add_clause(list(distinct))

    def add_terminated(self, lits: Sequence[int], count: int) -> None:
        """Add clauses with a 0 after each, at once if no variable is in one twice."""
        clauses, start = list[Sequence[int]](), 0
        for _ in range(count):
            end = lits.index(0, start)
            clauses.append(lits[start:end])
            start = end + 1
        at_once = getattr(self.sink, "add_terminated", None)
        if at_once is not None and all(len({*map(abs, each)}) == len(each) for each in clauses):
            at_once(lits, count)
            return
        for clause in clauses:
            self.add_clause(clause)

    def add_block(self, block: Block) -> None:
        """Add the rows, at once unless a variable is in a row twice: then widths may differ."""
        import numpy as np

        variables = np.sort(np.abs(block), axis=1)
        if (variables[:, 1:] != variables[:, :-1]).all():
            self.sink.add_block(block)
            return
        for clause in block.tolist():
            self.add_clause(clause)

    def add_flat(self, flat: Block) -> None:
        """Add clauses of an array with a 0 after each, at once if no variable is in one twice."""
        import numpy as np

        # Clause by clause, the variables in increasing order: a variable and its clause are one
        # number.
        ends, variables = flat == 0, np.abs(flat).astype(np.int64)
        places = np.sort(variables + (ends.cumsum() - ends) * (int(variables.max(initial=0)) + 1))
        at_once = getattr(self.sink, "add_flat", None)
        if at_once is not None and (places[1:] != places[:-1]).all():
            at_once(flat)
            return
        for clause in np.split(flat, np.flatnonzero(ends) + 1)[:-1]:
            self.add_clause(clause[:-1].tolist())


def without_normalising(sink: ClauseSink) -> ClauseSink:
    """Return the sink behind a `NormalisingSink`; any other sink is returned unchanged."""
    return sink.sink if isinstance(sink, NormalisingSink) else sink


@dataclass(frozen=True, slots=True)
class GuardedSink(_SinkWrapper):
    """A sink that adds the literal `guard` to every clause: the clauses bind only if it is false.

    With the negation of a fresh variable s as the guard, s implies the constraint: half
    reification. The constraint is switched on by assuming s.
    """

    guard: Lit

    def add_clause(self, clause: Clause) -> None:
        """Add the clause with the guard as its first literal."""
        self.sink.add_clause([self.guard, *clause])

    def add_block(self, block: Block) -> None:
        """Add each row of `block` with the guard as its first literal."""
        import numpy as np

        guards = np.full((len(block), 1), self.guard, dtype=np.int32)
        self.sink.add_block(np.hstack((guards, block)))


def keeps_arrays(sink: ClauseSink) -> bool:
    """Whether the innermost wrapped sink keeps arrays of clauses as arrays, as a `Formula` does."""
    while isinstance(sink, _SinkWrapper):
        sink = sink.sink
    return hasattr(sink, "add_flat")


def require_allocated(lits: Iterable[Lit], sink: ClauseSink) -> None:
    """Raise ValueError, naming a literal, unless every variable has been allocated in `sink`.

    Otherwise the next auxiliary variables of an encoder would get the numbers of the inputs that
    were not allocated.
    """
    limit = sink.num_vars
    lits = tuple(lits)
    if not lits or (max(lits) <= limit and min(lits) >= -limit):
        return
    for lit in lits:
        if not -limit <= lit <= limit:
            raise ValueError(
                f"literal {lit}: variable {abs(lit)} is not allocated"
                f" (there {are(limit)} {counted(limit, 'variable')})"
            )
