"""The forms in which clauses are delivered, and how each side delivers its own."""

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt

Kind = Literal["at most", "at least", "exactly"]
KINDS: Final[tuple[Kind, ...]] = ("at most", "at least", "exactly")

_MINES: Final = 0.2
_OPENED: Final = 0.3
"""Share of the cells. A clue then has 8 * (1 - _OPENED) = 5.6 covered neighbours on average."""


class Group(NamedTuple):
    """Constraints of one shape: `kind` of `bound`, for every row of `inputs`; no weights are 1."""

    inputs: npt.NDArray[np.int32]
    kind: Kind
    bound: int
    weights: tuple[int, ...] = ()

    @property
    def n(self) -> int:
        """The number of inputs of each constraint."""
        return int(self.inputs.shape[1])

    @property
    def bounds(self) -> tuple[int, int]:
        """The bounds as lower and upper."""
        lower = 0 if self.kind == "at most" else self.bound
        most = sum(self.weights) or self.n
        return lower, most if self.kind == "at least" else self.bound


@dataclass(frozen=True)
class Problem:
    """Constraints over the variables 1 .. num_vars, grouped by shape."""

    name: str
    num_vars: int
    groups: tuple[Group, ...]

    @property
    def count(self) -> int:
        """The number of constraints."""
        return sum(len(group.inputs) for group in self.groups)

    def constraints(self) -> Iterator[tuple[list[int], list[int], Kind, int]]:
        """Yield constraints as Python lists: inputs, weights, kind and bound."""
        for group in self.groups:
            for row in group.inputs.tolist():
                yield row, list(group.weights or (1,) * group.n), group.kind, group.bound


def clues(count: int, seed: int) -> Problem:
    """The first clues of a random square board in mid-game, one constraint each.

    20 % of the cells are mines, 30 % are opened (at random among the others); a clue says exactly
    how many of its covered neighbours are mines, which may be none or all of them.
    """
    side = int((count / _OPENED * 1.05) ** 0.5) + 10
    draw = np.random.default_rng(seed)
    mine = np.zeros((side + 2, side + 2), dtype=bool)
    covered = np.zeros((side + 2, side + 2), dtype=bool)
    mine[1:-1, 1:-1] = draw.random((side, side)) < _MINES
    opened = draw.random((side, side)) < _OPENED / (1 - _MINES)
    covered[1:-1, 1:-1] = mine[1:-1, 1:-1] | ~opened
    variable = np.where(covered, covered.cumsum().reshape(covered.shape), 0)
    rows, columns = np.nonzero(~covered[1:-1, 1:-1])
    around = np.array([(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)])
    places = rows[:, None] + around[:, 0], columns[:, None] + around[:, 1]
    near = variable[places]
    kept = np.flatnonzero(near.any(axis=1))[:count]
    near = -np.sort(-near[kept], axis=1)
    mines = mine[places][kept].sum(axis=1)
    groups = tuple(group_by_shape(near.astype(np.int32), mines))
    return Problem(f"{len(kept):,} clues", int(covered.sum()), groups)


def group_by_shape(near: npt.NDArray[np.int32], bounds: npt.NDArray[np.integer]) -> Iterator[Group]:
    """Exact constraints by shape: each row of `near` holds its inputs first, then zeros."""
    width = near.shape[1] + 1
    shapes = np.count_nonzero(near, axis=1) * width + bounds
    order = np.argsort(shapes, kind="stable")
    found, starts = np.unique(shapes[order], return_index=True)
    for shape, rows in zip(found.tolist(), np.split(order, starts[1:]), strict=True):
        n, bound = divmod(shape, width)
        yield Group(np.ascontiguousarray(near[rows, :n]), "exactly", bound)


def ungrouped(problem: Problem, seed: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.integer]]:
    """Return constraints in random order, as `group_by_shape` takes them."""
    near = np.zeros((problem.count, max(group.n for group in problem.groups)), dtype=np.int32)
    bounds = np.zeros(problem.count, dtype=np.int64)
    start = 0
    for inputs, _, bound, _ in problem.groups:
        near[start : start + len(inputs), : inputs.shape[1]] = inputs
        bounds[start : start + len(inputs)] = bound
        start += len(inputs)
    order = np.random.default_rng(seed).permutation(problem.count)
    return near[order], bounds[order]


def sample(problem: Problem, count: int, seed: int) -> Problem:
    """Constraints drawn at random; the variables keep their numbers."""
    if count >= problem.count:
        return problem
    chosen = np.zeros(problem.count, dtype=bool)
    chosen[np.random.default_rng(seed).choice(problem.count, count, replace=False)] = True
    groups = []
    start = 0
    for inputs, kind, bound, _ in problem.groups:
        part = chosen[start : start + len(inputs)]
        start += len(inputs)
        if part.any():
            groups.append(Group(inputs[part], kind, bound))
    return Problem(f"{count:,} of {problem.name}", problem.num_vars, tuple(groups))


def large(n: int, kind: Kind, bound: int) -> Problem:
    """A constraint."""
    inputs = np.arange(1, n + 1, dtype=np.int32).reshape(1, n)
    return Problem(f"{kind} {bound:,} of {n:,}", n, (Group(inputs, kind, bound),))


def single(n: int, bound: int, count: int, kind: Kind = "exactly") -> Problem:
    """Equal constraints, each over variables of its own."""
    inputs = np.arange(1, count * n + 1, dtype=np.int32).reshape(count, n)
    return Problem(f"{kind} {bound} of {n}", count * n, (Group(inputs, kind, bound),))


def weighted(n: int, most: int, count: int, seed: int) -> Problem:
    """At most half of the total, for weights from 1 to `most`: each sum with weights of its own."""
    draw = random.Random(seed)
    groups = []
    for first in range(1, count * n + 1, n):
        inputs = np.arange(first, first + n, dtype=np.int32).reshape(1, n)
        weights = tuple(draw.randint(1, most) for _ in range(n))
        groups.append(Group(inputs, "at most", sum(weights) // 2, weights))
    return Problem(f"half of {n} weights to {most:,}", count * n, tuple(groups))


FORMS: Final = ("memory", "lists", "solver", "file")
"""In the memory of the side itself; lists of Python ints; in a live solver; in a DIMACS file."""

SOLVER: Final = "cadical195"
"""PySAT's solver that takes the clauses, but for pindakaas, which has a CaDiCaL of its own."""

Lists = Sequence[Sequence[int]]


class Result(NamedTuple):
    """The output of a contender: auxiliary variables and clauses where known, and the clauses."""

    variables: int | None
    clauses: int | None
    made: object

    def lists(self) -> Lists:
        """Return the clauses of a run up to the form "lists"."""
        found: Any = self.made[1] if isinstance(self.made, tuple) else self.made
        return cast(Lists, found)


Run = Callable[[], Result]


def deliver(form: str, lists: Callable[[], Lists], num_vars: int) -> object:
    """Deliver clauses that become lists of Python ints before they become anything else."""
    if form == "memory":
        return None
    if form == "lists":
        return lists()
    if form == "solver":
        return solver(lists())
    clauses = lists()
    text = "".join([f"{' '.join(map(str, clause))} 0\n" for clause in clauses])
    write(f"p cnf {num_vars} {len(clauses)}\n{text}".encode())
    return clauses


def solver(clauses: Any) -> object:
    """A live solver with the clauses."""
    from pysat.solvers import Solver

    live = Solver(SOLVER)
    live.append_formula(clauses)
    return live


def file() -> Path:
    """Return the file that all runs of a process write to; its folder is removed at the end."""
    return Path(_folder.name) / "clauses.cnf"


def write(text: bytes) -> None:
    """Write to the file."""
    file().write_bytes(text)


_folder: Final = tempfile.TemporaryDirectory(prefix="bench_encode_")
