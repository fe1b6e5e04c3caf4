"""The questions of the study: instances, encodings, solvers, and the default to compare with."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.job import LiteralOrder, Task
from satsweeper.compare.sweep.plan import Axes
from satsweeper.families.chessboard import mutilated_chessboard
from satsweeper.families.parity import parity_lattice
from satsweeper.families.pigeonhole import pigeonhole
from scripts.study.instances import (
    LARGE,
    MIDDLE,
    at_most_one,
    board,
    chessboards,
    clues,
    games,
    parity_lattices,
    problem,
    reduced,
    regular_problems,
    totals,
)

SOLVERS: Final = ("minisat22", "glucose4", "cadical195", "lingeling", "mergesat3")
COUNTING: Final = ("minicard", "gluecard4")
"""Solvers with cardinality constraints in their own code."""

COUNTERS: Final = (
    "totalizer",
    "sequential_counter",
    "k_modulo_totalizer",
    "cardinality_network",
    "sorting_network",
    "parallel_counter",
    "adder",
    "decision_diagram",
)
AT_MOST_ONE: Final = (
    "product",
    "pairwise",
    "sequential",
    "ladder",
    "bitwise",
    "commander",
    "bimander",
    "totalizer",
)


@dataclass(frozen=True, slots=True)
class Part:
    """A question of the study.

    ``encodings`` are compared, the first of them being the default of the code: of the clues, of a
    problem's constraints, or, with ``of_total``, of the total beside direct clues. ``native``:
    those that the counting solvers get beside ``native``. ``reduced``: boards are classified as
    ``satsweeper.classify`` does it, with all its rules and reductions.
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
        """The encoding that the code takes unless told otherwise."""
        return self.encodings[0]

    def axes(self) -> list[Axes]:
        """The contenders: encodings on all solvers, and ``native`` on solvers that have it."""
        found = [self._axes(self.encodings, self.solvers)]
        if self.native:
            found.append(self._axes(("native", *self.native), self.counting))
        return found

    def _axes(self, encodings: tuple[str, ...], solvers: tuple[str, ...]) -> Axes:
        clues, total = (("direct",), encodings) if self.of_total else (encodings, ("totalizer",))
        return Axes((self.task,), clues, total, solvers, self.orders, self.seeds)


PARTS: Final = (
    Part("clues", "Clues", Task.CLASSIFY, ("direct", *COUNTERS), clues, ("direct", "totalizer")),
    Part(
        "total", "The total", Task.CLASSIFY, COUNTERS, totals, ("totalizer", "adder"), of_total=True
    ),
    Part(
        "total alone",
        "The total and nothing else",
        Task.TOTAL,
        COUNTERS,
        totals,
        ("totalizer", "adder"),
        of_total=True,
    ),
    Part(
        "large",
        "Large constraints: exactly k of 60 to 400",
        Task.SOLVE,
        COUNTERS,
        lambda: regular_problems(LARGE, (1, 2))[:-2] + regular_problems(LARGE[-1:], (1,)),
        ("totalizer", "adder"),
        seeds=1,
    ),
    Part(
        "middle",
        "Constraints of 6 to 12 literals",
        Task.SOLVE,
        ("direct", "totalizer", "sequential_counter", "k_modulo_totalizer", "cardinality_network"),
        lambda: regular_problems(MIDDLE, (1, 2)),
        ("direct", "totalizer"),
    ),
    Part(
        "at most one",
        "At most one, exactly one",
        Task.SOLVE,
        AT_MOST_ONE,
        at_most_one,
        ("product", "pairwise"),
    ),
    Part(
        "chessboards",
        "Chessboards as boards",
        Task.CONSISTENT,
        ("direct", *COUNTERS[:5]),
        chessboards,
        ("direct", "totalizer"),
    ),
    Part(
        "parity",
        "Parity lattices as boards",
        Task.CONSISTENT,
        ("direct", *COUNTERS[:5]),
        parity_lattices,
        ("direct", "totalizer"),
    ),
    Part(
        "reduced",
        "The total after all reductions",
        Task.CLASSIFY,
        COUNTERS,
        reduced,
        (),
        of_total=True,
        solvers=("minisat22", "cadical195"),
        seeds=1,
        reduced=True,
    ),
    Part(
        "order",
        "The order of literals",
        Task.CLASSIFY,
        ("totalizer", "sequential_counter", "k_modulo_totalizer", "adder"),
        lambda: games([(16, 30, 99, 0.3, 5), (36, 36, 250, 0.4, 3)], [(16, 3)], total=True),
        (),
        of_total=True,
        orders=(LiteralOrder.GIVEN, LiteralOrder.OCCURRENCE, LiteralOrder.RANDOM),
    ),
)


def _few(part: Part) -> Part:
    made = {
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
    }[part.name]
    return replace(
        part,
        make=made,
        encodings=part.encodings[:3],
        native=part.native[:1],
        orders=part.orders[:2],
        solvers=part.solvers[:2],
        counting=COUNTING[:1],
        seeds=1,
    )


QUICK: Final = tuple(map(_few, PARTS))
"""The same questions on next to nothing: to see that everything works."""
