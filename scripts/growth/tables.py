"""Growth as Markdown tables, one a family."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from satsweeper.families.table import FAMILIES
from satsweeper.report.table import padded_table
from satsweeper.solvers.table import SOLVERS
from scripts.growth.contenders import ON_BOARDS, ON_FORMULAS, SUMS, contenders_of
from scripts.growth.measuring import STEP, TIMEOUT, Found, Ladder, Measured, Point

_MEASURABLE: Final = 0.02
"""CPU seconds: growth is told of points whose median is not below."""
_LAST: Final = 3
"""Sizes over which growth is measured, at the most."""
HEADS: Final = (
    "contender",
    "decided up to",
    "CPU seconds there",
    "not decided",
    f"times as long for n + {STEP}",
    "between",
)


@dataclass(frozen=True, slots=True)
class Growth:
    """By how much longer it takes for ``STEP`` more, and the least and the most it may be."""

    factor: float
    least: float
    most: float
    first: int
    last: int


def growth_of(points: Sequence[Measured]) -> Growth | None:
    """From the first to the last of the last measurable points; None if there are no two.

    The interval goes from the longest time at the first and the shortest at the last to the
    contrary.
    """
    measurable = [each for each in points if each.decided and each.seconds[0] >= _MEASURABLE]
    if len(measurable) < 2:
        return None
    first, last = measurable[-_LAST:][0], measurable[-1]
    power = STEP / (last.job.size - first.job.size)
    one, other = first.seconds, last.seconds
    factors = [other[0] / one[0], other[1] / one[2], other[2] / one[1]]
    middle, least, most = (factor**power for factor in factors)
    return Growth(middle, least, most, first.job.size, last.job.size)


def growth_beyond(points: Sequence[Measured], limit: float) -> float | None:
    """Return a lower bound of the factor of a contender that timed out at its last size.

    That size took more than ``limit``, and the last one its longest time at the most.
    """
    if len(points) < 2 or points[-1].runs[-1].reason != TIMEOUT:
        return None
    last, late = points[-2:]
    if last.seconds[0] < _MEASURABLE:
        return None
    power = STEP / (late.job.size - last.job.size)
    factor: float = (limit / last.seconds[2]) ** power
    return factor


def tables(ladders: Mapping[str, Ladder], found: Found, limit: float) -> str:
    """A heading and a table for every family; ``limit``: CPU seconds that a run had."""
    parts = []
    for name, ladder in ladders.items():
        rows = [
            _row(contender, _points(name, contender, ladder, found), limit)
            for contender in contenders_of(FAMILIES[name])
        ]
        sizes = ", ".join(map(str, ladder.sizes()))
        parts += [f"### Growth of `{name}`", f"Sizes: {sizes}.", padded_table([HEADS, *rows])]
    return "\n\n".join(parts)


def summary(ladders: Mapping[str, Ladder], found: Found) -> str:
    """Return the largest size that each contender decides; ``+``: all sizes that were tried."""
    contenders = (*ON_FORMULAS, *ON_BOARDS, SUMS)
    rows: list[Sequence[str]] = [("family", *(f"`{each}`" for each in contenders))]
    for name, ladder in ladders.items():
        cells = [f"`{name}`"]
        for contender in contenders:
            points = _points(name, contender, ladder, found)
            decided = [each.job.size for each in points if each.decided]
            end = "+" if points and points[-1].decided else ""
            cells.append(f"{decided[-1]}{end}" if decided else "none" if points else "-")
        rows.append(cells)
    return padded_table(rows)


def _points(family: str, contender: str, ladder: Ladder, found: Found) -> list[Measured]:
    """Return the measurements of a contender on a family, by size."""
    points = (found.get(Point(family, contender, size)) for size in ladder.sizes())
    return [each for each in points if each is not None]


def _row(contender: str, points: Sequence[Measured], limit: float) -> Sequence[str]:
    kind = "solver" if contender in SOLVERS else "sums" if contender == SUMS else "engine"
    decided = [each for each in points if each.decided]
    factor, between = "-", "-"
    growth, beyond = growth_of(points), growth_beyond(points, limit)
    if growth is not None:
        factor = interval(growth.factor, growth.least, growth.most)
        between = f"{growth.first} and {growth.last}"
    elif beyond is not None:
        factor = f"over {_number(beyond)}"
        between = f"{points[-2].job.size} and {points[-1].job.size}"
    end = "every size is"
    if not points[-1].decided:
        end = f"{points[-1].job.size} ({points[-1].runs[-1].reason})"
    return (
        f"{kind} `{contender}`",
        str(decided[-1].job.size) if decided else "none",
        interval(*decided[-1].seconds) if decided else "-",
        end,
        factor,
        between,
    )


def interval(middle: float, least: float, most: float) -> str:
    """As in ``1.3 (0.97 to 1.6)``."""
    return f"{_number(middle)} ({_number(least)} to {_number(most)})"


def _number(value: float) -> str:
    digits = 4 if value < 0.01 else 3 if value < 0.1 else 2 if value < 10 else 1
    return f"{value:.{digits}f}"


def setting(manifest: Mapping[str, Any], found: Found) -> str:
    """Return date, versions, limits and duration."""
    limits, versions = manifest["settings"], manifest["versions"]
    runs = [run for each in found.values() for run in each.runs]
    minutes = sum(run.seconds for run in runs) / 60
    named = ", ".join(f"{name} {version or '-'}" for name, version in versions.items())
    machine = manifest["machine"]
    return "\n".join(
        [
            f"- Measured on {manifest['started'][:10]}: {len(runs)} runs, {minutes:.0f} minutes of"
            " CPU time.",
            f"- A limit of {limits['limit']:g} CPU seconds a run, {limits['repetitions']} runs a"
            f" point, seeds from {limits['seed']} on.",
            f"- {machine['cpu']}, {machine['cores']} cores; {named}.",
        ]
    )
