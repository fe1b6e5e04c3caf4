"""Answers of contenders to a small instance, compared with all its layouts or assignments."""

from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import product
from typing import Final

from satsweeper.board.facts import WrongModelError
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.job.contestants import Encoders, contestant
from satsweeper.compare.job.job import Job, Result, Task
from satsweeper.compare.job.measure import is_wrong
from satsweeper.compare.job.question import JobQuestion, encoded, question_of
from satsweeper.compare.job.scramble import loaded, scrambled
from satsweeper.compare.wrong_answers.disagreement import contender
from satsweeper.solvers.protocol import Satisfied
from satsweeper.solvers.sink import open_solver

_MOST_VARIABLES: Final = 14
"""Of a problem or CNF whose assignments are all tried."""


@dataclass(frozen=True, slots=True)
class Witness:
    """An instance on which contenders went wrong, and what each says: a grid, or sat or unsat.

    ``results`` are those of their jobs on it. ``truth`` is what all layouts say, or all
    assignments of a problem or CNF; None where there are too many to be tried.
    """

    instance: Instance
    results: tuple[Result, ...]
    answers: tuple[str, ...]
    truth: str | None

    def text(self) -> str:
        """The instance as a file, with what was found out in comments."""
        mark = {InstanceKind.BOARD: ";", InstanceKind.PROBLEM: "*", InstanceKind.CNF: "c"}[
            self.instance.kind
        ]
        lines = "".join(f"{mark} {line}".rstrip() + "\n" for line in self._told())
        body = self.instance.text.decode("utf-8", "replace")
        return lines + body if self.instance.kind is not InstanceKind.PROBLEM else body + lines

    def _told(self) -> Iterator[str]:
        yield f"A witness, task {self.results[0].job.task}; S safe, M mine, ? unknown."
        for result, answer in zip(self.results, self.answers, strict=True):
            yield f"{contender(result.job)} {self._judged(result, answer)}:"
            yield from (f"  {line}" for line in answer.splitlines())
        if self.truth is not None:
            board = self.instance.kind is InstanceKind.BOARD
            yield f"All {'layouts' if board else 'assignments'} say:"
            yield from (f"  {line}" for line in self.truth.splitlines())

    def _judged(self, result: Result, answer: str) -> str:
        if is_wrong(result):
            return f"is wrong ({result.message})"
        if self.truth is None:
            return "says"
        return "is right" if answer == self.truth else "is wrong"


def witness_of(
    instance: Instance, results: Collection[Result], encoders: Encoders | None
) -> Witness:
    """Ask every contender about each variable, without checking its models."""
    answers = tuple(_answer(result.job, instance, encoders) for result in results)
    task = next(iter(results)).job.task
    return Witness(instance, tuple(results), answers, _truth(instance, task))


def _answer(job: Job, instance: Instance, encoders: Encoders | None) -> str:
    """Return the verdict that the contender claims, whether or not its models are right."""
    question = question_of(instance, job.task)
    try:
        if not _has_model(job, question, encoders, question.assumptions):
            return "unsat"
        if job.task is not Task.CLASSIFY:
            return "sat"
        variables = range(1, question.variables + 1)
        literals = [lit for v in variables for lit in (v, -v)]
        in_every = [lit for lit in literals if not _has_model(job, question, encoders, [-lit])]
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    return question.grid(in_every)


def _has_model(
    job: Job, question: JobQuestion, encoders: Encoders | None, assumptions: Collection[int]
) -> bool:
    clues = contestant(job.encoding, encoders) if job.encoding else None
    total = contestant(job.total_encoding, encoders) if job.total_encoding else None
    formula, renaming = scrambled(encoded(question, clues, total, job.order, job.seed), job.seed)
    with closing(open_solver(job.solver)) as solver:
        live = loaded(formula, renaming, solver)
        return isinstance(live.solve(list(assumptions)), Satisfied)


def _truth(instance: Instance, task: Task) -> str | None:
    """The answer by brute force, where that is possible."""
    if task is Task.TOTAL:
        return None
    return (
        _layouts(instance, task) if instance.kind is InstanceKind.BOARD else _assignments(instance)
    )


def _assignments(instance: Instance) -> str | None:
    question = question_of(instance, Task.SOLVE)
    if question.variables > _MOST_VARIABLES:
        return None
    for signs in product((1, -1), repeat=question.variables):
        with suppress(WrongModelError):
            question.check([sign * v for v, sign in enumerate(signs, start=1)])
            return "sat"
    return "unsat"


def _layouts(instance: Instance, task: Task) -> str | None:
    from satsweeper.answers.options import Options
    from satsweeper.engines.brute_force import classify
    from satsweeper.engines.protocol import EngineRefusedError

    position = instance.position()
    try:
        answer = classify(position, Options())
    except EngineRefusedError:
        return None
    if answer.status == "inconsistent":
        return "unsat"
    if task is not Task.CLASSIFY:
        return "sat"
    marks = {**dict.fromkeys(answer.safe, "S"), **dict.fromkeys(answer.mines, "M")}
    plain = position.text().splitlines()[-position.rows :]
    return "\n".join(
        "".join(marks.get((row, column), code) for column, code in enumerate(line))
        for row, line in enumerate(plain)
    )
