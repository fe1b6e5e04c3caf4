"""Wrong answers: contradictions, which stop a sweep, audits after a sweep, and right answers."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

from pbcnf.encoders.table import ENCODERS
from satsweeper.board.facts import WrongModelError
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.job.contestants import NATIVE, Encoders, contestant
from satsweeper.compare.job.job import Job, Result, Task
from satsweeper.compare.job.measure import is_wrong
from satsweeper.compare.job.question import JobQuestion, encoded, question_of
from satsweeper.compare.job.scramble import loaded, scrambled
from satsweeper.processes.forked import ForkServer
from satsweeper.processes.limits import Limits
from satsweeper.solvers.protocol import Satisfied
from satsweeper.solvers.sink import open_solver


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two jobs of one instance and task with different answers; or a job with a wrong answer."""

    first: Result
    second: Result | None

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The one or two jobs."""
        return tuple(result.job for result in (self.first, self.second) if result is not None)

    def __str__(self) -> str:
        """Return a line that names the jobs."""
        told = f"{self.first.job.name}, task {self.first.job.task}: {_named(self.first)}"
        if self.second is None:
            return f"{told}: {self.first.message}"
        return f"disagreement: {told} and {_named(self.second)}"


class Watch:
    """Compares every new result with earlier results, and reports wrong answers."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, Task], Result] = {}

    def see(self, result: Result) -> Disagreement | None:
        """Return the disagreement of ``result``, alone or with an earlier result; or None."""
        if is_wrong(result):
            return Disagreement(result, None)
        if not result.status.solved:
            return None
        first = self._seen.setdefault((result.job.instance, result.job.task), result)
        return Disagreement(first, result) if differ(first, result) else None


def differ(first: Result, second: Result) -> bool:
    """Whether two answers to a question contradict each other."""
    if not (first.status.solved and second.status.solved):
        return False
    return (first.status, first.verdicts) != (second.status, second.verdicts)


def contender(job: Job) -> str:
    """Return the values that tell ``job`` from other jobs of its instance and task."""
    parts = [job.encoding, job.total_encoding, job.solver, job.order, f"seed {job.seed}"]
    return "/".join(part for part in parts if part)


def _named(result: Result) -> str:
    said = f" says {result.status}" if result.status.solved else ""
    return f"{contender(result.job)} ({result.job.id}){said}"


# The audit of users' encoders after a sweep. A missing clause shows only if a search happens to
# need the clause, so each encoder is checked against every assignment of up to five inputs at every
# bound, in a separate process that can be ended.

_INPUTS: Final = 5
_SECONDS: Final = 10.0
"""CPU seconds for the audit of an encoder; an audit that takes longer reports nothing."""


def lines(found: Mapping[str, str]) -> list[str]:
    """Return a line for each fault that ``faulty`` returned."""
    return [
        f"{name} is wrong, although no job has shown it: {fault}" for name, fault in found.items()
    ]


def faulty(names: Iterable[str], encoders: Encoders | None = None) -> dict[str, str]:
    """Name -> fault, for each wrong encoder of ``names`` that is not an encoder of `pbcnf`."""
    own = dict(encoders or {})
    foreign = [n for n in dict.fromkeys(names) if n in own or n not in {"", NATIVE, *ENCODERS}]
    with ForkServer(partial(partial, _fault, own), Limits(seconds=_SECONDS)) as server:
        found = {name: server.ask(name) for name in foreign}
    # An encoder that ends the process has ended its jobs, too, and has their status.
    return {name: fault for name, fault in found.items() if isinstance(fault, str)}


def _fault(encoders: Encoders, name: str) -> str | None:
    from pbcnf.audit import Property, cases

    encoder = contestant(name, encoders)
    if encoder is None:
        return None
    # Jobs report exceptions; here only answers count.
    for case in cases(encoder, _INPUTS):
        if case.audit is not None and Property.CORRECT in case.audit.failures:
            return f"{case.bound}: {case.audit.failures[Property.CORRECT]}"
    return None


# Answers of contenders to a small instance, compared with all its layouts or assignments.

_MOST_VARIABLES: Final = 14
"""The most variables of a problem or CNF for which all assignments are tried."""


@dataclass(frozen=True, slots=True)
class Witness:
    """An instance on which contenders went wrong, with their answers and the right answer.

    ``results``: the results of their jobs on the instance. ``answers``: the answer of each job, a
    grid, or sat or unsat. ``truth``: the answer by trying all layouts of a board, or all
    assignments of a problem or CNF; None if these are too many.
    """

    instance: Instance
    results: tuple[Result, ...]
    answers: tuple[str, ...]
    truth: str | None

    def text(self) -> str:
        """The instance as the text of a file, with answers and truth in comments."""
        mark = {InstanceKind.BOARD: ";", InstanceKind.PROBLEM: "*", InstanceKind.CNF: "c"}[
            self.instance.kind
        ]
        lines = "".join(f"{mark} {line}".rstrip() + "\n" for line in self._comments())
        body = self.instance.text.decode("utf-8", "replace")
        return lines + body if self.instance.kind is not InstanceKind.PROBLEM else body + lines

    def _comments(self) -> Iterator[str]:
        yield f"A witness, task {self.results[0].job.task}; S safe, M mine, ? unknown."
        for result, answer in zip(self.results, self.answers, strict=True):
            judged = "says"
            if is_wrong(result):
                judged = f"is wrong ({result.message})"
            elif self.truth is not None:
                judged = "is right" if answer == self.truth else "is wrong"
            yield f"{contender(result.job)} {judged}:"
            yield from (f"  {line}" for line in answer.splitlines())
        if self.truth is not None:
            board = self.instance.kind is InstanceKind.BOARD
            yield f"All {'layouts' if board else 'assignments'} say:"
            yield from (f"  {line}" for line in self.truth.splitlines())


def witness_of(
    instance: Instance, results: Collection[Result], encoders: Encoders | None
) -> Witness:
    """Return the witness, with the unchecked answers of the contenders of ``results``."""
    answers = tuple(_answer(result.job, instance, encoders) for result in results)
    task, truth = next(iter(results)).job.task, None
    if task is not Task.TOTAL:
        board = instance.kind is InstanceKind.BOARD
        truth = _layouts(instance, task) if board else _assignments(instance)
    return Witness(instance, tuple(results), answers, truth)


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
