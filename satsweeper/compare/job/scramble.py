"""Formulas with variables renamed, and clauses and literals shuffled, by a seed.

A solver's time depends on names and order as much as on the encoding: a comparison over one order
only measures accidents. A seed gives the same renaming and order on every machine.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pbcnf.formula import Formula
from satsweeper.compare.job.question import Encoded
from satsweeper.solvers.protocol import Answer, LiveSolver, Satisfied, Unsatisfied
from satsweeper.solvers.table import features

Ints = npt.NDArray[np.int64]

_ROWS: Final = 2**16
"""The number of clauses that are shuffled at once."""


class Renaming:
    """A permutation of the variables 1 .. n; variables above n keep their names."""

    def __init__(self, seed: int, n: int) -> None:
        self._n = n
        names = _random("variables", seed).permutation(n) + 1
        # Indexed by a literal, negative literals from the end; 0 stays 0.
        self.new = np.concatenate([[0], names, -names[::-1]])

    def forth(self, literals: Iterable[int]) -> list[int]:
        """New names of some literals."""
        n, new = self._n, self.new
        return [int(new[lit]) if -n <= lit <= n else lit for lit in literals]

    def back(self, model: Sequence[int]) -> list[int]:
        """Return a model under the original names; variables missing in ``model`` are false."""
        n = self._n
        values = np.zeros(max(len(model), n) + 1, np.bool_)
        values[1 : len(model) + 1] = np.asarray(model, np.int64) > 0
        variables = np.arange(1, len(values))
        true = np.concatenate([values[self.new[1 : n + 1]], values[n + 1 :]])
        found: list[int] = np.where(true, variables, -variables).tolist()
        return found


class RenamedSolver:
    """A live solver whose variables are renamed: callers use the original names."""

    def __init__(self, solver: LiveSolver, renaming: Renaming) -> None:
        self.name = solver.name
        self._solver = solver
        self._renaming = renaming

    @property
    def calls(self) -> int:
        """The number of calls of the solver."""
        return self._solver.calls

    @calls.setter
    def calls(self, value: int) -> None:
        self._solver.calls = value

    def add_clause(self, clause: Iterable[int]) -> object:
        """Add a clause for good."""
        return self._solver.add_clause(self._renaming.forth(clause))

    def solve(
        self,
        assumptions: Sequence[int] = (),
        conflicts: int | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Search for a model in which all assumptions hold."""
        new = self._renaming.forth(assumptions)
        answer = self._solver.solve(new, conflicts, seconds)
        if isinstance(answer, Satisfied):
            return Satisfied(self._renaming.back(answer.model))
        if isinstance(answer, Unsatisfied):
            old = dict(zip(new, assumptions, strict=True))
            return Unsatisfied([old[lit] for lit in answer.core])
        return answer

    def conflicts(self) -> int:
        """Conflicts met so far."""
        return self._solver.conflicts()

    def prefer(self, literals: Sequence[int]) -> None:
        """Ask the solver to try these literals first."""
        self._solver.prefer(self._renaming.forth(literals))

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()


def scrambled(encoded: Encoded, seed: int) -> tuple[Encoded, Renaming | None]:
    """Return the formula scrambled by ``seed``, and the renaming; seed 0 changes nothing."""
    if seed == 0:
        return encoded, None
    formula = Formula(encoded.formula.num_vars)
    renaming = Renaming(seed, formula.num_vars)
    for flat in _shuffled(encoded.formula, _random("clauses", seed)):
        formula.add_flat(renaming.new[flat].astype(np.int32))
    random = _random("native", seed)
    at_most = []
    for at in random.permutation(len(encoded.at_most)).tolist():
        literals, bound = encoded.at_most[at]
        order = random.permutation(len(literals)).tolist()
        at_most.append((renaming.forth([literals[k] for k in order]), bound))
    return Encoded(formula, at_most), renaming


def loaded(encoded: Encoded, renaming: Renaming | None, solver: LiveSolver) -> LiveSolver:
    """Hand a formula to a solver, and return the solver under the names before ``renaming``.

    An empty clause, which not every solver can be given, becomes two units of a variable behind the
    last.

    Raises:
        ValueError: the solver has no native cardinality constraints, and needs them.
    """
    top = encoded.formula.num_vars + 1
    add = solver.add_clause
    for clause in encoded.formula.clauses():
        if clause:
            add(clause)
        else:
            add([top])
            add([-top])
    if encoded.at_most and not features(solver.name).native:
        raise ValueError(f"{solver.name} has no native cardinality constraints")
    native: Any = solver
    for literals, bound in encoded.at_most:
        native.add_at_most(literals, bound)
    return solver if renaming is None else RenamedSolver(solver, renaming)


def _shuffled(formula: Formula, random: np.random.RandomState) -> Iterator[Ints]:
    """The clauses in another order, and their literals too: flat, a 0 after every clause."""
    parts = [np.zeros(0, np.int32)]
    widths = [np.zeros(0, np.int64)]
    for block in formula.blocks():
        for rows in np.array_split(block, len(block) // _ROWS + 1):
            closed = np.zeros((len(rows), rows.shape[1] + 1), np.int32)
            order = random.random_sample(rows.shape).argsort(axis=1)
            closed[:, :-1] = np.take_along_axis(rows, order, axis=1)
            parts.append(closed.ravel())
            widths.append(np.full(len(rows), closed.shape[1]))
    flat, width = np.concatenate(parts), np.concatenate(widths)
    start = np.cumsum(width) - width
    order = random.permutation(len(width))
    for chosen in np.array_split(order, len(order) // _ROWS + 1):
        # The indices of the literals of each chosen clause: its start, plus 0, 1, 2 ... width - 1.
        wide = width[chosen]
        first = np.repeat(np.cumsum(wide) - wide, wide)
        at = np.repeat(start[chosen], wide) + np.arange(len(first)) - first
        yield flat[at].astype(np.int64)


def _random(what: str, seed: int) -> np.random.RandomState:
    """Return a source of random numbers that are equal on every machine and version of numpy."""
    digest = hashlib.sha256(f"{what} {seed}".encode()).digest()
    return np.random.RandomState(np.frombuffer(digest, np.uint32))
