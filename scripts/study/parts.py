"""The questions of the study: instances, encodings, solvers; and contests with the default."""

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pbcnf.constraints.order import LiteralOrder
from pbcnf.constraints.problem import Problem
from pbcnf.formats.write.opb import write_opb
from satsweeper.board.size import BoardSize
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.instances.random_boards import random_position
from satsweeper.compare.job.job import Result, Task
from satsweeper.compare.statistics.contest import Contender, Contest
from satsweeper.compare.statistics.intervals import interval_of_mean
from satsweeper.compare.statistics.measures import MEASURES, RESOLUTION, answered, values
from satsweeper.compare.statistics.paired import comparisons, corrected
from satsweeper.compare.sweep.plan import Axes
from satsweeper.families.chessboard import checkerboard, mutilated_chessboard, parity_lattice
from satsweeper.families.pigeonhole import pigeonhole
from satsweeper.families.regular import regular
from satsweeper.position import Position

board = Instance.of_board


def problem(given: Problem, name: str, family: str) -> Instance:
    """Return the problem ``given`` as an instance: the text of its OPB file."""
    stream = io.BytesIO()
    write_opb(given, stream)
    return Instance.of_text(InstanceKind.PROBLEM, stream.getvalue(), name, family)


Sizes = Sequence[tuple[int, int, int, float, int]]


def games(sizes: Sizes, checkers: Sequence[tuple[int, int]], total: bool) -> list[Instance]:
    """Return boards as instances.

    Args:
        sizes: rows, columns, mines, share of opened cells, and number of seeds of random boards.
        checkers: side and number of seeds of checkerboards.
        total: whether the total is known.
    """
    found = []
    for rows, columns, mines, opened, seeds in sizes:
        family = f"{BoardSize(rows, columns, mines)}, {opened:.0%} open"
        for seed in range(seeds):
            position = random_position(rows, columns, mines, seed, opened)
            position = position if total else Position(position.cells)
            found.append(board(position, f"{family}, seed {seed}", family))
    for side, seeds in checkers:
        family = f"checkerboard {side}x{side}"
        for seed in range(seeds):
            position = checkerboard(side, seed=seed, total=total)
            found.append(board(position, f"{family}, seed {seed}", family))
    return found


_CLUES: Final = [(16, 30, 99, 0.3, 6), (16, 30, 99, 0.6, 6), (50, 50, 500, 0.4, 4)]
clues: Final = partial(games, _CLUES, [(20, 4), (36, 4)], total=False)
"""Boards without a total."""
_TOTALS: Final = [(16, 30, 99, 0.3, 5), (16, 30, 99, 0.8, 5), (36, 36, 250, 0.4, 4)]
totals: Final = partial(games, _TOTALS, [(16, 4)], total=True)
"""Boards with a total."""
_REDUCED: Final = [(16, 30, 99, 0.3, 4), (16, 30, 99, 0.8, 4)]
reduced: Final = partial(games, _REDUCED, [(16, 4), (20, 4), (24, 4), (28, 4)], total=True)
"""Boards of one large region with a total, which reductions do not settle."""


def regular_problems(
    rows: Sequence[tuple[int, int, int, int]], seeds: Sequence[int]
) -> list[Instance]:
    """Return random regular problems.

    Each of ``rows`` holds the number of constraints, the number of literals of each, the number of
    true ones among them, and the number of constraints of each variable.
    """
    found = []
    for (m, n, k, degree), seed in product(rows, seeds):
        name = f"{m} times {k} of {n}, degree {degree}, seed {seed}"
        found.append(problem(regular(m, n, k, degree, seed), name, f"{k} of {n}"))
    return found


LARGE: Final = (
    (9, 60, 30, 3), (8, 100, 50, 4), (10, 100, 20, 5), (6, 120, 60, 3), (8, 200, 20, 4),
    (8, 200, 100, 4), (6, 300, 150, 3), (8, 400, 40, 4),
)  # fmt: skip
MIDDLE: Final = (
    (5, 6, 3, 2), (7, 6, 3, 2), (5, 8, 3, 2), (5, 8, 5, 2), (5, 10, 3, 2), (5, 12, 3, 2),
)  # fmt: skip


def chessboards() -> list[Instance]:
    """Return two chessboards of each size: without opposite corners, and without other squares."""
    found = []
    for n in range(7, 12):
        inner = [(1, 1), (n - 2, n - 2)] if n % 2 == 0 else [(0, 0), (0, 2)]
        for missing in ([(0, 0), (n - 1, n - 1)], inner):
            name = f"chessboard {n}x{n} without {missing[0]} and {missing[1]}"
            found.append(board(mutilated_chessboard(n, missing), name, f"{n}x{n}"))
    return found


def at_most_one() -> list[Instance]:
    """Return pigeonhole problems and random exact covers."""
    found = [
        problem(pigeonhole(holes + 1, holes), f"{holes + 1} pigeons, {holes} holes", "pigeonhole")
        for holes in range(5, 10)
    ]
    rows = [(30, 15, 1, 3), (60, 12, 1, 3), (40, 20, 1, 4), (30, 30, 1, 5), (36, 40, 1, 6)]
    return found + regular_problems(rows, (1,))


SOLVERS: Final = ("minisat22", "glucose4", "cadical195", "lingeling", "mergesat3")
COUNTING: Final = ("minicard", "gluecard4")
"""Solvers with native cardinality constraints."""

COUNTERS: Final = (
    "totalizer", "sequential_counter", "k_modulo_totalizer", "cardinality_network",
    "sorting_network", "parallel_counter", "adder", "decision_diagram",
)  # fmt: skip
AT_MOST_ONE: Final = (
    "product", "pairwise", "sequential", "ladder", "bitwise", "commander", "bimander", "totalizer",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """A question of the study.

    ``encodings`` are compared, the first of them being the default of the code: encodings of the
    clues, of a problem's constraints, or with ``of_total`` of the total beside direct clues.
    ``native``: the encodings that are compared with native constraints on the solvers ``counting``;
    empty for no such comparison. ``reduced``: boards are classified with all rules and reductions,
    as by ``satsweeper.classify``.
    """

    name: str
    title: str
    task: Task
    encodings: tuple[str, ...]
    make: Callable[[], list[Instance]] = field(repr=False)
    native: tuple[str, ...]
    of_total: bool = False
    orders: tuple[LiteralOrder, ...] = (LiteralOrder.GIVEN,)
    solvers: tuple[str, ...] = SOLVERS
    counting: tuple[str, ...] = COUNTING
    seeds: int = 2
    reduced: bool = False

    @property
    def default(self) -> str:
        """The encoding that the code uses by default."""
        return self.encodings[0]

    def axes(self) -> list[Axes]:
        """Return the contenders: encodings on all solvers, native constraints on `counting`."""
        pairs = [(self.encodings, self.solvers)]
        if self.native:
            pairs.append((("native", *self.native), self.counting))
        found = []
        for names, solvers in pairs:
            clues, total = (("direct",), names) if self.of_total else (names, ("totalizer",))
            found.append(Axes((self.task,), clues, total, solvers, self.orders, self.seeds))
        return found


PARTS: Final = (
    Part("clues", "Clues", Task.CLASSIFY, ("direct", *COUNTERS), clues, ("direct", "totalizer")),
    Part("total", "The total", Task.CLASSIFY, COUNTERS, totals, ("totalizer", "adder"),
         of_total=True),
    Part("total alone", "The total and nothing else", Task.TOTAL, COUNTERS, totals,
         ("totalizer", "adder"), of_total=True),
    Part("large", "Large constraints: exactly k of 60 to 400", Task.SOLVE, COUNTERS,
         lambda: regular_problems(LARGE, (1, 2))[:-2] + regular_problems(LARGE[-1:], (1,)),
         ("totalizer", "adder"), seeds=1),
    Part("middle", "Constraints of 6 to 12 literals", Task.SOLVE, ("direct", *COUNTERS[:4]),
         lambda: regular_problems(MIDDLE, (1, 2)), ("direct", "totalizer")),
    Part("at most one", "At most one, exactly one", Task.SOLVE, AT_MOST_ONE, at_most_one,
         ("product", "pairwise")),
    Part("chessboards", "Chessboards as boards", Task.CONSISTENT, ("direct", *COUNTERS[:5]),
         chessboards, ("direct", "totalizer")),
    Part("parity", "Parity lattices as boards", Task.CONSISTENT, ("direct", *COUNTERS[:5]),
         # One instance of each size, since the family has no seeds.
         lambda: [board(parity_lattice(n), f"parity {n}x{n}", f"{n}x{n}") for n in range(4, 13)],
         ("direct", "totalizer")),
    Part("reduced", "The total after all reductions", Task.CLASSIFY, COUNTERS, reduced, (),
         of_total=True, solvers=("minisat22", "cadical195"), seeds=1, reduced=True),
    Part("order", "The order of literals", Task.CLASSIFY,
         ("totalizer", "sequential_counter", "k_modulo_totalizer", "adder"),
         lambda: games([(16, 30, 99, 0.3, 5), (36, 36, 250, 0.4, 3)], [(16, 3)], total=True), (),
         of_total=True,
         orders=(LiteralOrder.GIVEN, LiteralOrder.OCCURRENCE, LiteralOrder.RANDOM)),
)  # fmt: skip

_FEW: Final[dict[str, Callable[[], list[Instance]]]] = {
    "clues": lambda: games([(5, 5, 5, 0.3, 2)], [(4, 1)], total=False),
    "total": lambda: games([(5, 5, 5, 0.3, 2)], [], total=True),
    "total alone": lambda: games([(5, 5, 5, 0.3, 2)], [], total=True),
    "large": lambda: regular_problems([(4, 12, 6, 2)], (1, 2)),
    "middle": lambda: regular_problems([(5, 6, 3, 2)], (1,)),
    "at most one": lambda: [problem(pigeonhole(5, 4), "5 pigeons, 4 holes", "pigeonhole")],
    "chessboards": lambda: [board(mutilated_chessboard(n), f"{n}x{n}", "") for n in (3, 4)],
    "parity": lambda: [board(parity_lattice(n), f"{n}x{n}", "") for n in (2, 3)],
    "reduced": lambda: games([(5, 5, 5, 0.3, 1)], [(6, 1)], total=True),
    "order": lambda: games([(5, 5, 5, 0.3, 1)], [], total=True),
}
QUICK: Final = tuple(
    replace(part, make=_FEW[part.name], encodings=part.encodings[:3], native=part.native[:1],
            orders=part.orders[:2], solvers=part.solvers[:2], counting=COUNTING[:1], seeds=1)
    for part in PARTS
)  # fmt: skip
"""All questions on few and small instances, to try the script quickly."""


TESTED: Final = ("time", "conflicts")
"""The measures on which claims are tested."""


class Against(NamedTuple):
    """The comparison of a contender with the default by one measure.

    ``ratio`` is the ratio of the contender's numbers to the default's, ``low`` and ``high`` its
    95 % interval; ``better`` and ``worse`` are claims that passed the tests.
    """

    ratio: float
    low: float
    high: float
    better: bool
    worse: bool
    instances: int


def pooled(
    results: Sequence[Result], part: Part, solvers: Iterable[str], timeout: float
) -> Contest:
    """Return the contest of encodings (and orders); each pair of a solver and a seed is a run.

    The instance is the unit of every test and interval: runs of several solvers on one instance are
    averaged.
    """
    kept = set(solvers)
    chosen = [result for result in results if result.job.solver in kept]
    names = sorted({_contender(result, part) for result in chosen})
    instances = sorted({(result.job.name, result.job.instance) for result in chosen})
    runs = sorted({(result.job.solver, result.job.seed) for result in chosen})
    at = {key: i for keys in (names, [d for _, d in instances], runs) for i, key in enumerate(keys)}
    table = np.full((len(names), len(instances), len(runs)), None, dtype=np.object_)
    for result in chosen:
        job = result.job
        table[at[_contender(result, part)], at[job.instance], at[job.solver, job.seed]] = result
    digests = tuple(digest for _, digest in instances)
    numbers = tuple(range(len(runs)))
    return Contest(part.task, "", tuple(names), digests, numbers, table, timeout)


def _contender(result: Result, part: Part) -> Contender:
    job = result.job
    encoding = job.total_encoding if part.of_total else job.encoding
    return Contender(encoding, "", "", str(job.order))


class Rank(NamedTuple):
    """Spearman's correlation over contenders, averaged over instances, with its 95 % interval."""

    mean: float
    low: float
    high: float
    instances: int


def default_of(contest: Contest, part: Part) -> Contender:
    """Return the contender that is the default of the code."""
    wanted = Contender(part.default, "", "", str(LiteralOrder.GIVEN))
    return next(each for each in contest.contenders if each == wanted)


def against_default(contest: Contest, part: Part) -> dict[Contender, dict[str, Against]]:
    """Compare every other contender with the default.

    Holm's correction is over these pairs only, by all measures of ``TESTED``; ``solve`` is not
    tested.
    """
    default = default_of(contest, part)
    pairs = [each for each in comparisons(contest) if default in (each.first, each.second)]
    tested = corrected([each for each in pairs if each.measure.name in TESTED])
    untested = [replace(each, corrected=None) for each in pairs if each.measure.name == "solve"]
    found: dict[Contender, dict[str, Against]] = {}
    for each in (*tested, *untested):
        rival, better = each.second, each.better
        ratio, low, high = each.ratio, each.lower, each.upper
        if each.first != default:
            rival = each.first
        else:
            # The ratio of the comparison is first over second, here default over rival: inverted.
            ratio, low, high = 1 / ratio, 1 / high if high else np.inf, 1 / low if low else np.inf
        claims = better is not None and better != default, better == default
        against = Against(ratio, low, high, *claims, each.instances)
        found.setdefault(rival, {})[each.measure.name] = against
    return found


def rank_correlation(contest: Contest, size: str, measure: str) -> Rank | None:
    """Return how well the order of encodings by ``size`` predicts their order by ``measure``.

    Ranks are compared instance by instance. Instances on which fewer than four contenders solved
    all runs are left out; None if no instance remains.
    """
    of = MEASURES[measure]
    logs = np.log(np.maximum(values(contest, of), RESOLUTION if of.timed else 1.0))
    # The mean over the runs of a contender on an instance, if all of these runs have an answer;
    # otherwise the contender is left out on the instance.
    numbers = np.where(np.all(answered(contest), axis=2), np.mean(logs, axis=2), np.nan)
    sizes = np.full(contest.results.shape, np.nan)
    for at, result in np.ndenumerate(contest.results):
        if result is not None and getattr(result, size) is not None:
            sizes[at] = getattr(result, size)
    first = np.nanmax(np.where(np.isnan(sizes), -1.0, sizes), axis=2)
    found = []
    for i in range(len(contest.instances)):
        usable = ~np.isnan(numbers[:, i]) & (first[:, i] >= 0)
        if np.count_nonzero(usable) >= 4:
            by_size, by_measure = _ranks(first[usable, i]), _ranks(numbers[usable, i])
            if np.ptp(by_size) > 0 and np.ptp(by_measure) > 0:
                found.append(float(np.corrcoef(by_size, by_measure)[0, 1]))
    if not found:
        return None
    low, high = interval_of_mean(np.array(found))
    return Rank(float(np.mean(found)), max(low, -1.0), min(high, 1.0), len(found))


def _ranks(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ranks of ``numbers`` from 0; equal numbers share the mean of their ranks."""
    less = np.sum(numbers[:, None] > numbers[None, :], axis=1)
    same = np.sum(numbers[:, None] == numbers[None, :], axis=1)
    return np.asarray(less + (same - 1) / 2.0)
