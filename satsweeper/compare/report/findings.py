"""The findings of a sweep, distrust included, computed once for tables, pages and files."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

from pbcnf.shown import Tabled
from satsweeper.compare.job.job import JobStatus, Result, Task
from satsweeper.compare.report.sweep_folder import SweepFolder
from satsweeper.compare.statistics.contest import Contender, Contest, contender_of, contests
from satsweeper.compare.statistics.curves import Growth, growth, instance_sizes
from satsweeper.compare.statistics.measures import Score, scores, virtual_best
from satsweeper.compare.statistics.paired import Comparison, comparisons, corrected, tie_letters
from satsweeper.compare.wrong_answers.disagreement import Watch

# Contenders with wrong or doubtful answers, which take no part in comparisons.


class Distrust(StrEnum):
    """Why a contender is ranked apart."""

    WRONG = "wrong answers"
    """A model of the contender breaks the instance, the contender denies a model that was checked,
    or the audit found its encoder to be wrong."""
    IN_DOUBT = "in doubt"
    """Other contenders answered differently, and the right answer is not known."""


def distrusted(
    results: Sequence[Result], wrong: Iterable[Result], faulty: Iterable[str]
) -> dict[Contender, Distrust]:
    """The contenders whose answers are wrong or in doubt.

    Args:
        results: all results of a sweep.
        wrong: the results whose answer was found to be wrong during the sweep.
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
    # Every model was checked on its instance when found: if an instance has one, "unsat" is wrong.
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
    """Different answers to one task on one instance, of which at least one is wrong.

    ``answers``: (digest of the verdicts, sat or unsat) -> the results with this answer.
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
            by_answer = groups.setdefault((result.job.task, result.job.instance), {})
            by_answer.setdefault((result.verdicts or "", str(result.status)), []).append(result)
    found = []
    for (task, instance), by_answer in groups.items():
        if len(by_answer) > 1:
            answers = {answer: tuple(by_answer[answer]) for answer in sorted(by_answer)}
            name = min(result.job.name for agreeing in by_answer.values() for result in agreeing)
            found.append(DifferingAnswers(task, instance, name, answers))
    return sorted(found, key=lambda each: (list(Task).index(each.task), each.name, each.instance))


@dataclass(frozen=True, slots=True)
class TaskFindings:
    """Findings of one contest: scores by PAR-2, pairs in alphabetical order, letters for ties.

    Contenders in ``distrust`` come last, without PAR-2, comparisons or ties. There are no letters
    if there are too few instances to show any difference.
    """

    contest: Contest
    scores: tuple[Score, ...]
    best: Score
    compared: tuple[Comparison, ...]
    letters: dict[Contender, str]
    growth: tuple[Growth, ...]
    distrust: dict[Contender, Distrust]

    @property
    def trusted(self) -> Contest:
        """The contest without the contenders in ``distrust``."""
        return self.contest.only(set(self.contest.contenders) - self.distrust.keys())

    @property
    def tested(self) -> list[Comparison]:
        """The comparisons in which there was a difference to test."""
        return [each for each in self.compared if each.corrected is not None]

    def by(self, measure: str) -> list[Comparison]:
        """The comparisons by one measure."""
        return [each for each in self.compared if each.measure.name == measure]


@dataclass(frozen=True, slots=True)
class Findings(Tabled):
    """A sweep and the findings of its contests.

    ``wrong``: jobs whose answer was found to be wrong during the sweep. ``faulty``: encoding -> the
    fault that an audit found.
    """

    sweep: SweepFolder
    differing: tuple[DifferingAnswers, ...]
    wrong: tuple[Result, ...]
    faulty: dict[str, str]
    tasks: tuple[TaskFindings, ...]

    @property
    def trustworthy(self) -> bool:
        """Whether no answer is known to be wrong."""
        return not self.differing and not self.wrong and not self.faulty


def findings(sweep: SweepFolder, *, by_family: bool = False) -> Findings:
    """Return the findings of a sweep; ``by_family``: a section for each family in the manifest.

    P-values are corrected over all sections of a task: separate sections for families do not find
    more differences by chance than one section.
    """
    families = sweep.families if by_family else None
    # A new `Watch` has no earlier result to compare: it reports only wrong answers of one job.
    wrong = tuple(result for result in sweep.results if Watch().see(result) is not None)
    distrust = distrusted(sweep.results, wrong, sweep.faulty)
    by_task: dict[Task, list[tuple[Contest, list[Comparison]]]] = {}
    for contest in contests(sweep.results, sweep.timeout, families):
        compared = comparisons(contest.only(set(contest.contenders) - distrust.keys()))
        by_task.setdefault(contest.task, []).append((contest, compared))
    tasks = []
    for parts in by_task.values():
        again = iter(corrected([each for _, compared in parts for each in compared]))
        for contest, compared in parts:
            found = list(islice(again, len(compared)))
            own = {each: distrust[each] for each in contest.contenders if each in distrust}
            tasks.append(_task(contest, found, own, sweep))
    differing = tuple(differing_answers(sweep.results))
    return Findings(sweep, differing, wrong, sweep.faulty, tuple(tasks))


def _task(
    contest: Contest,
    compared: list[Comparison],
    distrust: dict[Contender, Distrust],
    sweep: SweepFolder,
) -> TaskFindings:
    trusted = contest.only(set(contest.contenders) - distrust.keys())
    scored = scores(trusted)
    ranked = [score.contender for score in scored if score.contender is not None]
    in_time = [each for each in compared if each.measure.name == "time"]
    letters = tie_letters(ranked, in_time)
    tested = [each for each in in_time if each.corrected is not None]
    if tested and not any(each.enough for each in tested):
        letters = dict.fromkeys(ranked, "-")
    apart = scores(contest.only(distrust.keys()))
    return TaskFindings(
        contest,
        (*scored, *(replace(score, par2=None, unique=None) for score in apart)),
        virtual_best(trusted),
        tuple(compared),
        letters | {each: str(why) for each, why in distrust.items()},
        tuple(growth(trusted, instance_sizes(contest, sweep.sizes))),
        distrust,
    )
