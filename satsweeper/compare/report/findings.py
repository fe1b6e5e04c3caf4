"""Everything that is said of a sweep, computed once; tables, pages and files only present it."""

from dataclasses import dataclass
from itertools import islice

from satsweeper.compare.job.job import Task
from satsweeper.compare.job.result import Result
from satsweeper.compare.report.differing_answers import DifferingAnswers, differing_answers
from satsweeper.compare.report.sweep_folder import SweepFolder
from satsweeper.compare.statistics.contest import Contender, Contest, contests
from satsweeper.compare.statistics.curves import Growth, growth, instance_sizes
from satsweeper.compare.statistics.paired import Comparison, comparisons, corrected
from satsweeper.compare.statistics.scores import Score, scores, virtual_best
from satsweeper.compare.statistics.ties import tie_letters
from satsweeper.compare.wrong_answers.disagreement import Watch


@dataclass(frozen=True, slots=True)
class TaskFindings:
    """One contest: scores by PAR-2, pairs alphabetically, letters of who is tied in time."""

    contest: Contest
    scores: tuple[Score, ...]
    best: Score
    compared: tuple[Comparison, ...]
    letters: dict[Contender, str]
    growth: tuple[Growth, ...]

    def by(self, measure: str) -> list[Comparison]:
        """The comparisons by one measure."""
        return [each for each in self.compared if each.measure.name == measure]


@dataclass(frozen=True, slots=True)
class Findings:
    """A sweep and what it says; ``wrong``: jobs whose answer was seen to be wrong as they ran."""

    sweep: SweepFolder
    differing: tuple[DifferingAnswers, ...]
    wrong: tuple[Result, ...]
    tasks: tuple[TaskFindings, ...]

    @property
    def trustworthy(self) -> bool:
        """Whether no answer is known to be wrong."""
        return not self.differing and not self.wrong


def findings(sweep: SweepFolder, *, by_family: bool = False) -> Findings:
    """All of it; ``by_family``: a section for each family of instances that the manifest names.

    The more sections a task has, the more tests there are to correct for: looking at one family
    after the other finds no more by chance than looking at all at once.
    """
    families = sweep.families if by_family else None
    by_task: dict[Task, list[tuple[Contest, list[Comparison]]]] = {}
    for contest in contests(sweep.results, sweep.timeout, families):
        by_task.setdefault(contest.task, []).append((contest, comparisons(contest)))
    tasks = []
    for parts in by_task.values():
        again = iter(corrected([each for _, compared in parts for each in compared]))
        for contest, compared in parts:
            tasks.append(_task(contest, list(islice(again, len(compared))), sweep))
    # Who has seen nothing before finds only what is wrong in itself.
    wrong = tuple(result for result in sweep.results if Watch().see(result) is not None)
    return Findings(sweep, tuple(differing_answers(sweep.results)), wrong, tuple(tasks))


def _task(contest: Contest, compared: list[Comparison], sweep: SweepFolder) -> TaskFindings:
    scored = scores(contest)
    ranked = [score.contender for score in scored if score.contender is not None]
    in_time = [each for each in compared if each.measure.name == "time"]
    return TaskFindings(
        contest,
        tuple(scored),
        virtual_best(contest),
        tuple(compared),
        tie_letters(ranked, in_time),
        tuple(growth(contest, instance_sizes(contest, sweep.sizes))),
    )
