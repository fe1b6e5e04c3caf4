"""At-most-k by grid compression."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import ClassVar, Final, NamedTuple

import numpy as np

from pbcnf.constraints.normal_form import size_of
from pbcnf.encoders.at_most_one.multipartite import Multipartite
from pbcnf.encoders.cardinality.cardinality_network import CardinalityNetwork
from pbcnf.encoders.cardinality.direct import Direct
from pbcnf.encoders.cardinality.knuth_counter import KnuthCounter
from pbcnf.encoders.cardinality.parallel_counter import ParallelCounter
from pbcnf.encoders.circuits.array_emission import Indices, rows
from pbcnf.encoders.counter import Uncounted
from pbcnf.encoders.protocol import Encoder, Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink

_COUNTERS: Final[tuple[Encoder, ...]] = (KnuthCounter(), CardinalityNetwork(), ParallelCounter())
"""The encoders of which the smallest counts where nothing is compressed."""

_DIRECT_UP_TO: Final = 12
"""The number of inputs up to which `Direct` is compared as well."""

_COMPARED_UP_TO: Final = 2000
"""The number of inputs up to which all counters are compared: beyond it their sizes take long."""

_TRIED: Final = (0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25)
"""The numbers of slots that are tried, as multiples of what is estimated to be the best."""


class Step(NamedTuple):
    """A step of encoding at most k of n literals: the shape, and the size with all inside.

    ``by``: the counter of shape "count", rows of shape "lines", slots a mode of shape "slots".
    """

    size: EncodingSize
    shape: str
    by: int = 0

    def cost(self) -> tuple[int, int]:
        """Return the numbers of clauses and auxiliary variables: less is better."""
        return self.size.clauses, self.size.variables


@dataclass(frozen=True, slots=True)
class GridCompression(Uncounted):
    """Hashes the columns of a grid into few slots, in k ways, and counts what is in the slots.

    Idea: at most k of n inputs, placed in a grid of p rows, take two clauses each and a smaller
    constraint of the same kind, encoded likewise or by the smallest counter. Each true input must
    be *charged*: each charge is one input's only, and at most k are made. By size it is one of:

    * *slots*: in each of k modes every column has one of R slots, so that two columns share a slot
      in one mode at most: column (u, w) has slot u in the first mode, w in the second, and
      u + s w mod R for s = 1 .. k-2, all prime to R. A true input marks its column and is charged
      to its row in its column's slot, in a mode of the solver's choice; a slot that is charged has
      at most one marked column.
    * *lines*, k = 2 alone: a true input has its row pointed at and its column charged, or the other
      way round. At most one row and one column are pointed at, none of them is charged, and at
      most two lines are charged.

    At most one is `Multipartite`. At least k is at most n-k of the negated inputs; two bounds stand
    side by side, unless one counter of both is smaller.

    Why it is correct. *Slots*: a charge (mode, slot, row) has at most one marked column in its
    slot, so it is one cell's. Conversely let k inputs be true. A column that is marked has a slot
    of its own in one of the k modes, because each of the other at most k-1 marked columns shares
    its slot in one mode at most: s (w - w') = 0 mod R has no other solution where s is prime to
    R, and neither have differences of two such s, which are smaller. All its inputs are charged
    there, which makes as many charges as inputs are true. *Lines*: an input whose row is pointed at
    is charged to its column, as a row pointed at is not charged; another one charged to that
    column would be in the same row, the only one pointed at. Conversely: of two true inputs in one
    line this is pointed at; otherwise the row of the first and the column of the second.

    Auxiliary variables: *slots*: c[j] for each column: "an input of the column is true" implies it;
    f[m][v] for each slot v with columns in mode m: it implies that one of them at most is marked;
    a[m][v][i]: row i is charged in slot v of mode m; t[m][v][l]: "one of the first l columns of
    slot v is marked" implies it, if the slot has more than one. *Lines*: r[i], then c[j], pointed
    at; r'[i], then c'[j], charged. And those of the encodings inside. Where the solver may choose
    they are no functions of the inputs.

    Size: computed exactly, by recursion (`step_of`). Lines take 2n + O(sqrt n) clauses. With q
    columns and R = sqrt q slots there are k n / R charges, which take a clause each and at most 7
    in the constraint inside, and 3 q k clauses of marked columns: for R about n^(1/3), a prime
    above k, that is 2n + O(k n^(2/3)), so 2n + o(n) for k = o(n^(1/3)). At most 2 of 1,000: 2,474,
    5 of 10,000: 42,805; the smallest of our other encodings take 4,489 and 69,941. Where a counter
    is smaller it is taken: from k = 5 on for 1,000 inputs, 11 for 10,000, 22 for 100,000; lines
    are the smallest from n = 36 on.

    Propagation: none claimed. *Lines* propagate nothing: even with all inputs decided each true
    input may still be charged to its row or its column. *Slots* propagate collisions: where two
    marked columns share a slot nothing is charged in it, and an input whose slots in all modes but
    one are so is charged in that one; charges are counted as far as the encoding inside counts. So
    of few columns most conflicts are found (at most 2 of 8 in 2 slots a mode: 3,201 of 3,489), but
    none of k+1 true inputs no two of whose columns share a slot, of which there are nearly all if
    columns are many. More clauses among the auxiliaries do not mend that while inputs have two
    clauses "input implies auxiliary": of three edges on a path the nodes are those of the outer
    two. Whether two other clauses could is not known here; k+1 an input do, in the product encoding
    of at most k (Frisch, Giannaros 2010), which has (k+1) n + o(n) and is arc-consistent: k+1
    points of a grid with k+1 coordinates are still different without one of these. Parsimonious
    only where the encoding chosen is.

    Reference: Krapivin, Przybocki, Subercaseaux: Near-optimal encodings of cardinality constraints,
    arXiv 2603.28954, 2026, for grid compression and these bounds for k = o(n^(1/3)). From their
    abstract alone the encoding was reconstructed: slots, lines and both proofs are ours, and theirs
    may differ; their 4n + o(n) for k = o(n) is not here.

    >>> from pbcnf import Cardinality, Formula, encode
    >>> f = Formula(num_vars=100)
    >>> encode(Cardinality(range(1, 101), upper=2), f, encoder=GridCompression())
    >>> f.num_clauses, [clause for clause in f.clauses() if -9 in clause]
    (347, [[-9, 101, 119], [-9, 121, 139]])
    """

    name: ClassVar[str] = "grid_compression"
    propagation: ClassVar[Propagation] = Propagation.NONE

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: where the chosen encoding of two bounds does."""
        if self.size(n, lower, upper).variables == 0:
            return True
        lower, upper = max(lower, 0), min(upper, n)
        whole = as_a_whole(n, lower, upper)
        return whole is not None and whole.parsimonious(n, lower, upper)

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size for any bounds."""
        return size_of(n, lower, upper, _size)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses for non-trivial bounds."""
        n = len(lits)
        whole = as_a_whole(n, lower, upper)
        if whole is not None:
            whole.encode(lits, lower, upper, sink)
            return
        if upper < n:
            at_most(lits, upper, sink)
        if lower > 0:
            at_most(negate(lits), n - lower, sink)


def _size(n: int, lower: int, upper: int) -> EncodingSize:
    whole = as_a_whole(n, lower, upper)
    if whole is not None:
        return whole.size(n, lower, upper)
    return sum((step_of(n, k).size for k in (upper, n - lower) if k < n), EncodingSize(0, 0, 0))


def counters(n: int) -> tuple[Encoder, ...]:
    """Return the encoders of which the smallest counts, the last of which is never large."""
    if n <= _DIRECT_UP_TO:
        return (Direct(), *_COUNTERS)
    return _COUNTERS if n <= _COMPARED_UP_TO else _COUNTERS[-1:]


@lru_cache(maxsize=1024)
def as_a_whole(n: int, lower: int, upper: int) -> Encoder | None:
    """Return the encoder of bounds that do not become "at most" of the inputs, of the negations."""
    if lower in (0, 1, n - 1) and upper in (1, n - 1, n):
        return Multipartite()
    if lower == 0 or upper == n:
        return None
    found = min(counters(n), key=lambda each: each.size(n, lower, upper).clauses)
    together, apart = (
        found.size(n, lower, upper),
        step_of(n, upper).size + step_of(n, n - lower).size,
    )
    # One counter has few variables: a few clauses fewer in two encodings are not worth theirs.
    fewer = together.clauses + together.variables <= apart.clauses + apart.variables
    return found if fewer else None


@lru_cache(maxsize=4096)
def step_of(n: int, k: int) -> Step:
    """Return how at most k of n literals, 1 <= k < n, take the fewest clauses."""
    if k == n - 1:
        return Step(EncodingSize(0, 1, n), "clause")
    if k == 1:
        return Step(Multipartite().size(n, 0, 1), "one")
    sizes = [each.size(n, 0, k) for each in counters(n)]
    by = min(range(len(sizes)), key=lambda place: sizes[place].clauses)
    best = Step(sizes[by], "count", by)
    for found in _compressed(n, k, best.size.clauses):
        best = min(best, found, key=Step.cost)
    return best


def _compressed(n: int, k: int, most: int) -> Iterator[Step]:
    """Yield the compressed encodings, some of those with up to `most` clauses."""
    if most <= 2 * n:
        return
    if k == 2:
        side = isqrt(n)
        for p in range(max(2, side - 2), side + 3):
            q = -(-n // p)
            if q >= 2 and 4 < p + q < n // 2 and -(-n // q) == p:
                yield Step(_lines_size(n, p, q), "lines", p)
    # Of R slots a mode there are k n / R charges, 6 clauses each or less where they are many, and
    # 3 k R^2 clauses of marked columns: the sum is least for R^3 = n.
    tried = {_prime_to(round(n ** (1 / 3) * factor), k) for factor in _TRIED}
    for slots in sorted(tried):
        grid = grid_of(n, k, slots)
        if grid.charges < n // 2 and 2 * n + 3 * grid.charges + 2 * k * grid.columns < most:
            yield Step(_slots_size(n, k, grid), "slots", slots)


def _prime_to(least: int, k: int) -> int:
    """Return the least number, at least `least` and k - 1, that is prime to 2 .. k - 2."""
    slots = max(least, k - 1, 2)
    while any(slots % s == 0 for s in range(2, k - 1)):
        slots += 1
    return slots


def at_most(lits: Sequence[Lit], k: int, sink: ClauseSink) -> None:
    """Emit at most k of n literals, 1 <= k < n."""
    n = len(lits)
    step = step_of(n, k)
    match step.shape:
        case "clause":
            sink.add_clause(negate(lits))
        case "one":
            Multipartite().encode(lits, 0, 1, sink)
        case "count":
            counters(n)[step.by].encode(lits, 0, k, sink)
        case "lines":
            emit_lines(lits, step.by, sink)
        case _:
            emit_slots(lits, k, grid_of(n, k, step.by), sink)


def _lines_size(n: int, p: int, q: int) -> EncodingSize:
    lines = p + q
    own = EncodingSize(2 * lines, 2 * n + lines, 6 * n + 2 * lines)
    pointed = [step_of(side, 1).size for side in (p, q) if side > 1]
    return sum(pointed, own + step_of(lines, 2).size)


def emit_lines(lits: Sequence[Lit], p: int, sink: ClauseSink) -> None:
    """Emit at most two: an input's row is pointed at, its column charged, or the reverse."""
    q = -(-len(lits) // p)
    pointed, charged = sink.new_vars(p + q), sink.new_vars(p + q)
    x, place = np.array(lits, dtype=np.int32), np.arange(len(lits))
    row, column = place // q, p + place % q
    sink.add_block(rows(-x, pointed + row, pointed + column))
    sink.add_block(rows(-x, charged + row, charged + column))
    line = np.arange(p + q)
    sink.add_block(rows(-(pointed + line), -(charged + line)))
    at_most(range(pointed, pointed + p), 1, sink)
    at_most(range(pointed + p, pointed + p + q), 1, sink)
    at_most(range(charged, charged + p + q), 2, sink)


class CompressedGrid(NamedTuple):
    """Rows and columns, and for each mode the slot of each column, numbered through all modes."""

    rows: int
    columns: int
    slot_of: Indices
    slots: int

    @property
    def charges(self) -> int:
        """The number of rows in slots."""
        return self.slots * self.rows

    @property
    def of_slots(self) -> Indices:
        """The number of columns in each slot."""
        return np.bincount(self.slot_of.ravel(), minlength=self.slots)


@lru_cache(maxsize=32)
def grid_of(n: int, k: int, slots: int) -> CompressedGrid:
    """Return a grid of n inputs, with k modes of up to `slots` slots for its columns.

    >>> grid_of(18, 2, 3).slot_of.tolist()
    [[0, 1, 2, 0, 1, 2, 0, 1, 2], [3, 3, 3, 4, 4, 4, 5, 5, 5]]
    """
    columns = -(-n // -(-n // slots**2))
    w, u = np.divmod(np.arange(columns), slots)
    modes, first = [], 0
    for mode in (u, w, *((u + s * w) % slots for s in range(1, k - 1))):
        used, numbers = np.unique(mode, return_inverse=True)
        modes.append(first + numbers)
        first += len(used)
    return CompressedGrid(-(-n // columns), columns, np.array(modes), first)


def _slots_size(n: int, k: int, grid: CompressedGrid) -> EncodingSize:
    several = grid.of_slots[grid.of_slots > 1]
    g, guards = int(several.sum()), len(several)
    charged = guards * grid.rows
    own = EncodingSize(
        grid.columns + guards + grid.charges + g - 2 * guards,
        2 * n + charged + 3 * g - 5 * guards,
        (k + 3) * n + 2 * charged + 7 * g - 11 * guards,
    )
    return own + step_of(grid.charges, k).size


def emit_slots(lits: Sequence[Lit], k: int, grid: CompressedGrid, sink: ClauseSink) -> None:
    """Emit at most k: an input is charged in the slot of its column, in one of k modes."""
    x, place = np.array(lits, dtype=np.int32), np.arange(len(lits))
    row, column = np.divmod(place, grid.columns)
    c = sink.new_vars(grid.columns)
    sink.add_block(rows(-x, c + column))
    size = grid.of_slots
    guarded = np.flatnonzero(size > 1)
    f = sink.new_vars(len(guarded)) + np.cumsum(size > 1) - 1
    a = sink.new_vars(grid.charges)
    sink.add_block(rows(-x, *(a + mode[column] * grid.rows + row for mode in grid.slot_of)))
    charge = a + guarded[:, None] * grid.rows + np.arange(grid.rows)
    sink.add_block(rows(-charge, f[guarded][:, None]))
    _emit_guards(grid, c, f, sink)
    at_most(range(a, a + grid.charges), k, sink)


def _emit_guards(grid: CompressedGrid, c: int, f: Indices, sink: ClauseSink) -> None:
    """Emit that a slot whose guard is true has at most one marked column."""
    size = grid.of_slots
    order = np.argsort(grid.slot_of, axis=None, kind="stable")
    slot = grid.slot_of.ravel()[order]
    marked = c + order % grid.columns
    # Columns of a slot one after the other; memory l: one of the first l is marked.
    number = np.arange(len(order)) - (np.cumsum(size) - size)[slot]
    inner = (number > 0) & (number < size[slot] - 1)
    memory = np.where(inner, sink.new_vars(int(inner.sum())) + np.cumsum(inner) - 1, marked)
    before = np.roll(memory, 1)
    sink.add_block(rows(-marked[inner], memory[inner]))
    sink.add_block(rows(-before[inner], memory[inner]))
    later = number > 0
    sink.add_block(rows(-marked[later], -before[later], -f[slot[later]]))
