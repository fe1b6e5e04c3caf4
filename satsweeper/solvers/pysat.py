"""The only door to PySAT: one solver object, with PySAT's traps kept behind it.

* Ctrl-C inside a solver surfaces as an exception of PySAT's own: here it is KeyboardInterrupt. The
  solver was left in the middle of its work and can never be freed: it is given up as it is.
* A model may end before the last variable: callers are told so by the protocol.
* Assumptions must be a list: for a tuple, CaDiCaL's core ends in an internal error.
* MapleSAT ends the interpreter when it searches before it has any variable: it gets one at once.
* A budget stays set after a limited call: every call sets it anew.
* ``pysat.solvers`` takes three times as long to import as a board to classify: the solver that most
  sessions begin and end with is asked through PySAT's C functions, as ``pysat.solvers`` asks it.
"""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import cache, partial
from typing import Any

import pysolvers

from satsweeper.solvers.protocol import (
    Answer,
    Satisfied,
    SolverFailedError,
    Statistics,
    Unknown,
    Unsatisfied,
)
from satsweeper.solvers.table import features

_PAGE = 4096
"""Bytes that must find room behind a proof: what a full disk took is whole up to the last block."""


class PysatSolver:
    """A solver of PySAT by its name in :data:`satsweeper.solvers.table.SOLVERS`."""

    def __init__(self, name: str, *, proof: bool = False) -> None:
        """``proof``: keep the proof of an unsatisfiable answer, where the table says it can."""
        self.name = name
        self.calls = 0
        self._features = features(name)
        self._solver: Any
        if name == "minisat22" and not proof:
            self._solver = _Minisat22()
        else:
            self._solver = class_of(name)(with_proof=True) if proof else class_of(name)()
        self._budgeted = False
        solver = self._solver
        self.add_clause: Callable[[Iterable[int]], object] = solver.add_clause
        self._get_model: Callable[[], list[int] | None] = solver.get_model
        if name == "maplesat":
            solver.add_clause([1, -1])
        # The C functions behind the methods: half the time on small formulas.
        if name == "minisat22":
            raw = solver.minisat
            self.add_clause = partial(pysolvers.minisat22_add_cl, raw)
            self._get_model = partial(pysolvers.minisat22_model, raw)
        if name == "cadical195":
            self.add_clause = partial(pysolvers.cadical195_add_cl, solver.cadical)

    def add_clauses(self, clauses: Iterable[Iterable[int]]) -> None:
        """Add many clauses, soonest as tuples: ``formula.tuples()``."""
        deque(map(self.add_clause, clauses), maxlen=0)

    def solve(
        self,
        assumptions: Sequence[int] = (),
        conflicts: int | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Search for a model in which all assumptions hold, within a budget of conflicts."""
        self.calls += 1
        assumptions = list(assumptions)
        solver = self._solver
        try:
            if conflicts is not None and self._features.budget:
                self._budgeted = True
                solver.conf_budget(conflicts)
                found = solver.solve_limited(assumptions)
            else:
                if self._budgeted:
                    self._budgeted = False
                    # No limit.
                    solver.conf_budget(-1)
                found = solver.solve(assumptions)
        except Exception as error:
            if "keyboard interrupt" in str(error).lower():
                # The C++ object is taken from PySAT's: nothing frees or asks it from now on.
                for name, value in vars(solver).items():
                    if type(value).__name__ == "PyCapsule":
                        setattr(solver, name, None)
                raise KeyboardInterrupt from None
            raise
        if found:
            return Satisfied(self._get_model() or [])
        if found is None:
            return Unknown("conflicts")
        # Some solvers return an older core once the clauses alone are contradictory.
        held = set(assumptions)
        return Unsatisfied([v for v in solver.get_core() or () if v in held])

    def conflicts(self) -> int:
        """Conflicts met so far; 0 where the solver does not tell."""
        stats = self._solver.accum_stats()
        return int(stats["conflicts"]) if stats else 0

    def statistics(self) -> Statistics:
        """Return the cost of the search so far, in the solver's own counts."""
        stats = self._solver.accum_stats() or {}
        return Statistics(*(int(stats.get(what, 0)) for what in Statistics._fields))

    def prefer(self, literals: Sequence[int]) -> None:
        """Ask the solver to try these literals first; ignored where it cannot."""
        if self._features.phases:
            self._solver.set_phases(literals)

    def add_at_most(self, literals: Sequence[int], bound: int) -> None:
        """Add "at most ``bound`` of these literals" without an encoding, where offered."""
        self._solver.add_atmost(list(literals), bound)

    def proof(self) -> list[str]:
        """The proof of an unsatisfiable answer without assumptions: lines of DRUP.

        Raises:
            SolverFailedError: the disk that the solver writes to is full.
        """
        lines: list[str] = self._solver.get_proof() or []
        _require_room(self._solver.prfile.fileno())
        return lines

    def close(self) -> None:
        """Free the solver; one that was interrupted stays."""
        self._solver.delete()


class _Minisat22:
    """PySAT's solver of a name, called by its C functions; unusable once deleted."""

    def __init__(self) -> None:
        self.minisat = pysolvers.minisat22_new()

    def add_clause(self, clause: Iterable[int]) -> Any:
        return self._ask(pysolvers.minisat22_add_cl, clause)

    def solve(self, assumptions: list[int]) -> Any:
        return self._ask(pysolvers.minisat22_solve, assumptions, _in_main_thread())

    def solve_limited(self, assumptions: list[int]) -> Any:
        return self._ask(pysolvers.minisat22_solve_lim, assumptions, _in_main_thread(), 0)

    def conf_budget(self, conflicts: int) -> None:
        self._ask(pysolvers.minisat22_cbudget, conflicts)

    def set_phases(self, literals: Sequence[int]) -> None:
        self._ask(pysolvers.minisat22_setphases, literals)

    def get_model(self) -> Any:
        return self._ask(pysolvers.minisat22_model)

    def get_core(self) -> Any:
        return self._ask(pysolvers.minisat22_core)

    def accum_stats(self) -> Any:
        return self._ask(pysolvers.minisat22_acc_stats)

    def delete(self) -> None:
        self._ask(pysolvers.minisat22_del)
        self.minisat = None

    __del__ = delete

    def _ask(self, function: Callable[..., Any], *arguments: object) -> Any:
        return None if self.minisat is None else function(self.minisat, *arguments)


def _in_main_thread() -> int:
    """Whether signals come here: only then may a solver listen for Ctrl-C."""
    threading = sys.modules.get("threading")
    # Where nobody has imported it there is one thread.
    return int(threading is None or threading.current_thread() is threading.main_thread())


@cache
def class_of(name: str) -> Any:
    """The PySAT class that answers to a name, found once."""
    from pysat import solvers

    probe = solvers.Solver(name)
    try:
        return type(probe.solver)
    finally:
        probe.delete()


def _require_room(file: int) -> None:
    """Raise SolverFailedError if no more can be written behind a proof: its solver would not say.

    ``file`` is the descriptor of the file that the solver writes to, which stays as long as it is.
    """
    if not hasattr(os, "pwrite"):
        return
    size = os.fstat(file).st_size
    try:
        room = os.pwrite(file, bytes(_PAGE), size) == _PAGE
    except OSError:
        room = False
    os.ftruncate(file, size)
    if not room:
        from tempfile import gettempdir

        raise SolverFailedError(f"the proof does not fit on the disk of {gettempdir()}")


class ProvingSolver:
    """CaDiCaL, which writes what it is told, asked and answers as a proof in LIDRUP.

    No limit of time holds while it searches; conflicts are limited.
    """

    def __init__(self) -> None:
        from tempfile import TemporaryFile

        self._files = ExitStack()
        self._trace = self._files.enter_context(TemporaryFile())  # noqa: SIM115
        self._read = 0
        self._raw = pysolvers.cadical300_new()
        # No variables of its own, and no models that ignore what is preferred.
        for option, value in (("lidrup", 1), ("binary", 0), ("factor", 0), ("lucky", 0)):
            pysolvers.cadical300_set(self._raw, option, value)
        self._proof = pysolvers.cadical300_tracepr(self._raw, self._trace)

    def add_clause(self, clause: Iterable[int]) -> None:
        """Add a clause: an input of the proof."""
        pysolvers.cadical300_add_cl(self._raw, list(clause))

    def solve(self, assumptions: Sequence[int], conflicts: int) -> list[int] | bool | None:
        """Return a model, False if there is no model, or None if the budget was used up."""
        pysolvers.cadical300_cbudget(self._raw, conflicts)
        found = pysolvers.cadical300_solve_lim(self._raw, list(assumptions), 0)
        if found > 0:
            model: list[int] = pysolvers.cadical300_model(self._raw)
            return model
        return False if found < 0 else None

    def prefer(self, literals: Sequence[int]) -> None:
        """Try these literals first."""
        pysolvers.cadical300_setphases(self._raw, list(literals))

    def written(self) -> bytes:
        """The part of the proof since the last call of this method, up to the last answer.

        Raises:
            SolverFailedError: the disk that the solver writes to is full.
        """
        file = self._trace.fileno()
        _require_room(file)
        data = os.pread(file, os.fstat(file).st_size - self._read, self._read)
        self._read += len(data)
        return data

    def close(self) -> None:
        """Free the solver."""
        if self._raw is not None:
            pysolvers.cadical300_del(self._raw, self._trace)
            self._raw = None
            self._files.close()
