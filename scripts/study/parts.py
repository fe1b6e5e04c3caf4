"""The questions of the study: instances, contenders, and what each contender is compared with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from random import Random
from typing import Final

from pbcnf.constraints.order import LiteralOrder
from pbcnf.emission.dispatch import Kind
from pbcnf.encoders.protocol import Encoder
from satsweeper.board.size import BoardSize
from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.instances.random_boards import random_position
from satsweeper.compare.job.job import Job, Task
from satsweeper.compare.statistics.contest import Contender
from satsweeper.compare.sweep.plan import Axes, digest_of
from satsweeper.compare.sweep.run import Prepared, prepare
from satsweeper.families.chessboard import checkerboard, mutilated_chessboard, parity_lattice
from satsweeper.families.regular import regular
from satsweeper.position import Position
from satsweeper.processes.limits import Limits
from scripts.study.families import FAMILIES, GROUPED, Family, InQuestion, Question, questions

SOLVERS: Final = ("minisat22", "cadical195", "mergesat3")
COUNTING: Final = ("minicard", "gluecard4")
"""Solvers with native cardinality constraints."""

COUNTERS: Final = (
    "totalizer", "sequential_counter", "knuth_counter", "modulo_totalizer", "k_modulo_totalizer",
    "cardinality_network", "sorting_network", "pairwise_network", "multiway_network",
    "parallel_counter", "grid_compression", "decision_diagram", "adder",
)  # fmt: skip
AT_MOST_ONE: Final = (
    "product", "pairwise", "sequential", "ladder", "bitwise", "multipartite", "commander",
    "bimander", "nested", "totalizer",
)  # fmt: skip
SUMS: Final = (
    "decision_diagram", "sequential_weight_counter", "generalized_totalizer",
    "global_polynomial_watchdog", "local_polynomial_watchdog", "binary_merge", "binary_merge_gac",
    "mixed_radix_sorter", "adder",
)  # fmt: skip
BY_SIZE: Final = "by size"
"""The contender that is, on each problem, the encoder that the rule by size chooses there."""

board = Instance.of_board
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


_CLUES: Final = [(16, 30, 99, 0.3, 4), (16, 30, 99, 0.6, 4), (50, 50, 500, 0.4, 4)]
_TOTALS: Final = [(16, 30, 99, 0.3, 4), (16, 30, 99, 0.8, 4), (36, 36, 250, 0.4, 4)]
_REDUCED: Final = [(16, 30, 99, 0.3, 2), (16, 30, 99, 0.8, 2)]


def hard_boards(chessboards: Sequence[int], lattices: Sequence[int]) -> list[Instance]:
    """Return boards without a layout: chessboards and parity lattices of these sizes.

    Each chessboard is there without opposite corners, and without two other squares.
    """
    found = []
    for n in chessboards:
        inner = [(1, 1), (n - 2, n - 2)] if n % 2 == 0 else [(0, 0), (0, 2)]
        for missing in ([(0, 0), (n - 1, n - 1)], inner):
            name = f"chessboard {n}x{n} without {missing[0]} and {missing[1]}"
            found.append(board(mutilated_chessboard(n, missing), name, "chessboards"))
    for n in lattices:
        found.append(board(parity_lattice(n), f"parity lattice {n}x{n}", "parity lattices"))
    return found


_MIDDLE: Final = [
    Family(f"{k} of {n}", Kind.CARDINALITY, regular, ((m, n, k, degree),), drawn=False)
    for m, n, k, degree in ((7, 6, 3, 2), (5, 8, 3, 2), (5, 8, 5, 2), (5, 10, 3, 2), (5, 12, 3, 2))
]
_ONES: Final = {
    "Latin squares": (0,), "exact covers": (0, 1, 2, 3), "pigeonhole": (0, 1, 2),
    "cliques to colour": (0, 1, 2), "two machines": (0, 1), "queens": (0, 1),
}  # fmt: skip
_COUNTS: Final = {
    "regular": (1, 2, 5), "boards": (0, 2), "dominating sets": (0, 1), "tomography": (0, 1),
    "independent sets": (0,), "pigeons in larger holes": (0, 1), "rosters": (0, 1),
}  # fmt: skip
_SUMS: Final = {
    "knapsacks": (0, 1, 2), "market split": (0, 1, 2), "cumulative": (0, 1), "bins": (0, 1, 2),
    "weighted covers": (0, 1, 2),
}  # fmt: skip
_GROUPS: Final = {"cumulative": (0, 1, 2), "weighted covers": (0, 1, 2)}
_ORDERS: Final = {
    "regular": (5,), "boards": (0, 2), "dominating sets": (0, 1), "tomography": (0,),
    "independent sets": (0,), "rosters": (1,),
}  # fmt: skip
_GRAPHS: Final = {"dominating sets": (0, 1), "independent sets": (0,)}


@dataclass(frozen=True, slots=True)
class Part:
    """A question of the study.

    ``encodings`` are compared: of the clues, with ``of_total`` of the total beside direct clues, or
    of the sums in question of a problem. ``default``: the one that the code takes, with which all
    others are compared; `BY_SIZE` for problems; empty where each is compared with itself, in the
    given order and without groups. ``native``: the encodings that are compared with native
    constraints on the solvers ``counting``; empty for no such comparison. ``reduced``: boards are
    classified with all rules and reductions, as by ``satsweeper.classify``. With several orders all
    encodings are run once more in the given order with scrambled clauses, to know what is chance.
    """

    name: str
    title: str
    task: Task
    encodings: tuple[str, ...]
    default: str
    make: Callable[[], Sequence[Instance | Question]] = field(repr=False)
    native: tuple[str, ...] = ()
    of_total: bool = False
    orders: tuple[LiteralOrder, ...] = (LiteralOrder.GIVEN,)
    solvers: tuple[str, ...] = SOLVERS
    counting: tuple[str, ...] = COUNTING
    seeds: int = 1
    reduced: bool = False

    def axes(self, named: Mapping[str, str]) -> list[Axes]:
        """Return the contenders: encodings on all solvers, native constraints on `counting`.

        ``named``: the names of the encodings in the sweep, of `BY_SIZE` as well for problems.
        """
        pairs = [([named[name] for name in self.encodings if name in named], self.solvers)]
        if self.native:
            pairs.append((["native", *(named[name] for name in self.native)], self.counting))
        found = []
        for names, solvers in pairs:
            clues: tuple[str, ...] = tuple(names)
            clues, total = (("direct",), clues) if self.of_total else (clues, ("totalizer",))
            found.append(Axes((self.task,), clues, total, solvers, self.orders, self.seeds))
        if len(self.orders) > 1:
            found.append(replace(found[0], orders=self.orders[:1], seeds=self.seeds + 1))
        return found

    def contender(self, job: Job) -> Contender:
        """Return the contender of a job: its encoding and order."""
        encoding = job.total_encoding if self.of_total else job.encoding
        return Contender(encoding.rpartition(": ")[2], "", "", str(job.order))

    def rival(self, who: Contender) -> Contender:
        """Return the contender with which ``who`` is compared."""
        name = self.default or who.encoding.removesuffix(GROUPED)
        return Contender(name, "", "", str(LiteralOrder.GIVEN))


PARTS: Final = (
    Part("clues", "Clues", Task.CLASSIFY, ("direct", *COUNTERS), "direct",
         partial(games, _CLUES, [(20, 3), (36, 3)], total=False), ("direct", "totalizer")),
    Part("total", "The total", Task.CLASSIFY, COUNTERS, "totalizer",
         partial(games, _TOTALS, [(16, 4)], total=True), ("totalizer", "adder"), of_total=True),
    Part("reduced", "The total after all reductions", Task.CLASSIFY, COUNTERS, "totalizer",
         partial(games, _REDUCED, [(16, 3), (20, 4), (24, 4), (28, 4)], total=True), of_total=True,
         solvers=SOLVERS[:2], reduced=True),
    Part("hard boards", "Boards without a layout", Task.CONSISTENT, ("direct", *COUNTERS), "direct",
         partial(hard_boards, range(7, 12), range(4, 13)), ("direct", "totalizer")),
    Part("one", "At most one, exactly one", Task.SOLVE, AT_MOST_ONE, BY_SIZE,
         partial(questions, 2, rows=_ONES), (BY_SIZE, "pairwise")),
    Part("middle", "Constraints of 6 to 12 literals", Task.SOLVE, ("direct", *COUNTERS), BY_SIZE,
         partial(questions, 3, _MIDDLE), (BY_SIZE,)),
    Part("counts", "Larger counts", Task.SOLVE, COUNTERS, BY_SIZE,
         partial(questions, 2, rows=_COUNTS), (BY_SIZE,)),
    Part("sums", "Weighted sums", Task.SOLVE, SUMS, BY_SIZE, partial(questions, 2, rows=_SUMS)),
    Part("groups", "Weighted sums with groups of literals", Task.SOLVE,
         tuple(chain.from_iterable((name, name + GROUPED) for name in
               ("decision_diagram", "generalized_totalizer", "global_polynomial_watchdog"))),
         "", partial(questions, 2, rows=_GROUPS)),
    Part("order", "The order of literals", Task.SOLVE,
         ("totalizer", "sequential_counter", "k_modulo_totalizer", "cardinality_network", "adder"),
         "", partial(questions, 6, rows=_ORDERS), orders=tuple(LiteralOrder)),
    # What the part before shows of one order, asked on new problems.
    Part("graphs", "The order `bandwidth` in one sum over a graph", Task.SOLVE,
         ("totalizer", "sequential_counter", "k_modulo_totalizer", "cardinality_network", "adder"),
         "", partial(questions, 6, rows=_GRAPHS, first=7),
         orders=(LiteralOrder.GIVEN, LiteralOrder.BANDWIDTH)),
)  # fmt: skip


_SMALL: Final[dict[str, tuple[float, ...]]] = {
    "exact covers": (6, 4, 1, 2), "pigeonhole": (4, 3, 1), "regular": (4, 12, 6, 2),
    "boards": (8, 8, 12, 0.3), "knapsacks": (6, 2, 9),
    "cumulative": (4, 4, 1.3), "weighted covers": (8, 2, 0.6),
}  # fmt: skip
_FEW: Final = [each._replace(rows=(_SMALL[each.name],)) for each in FAMILIES if each.name in _SMALL]


def _few(*names: str) -> Callable[[], list[Question]]:
    return partial(questions, 1, _FEW, dict.fromkeys(names, (0,)))


_QUICK: Final[dict[str, Callable[[], Sequence[Instance | Question]]]] = {
    "clues": lambda: games([(5, 5, 5, 0.3, 2)], [(4, 1)], total=False),
    "total": lambda: games([(5, 5, 5, 0.3, 2)], [], total=True),
    "reduced": lambda: games([(5, 5, 5, 0.3, 1)], [(6, 1)], total=True),
    "hard boards": lambda: hard_boards((3,), (2,)),
    "one": _few("exact covers", "pigeonhole"),
    "middle": partial(questions, 1, _MIDDLE[1:2], {"3 of 8": (0,)}),
    "counts": _few("regular", "boards"),
    "sums": _few("knapsacks", "cumulative"),
    "groups": _few("cumulative", "weighted covers"),
    "order": _few("regular", "boards"),
    "graphs": _few("regular"),
}
QUICK: Final = tuple(
    replace(part, make=_QUICK[part.name], native=part.native[:1], orders=part.orders[:2],
            encodings=part.encodings if part.default == BY_SIZE else part.encodings[:4],
            solvers=part.solvers[:2], counting=COUNTING[:1], seeds=1)
    for part in PARTS
)  # fmt: skip
"""All questions on few and small instances, to try the script quickly."""


@dataclass(frozen=True)
class Planned:
    """A part with its jobs; `by_size` is the encoder that the rule chooses, by digest."""

    part: Part
    sweep: Prepared
    by_size: Mapping[str, str]

    @property
    def families(self) -> dict[str, str]:
        """Digest of an instance -> its family."""
        return {instance.digest: instance.family for instance in self.sweep.instances}


def planned(part: Part, limits: Limits) -> Planned:
    """Return the jobs of a part, all contenders of an instance and seed one after the other.

    Raises:
        ValueError: an unknown name.
    """
    instances, jobs, by_size = list[Instance](), list[Job](), dict[str, str]()
    encoders: dict[str, Encoder] = {}
    for asked in part.make():
        own: dict[str, InQuestion] = {}
        named = {name: name for name in part.encodings}
        instance = asked.instance if isinstance(asked, Question) else asked
        if isinstance(asked, Question):
            own = asked.among(part.encodings)
            named = {encoder.chosen: name for name, encoder in own.items()}
            by_size[instance.digest] = asked.by_size
            if part.default == BY_SIZE:
                named[BY_SIZE] = named[asked.by_size]
        instances.append(instance)
        encoders |= own
        blocks: dict[int, list[Job]] = {}
        for axes in part.axes(named):
            for job in prepare([instance], axes, encoders=own or None).jobs:
                blocks.setdefault(job.seed, []).append(job)
        for seed, block in blocks.items():
            # As in any sweep, the jobs of one instance and seed run in an order drawn from these.
            block = [*dict.fromkeys(block)]
            Random(f"{instance.digest} {seed}").shuffle(block)
            jobs += block
    axes = replace(axes, encodings=tuple(encoders) or part.encodings, solvers=part.solvers)
    about = axes, encoders or None, limits, False, None, tuple(jobs)
    prepared = Prepared(tuple(instances), *about, digest_of(jobs, limits, False), ())
    return Planned(part, prepared, by_size)
