"""Where jobs of one instance and task came to different answers."""

from collections.abc import Iterable
from dataclasses import dataclass

from satsweeper.compare.job.job import Task
from satsweeper.compare.job.result import Result


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
