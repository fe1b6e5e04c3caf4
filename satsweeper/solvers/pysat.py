"""The only door to PySAT: one solver object, with PySAT's traps kept behind it.

* Ctrl-C inside a solver surfaces as an exception of PySAT's own: here it is KeyboardInterrupt.
* A model may end before the last variable: callers are told so by the protocol.
* Assumptions must be a list: for a tuple, CaDiCaL's core ends in an internal error.
* A budget stays set after a limited call: every call sets it anew.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import Any

import pysolvers
from pysat import solvers as pysat_solvers

from satsweeper.solvers.protocol import Answer, Satisfied, Unknown, Unsatisfied
from satsweeper.solvers.table import features

_UNLIMITED = -1


class PysatSolver:
    """A solver of PySAT by its name in :data:`satsweeper.solvers.table.SOLVERS`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.calls = 0
        self._features = features(name)
        self._solver: Any = _class_of(name)()
        self.add_clause: Callable[[Iterable[int]], object] = _adder(name, self._solver)
        self._get_model: Callable[[], list[int] | None] = self._solver.get_model

    @property
    def limited(self) -> bool:
        """Whether ``conflicts`` is honoured by :meth:`solve`."""
        return self._features.budget

    def solve(self, assumptions: Sequence[int] = (), conflicts: int | None = None) -> Answer:
        """Search for a model in which all assumptions hold, within a budget of conflicts."""
        self.calls += 1
        assumptions = list(assumptions)
        try:
            if conflicts is None or not self._features.budget:
                found = self._solver.solve(assumptions)
            else:
                self._solver.conf_budget(conflicts)
                found = self._solver.solve_limited(assumptions)
                self._solver.conf_budget(_UNLIMITED)
        except Exception as error:
            if "keyboard interrupt" in str(error).lower():
                raise KeyboardInterrupt from None
            raise
        if found:
            return Satisfied(self._get_model() or [])
        if found is None:
            return Unknown("conflicts")
        return Unsatisfied(self._solver.get_core() or [])

    def conflicts(self) -> int:
        """Conflicts met so far; 0 where the solver does not tell."""
        stats = self._solver.accum_stats()
        return int(stats["conflicts"]) if stats else 0

    def prefer(self, literals: Sequence[int]) -> None:
        """Ask the solver to try these literals first; ignored where it cannot."""
        if self._features.phases:
            self._solver.set_phases(literals)

    def add_at_most(self, literals: Sequence[int], bound: int) -> None:
        """Add "at most ``bound`` of these literals" without an encoding, where offered."""
        self._solver.add_atmost(list(literals), bound)

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()


def _adder(name: str, solver: Any) -> Callable[[Iterable[int]], object]:
    """The clause function. For MiniSat the C function itself: half the time of the method."""
    if name == "minisat22":
        add: Callable[[Iterable[int]], object] = partial(
            pysolvers.minisat22_add_cl, solver.minisat
        )
        return add
    method: Callable[[Iterable[int]], object] = solver.add_clause
    return method


@cache
def _class_of(name: str) -> Any:
    """The PySAT class that answers to a name, found once."""
    probe = pysat_solvers.Solver(name)
    try:
        return type(probe.solver)
    finally:
        probe.delete()
