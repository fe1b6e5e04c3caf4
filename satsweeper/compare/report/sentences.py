"""The sentences of a report: verdicts of pairs, missing jobs, the meaning of letters."""

from itertools import islice

from pbcnf.wording import counted
from satsweeper.compare.job.job import Job
from satsweeper.compare.report.findings import Distrust, Findings, TaskFindings
from satsweeper.compare.statistics.contest import Contest
from satsweeper.compare.statistics.paired import Comparison
from satsweeper.compare.statistics.signed_rank import SIGNIFICANT, instances_needed, smallest_p
from satsweeper.compare.wrong_answers.disagreement import lines as encoder_faults
from satsweeper.notation.error import printable

SAME = "no significant difference"
FEW = "not enough instances"

LETTERS = "Contenders that share a letter are not significantly different in time."
SIZES = "Sizes and memory are medians, and rank nobody."
GROWTH = (
    "Growth: the power law through the instances, by least squares on logarithms; times of solved "
    "jobs only, which flatters whoever leaves the hard ones."
)
METHOD = (
    "A difference is claimed only if Wilcoxon's signed-rank test over instances gives p < 0.05 "
    "after Holm's correction over all pairs and measures of the task, in all its sections, and the "
    "99 % interval of the ratio (bootstrap over instances, seeds averaged within each) excludes 1. "
    "Percentages are of the geometric mean. The sign test is shown as it is, uncorrected. "
    f'"{SAME.capitalize()}" means that none was shown by instances that could have shown one; '
    f'"{FEW}", that nothing measured on so few could have passed the correction.'
)
PAR2 = (
    "PAR-2: mean CPU seconds of encoding and solving over the jobs that all contenders have run, "
    "an unsolved one counted as twice the limit."
)


def verdict(compared: Comparison, contest: Contest) -> str:
    """Return the better contender of a pair, if there is one, and the difference."""
    better = compared.better
    if better is not None:
        middle, low, high = compared.margin()
        name = compared.measure.name
        what = "faster" if compared.measure.timed else f"{compared.measure.less} {name}"
        said = f"{contest.label(better)} {what} by {middle:.1f} % [{low:.1f}, {high:.1f}]"
    elif not compared.instances:
        said = "nothing to compare"
    elif not compared.ranks.n:
        said = f"{SAME} (equal on all instances)"
    elif not compared.enough:
        needed = instances_needed(compared.tests)
        need = "needs" if compared.tests == 1 else "need"
        tests = counted(compared.tests, "comparison")
        said = f"{FEW} ({compared.instances}, and {tests} {need} {needed})"
    else:
        said = f"{SAME}{_why(compared)}"
    if compared.censored:
        runs = counted(compared.pairs, "run")
        said += f"; {compared.censored} of {runs} at the limit of time"
    for contender, failed in zip((compared.first, compared.second), compared.failed, strict=True):
        if failed:
            runs = counted(failed, "run")
            said += f"; without {runs} that only {contest.label(contender)} failed"
    return said


def _why(compared: Comparison) -> str:
    """Why nothing is claimed, where the interval of the ratio or equal runs raise the question."""
    alike = compared.instances - compared.ranks.n
    if smallest_p(compared.ranks.n) >= SIGNIFICANT:
        return f" (equal on {alike} of {counted(compared.instances, 'instance')})"
    if compared.lower <= 1 <= compared.upper or compared.corrected is None:
        return ""
    if compared.corrected >= SIGNIFICANT:
        before = f"{_p_is(compared.ranks.p)} without it"
        return f" after the correction for {counted(compared.tests, 'comparison')} ({before})"
    if not compared.beyond:
        return " (the 99 % interval of the ratio includes 1)"
    return " (the ratio and the ranks are on different sides)"


def answerable(task: TaskFindings) -> str | None:
    """Whether the instances of a task could have shown a difference; None if nothing is tested."""
    tested = task.tested
    if not tested:
        return None
    tests = tested[0].tests
    least = min(each.attainable for each in tested)
    there = max(each.instances for each in tested)
    need = "needs" if tests == 1 else "need"
    what = (
        f"{counted(tests, 'comparison')} {need} {instances_needed(tests)} instances to show a"
        f" difference; {there} {'was' if there == 1 else 'were'} compared"
    )
    if least < SIGNIFICANT:
        return f"enough instances: {what}, which can reach {_p_is(least)} at best"
    return (
        f"{FEW}: {what}, which cannot reach less than p = {least:.3g}, whatever is measured:"
        " add instances or compare fewer contenders"
    )


def apart(task: TaskFindings) -> list[str]:
    """Return the contenders that are excluded from comparisons, with reasons."""
    why = {
        Distrust.WRONG: "gave wrong answers",
        Distrust.IN_DOUBT: "and others gave different answers, and it is not known who is right",
    }
    label = task.contest.label
    return [
        f"ranked apart, tied and compared with nobody: {label(each)} {why[found]}"
        for each, found in task.distrust.items()
    ]


def _p_is(p: float) -> str:
    shown = p_value(p)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def ratio(compared: Comparison) -> str:
    """The ratio of the geometric means with its interval, first over second."""
    if not compared.instances:
        return "-"
    if compared.instances == 1:
        return f"{compared.ratio:.3f}"
    return f"{compared.ratio:.3f} [{compared.lower:.3f}, {compared.upper:.3f}]"


def p_value(p: float | None) -> str:
    """A p-value in three decimals, or a bound if it is below 0.0005; ``-`` for None.

    >>> p_value(0.0456), p_value(0.00001), p_value(None)
    ('0.046', '< 0.001', '-')
    """
    return "-" if p is None else "< 0.001" if p < 0.0005 else f"{p:.3f}"


def progress(found: Findings) -> list[str]:
    """Return how many jobs of the sweep are done, and irregularities of its files."""
    sweep = found.sweep
    done = len(sweep.results)
    lines = [f"{done} of {counted(sweep.jobs, 'job')}"]
    if not sweep.complete:
        lines = [f"INCOMPLETE: {lines[0]}; what follows is about those only"]
        lines += [f"planned: {each}" for each in sweep.planned]
    if sweep.torn:
        lines.append("the last line was not written to its end and is left out")
    if sweep.repeated:
        lines.append(f"left out: {counted(sweep.repeated, 'line')} about a job that had one before")
    for name, now in islice(sweep.rows_first.items(), 1):
        lines.append(
            f"recorded while sizes were written rows first: {printable(name)} is"
            f" {printable(now)} today, and so on"
        )
    return lines


def setting(task: TaskFindings) -> str:
    """Return the numbers of instances and seeds, and the settings that all contenders share."""
    contest = task.contest
    sizes = ((len(contest.instances), "instance"), (len(contest.seeds), "seed"))
    parts = [counted(*each) for each in sizes]
    parts += [f"{name.replace('_', ' ')} {value}" for name, value in contest.fixed.items()]
    limit = contest.timeout
    parts.append("no limit of time" if limit is None else f"limit {limit:g} s")
    return ", ".join(parts)


def wrong_answers(found: Findings) -> list[str]:
    """A line for every instance on which answers differ, and every answer known to be wrong."""

    def who(job: Job) -> str:
        parts = filter(None, (job.encoding, job.total_encoding, job.solver, job.order))
        return f"{'/'.join(parts)} seed {job.seed} ({job.id})"

    lines = []
    for each in found.differing:
        sides = []
        for (digest, status), results in each.answers.items():
            more = f" and {len(results) - 1} more" if len(results) > 1 else ""
            sides.append(f"{status} {digest[:12] or '-'} by {who(results[0].job)}{more}")
        lines.append(f"{each.task}, {printable(each.name)}: answers differ: {'; '.join(sides)}")
    for result in found.wrong:
        job, said = result.job, printable(result.message or "-")
        lines.append(f"{job.task}, {printable(job.name)}: wrong answer by {who(job)}: {said}")
    return lines + encoder_faults(found.faulty)


READING = (PAR2, LETTERS, METHOD, SIZES, GROWTH)
"""Paragraphs that explain how to read a report."""
