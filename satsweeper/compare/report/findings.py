"""Everything that is said of a sweep, computed once; tables, pages and files only present it."""

from dataclasses import dataclass, replace
from itertools import islice

from pbcnf.shown import Tabled
from satsweeper.compare.job.job import Task
from satsweeper.compare.job.result import Result
from satsweeper.compare.report.distrust import (
    DifferingAnswers,
    Distrust,
    differing_answers,
    distrusted,
)
from satsweeper.compare.report.sweep_folder import SweepFolder
from satsweeper.compare.statistics.contest import Contender, Contest, contests
from satsweeper.compare.statistics.curves import Growth, growth, instance_sizes
from satsweeper.compare.statistics.paired import Comparison, comparisons, corrected, tie_letters
from satsweeper.compare.statistics.scores import Score, scores, virtual_best
from satsweeper.compare.wrong_answers.disagreement import Watch


@dataclass(frozen=True, slots=True)
class TaskFindings:
    """Findings of one contest: scores by PAR-2, pairs in alphabetical order, letters for ties.

    Whoever is in ``distrust`` comes last, without PAR-2, and is compared and tied with nobody. No
    letters are given where there are too few instances to tell anybody apart.
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
        """The contest without those."""
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

    ``wrong``: jobs whose answer was seen to be wrong as they ran. ``faulty``: encodings that an
    audit found to be wrong, and what it found.
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

    The more sections a task has, the more tests there are to correct for: looking at one family
    after the other finds no more by chance than looking at all at once.
    """
    families = sweep.families if by_family else None
    # Who has seen nothing before finds only what is wrong in itself.
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
