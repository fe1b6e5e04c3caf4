"""Contenders whose answers are wrong, or in doubt: nobody is compared with them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from satsweeper.compare.job.job import Task
from satsweeper.compare.job.result import JobStatus, Result
from satsweeper.compare.statistics.contest import Contender, contender_of


class Distrust(StrEnum):
    """Why a contender is ranked apart."""

    WRONG = "wrong answers"
    """A model of the contender breaks the instance, the contender denies a model that was checked,
    or the audit found its encoder to be wrong."""
    IN_DOUBT = "in doubt"
    """Other contenders answered differently, and nobody knows which answer is right."""


def distrusted(
    results: Sequence[Result], wrong: Iterable[Result], faulty: Iterable[str]
) -> dict[Contender, Distrust]:
    """The contenders that are not to be believed.

    Args:
        results: all of a sweep.
        wrong: those whose answer was seen to be wrong as they ran.
        faulty: encodings that an audit found to be wrong.
    """
    names = set(faulty)
    found = {
        contender_of(result.job): Distrust.WRONG
        for result in results
        if {result.job.encoding, result.job.total_encoding} & names
    }
    found |= {contender_of(result.job): Distrust.WRONG for result in wrong}
    questions: dict[tuple[Task, str], list[Result]] = {}
    for result in results:
        if result.status.solved:
            questions.setdefault((result.job.task, result.job.instance), []).append(result)
    # Every model was checked on the instance when it was found: where one is, "unsat" is wrong.
    for answers in questions.values():
        if any(result.status is JobStatus.SAT for result in answers):
            denied = (result for result in answers if result.status is JobStatus.UNSAT)
            found |= {contender_of(result.job): Distrust.WRONG for result in denied}
    doubtful: dict[Contender, Distrust] = {}
    for answers in questions.values():
        left = [result for result in answers if contender_of(result.job) not in found]
        if len({(result.status, result.verdicts) for result in left}) > 1:
            doubtful |= {contender_of(result.job): Distrust.IN_DOUBT for result in left}
    return doubtful | found


@dataclass(frozen=True, slots=True)
class DifferingAnswers:
    """At least one of these answers is wrong.

    ``answers``: (digest of the verdicts, sat or unsat) -> the results that say so.
    """

    task: Task
    instance: str
    name: str
    answers: dict[tuple[str, str], tuple[Result, ...]]


def differing_answers(results: Iterable[Result]) -> list[DifferingAnswers]:
    """Every instance and task on which answers differ, by task and name."""
    groups: dict[tuple[Task, str], dict[tuple[str, str], list[Result]]] = {}
    for result in results:
        if result.status.solved:
            said = groups.setdefault((result.job.task, result.job.instance), {})
            said.setdefault((result.verdicts or "", str(result.status)), []).append(result)
    found = []
    for (task, instance), said in groups.items():
        if len(said) > 1:
            answers = {answer: tuple(said[answer]) for answer in sorted(said)}
            name = min(result.job.name for own in said.values() for result in own)
            found.append(DifferingAnswers(task, instance, name, answers))
    return sorted(found, key=lambda each: (list(Task).index(each.task), each.name, each.instance))
