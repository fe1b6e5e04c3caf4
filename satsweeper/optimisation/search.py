"""The state that all strategies share: problem, live solver, best model, and bounds on its cost.

`Cost` is an objective with weights above 0; `LiveSink` passes the clauses of the problem to the
solver; `Descent` makes a model cheaper without the solver; `Search` keeps the best model;
`SolveOutcome` is the final answer. Strategies are generators of questions to the solver
(`SolverQuestion`).
"""

from collections.abc import Callable, Container, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from math import gcd
from typing import Any, Final, NamedTuple

from pbcnf.constraints.constraint import Constraint, Parity, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.literals import Block, Clause, Lit, Var
from satsweeper.linear.inequalities import AtLeastRow, Multipliers, inequalities
from satsweeper.linear.row_relaxation import RelaxationProof
from satsweeper.solvers.evaluation import completed
from satsweeper.solvers.protocol import Answer, Satisfied, SolverFailedError
from satsweeper.solvers.sink import SolverSink


class SolveStatus(StrEnum):
    """The claim about a problem, in the words of the competitions."""

    SATISFIABLE = "SATISFIABLE"
    """There is a model; with an objective, a better model may exist."""
    OPTIMUM = "OPTIMUM FOUND"
    UNSATISFIABLE = "UNSATISFIABLE"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class SolveOutcome:
    """A claim about a problem, the model or bound that supports the claim, and the work done.

    ``model``: the literal of every variable of the problem in order, checked against every
    constraint; None if no model was found. ``value``: the objective in ``model``, None without an
    objective or a model. ``bound``: a proved limit: no model has a better value; None without an
    objective, or for an unsatisfiable problem. ``reason``: why the search ended early, else empty.
    """

    status: SolveStatus
    model: tuple[Lit, ...] | None = field(default=None, repr=False)
    value: int | None = None
    bound: int | None = None
    reason: str = ""
    questions: int = 0
    """The number of calls of the solver."""
    conflicts: int = 0


@dataclass(frozen=True, slots=True)
class Cost:
    """``sum of weight * literal``, each variable at most once, each weight above 0.

    The objective is ``constant + unit * cost``; ``unit`` is negative for a maximum.

    >>> Cost.of(Objective((1, -1, 2), (6, 2, -4)))
    Cost(terms={1: 1, -2: 1}, constant=-2, unit=4)
    """

    terms: dict[Lit, int]
    constant: int
    unit: int

    @staticmethod
    def of(objective: Objective) -> "Cost":
        """Return the cost whose minimum is the optimum of ``objective``."""
        sign = -1 if objective.maximise else 1
        constant, factors = objective.constant, dict[int, int]()
        for lit, weight in zip(objective.lits, objective.weights, strict=True):
            factors[abs(lit)] = factors.get(abs(lit), 0) + (weight if lit > 0 else -weight)
            constant += weight if lit < 0 else 0
        unit = gcd(*factors.values()) or 1
        terms = {}
        # A negative factor f of x is a positive factor of ~x: f*x = f + (-f)*(1 - x). The constant
        # takes up f, so that ``constant + unit * cost`` stays equal to the objective.
        for var, factor in factors.items():
            scaled = sign * factor // unit
            if scaled:
                terms[var if scaled > 0 else -var] = abs(scaled)
            constant += factor if scaled < 0 else 0
        return Cost(terms, constant, sign * unit)

    @property
    def linear(self) -> tuple[dict[Var, int], int]:
        """The cost as a sum over variables and a constant."""
        terms = {abs(lit): weight if lit > 0 else -weight for lit, weight in self.terms.items()}
        return terms, sum(weight for lit, weight in self.terms.items() if lit < 0)

    @property
    def most(self) -> int:
        """The cost if all literals are true."""
        return sum(self.terms.values())

    def in_model(self, model: Container[Lit]) -> int:
        """Return the cost of the model whose true literals are ``model``."""
        return sum(weight for lit, weight in self.terms.items() if lit in model)

    def objective(self, cost: int) -> int:
        """The value of the objective at this cost."""
        return self.constant + self.unit * cost


class LiveSink(SolverSink):
    """A live solver as a sink of clauses; the empty clause becomes two contradicting units.

    Solvers take no empty clause.
    """

    num_literals = 0

    def add_clause(self, clause: Clause) -> None:
        """Add ``clause``, which may be empty."""
        if len(clause):
            self.num_literals += len(clause)
            super().add_clause(clause)
            return
        never = self.new_var()
        super().add_clause([never])
        super().add_clause([-never])

    def add_block(self, block: Block) -> None:
        """Add each row of ``block``, an integer array, as a clause."""
        if block.shape[1]:
            self.num_literals += block.size
            super().add_block(block)
        elif len(block):
            self.add_clause([])


class Descent:
    """Makes a model cheaper without the solver: true literals with a cost are flipped one by one.

    Such flips are often possible: a variable that relaxes a soft constraint may be true although
    the constraint holds, since clauses imply the variable in one direction only, and solvers keep
    the values of earlier models. Constraints are indexed by the literals with a cost, so that a
    flip updates only the sums that contain its variable.

    Args:
        problem: its constraints hold before and after each flip.
        terms: literal -> cost, above 0; each variable at most once.
    """

    def __init__(self, problem: Problem, terms: dict[Lit, int]) -> None:
        self._ordered: Final = sorted(terms, key=lambda lit: -terms[lit])
        self._sums: Final[list[tuple[dict[Lit, int], int, int]]] = []
        """Terms, lower and upper bound of each constraint that contains a literal with a cost."""
        self._changes: Final[dict[Lit, dict[int, int]]] = {lit: {} for lit in terms}
        """Literal with a cost -> index into ``_sums`` -> change of the sum if the literal turns
        false."""
        self._fixed: Final[set[Lit]] = set()
        touched = {*terms, *(-lit for lit in terms)}
        for constraint in problem.constraints:
            if isinstance(constraint, Parity):
                # Every flip of a literal breaks a parity that holds.
                self._fixed.update(constraint.lits, [-lit for lit in constraint.lits])
                continue
            if touched.isdisjoint(constraint.lits):
                continue
            weights: Iterable[int] = (1,) * len(constraint.lits)
            if isinstance(constraint, PseudoBoolean):
                weights = constraint.weights
            found = dict(zip(constraint.lits, weights, strict=True))
            if len(found) < len(constraint.lits):
                found = {}
                for lit, weight in zip(constraint.lits, weights, strict=True):
                    found[lit] = found.get(lit, 0) + weight
            place = len(self._sums)
            self._sums.append((found, constraint.lower, constraint.upper))
            for lit, weight in found.items():
                for sign in (1, -1):
                    change = self._changes.get(sign * lit)
                    if change is not None:
                        change[place] = sign * (found.get(-lit, 0) - weight)

    def improved(self, model: set[Lit]) -> set[Lit]:
        """Return the true literals of a model that costs at most as much as ``model``.

        Literals of high cost are tried first. In the result no literal with a cost can become false
        alone without breaking a constraint.
        """
        model = set(model)
        sums = [
            sum([weight for lit, weight in terms.items() if lit in model])
            for terms, _, _ in self._sums
        ]
        paid = [lit for lit in self._ordered if lit in model and lit not in self._fixed]
        left = len(paid) + 1
        # A flip can make a flip possible that was tried before: repeat until a pass flips nothing.
        while len(paid) < left:
            left = len(paid)
            paid = [lit for lit in paid if not self._turned(lit, model, sums)]
        return model

    def _turned(self, lit: Lit, model: set[Lit], sums: list[int]) -> bool:
        """Make ``lit`` false if all constraints still hold; return whether ``lit`` was flipped."""
        changes = self._changes[lit]
        for place, change in changes.items():
            _, lower, upper = self._sums[place]
            if not lower <= sums[place] + change <= upper:
                return False
        for place, change in changes.items():
            sums[place] += change
        model.remove(lit)
        model.add(-lit)
        return True


class PaidCore(NamedTuple):
    """A core of core-guided search: literals that cannot all be true, and the weight that is paid.

    Each literal is one with a cost, negated, or a pair: at most so many (the second number) of the
    literals of an earlier core (the first, from 0) are false. Without a literal, the search space
    is exhausted. With weight 0 it is no core: its one literal costs as much as is left to save, and
    is true from here on.
    """

    literals: tuple[Lit | tuple[int, int], ...]
    weight: int


class LearnedClause(NamedTuple):
    """A clause that every better solution satisfies, as the search by branching has learned it.

    Either by a sum of rows: times ``multipliers``, with ``factor`` times "the cost is below the
    best one", it contradicts the negation of ``clause`` and what single literals are known by then.
    Or, without multipliers, by propagation on the rows and the clauses before it; or a solver has
    found it, which is not told apart. An empty clause with a sum need not follow: ``factor`` times
    the cost is at least a number, by this sum, which has raised the lower bound.
    """

    clause: tuple[Lit, ...]
    multipliers: Multipliers
    factor: int


@dataclass(slots=True)
class SearchLog:
    """The arguments of a search, of which a proof of its answer can be made."""

    cores: list[PaidCore] = field(default_factory=list)
    """The cores that core-guided search has paid for."""
    clauses: list[LearnedClause] = field(default_factory=list)
    """The clauses that branching has learned."""
    seconds: float = 1.0
    """The time that the search took."""


def reached(cores: Sequence[PaidCore], cost: int) -> bool:
    """Return whether ``cores`` alone prove that every solution costs at least ``cost``."""
    return sum(core.weight for core in cores) >= cost or PaidCore((), 0) in cores


class SolverQuestion(NamedTuple):
    """A question to the solver: a model under ``assumptions``, within a budget of ``conflicts``.

    ``conflicts``: None for no limit.
    """

    assumptions: Sequence[Lit] = ()
    conflicts: int | None = None


PAUSE: Final = SolverQuestion((), 0)
"""No question: the answer is Unknown. The work since the last question counts for the turn."""
Strategy = Generator[SolverQuestion, Answer, None]
"""A search as a generator: yields questions, receives answers, ends when the search is closed.

A strategy reads no clock: its runner may answer a question later, or never.
"""


class Search:
    """A problem in a live solver, its best model so far, and bounds on the least cost.

    No model costs less than ``lower``. ``model`` is the best model so far, literals of the
    problem's variables in order, and costs ``upper``. Before the first model it is None, and
    ``upper`` as well, unless it is known that every model costs less.

    Args:
        problem: every model is checked against its constraints.
        cost: the cost to minimise; None: any model is best.
        sink: passes the clauses of ``problem`` to the solver.
        found: called with each better model and its cost.
        left: returns the seconds until the deadline, None if there is none.
        log: receives the arguments of the search; None: clauses are not kept.
    """

    def __init__(
        self,
        problem: Problem,
        cost: Cost | None,
        sink: LiveSink,
        found: Callable[[Sequence[Lit], int], object],
        left: Callable[[], float | None] = lambda: None,
        log: SearchLog | None = None,
    ) -> None:
        self.problem = problem
        self.left = left
        self.cost = cost or Cost({}, 0, 1)
        self.sink = sink
        self.lower = 0
        self.upper: int | None = None
        self.log = SearchLog() if log is None else log
        """The argument for ``lower``; its clauses only if it was given."""
        self.logs_clauses = log is not None
        self._descent: Descent | None = None
        self.model: Sequence[Lit] | None = None
        self.exhausted = False
        """Whether the search has proved that ``model`` is the best, or that no model exists."""
        self._found = found
        self.turn = 0
        """Place of the strategy whose turn it is."""
        self.lowers: dict[int, int] = {}
        """Place of a strategy -> the lower bound that this strategy has reached alone."""
        self.encoding: Callable[[], object] | None = None
        """Adds the clauses of the problem to the solver; None if that is done."""
        self.relaxed: Any = None
        """The value of each variable in an optimum of the linear relaxation, if one was found."""
        self.charged = 0
        """Work outside of the solver, in microseconds as reckoned from counts."""

    def encode(self) -> None:
        """Add the clauses of the problem to the solver, which is done once."""
        encoding, self.encoding = self.encoding, None
        if encoding is not None:
            encoding()

    @cached_property
    def rows(self) -> list[AtLeastRow]:
        """The constraints as rows, see `inequalities`."""
        return inequalities(self.problem)

    @cached_property
    def sums(self) -> list[AtLeastRow]:
        """The rows that are no clauses."""
        return [] if self.clausal else [row for row in self.rows if not row.clausal]

    @cached_property
    def clausal(self) -> bool:
        """Whether all constraints are clauses, or hold always, as is seen without their rows."""
        return all(map(_clausal, self.problem.constraints))

    @property
    def closed(self) -> bool:
        """Whether the bounds meet, or the search space is exhausted."""
        return self.exhausted or (self.upper is not None and self.lower >= self.upper)

    def near(self, place: int, ratio: int) -> bool:
        """Whether the best model costs ``ratio`` times what the strategy ``place`` leaves, or more.

        False before there is a model.
        """
        upper = None if self.model is None else self.upper
        return upper is not None and (upper - self.lowers.get(place, 0)) * ratio <= upper

    def take(self, answer: Satisfied) -> None:
        """Keep a model better than the best model, made cheaper by `Descent` and checked.

        Raises SolverFailedError for a model that breaks a constraint of the problem.
        """
        number, known = self.problem.num_vars, self.model is not None
        # Without what is missing, or in another order, the model costs less.
        if known and self.cost.in_model({*answer.model[:number]}) >= (self.upper or 0):
            return
        true = set(completed(answer.model, number))
        cost = self.cost.in_model(true)
        if known and cost >= (self.upper or 0):
            return
        if cost:
            self._descent = self._descent or Descent(self.problem, self.cost.terms)
            true = self._descent.improved(true)
            cost = self.cost.in_model(true)
        if not self.problem.holds(true):
            raise SolverFailedError(
                f"{self.sink.solver.name}: wrong model: it does not satisfy the problem"
            )
        self.model, self.upper = sorted(true, key=abs), cost
        self.sink.solver.prefer(self.model)
        self._found(self.model, cost)

    def note(self, clause: Sequence[Lit], proof: RelaxationProof | None) -> None:
        """Keep a learned clause, and the sum of rows that proves it, if a log was given."""
        if self.logs_clauses:
            multipliers, factor = ({}, 0) if proof is None else proof[:2]
            self.log.clauses.append(LearnedClause(tuple(clause), multipliers, factor))

    def raise_lower(self, cost: int) -> None:
        """Note that every model better than the best model costs at least ``cost``."""
        reached = cost if self.upper is None else min(cost, self.upper)
        self.lower = max(self.lower, reached)
        self.lowers[self.turn] = max(self.lowers.get(self.turn, 0), reached)

    def exhaust(self) -> None:
        """Note that no model is better than the best model, or that no model exists."""
        self.exhausted = True
        if self.upper is not None:
            self.raise_lower(self.upper)


def _clausal(constraint: Constraint) -> bool:
    if isinstance(constraint, Parity):
        return False
    n, below, least = len(constraint.lits), 0, 1
    if isinstance(constraint, PseudoBoolean):
        weights = constraint.weights
        below = sum([weight for weight in weights if weight < 0])
        n, least = sum(weights) - below, min(map(abs, weights), default=0)
    # One literal is enough, true for the lower bound or false for the upper one.
    missing, beyond = constraint.lower - below, n - constraint.upper
    return min(missing, beyond) <= 0 and max(missing, beyond) <= least


Outcome = SolveOutcome
"""Public name of `SolveOutcome` in `satsweeper.optimisation`."""
Status = SolveStatus
"""Public name of `SolveStatus` in `satsweeper.optimisation`."""
