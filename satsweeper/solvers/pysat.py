"""The only importer of PySAT: a live solver that avoids the known defects of PySAT's interface.

* Ctrl-C inside a solver raises an exception of PySAT: it becomes KeyboardInterrupt here. The solver
  was interrupted within its search and cannot be freed safely: its object is abandoned.
* A model may end before the last variable: `Satisfied` allows such models.
* Assumptions must be a list: for a tuple, CaDiCaL's core ends in an internal error.
* MapleSAT ends the interpreter when it searches without any variable: it gets a variable at once.
* A budget stays set after a limited call: every call sets the budget anew.
* Importing ``pysat.solvers`` takes three times as long as classifying a board: the default solver,
  MiniSat 2.2, is called through PySAT's C functions, as ``pysat.solvers`` calls them.
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
"""The number of bytes written after a proof as a test: if they do not fit, the disk is full and the
end of the proof may be missing."""


class PysatSolver:
    """A solver of PySAT by its name in :data:`satsweeper.solvers.table.SOLVERS`."""

    def __init__(self, name: str, *, proof: bool = False) -> None:
        """``name``: of the solver; ``proof``: whether to keep a proof (`Features.proof`)."""
        self.name = name
        self.calls = 0
        self._features = features(name)
        self._solver: Any
        if name == "minisat22" and not proof:
            self._solver = _Minisat22()
        else:
            self._solver = class_of(name)(with_proof=True) if proof else class_of(name)()
        self._budgeted = False
        self._read = 0
        solver = self._solver
        self.add_clause: Callable[[Iterable[int]], object] = solver.add_clause
        self._get_model: Callable[[], list[int] | None] = solver.get_model
        if name == "maplesat":
            solver.add_clause([1, -1])
        # Calling the C functions directly halves the time on small formulas.
        if name == "minisat22":
            raw = solver.minisat
            self.add_clause = partial(pysolvers.minisat22_add_cl, raw)
            self._get_model = partial(pysolvers.minisat22_model, raw)
        if name == "cadical195":
            self.add_clause = partial(pysolvers.cadical195_add_cl, solver.cadical)

    def add_clauses(self, clauses: Iterable[Iterable[int]]) -> None:
        """Add many clauses; tuples, as from ``formula.tuples()``, are fastest."""
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
                    # -1 removes the budget of an earlier call.
                    solver.conf_budget(-1)
                found = solver.solve(assumptions)
        except Exception as error:
            if "keyboard interrupt" in str(error).lower():
                # The capsule of the C++ object is removed from PySAT's object, so that no later
                # call uses or frees the C++ object.
                for name, value in vars(solver).items():
                    if type(value).__name__ == "PyCapsule":
                        setattr(solver, name, None)
                raise KeyboardInterrupt from None
            raise
        if found:
            return Satisfied(self._get_model() or [])
        if found is None:
            return Unknown("conflicts")
        # Some solvers return the core of an earlier call once the clauses alone are contradictory;
        # its literals outside the assumptions are dropped.
        held = set(assumptions)
        return Unsatisfied([v for v in solver.get_core() or () if v in held])

    def propagate(self, assumptions: Sequence[int]) -> list[int] | None:
        """Return the literals that unit propagation assigns under assumptions; None for a conflict.

        What follows from the clauses alone is left out. ``cadical103`` and ``lingeling`` cannot.
        """
        held, implied = self._solver.propagate(list(assumptions))
        return implied if held else None

    def conflicts(self) -> int:
        """Return the number of conflicts so far; 0 if the solver does not report conflicts."""
        stats = self._solver.accum_stats()
        return int(stats["conflicts"]) if stats else 0

    def statistics(self) -> Statistics:
        """Return the cost of the search so far, in the solver's own counts."""
        stats = self._solver.accum_stats() or {}
        return Statistics(*(int(stats.get(what, 0)) for what in Statistics._fields))

    def prefer(self, literals: Sequence[int]) -> None:
        """Set the preferred phases to ``literals``; ignored for solvers without phases."""
        if self._features.phases:
            self._solver.set_phases(literals)

    def add_at_most(self, literals: Sequence[int], bound: int) -> None:
        """Add "at most ``bound`` of ``literals``" as a native constraint (`Features.native`)."""
        self._solver.add_atmost(list(literals), bound)

    def proof(self) -> list[str]:
        """Return the proof of an unsatisfiable answer without assumptions, as lines of DRUP.

        Raises:
            SolverFailedError: the disk that the solver writes to is full.
        """
        lines: list[str] = self._solver.get_proof() or []
        _require_room(self._solver.prfile.fileno())
        return lines

    def written(self) -> bytes:
        """Return the proof since the last call of this method, in DRUP as text or binary.

        An answer under assumptions may end it with the empty clause, which holds only under them.

        Raises:
            SolverFailedError: the disk that the solver writes to is full.
        """
        pysolvers.flushpr(self._solver.prfp)
        data = _written(self._solver.prfile.fileno(), self._read)
        self._read += len(data)
        return data

    def close(self) -> None:
        """Free the solver; the C++ object of an interrupted solver is never freed."""
        self._solver.delete()


class _Minisat22:
    """PySAT's ``minisat22`` by its C functions; after `delete` every method returns None."""

    def __init__(self) -> None:
        self.minisat = pysolvers.minisat22_new()

    def add_clause(self, clause: Iterable[int]) -> Any:
        return self._ask(pysolvers.minisat22_add_cl, clause)

    def solve(self, assumptions: list[int]) -> Any:
        return self._ask(pysolvers.minisat22_solve, assumptions, _in_main_thread())

    def solve_limited(self, assumptions: list[int]) -> Any:
        return self._ask(pysolvers.minisat22_solve_lim, assumptions, _in_main_thread(), 0)

    def propagate(self, assumptions: list[int]) -> Any:
        return self._ask(pysolvers.minisat22_propagate, assumptions, 0, _in_main_thread())

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

    def __del__(self) -> None:
        self.delete()

    def _ask(self, function: Callable[..., Any], *arguments: object) -> Any:
        return None if self.minisat is None else function(self.minisat, *arguments)


def _in_main_thread() -> int:
    """Whether the caller is in the main thread, where a solver may handle Ctrl-C."""
    threading = sys.modules.get("threading")
    # If ``threading`` was never imported there is only the main thread.
    return int(threading is None or threading.current_thread() is threading.main_thread())


@cache
def class_of(name: str) -> Any:
    """Return PySAT's class of the solver called ``name``; cached."""
    from pysat import solvers

    probe = solvers.Solver(name)
    try:
        return type(probe.solver)
    finally:
        probe.delete()


def _require_room(file: int) -> None:
    """Raise SolverFailedError if the disk of a proof is full, which its solver does not report.

    ``file``: the descriptor of the file that the solver writes to; its length is not changed.
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


def _written(file: int, start: int) -> bytes:
    """Return the bytes behind ``start`` of the file of a solver's proof."""
    _require_room(file)
    return os.pread(file, os.fstat(file).st_size - start, start)


class ProvingSolver:
    """CaDiCaL with an incremental proof in LIDRUP: its inputs, lemmas, questions and answers.

    A search is limited in conflicts, not in time.
    """

    def __init__(self) -> None:
        from tempfile import TemporaryFile

        self._files = ExitStack()
        self._trace = self._files.enter_context(TemporaryFile())  # noqa: SIM115
        self._read = 0
        self._raw = pysolvers.cadical300_new()
        # "factor" would add variables, and "lucky" gives models that ignore preferred phases.
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
        """Set the preferred phases to ``literals``."""
        pysolvers.cadical300_setphases(self._raw, list(literals))

    def written(self) -> bytes:
        """Return the part of the proof since the last call of this method, up to the last answer.

        Raises:
            SolverFailedError: the disk that the solver writes to is full.
        """
        data = _written(self._trace.fileno(), self._read)
        self._read += len(data)
        return data

    def close(self) -> None:
        """Free the solver."""
        if self._raw is not None:
            pysolvers.cadical300_del(self._raw, self._trace)
            self._raw = None
            self._files.close()
