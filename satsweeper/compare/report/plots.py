"""The plots of a task, drawn and described: cactus, growth, and the best against the others."""

from typing import Final

import numpy as np

from pbcnf.wording import counted
from satsweeper.compare.report.findings import TaskFindings
from satsweeper.compare.report.sentences import verdict
from satsweeper.compare.statistics.curves import best_cactus, cactus
from satsweeper.compare.statistics.curves import scatter as pairs_of
from satsweeper.report.figures import Curve, curves, inline, scatter
from satsweeper.report.html import Plot

SCATTERS: Final = 12
"""Scatter plots a task, at the most: the first contender by PAR-2 against the following ones."""

_FLOOR: Final = 1e-6
"""Seconds; a logarithm has no place for 0."""


def plots(task: TaskFindings, key: str) -> list[Plot]:
    """All plots that have a point to show; ``key`` begins the ids in them."""
    found = [
        _cactus(task, f"{key}-cactus"),
        *(_growth(task, of, f"{key}-growth-{of}") for of in ("time", "clauses")),
        *_scatters(task, f"{key}-scatter"),
    ]
    return [plot for plot in found if plot is not None]


def _cactus(task: TaskFindings, key: str) -> Plot | None:
    contest = task.contest
    solved = cactus(task.trusted)
    drawn, words = [], []
    for score in task.scores:
        if score.contender in solved:
            times = solved[score.contender]
            name = contest.label(score.contender)
            steps = np.arange(1, len(times) + 1.0)
            look = contest.contenders.index(score.contender)
            drawn.append(Curve(name, steps, np.maximum(times, _FLOOR), look))
            slowest = f", the slowest in {times[-1]:.3g} s" if len(times) else ""
            words.append(f"{name}: {score.solved} of {counted(score.jobs, 'job')} solved{slowest}")
    best = best_cactus(task.trusted) if solved else np.array([])
    if len(solved) > 1:
        steps = np.arange(1, len(best) + 1.0)
        drawn.append(Curve("virtual best", steps, np.maximum(best, _FLOOR), None))
    if not len(best):
        return None
    title = f"Cactus plot: {contest.title}"
    what = "How many jobs each contender solves if every job may take so many CPU seconds. "
    text = what + "; ".join(words) + "."
    drawing = curves(drawn, "jobs solved", "CPU seconds (encode and solve)")
    return Plot(title, text, inline(drawing, key, title, text))


def _growth(task: TaskFindings, of: str, key: str) -> Plot | None:
    contest = task.contest
    drawn, words = [], []
    for each in task.growth:
        if each.of == of:
            name = contest.label(each.contender)
            look = contest.contenders.index(each.contender)
            numbers = np.maximum(each.numbers, _FLOOR)
            drawn.append(Curve(name, each.sizes, numbers, look, joined=False))
            if each.exponent is not None:
                middle, low, high = each.exponent
                words.append(f"{name}: exponent {middle:.2f} [{low:.2f}, {high:.2f}]")
    if not any(len(curve.x) for curve in drawn):
        return None
    unit = "CPU seconds (encode and solve)" if of == "time" else of
    title = f"Growth of {of}: {contest.title}"
    text = f"{unit[0].upper()}{unit[1:]} over the size of the instance, both logarithmic. "
    text += "; ".join(words) + "." * bool(words)
    drawing = curves(drawn, "size of the instance", unit, x_log=True)
    return Plot(title, text, inline(drawing, key, title, text))


def _scatters(task: TaskFindings, key: str) -> list[Plot]:
    contest = task.contest
    ranked = [s.contender for s in task.scores if s.contender in task.trusted.contenders]
    if not ranked:
        return []
    first, *others = filter(None, ranked)
    in_time = {frozenset({each.first, each.second}): each for each in task.by("time")}
    found = []
    for at, other in enumerate(others[:SCATTERS]):
        x, y = pairs_of(contest, first, other)
        if not len(x):
            continue
        a, b = contest.label(first), contest.label(other)
        compared = in_time.get(frozenset({first, other}))
        said = "" if compared is None else f" In time: {verdict(compared, contest)}."
        title = f"{a} against {b}: {contest.title}"
        above = int(np.count_nonzero(y > x))
        text = (
            f"CPU seconds of {counted(len(x), 'job')}; {above} above the diagonal, where {a} is"
            " faster."
        )
        drawing = scatter(
            np.maximum(x, _FLOOR), np.maximum(y, _FLOOR), f"{a} [s]", f"{b} [s]", contest.timeout
        )
        svg = inline(drawing, f"{key}-{at}", title, text + said)
        found.append(Plot(title, text + said, svg, square=True))
    return found
