"""The balanced tree of unary adders behind the totalizer.

Nodes with the same number of inputs need the same outputs: these nodes are kept side by side, and
the clauses of an adder are emitted for all of them together. Nodes over few inputs are kept in
lists, which need no numpy, nodes over many inputs in arrays; the clauses and their order are the
same. `joined` adds two counts by one more node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat, zip_longest
from operator import neg
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbcnf.encoders.circuits.output_ranges import Asked, SharedCount, asked_below, outputs_of
from pbcnf.encoders.circuits.template import Lookup, Template, cached, lookup_of
from pbcnf.literals import Lit, has_numpy, picker
from pbcnf.sink import ClauseSink, keeps_arrays

if TYPE_CHECKING:
    from pbcnf.encoders.circuits.array_emission import Indices
    from pbcnf.literals import Block

FEW = 1024
"""Pairs of values up to which the clauses of an adder are a template in the cache."""

_FEW_IN_ARRAYS: Final = 16
"""The most inputs for which lists are faster than arrays where the sink keeps arrays."""

_FEW_ONE_BY_ONE: Final = 512
"""The most inputs for which lists are fast enough where clauses are added one by one."""


_NOTHING: Final = Asked(range(0), range(0))


def needs_arrays(inputs: int, sink: ClauseSink) -> bool:
    """Whether a tree over `inputs` literals is built of arrays for `sink`."""
    few = _FEW_IN_ARRAYS if keeps_arrays(sink) else _FEW_ONE_BY_ONE
    return inputs > few and has_numpy()


class TotalizerTree:
    """A totalizer over some literals that grows with the outputs needed.

    A node with m >= 2 inputs below it has two children: over its first m // 2 inputs, and over its
    other inputs. A leaf is its literal.
    """

    def __init__(self, lits: Sequence[Lit], arrays: bool = False) -> None:
        """Lay out the nodes, in arrays or in lists; nothing is emitted."""
        self._inputs = len(lits)
        self._nodes: dict[int, _TreeNodes] = {}
        kind = _ArrayNodes if arrays else _TreeNodes
        places: dict[int, list[Any]] = {len(lits): [[0]]} if lits else {}
        # Largest nodes first: all nodes of a size are known when all larger ones are laid out.
        while places:
            size = max(places)
            nodes = self._nodes[size] = kind(size, places.pop(size))
            if size > 1:
                half = size // 2
                left, right = nodes.children(half)
                places.setdefault(half, []).append(left)
                places.setdefault(size - half, []).append(right)
        if lits:
            self._nodes[1].fill(range(1, 2), lits)

    def grow(self, asked: Asked, sink: ClauseSink) -> list[Lit]:
        """Emit the missing clauses for the outputs `asked` of the root; return these in order."""
        if not self._inputs:
            return []
        self.grow_below(asked, sink)
        root = self._nodes[self._inputs]
        self._grow_nodes(root, asked, sink)
        return root.first(outputs_of(asked))

    def grow_below(self, asked: Asked, sink: ClauseSink) -> None:
        """Emit the clauses below the root that are missing for the root's outputs `asked`."""
        for size, nodes in reversed(self._nodes.items()):
            if size < self._inputs:
                self._grow_nodes(nodes, asked_below(asked, size, self._inputs - size), sink)

    def bound_root(self, asked: Asked, sink: ClauseSink) -> None:
        """Emit the root's clauses: rising outputs of `asked` are false, falling outputs true."""
        root = self._nodes[self._inputs]
        half = root.size // 2
        self._emit([UnaryAddition(half, root.size - half, *asked, constant=True)], root, sink)

    def _grow_nodes(self, nodes: _TreeNodes, asked: Asked, sink: ClauseSink) -> None:
        if nodes.size > 1:
            half = nodes.size // 2
            self._emit(nodes.grow(asked, half, nodes.size - half, sink), nodes, sink)

    def _emit(self, adders: Sequence[UnaryAddition], nodes: _TreeNodes, sink: ClauseSink) -> None:
        for adder in adders:
            adder.emit(nodes.lookups(self._nodes[adder.a], self._nodes[adder.b]), sink)


def joined(left: SharedCount, right: SharedCount) -> SharedCount:
    """Return the sum of two counts of any structure: one more node of a totalizer."""
    return SharedCount(_JoinedCounts(left, right), left.inputs + right.inputs, (left, right))


class _JoinedCounts:
    """The sum of two counts that provide their part."""

    def __init__(self, left: SharedCount, right: SharedCount) -> None:
        self._parts = left, right
        self._node = _TreeNodes(left.inputs + right.inputs, [[0]])

    def grow(self, asked: Asked, sink: ClauseSink) -> list[Lit]:
        """Emit the missing clauses for the outputs `asked`; return these in order."""
        left, right = self._parts
        parts = [*_row(left, asked, right.inputs), *_row(right, asked, left.inputs)]
        for adder in self._node.grow(asked, left.inputs, right.inputs, sink):
            lookups: list[Lookup] | Block = [lookup_of([*parts, *self._node.outputs[0]])]
            if adder.a * adder.b > FEW and needs_arrays(self._node.size, sink):
                import numpy as np

                lookups = np.array(lookups, dtype=np.int32)
            adder.emit(lookups, sink)
        return self._node.first(outputs_of(asked))


def _row(part: SharedCount, asked: Asked, others: int) -> list[Lit]:
    """Return the outputs that a sum needs of a part; 0 for the other outputs."""
    needed = asked_below(asked, part.inputs, others)
    counts = outputs_of(needed)
    row = [0] * part.inputs
    row[counts.start - 1 : counts.stop - 1] = part.outputs(needed)
    return row


class _TreeNodes:
    """The nodes with `size` inputs, each by the place of the first of them.

    ``outputs[place][t - 1]`` stands for "at least t", 0 where no such output is needed.
    """

    def __init__(self, size: int, places: Sequence[Sequence[int]]) -> None:
        self.size, self.built = size, _NOTHING
        self.outputs: Any = {place: [0] * size for place in sorted(chain(*places))}

    def children(self, half: int) -> tuple[Any, Any]:
        """Return the places of the left children, of `half` inputs each, and of the right ones."""
        return self.outputs, [place + half for place in self.outputs]

    def fill(self, counts: range, values: Sequence[Lit]) -> None:
        """Let `values`, node after node, be the outputs for these counts."""
        at, step = 0, len(counts)
        for outputs in self.outputs.values():
            outputs[counts.start - 1 : counts.stop - 1] = values[at : at + step]
            at += step

    def first(self, counts: range) -> list[Lit]:
        """Return the outputs of the first node for these counts."""
        found: list[Lit] = self.outputs[0][counts.start - 1 : counts.stop - 1]
        return found

    def lookups(self, left: _TreeNodes, right: _TreeNodes) -> list[Lookup] | Block:
        """Return the lookup of an addition for each node."""
        half, of_left, of_right = self.size // 2, left.outputs, right.outputs
        found = []
        for place, outputs in self.outputs.items():
            variables = [*of_left[place], *of_right[place + half], *outputs]
            found.append((0, *variables, *map(neg, reversed(variables))))
        return found

    def grow(self, asked: Asked, a: int, b: int, sink: ClauseSink) -> list[UnaryAddition]:
        """Allocate missing outputs of `asked`; return their adders of counts up to `a` and `b`."""
        for counts in _missing(outputs_of(asked), outputs_of(self.built)):
            number = len(self.outputs) * len(counts)
            first = sink.new_vars(number)
            self.fill(counts, range(first, first + number))
        parts = map(_missing, asked, self.built)
        self.built = asked
        pairs = zip_longest(*parts, fillvalue=range(0))
        return [UnaryAddition(a, b, rising, falling) for rising, falling in pairs]


class _ArrayNodes(_TreeNodes):
    """Nodes in arrays: node v has its first input at ``places[v]`` and its outputs in row v."""

    def __init__(self, size: int, places: Sequence[Sequence[int]]) -> None:
        import numpy as np

        self.size, self.built = size, _NOTHING
        self.places: Indices = np.sort(np.concatenate(places))
        self.outputs: Block = np.zeros((len(self.places), size), dtype=np.int32)

    def children(self, half: int) -> tuple[Indices, Indices]:
        return self.places, self.places + half

    def fill(self, counts: range, values: Sequence[Lit]) -> None:
        import numpy as np

        plain = (
            np.arange(values.start, values.stop) if isinstance(values, range) else np.array(values)
        )
        self.outputs[:, counts.start - 1 : counts.stop - 1] = plain.reshape(-1, len(counts))

    def first(self, counts: range) -> list[Lit]:
        # Here `outputs` is an array, so the base class returns a slice of an array.
        return super().first(counts).tolist()  # type: ignore[attr-defined, no-any-return]

    def lookups(self, left: _TreeNodes, right: _TreeNodes) -> Block:
        import numpy as np

        assert isinstance(left, _ArrayNodes)
        assert isinstance(right, _ArrayNodes)
        below_left = left.outputs[left.places.searchsorted(self.places)]
        below_right = right.outputs[right.places.searchsorted(self.places + self.size // 2)]
        plain = np.concatenate((below_left, below_right, self.outputs), axis=1)
        none = np.zeros((len(plain), 1), dtype=np.int32)
        return np.concatenate((none, plain, -plain[:, ::-1]), axis=1)


def _missing(asked: range, built: range) -> list[range]:
    """Return the ranges of `asked` outside `built`, which is contained in `asked`."""
    parts = [range(asked.start, built.start), range(built.stop, asked.stop)] if built else [asked]
    return [part for part in parts if part]


class _ClauseGroup(NamedTuple):
    """Clauses ``literals(i, j)`` for all i and j from two ranges whose sum is among `sums`.

    Every literal is affine in i and j: `literals` takes numbers and arrays.
    """

    firsts: range
    seconds: range
    sums: range
    literals: Callable[[Any, Any], tuple[Any, ...]]


class UnaryAddition(NamedTuple):
    """The sum of two unary numbers up to a and b, for the outputs that are needed.

    In its clauses variable i is the left number's "at least i", a+j the right one's "at least j",
    and a+b+t is "at least t" of the sum, or left out where that is a constant.
    """

    a: int
    b: int
    rising: range
    falling: range
    constant: bool = False

    def emit(self, lookups: list[Lookup] | Block, sink: ClauseSink) -> None:
        """Emit the clauses for each lookup: of the left outputs, the right ones, the sums."""
        if self.a * self.b <= FEW:
            cached(_template, self).emit_rows(lookups, sink)
        elif isinstance(lookups, list):
            for clauses in self._clauses():
                getters = [*map(picker, clauses)]
                for lookup in lookups:
                    for clause in getters:
                        sink.add_clause(clause(lookup))
        else:
            from pbcnf.encoders.circuits.array_emission import CHUNK, add_block, picked

            for block in self._blocks(CHUNK // len(lookups)):
                add_block(sink, picked(lookups, block))

    def _groups(self) -> Iterator[_ClauseGroup]:
        a, b, rising, falling, _ = self
        n, falls = a + b, range(falling.start + 1, falling.stop + 1)
        left, right, cut = range(1, a + 1), range(1, b + 1), -1 if self.constant else None
        if rising:
            # i on the left and j on the right make i + j; "at least 0" holds and needs no literal.
            yield _ClauseGroup(left, right, rising, lambda i, j: (-i, -a - j, n + i + j)[:cut])
            yield _ClauseGroup(left, range(1), rising, lambda i, j: (-i, n + i + j)[:cut])
            yield _ClauseGroup(range(1), right, rising, lambda i, j: (-a - j, n + i + j)[:cut])
        if falling:
            # Less than i on the left and less than j on the right make less than i + j - 1;
            # "less than a + 1" and "less than b + 1" hold and need no literal.
            yield _ClauseGroup(left, right, falls, lambda i, j: (i, a + j, 1 - n - i - j)[:cut])
            over = range(b + 1, b + 2)
            yield _ClauseGroup(left, over, falls, lambda i, j: (i, 1 - n - i - j)[:cut])
            over = range(a + 1, a + 2)
            yield _ClauseGroup(over, right, falls, lambda i, j: (a + j, 1 - n - i - j)[:cut])

    def _clauses(self) -> Iterator[list[tuple[int, ...]]]:
        """Yield the clauses of each group."""
        for firsts, seconds, sums, literals in self._groups():
            found: list[tuple[int, ...]] = []
            for i in _within(firsts, seconds, sums):
                start, stop = max(seconds.start, sums.start - i), min(seconds.stop, sums.stop - i)
                # A column grows by one step from clause to clause: by -1, 0 or 1.
                columns = zip(literals(i, start), literals(i, start + 1), strict=True)
                found += zip(*[_column(*pair, stop - start) for pair in columns], strict=True)
            yield found

    def _blocks(self, chunk: int) -> Iterator[Indices]:
        """Yield the clauses of each group in arrays of about `chunk` rows."""
        import numpy as np

        from pbcnf.encoders.circuits.array_emission import side_by_side, staircase

        for firsts, seconds, sums, literals in self._groups():
            some = _within(firsts, seconds, sums)
            if not some:
                continue
            i = np.arange(some.start, some.stop)
            # A single i or a single j makes one array; otherwise the pairs (i, j) are a staircase.
            if len(seconds) == 1:
                yield side_by_side(len(i), literals(i, seconds.start))
            elif len(firsts) == 1:
                others = _within(seconds, firsts, sums)
                j = np.arange(others.start, others.stop)
                yield side_by_side(len(j), literals(firsts.start, j))
            else:
                starts = np.maximum(seconds.start, sums.start - i)
                stops = np.minimum(seconds.stop, sums.stop - i)
                for row, j in staircase(starts, stops, chunk):
                    yield side_by_side(len(j), literals(row + some.start, j))


def _within(firsts: range, seconds: range, sums: range) -> range:
    """Return the `firsts` that some number of `seconds` completes to a sum in `sums`."""
    return range(
        max(firsts.start, sums.start - seconds.stop + 1),
        min(firsts.stop, sums.stop - seconds.start),
    )


def _column(first: int, second: int, length: int) -> Sequence[int] | repeat[int]:
    step = second - first
    return range(first, first + step * length, step) if step else repeat(first, length)


def _template(adder: UnaryAddition) -> Template:
    clauses = sorted(chain.from_iterable(adder._clauses()), key=len)
    return Template(2 * (adder.a + adder.b), 0, clauses)
