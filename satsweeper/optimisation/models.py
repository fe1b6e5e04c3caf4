"""A builder decided or optimised, with its answer by name; problems go through as they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, overload

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formula import Formula
from pbcnf.language.builder import Builder
from pbcnf.literals import Lit
from satsweeper.optimisation import run
from satsweeper.optimisation.run import Settings
from satsweeper.optimisation.search import SolveOutcome
from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.protocol import SolverFailedError

Values = Mapping[Any, int]
"""A bool or an integer by name."""


@dataclass(frozen=True, slots=True)
class NamedOutcome(SolveOutcome):
    """The outcome for a builder: checked ``values`` by name, empty without a model."""

    values: Values = field(default_factory=dict)


@overload
def solve(
    model: Problem,
    settings: Settings | None = None,
    *,
    strategy: str | None = None,
    seconds: float | None = None,
    found: Callable[[Sequence[Lit], int | None], object] | None = None,
) -> SolveOutcome:
    """Solve a problem; the outcome holds the literals of its model."""


@overload
def solve(
    model: Builder,
    settings: Settings | None = None,
    *,
    strategy: str | None = None,
    seconds: float | None = None,
    found: Callable[[Values, int | None], object] | None = None,
) -> NamedOutcome:
    """Solve a builder; the outcome holds values by name."""


def solve(
    model: Problem | Builder,
    settings: Settings | None = None,
    *,
    strategy: str | None = None,
    seconds: float | None = None,
    found: Callable[..., object] | None = None,
) -> SolveOutcome:
    """Decide a problem or what a builder says, or optimise it if it has an objective.

    Args:
        model: the problem, or the builder; that is encoded by its own rule, not by the encoders of
            the settings.
        settings: how to search.
        strategy: a name of ``STRATEGIES``, in place of the one of the settings.
        seconds: after which the best answer so far is returned.
        found: called with each model that is better than those before it (the values by name of a
            builder), and the value of the objective.

    Raises as `satsweeper.optimisation.run.solve` does; TypeError for another model.

    >>> b = Builder()
    >>> x, n = b.boolean("x"), b.integer("n", 0, 9)
    >>> b.add(x >> (n <= 4))
    >>> b.maximise(n + 6 * x)
    >>> best = solve(b)
    >>> best.status.value, best.value, best.values
    ('OPTIMUM FOUND', 10, {'x': True, 'n': 4})
    """
    chosen = settings or Settings()
    if strategy is not None:
        chosen = replace(chosen, strategy=strategy)
    if isinstance(model, Problem):
        return run.solve(model, chosen, seconds=seconds, found=found)
    if not isinstance(model, Builder):
        raise TypeError(f"a Problem or a Builder is solved, not {type(model).__name__}")

    def named(lits: Sequence[Lit], value: int | None) -> None:
        if found is not None:
            found(_checked(model, lits, value), value)

    deadline = Deadline.after(seconds)
    problem = _problem(model)
    outcome = run.solve(problem, chosen, seconds=deadline.left(), found=named)
    values = {} if outcome.model is None else _checked(model, outcome.model, outcome.value)
    same = {each.name: getattr(outcome, each.name) for each in fields(outcome)}
    return NamedOutcome(**same, values=values)


def _problem(builder: Builder) -> Problem:
    """Return the clauses of ``builder`` as a problem, with its objective if it has one."""
    formula = Formula()
    encoding = builder.encode(formula)
    objective = None
    if builder.objective is not None:
        asked, maximise = builder.objective
        constant, terms = encoding.linear_form(asked)
        lits, weights = tuple(lit for lit, _ in terms), tuple(weight for _, weight in terms)
        objective = Objective(lits, weights, constant, maximise)
    clauses = tuple(Cardinality(clause, lower=1) for clause in formula.clauses())
    return Problem(formula.num_vars, clauses, objective=objective)


def _checked(builder: Builder, model: Sequence[Lit], value: int | None) -> Values:
    """Return the values in ``model``. Raises SolverFailedError unless all statements hold there."""
    values = builder.decode(model)
    priced = None if builder.objective is None else builder.value(builder.objective[0], values)
    if priced != value or not builder.holds(values):
        raise SolverFailedError("the answer does not satisfy what the builder says")
    return values
