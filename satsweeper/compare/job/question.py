"""What a job asks a solver: constraints, and what must be true of every model."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from pbcnf.emission.dispatch import Constraint
from pbcnf.formula import Formula
from satsweeper.board.facts import WrongModelError
from satsweeper.compare.instances.instance import Instance, Kind
from satsweeper.compare.job.job import Task
from satsweeper.solvers.evaluation import completed, first_unsatisfied


@dataclass(frozen=True, slots=True)
class Question:
    """Constraints over variables 1 .. ``variables``, to be encoded, or clauses as they are.

    ``check`` raises WrongModelError for a model (a literal a variable, from 1 on, auxiliaries
    behind; the last may be missing) that does not answer the question itself: the board's, the
    problem's, not the encoding's. ``grid`` tells what literals that are in every model mean.
    """

    variables: int
    constraints: tuple[Constraint, ...] = ()
    total: Constraint | None = None
    clauses: Formula | None = None
    assumptions: tuple[int, ...] = ()
    check: Callable[[list[int]], None] = lambda model: None
    grid: Callable[[Collection[int]], str] = lambda literals: ""


def question_of(instance: Instance, task: Task) -> Question:
    """The question of a task on an instance.

    ``classify`` and ``consistent`` ask the same of a board; all variables of ``classify`` are
    candidates for a verdict.

    Raises:
        ValueError: the instance has no such task.
    """
    if instance.kind is Kind.BOARD and task is not Task.SOLVE:
        from satsweeper.compare.job.board_question import layout_question, total_question

        position = instance.position()
        if task is Task.TOTAL:
            return total_question(position, instance.digest)
        return layout_question(position)
    if task is not Task.SOLVE:
        raise ValueError(f"{instance.name} is a {instance.kind}: there is no {task}, only solve")
    return _cnf(instance) if instance.kind is Kind.CNF else _problem(instance)


def _problem(instance: Instance) -> Question:
    problem = instance.problem()

    def check(model: list[int]) -> None:
        true = set(completed(model, problem.num_vars))
        for number, constraint in enumerate(problem.constraints, start=1):
            if not constraint.holds(true):
                raise WrongModelError(f"a model breaks constraint {number} of the problem")

    return Question(problem.num_vars, problem.constraints, check=check)


def _cnf(instance: Instance) -> Question:
    formula = instance.formula()

    def check(model: list[int]) -> None:
        wrong = first_unsatisfied(formula, model)
        if wrong is not None:
            raise WrongModelError(f"a model breaks the clause {' '.join(map(str, [*wrong, 0]))}")

    return Question(formula.num_vars, clauses=formula, check=check)
