"""Choosing instances: the instances to measure next, and the measured instances of the entry.

The sizes of a series grow until the weak solver fails: from a small size upwards, in steps that
become shorter as the weak solver takes longer. Between the largest size that is too easy and the
smallest size that neither solver solves, the middle is tried. If the strong solver alone solves a
size, more seeds are tried, then the next size. Every choice depends on the measurements alone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from typing import Final, TypeVar

from pbcnf.wording import counted
from satsweeper.competition.instance import Series, series_of
from satsweeper.competition.measurement import Measurement, Probe

SEEDS: Final = 3
"""The most instances of one size."""
Measured = Mapping[Probe, Measurement]


def next_probe(series: Series, seed: int, weak_seconds: float, found: Measured) -> Probe | None:
    """The instance of a series to measure next; None if the series is exhausted.

    Args:
        series: the series of the instance.
        seed: the first of ``SEEDS`` consecutive seeds.
        weak_seconds: the limit of the weak solver in CPU seconds.
        found: the measurements so far, of any series.
    """
    at = {
        probe.size: each
        for probe, each in found.items()
        if (probe.series, probe.seed) == (series.name, seed)
    }
    if not at:
        return Probe(series.name, series.family.small[-1], seed)
    hard = [size for size, each in at.items() if each.grade == "hard"]
    for size in hard if series.seeded else []:
        for more in range(seed + 1, seed + SEEDS):
            probe = Probe(series.name, size, more)
            if probe not in found:
                return probe
    larger = _next_size(series.family.sizes, at, weak_seconds)
    return None if larger is None or larger in at else Probe(series.name, larger, seed)


def _next_size(sizes: range, at: Mapping[int, Measurement], weak_seconds: float) -> int | None:
    """Return the next size, perhaps a measured size; None at the end."""
    solved = [size for size, each in at.items() if each.grade in ("easy", "hard")]
    failed = [size for size, each in at.items() if each.grade in ("unsolved", "too large")]
    if not solved:
        return None
    reached, end = max(solved), min(failed, default=None)
    if end is None:
        # The larger the used part of the weak solver's limit, the shorter the step.
        weak = at[reached].weak
        part = 1.0 if weak is None else weak.seconds / weak_seconds
        return grown(sizes, reached, 2.0 if part < 1e-4 else 1.5 if part < 0.05 else 1.15)
    if at[end].grade == "too large" and at[reached].grade == "easy":
        return None
    if at[reached].grade == "hard":
        # The next size, as long as it is below the smallest size that neither solver solves.
        size = grown(sizes, reached, 1.0)
        return None if size is None or size >= end else size
    return sizes[(sizes.index(reached) + sizes.index(end)) // 2]


def grown(sizes: range, size: int, factor: float) -> int | None:
    """The largest size up to ``factor * size``, but at least the next; None after the last size."""
    at = sizes.index(size)
    aim = (int(size * factor) - sizes[0]) // sizes.step
    further = max(at + 1, min(aim, len(sizes) - 1))
    return sizes[further] if further < len(sizes) else None


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wish:
    """The required size and composition of an entry.

    ``count`` instances, of which at least ``hard`` are solved by the strong solver alone. ``seed``
    draws the order in which series are tried, and is the first seed of their instances.
    """

    track: str
    count: int
    hard: int
    seed: int

    @property
    def share(self) -> int:
        """The most instances of a family while other families have any: a quarter, rounded up."""
        return -(-self.count // 4)

    @property
    def both(self) -> bool:
        """Whether satisfiable and unsatisfiable instances are wanted."""
        return self.track != "counting" and self.count > 1


def series_in_order(wish: Wish) -> list[Series]:
    """The series in random order, unsatisfiable and satisfiable series in turn."""
    known = sorted(series_of(wish.track).items())
    Random(f"competition {wish.track} {wish.seed}").shuffle(known)
    return _in_turn([each for _, each in known], lambda each: each.satisfiable)


def next_round(wish: Wish, weak_seconds: float, found: Measured) -> list[Probe]:
    """Return the instances to measure next, in parallel; empty at the end of the search.

    A round has one instance of each of several series; the next series replaces an exhausted one.
    """
    known = series_of(wish.track)
    hard = [known[each.job.series] for each in found.values() if each.grade == "hard"]
    answers = {True, False}
    if not missing(wish, found.values()):
        # The entry is complete; an answer without a hard instance is still searched for.
        wanted = answers if wish.both and wish.hard > 1 else set()
        answers = wanted - {series.satisfiable for series in hard}
    given = Counter(series.family.name for series in hard)
    width = max(4, -(-wish.hard // 2))
    probes: list[Probe] = []
    over: list[Probe] = []
    for series in series_in_order(wish):
        if series.satisfiable not in answers or len(probes) == width:
            continue
        probe = next_probe(series, wish.seed, weak_seconds, found)
        if probe is not None:
            (probes if given[series.family.name] < wish.share else over).append(probe)
    return probes or over[:width]


def chosen(wish: Wish, found: Iterable[Measurement]) -> list[Measurement]:
    """The entry: no family has more than its share while other families have any instances.

    Hard instances come before easy instances, the slowest easy instances first, satisfiable and
    unsatisfiable instances in turn. If all instances have one answer, an instance with the other
    answer replaces the last. Of instances with the same clauses there is one.
    """
    known = series_of(wish.track)
    solved = _once(each for each in found if each.solved is not None)

    def ordered(grade: str) -> list[Measurement]:
        these = [each for each in solved if each.grade == grade]
        if grade == "easy":
            these.sort(key=lambda each: (-each.weak.seconds if each.weak else 0.0, each.job.id))
        else:
            # The first instance of each series, then the second instance of each series.
            place = {series.name: at for at, series in enumerate(series_in_order(wish))}
            these.sort(key=lambda each: (each.job.size, each.job.seed))
            seen: Counter[str] = Counter()
            rounds = {}
            for each in these:
                name = each.job.series
                rounds[each.job] = seen[name], place[name]
                seen[name] += 1
            these.sort(key=lambda each: rounds[each.job])
        return _in_turn(these, lambda each: known[each.job.series].satisfiable)

    hard, easy = ordered("hard"), ordered("easy")
    taken, over = _within_share(hard, wish.share, known, Counter())
    given = Counter(known[each.job.series].family.name for each in taken)
    fill, rest = _within_share(easy, wish.share, known, given)
    short = max(0, wish.hard - len(taken))
    queue = [*taken, *over[:short], *fill, *over[short:], *rest]
    entry = queue[: wish.count]
    if wish.both and entry:
        answers = {known[each.job.series].satisfiable for each in entry}
        others = [each for each in queue if known[each.job.series].satisfiable not in answers]
        if len(answers) == 1 and others and len(entry) == wish.count:
            entry[-1] = others[0]
    return entry


def _once(found: Iterable[Measurement]) -> list[Measurement]:
    """Return the measurements without repeated clauses: the smallest size and seed is kept."""
    kept: dict[str, Measurement] = {}
    for each in sorted(found, key=lambda each: (each.job.series, each.job.size, each.job.seed)):
        kept.setdefault(each.digest or each.job.id, each)
    return list(kept.values())


def missing(wish: Wish, found: Iterable[Measurement]) -> list[str]:
    """Return the requirements of the bar that the entry does not meet; empty if it meets all."""
    known = series_of(wish.track)
    entry = chosen(wish, found)
    hard = [each for each in entry if each.grade == "hard"]
    families = {known[each.job.series].family.name for each in hard}
    lacking = []
    if len(entry) < wish.count:
        lacking.append(f"{counted(len(entry), 'instance')} of {wish.count}")
    if len(hard) < wish.hard:
        lacking.append(f"{len(hard)} of {wish.hard} that the strong solver alone solves")
    if min(wish.hard, 2) > len(families):
        lacking.append(f"these of {len(families)} of at least {min(wish.hard, 2)} families")
    if wish.both:
        for answer, name in ((True, "satisfiable"), (False, "unsatisfiable")):
            if not any(known[each.job.series].satisfiable is answer for each in entry):
                lacking.append(f"none that is {name}")
    return lacking


def _in_turn(elements: Sequence[T], kind_of: Callable[[T], bool]) -> list[T]:
    """Return elements of both kinds in turn, then the rest of the longer kind."""
    kinds = ([each for each in elements if kind_of(each) is kind] for kind in (False, True))
    return [each for pair in zip_longest(*kinds) for each in pair if each is not None]


def _within_share(
    these: Iterable[Measurement], share: int, known: Mapping[str, Series], given: Counter[str]
) -> tuple[list[Measurement], list[Measurement]]:
    taken: list[Measurement] = []
    over: list[Measurement] = []
    for each in these:
        family = known[each.job.series].family.name
        (taken if given[family] < share else over).append(each)
        given[family] += 1
    return taken, over
