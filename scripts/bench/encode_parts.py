"""The parts of the encoding benchmark: which contenders meet which constraints in which form."""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from scripts.bench.encode_contenders import MANY_CLAUSES, Contender, measured, ours, peers
from scripts.bench.encode_forms import (
    Kind,
    Problem,
    clues,
    group_by_shape,
    large,
    sample,
    single,
    ungrouped,
    weighted,
)
from scripts.bench.encode_measure import Task, apart
from scripts.bench.encode_report import Row, Section

_MANY: Final = 2000
"""With more inputs there are fewer bounds."""


def _clues(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    whole = clues(arguments.clues, arguments.seed)
    part = sample(whole, arguments.sample, arguments.seed)
    scale = whole.count / part.count
    warm = single(3, 1, 5)
    inputs = sum(len(group.inputs) * group.n for group in whole.groups) / whole.count
    near, bounds = ungrouped(whole, arguments.seed)
    start = time.process_time_ns()
    shapes = len(list(group_by_shape(near, bounds)))
    grouping = (time.process_time_ns() - start) / 1e6
    section = Section("clues", f"{whole.name}, all of them", "ms", arguments.forms)
    section.notes = [
        f"{inputs:.2f} covered neighbours a clue, {shapes} shapes (neighbours, mines), none of the"
        f" templates made before. Ours: all clues, sorted by shape (which takes {grouping:.0f} ms,"
        " not counted).",
        f"The others: a call a clue, {part.count:,} of them drawn at random, times {scale:.4g}.",
        "",
    ]
    chosen = apart(lambda: [name for name in encoders if measured(name, whole)])
    section.rows = _pairs(
        [ours(name, many=True) for name in chosen],
        arguments.forms,
        partial(Task, problem=whole, warm=warm),
        partial(Task, problem=part, warm=warm, scale=scale),
    )
    yield section


def _large(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    """The smaller bounds first: who exceeds a limit there is not asked for the larger one."""
    for n in arguments.sizes:
        over: dict[str, str] = {}
        for kind, bound in _bounds(n):
            section = _section(
                "large", large(n, kind, bound), _like(n, kind, bound), encoders, arguments
            )
            for held in section.tasks():
                held.failure = over.get(held.contender.title)
            yield section
            for held in section.tasks():
                if held.failure:
                    over[held.contender.title] = f"not tried after {section.title}"


def _like(n: int, kind: Kind, bound: int) -> Problem:
    """Return the problem that a run begins with: equal size, another bound."""
    return large(n, kind, bound + 1) if n <= _MANY else large(_MANY // 2, kind, 10)


def _bounds(n: int) -> Iterator[tuple[Kind, int]]:
    yield "at most", max(n // 100, 2)
    if n <= _MANY:
        yield "at most", n // 10
        yield "at most", n // 2
    yield "exactly", n // 10 if n <= _MANY else n // 100


def _single(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    calls = arguments.calls
    bounds: tuple[tuple[Kind, int, int], ...] = (
        *(("at most", 1, 8), ("at most", 4, 8)),
        *(("exactly", 2, 4), ("exactly", 4, 8), ("exactly", 16, 32)),
    )
    for kind, bound, n in bounds:
        problem, warm = single(n, bound, calls, kind), single(n, bound, 5, kind)
        yield _section("single", problem, warm, encoders, arguments, "µs a call", 1 / calls)


def _weighted(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    """Ten sums in a run, but one where clauses are many."""
    for n in arguments.weights:
        for many in (False, True) if n > 12 else (None,):
            names = [name for name in encoders if many is None or (name in MANY_CLAUSES) == many]
            count = 1 if many or n > 100 else 10
            problem = weighted(n, 1000, count, arguments.seed)
            warm = weighted(20 if many else n, 1000, count, arguments.seed + 1)
            yield _section("weighted", problem, warm, names, arguments, "ms a sum", 1 / count)


def _section(
    part: str,
    problem: Problem,
    warm: Problem,
    encoders: Sequence[str],
    arguments: argparse.Namespace,
    unit: str = "ms",
    scale: float = 1.0,
) -> Section:
    task = partial(Task, problem=problem, warm=warm, scale=scale)
    chosen = apart(lambda: [name for name in encoders if measured(name, problem)])
    rows = _pairs([*map(ours, chosen)], arguments.forms, task, task)
    return Section(part, problem.name, unit, arguments.forms, rows)


def _pairs(
    chosen: Sequence[Contender],
    forms: Sequence[str],
    our_task: Callable[[Contender, str], Task],
    peer_task: Callable[[Contender, str], Task],
) -> list[Row]:
    """Ours beside each namesake, which is measured once though it may occur twice."""
    rows = []
    made: dict[str, dict[str, Task]] = {}
    for contender in chosen:
        own = {form: our_task(contender, form) for form in forms}
        for peer in peers(contender.name, own[forms[0]].problem):
            if peer.title not in made:
                made[peer.title] = {form: peer_task(peer, form) for form in forms}
            rows.append(Row(own, made[peer.title]))
        if not rows or rows[-1].ours is not own:
            rows.append(Row(own, None))
    return rows


PARTS: Final = {"clues": _clues, "large": _large, "single": _single, "weighted": _weighted}
