"""Contenders: solvers on the formula, engines on the board, and sums on problems.

Each is a task that runs in a child and can be pickled. A solver gets the formula of the family, or
of the question about a certain cell (``satsweeper.competition.instance``); an engine
classifies the board.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from time import thread_time
from typing import Final

from satsweeper.answers.classification import Status
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.errors import DefectError
from satsweeper.compare.job.question import Encoded
from satsweeper.compare.job.scramble import scrambled
from satsweeper.competition.instance import EntryInstance, Series
from satsweeper.competition.measurement import SolverRun
from satsweeper.competition.solving import solve
from satsweeper.engines.protocol import EngineRefusedError
from satsweeper.engines.table import ENGINES, find_engine
from satsweeper.families.family import Family
from satsweeper.linear.equations import Equation, equations_of
from satsweeper.linear.refutation import refutation_of
from satsweeper.position import Position
from satsweeper.processes.forked import Last
from satsweeper.solvers.output import Claim
from satsweeper.solvers.table import SOLVERS

ON_FORMULAS: Final = ("minisat22", "glucose4", "maplechrono", "lingeling", "cadical195")
ON_BOARDS: Final = ("portfolio", "sat", "elimination", "ilp")
SUMS: Final = "refutation_of"
"""The portfolio's method where search fails, on problems that are no boards."""

GAVE_UP: Final = "no answer"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run, and a digest of all verdicts if a complete engine has given them."""

    run: SolverRun
    verdicts: str = ""


@dataclass(frozen=True, slots=True)
class Decide:
    """A solver decides a formula; its models are checked against clauses and constraints.

    ``disguise``: a seed by which variables are renamed and clauses shuffled; 0: as it is.
    """

    solver: str
    instance: EntryInstance
    disguise: int

    def __call__(self) -> Last:
        """Solve it, in a process that ends with it; clauses are made ready before, untimed."""
        encoded, renaming = scrambled(Encoded(self.instance.formula), self.disguise)
        answered = solve(self.solver, encoded.formula)
        model = answered.model if renaming is None else renaming.back(answered.model)
        if answered.model and not self.instance.problem.holds(set(model)):
            raise DefectError(f"{self.solver}: a model that does not meet the constraints")
        return Last(Outcome(answered.run))


@dataclass(frozen=True, slots=True)
class Classify:
    """An engine classifies a board; ``certain`` are verdicts that its argument gives.

    Where there are any, these are what must be found; else an engine has an answer if it is certain
    that there is no layout, or has decided every cell. ``small`` is classified before, untimed, so
    that imports are not counted. (The clock is the thread's: that of a process with a limit goes by
    ticks.)
    """

    engine: str
    position: Position
    certain: Mapping[Cell, bool]
    small: Position

    def __call__(self) -> Last:
        """Classify the board, in a process that ends afterwards."""
        engine = find_engine(self.engine)
        engine.classify(self.small, Options())
        began = thread_time()
        try:
            answer = engine.classify(self.position, Options())
        except EngineRefusedError:
            return Last(Outcome(SolverRun(Claim.UNKNOWN, thread_time() - began, GAVE_UP)))
        seconds = thread_time() - began
        for cell, mine in self.certain.items():
            if cell in (answer.safe if mine else answer.mines):
                raise DefectError(f"{self.engine}: a false verdict of {cell}")
        if answer.status is Status.INCONSISTENT:
            return Last(Outcome(SolverRun(Claim.UNSATISFIABLE, seconds)))
        found = all(c in (answer.mines if m else answer.safe) for c, m in self.certain.items())
        decided = answer.status is Status.CONSISTENT
        if not (decided or (self.certain and found)):
            return Last(Outcome(SolverRun(Claim.UNKNOWN, seconds, GAVE_UP)))
        if not found:
            raise DefectError(f"{self.engine}: a certain cell is called unknown")
        verdicts = repr((answer.safe, answer.mines)) if decided else ""
        digest = hashlib.sha256(verdicts.encode()).hexdigest()[:16] if verdicts else ""
        return Last(Outcome(SolverRun(Claim.SATISFIABLE, seconds), digest))


@dataclass(frozen=True, slots=True)
class AddUp:
    """A search for multipliers of equations that refute them."""

    equations: tuple[Equation, ...]
    small: tuple[Equation, ...]

    def __call__(self) -> Last:
        """Look for them, in a process that ends with it; ``small`` before, untimed."""
        refutation_of(self.small)
        began = thread_time()
        found = refutation_of(self.equations)
        seconds = thread_time() - began
        claim = Claim.UNKNOWN if found is None else Claim.UNSATISFIABLE
        return Last(Outcome(SolverRun(claim, seconds, GAVE_UP if found is None else "")))


Task = Decide | Classify | AddUp


def contenders_of(family: Family) -> tuple[str, ...]:
    """All that have something to say of a family; sums only refute."""
    if family.of == "board":
        return ON_FORMULAS + ON_BOARDS
    return ON_FORMULAS if family.satisfiable else (*ON_FORMULAS, SUMS)


def series_for(family: Family, contender: str) -> Series:
    """Return the series for a contender: a solver gets a question about a certain cell, if any."""
    on_formula = contender in SOLVERS
    return Series(family, on_formula and bool(family.certain(family.small[-1], 0)))


def task_of(contender: str, instance: EntryInstance, family: Family, size: int, seed: int) -> Task:
    """Return the task; ``instance`` belongs to the contender's series.

    A seed is of the instance, where the family has seeds, and of the disguise of a formula.
    """
    if contender in SOLVERS:
        return Decide(contender, instance, seed)
    small = family.instance(family.small[0], 0)
    if contender in ENGINES and instance.position is not None and isinstance(small, Position):
        return Classify(contender, instance.position, family.certain(size, seed), small)
    if contender == SUMS and not isinstance(small, Position):
        return AddUp(tuple(equations_of(instance.problem)), tuple(equations_of(small)))
    raise ValueError(f"{contender} has nothing to say of {family.name}")
