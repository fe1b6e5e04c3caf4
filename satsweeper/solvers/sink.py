"""A live solver as the receiver of clauses, and the loop that hands it many constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import neg
from typing import TYPE_CHECKING, NamedTuple

from pbcnf.encoders.circuits.subsets import subset_clauses
from pbcnf.literals import Block, Clause, picker
from satsweeper.solvers.protocol import LiveSolver

if TYPE_CHECKING:
    from pbcnf.encoders.protocol import Encoder


class SolverSink:
    """Hands out variables and passes clauses straight to a solver; counts both."""

    def __init__(self, solver: LiveSolver) -> None:
        self.solver = solver
        self.num_vars = 0
        self.num_clauses = 0

    def new_var(self) -> int:
        """Allocate one variable."""
        self.num_vars += 1
        return self.num_vars

    def new_vars(self, count: int) -> int:
        """Allocate ``count`` consecutive variables and return the first."""
        first = self.num_vars + 1
        self.num_vars += count
        return first

    def add_clause(self, clause: Clause) -> None:
        """Add one clause."""
        self.solver.add_clause(clause)
        self.num_clauses += 1

    def add_block(self, block: Block) -> None:
        """Add each row of an integer array as a clause."""
        for clause in block.tolist():
            self.solver.add_clause(clause)
        self.num_clauses += len(block)

    def add_exactly(
        self, encoder: str | Encoder, sums: Iterable[tuple[Sequence[int], int]]
    ) -> None:
        """Add "exactly ``need`` of these literals" for each pair; literals distinct and valid.

        The hot path of a session: a cached stamp a shape, no normal form, no lists of clauses.
        """
        add = self.solver.add_clause
        stamps: dict[tuple[int, int], _Stamp] = {}
        for literals, need in sums:
            shape = len(literals), need
            stamp = stamps.get(shape)
            if stamp is None:
                stamp = stamps[shape] = _stamp(encoder, *shape)
            if stamp.auxiliaries:
                first = self.new_vars(stamp.auxiliaries)
                literals = [*literals, *range(first, first + stamp.auxiliaries)]
            lookup = (0, *literals, *map(neg, reversed(literals)))
            for clause in stamp.clauses:
                add(clause(lookup))
            self.num_clauses += len(stamp.clauses)


class _Stamp(NamedTuple):
    """What picks each clause of a sum out of its literals, auxiliary variables and negations."""

    auxiliaries: int
    clauses: tuple[Callable[[tuple[int, ...]], tuple[int, ...]], ...]


@lru_cache(maxsize=1024)
def _stamp(encoder: str | Encoder, n: int, need: int) -> _Stamp:
    if encoder == "direct":
        # The default has no other use for encoders: half a session's imports are spared.
        return _Stamp(0, tuple(map(picker, subset_clauses(range(1, n + 1), need, need))))
    from pbcnf.emission.template import template

    found = template(encoder, n, need, need)
    return _Stamp(found.auxiliaries, found.getters)
