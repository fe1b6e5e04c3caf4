"""The tables of a report as plain texts, for the terminal and the page alike."""

from math import isinf

from satsweeper.compare.job.job import JobStatus
from satsweeper.compare.report.findings import TaskFindings
from satsweeper.compare.report.sentences import p_value, ratio, verdict
from satsweeper.report.table import Table


def score_table(task: TaskFindings) -> Table:
    """Contenders by PAR-2, and the virtual best."""
    contest = task.contest
    heads = ("contender", "tied", "solved", "only here", "PAR-2 [s]", "95 % interval", "variables",
             "clauses", "memory [MiB]")  # fmt: skip
    rows = []
    for score in [*task.scores, task.best]:
        par2 = score.par2
        rows.append(
            (
                "virtual best" if score.contender is None else contest.label(score.contender),
                "" if score.contender is None else task.letters[score.contender],
                f"{score.solved} of {score.jobs}",
                "" if score.unique is None else f"{score.unique}",
                "-" if par2 is None else f"{par2.mean:.4g}",
                # Too few instances bound nothing.
                "-"
                if par2 is None or isinf(par2.upper)
                else f"{par2.lower:.3g} to {par2.upper:.3g}",
                "" if score.variables is None else f"{score.variables:.0f}",
                "" if score.clauses is None else f"{score.clauses:.0f}",
                "" if score.memory is None else f"{score.memory / 2**20:.1f}",
            )
        )
    return Table(
        "Contenders by PAR-2", heads, tuple(rows), frozenset({2, 3, 4, 6, 7, 8}), (8, 6, 7, 3)
    )


def pair_table(task: TaskFindings, measure: str) -> Table:
    """Every pair by one measure, in alphabetical order."""
    contest = task.contest
    rows = tuple(
        (
            f"{contest.label(each.first)} : {contest.label(each.second)}",
            verdict(each, contest),
            ratio(each),
            p_value(each.corrected),
            p_value(each.sign) if each.ranks.n else "-",
            f"{each.instances}",
        )
        for each in task.by(measure)
    )
    heads = ("pair", "verdict", "ratio [95 % interval]", "p (Holm)", "p (signs)", "instances")
    return Table(f"Pairs by {measure}", heads, rows, frozenset({3, 4, 5}), (4, 2))


def status_table(task: TaskFindings) -> Table:
    """Return a table of how the jobs of every contender ended."""
    seen = [s for s in JobStatus if any(s in score.statuses for score in task.scores)]
    rows = tuple(
        (
            task.contest.label(score.contender),
            *(f"{score.statuses.get(status, 0)}" for status in seen),
        )
        for score in task.scores
        if score.contender is not None
    )
    heads = ("contender", *map(str, seen))
    return Table("How jobs ended", heads, rows, frozenset(range(1, len(heads))))


def growth_table(task: TaskFindings) -> Table:
    """The exponents of growth, in alphabetical order."""
    contest = task.contest
    rows = []
    for each in task.growth:
        shown = [f"{end:.2f}" for end in each.exponent or ()] or ["-"]
        interval = " to ".join(shown[1:]) or "-"
        name, sizes = contest.label(each.contender), f"{len(each.sizes)}"
        rows.append((name, each.of, shown[0], interval, sizes))
    heads = ("contender", "of", "exponent", "95 % interval", "instances")
    return Table("Growth with the size of instances", heads, tuple(rows), frozenset({2, 4}))
