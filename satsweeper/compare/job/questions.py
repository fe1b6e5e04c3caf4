"""The question of every task: on a board, on a problem, on a formula."""

from pbcnf.constraints.linear_form import sums
from satsweeper.board.facts import WrongModelError
from satsweeper.compare.instances.instance import Instance, Kind
from satsweeper.compare.job.board_question import layout_question, total_question
from satsweeper.compare.job.job import Task
from satsweeper.compare.job.question import Question
from satsweeper.solvers.evaluation import completed, first_unsatisfied


def question_of(instance: Instance, task: Task) -> Question:
    """The question of a task on an instance.

    ``classify`` and ``consistent`` ask the same of a board; all variables of ``classify`` are
    candidates for a verdict.

    Raises:
        ValueError: the instance has no such task.
    """
    if instance.kind is Kind.BOARD and task is not Task.SOLVE:
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

    return Question(problem.num_vars, sums(problem), check=check)


def _cnf(instance: Instance) -> Question:
    formula = instance.formula()

    def check(model: list[int]) -> None:
        wrong = first_unsatisfied(formula, model)
        if wrong is not None:
            raise WrongModelError(f"a model breaks the clause {' '.join(map(str, [*wrong, 0]))}")

    return Question(formula.num_vars, clauses=formula, check=check)
