"""Builders decided or optimised, with answers by name; problems are passed on unchanged."""

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
"""Name of a variable -> bool or integer."""


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
    """Decide a problem or the statements of a builder, or optimise an objective if there is one.

    Args:
        model: the problem or the builder; a builder encodes its statements by its own rules, not by
            the encoders of ``settings``.
        settings: options of the search; None: the defaults.
        strategy: a name of ``STRATEGIES``, in place of ``settings.strategy``; None: no change.
        seconds: time limit, after which the best answer so far is returned; None: no limit.
        found: called with each better model (for a builder, the values by name), and the value of
            the objective, None without an objective.

    Raises as `satsweeper.optimisation.run.solve` does; TypeError if ``model`` is neither.

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
    problem = problem_of(model)
    outcome = run.solve(problem, chosen, seconds=deadline.left(), found=named)
    values = {} if outcome.model is None else _checked(model, outcome.model, outcome.value)
    shared = {each.name: getattr(outcome, each.name) for each in fields(outcome)}
    return NamedOutcome(**shared, values=values)


def problem_of(builder: Builder) -> Problem:
    """Return the clauses of ``builder`` as a problem, with the objective if there is one."""
    formula = Formula()
    encoding = builder.encode(formula)
    objective = None
    if builder.objective is not None:
        expression, maximise = builder.objective
        constant, terms = encoding.linear_form(expression)
        lits, weights = tuple(lit for lit, _ in terms), tuple(weight for _, weight in terms)
        objective = Objective(lits, weights, constant, maximise)
    clauses = tuple(Cardinality(clause, lower=1) for clause in formula.clauses())
    return Problem(formula.num_vars, clauses, objective=objective)


def _checked(builder: Builder, model: Sequence[Lit], value: int | None) -> Values:
    """Return the values by name in ``model``.

    Raises SolverFailedError unless all statements of ``builder`` hold for the values, and its
    objective has the value ``value``.
    """
    values = builder.decode(model)
    priced = None if builder.objective is None else builder.value(builder.objective[0], values)
    if priced != value or not builder.holds(values):
        raise SolverFailedError("the answer does not satisfy what the builder says")
    return values
