"""Templates: the clauses of one shape of constraint, made once and emitted many times.

A shape is whatever the clauses depend on besides the literals: an encoder with the number of inputs
and the bounds, weights, an adder with the outputs it needs. `cached` is the only cache of
templates; a caller passes the function that makes the template of a shape. The clauses of the
direct encoding are here too, for callers that need no other encoder.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations, islice
from math import comb
from operator import neg
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from pbcnf.literals import Block, Lit, Var, has_numpy, negate, picker
from pbcnf.shown import Drawn

if TYPE_CHECKING:
    from pbcnf.formula import Formula
    from pbcnf.sink import ClauseSink


_T = TypeVar("_T")

_MOST: Final = 2**14
"""The most literals and clauses, together, of a template that `template_unless_large` makes."""

_FEW: Final = 800
"""The number of literals and clauses, together, up to which tuples are faster than arrays."""

_FEW_CHOSEN_FROM: Final = 12
"""The number of literals up to which subsets are emitted faster one by one than as blocks."""

_MOST_KEPT: Final = 2048
"""The largest number of shapes in the cache; the least recently used leave first."""

Lookup: TypeAlias = tuple[int, ...]
"""0, the variables of a template, and their negations, the last first: index -v negates v."""


class Template(Drawn):
    """The clauses of one shape over the inputs 1 .. inputs and the auxiliary variables behind them.

    `auxiliaries` is the number of auxiliary variables: inputs+1 .. inputs+auxiliaries.
    """

    def __init__(
        self,
        inputs: int,
        auxiliaries: int,
        clauses: Iterable[tuple[Lit, ...]] = (),
        formula: Formula | None = None,
    ) -> None:
        """Keep `clauses`, or the clauses of `formula`, which must not change any more."""
        self.inputs = inputs
        self.auxiliaries = auxiliaries
        self.outputs: Sequence[Var] = ()
        """The variables that stand for the result of a circuit, if there is one."""
        self._formula = formula
        if formula is None:
            self.clauses = tuple(clauses)
            self.num_clauses = len(self.clauses)
            self._length = self.num_clauses + sum(map(len, self.clauses))
        else:
            self.num_clauses = formula.num_clauses
            self._length = formula.num_clauses + formula.num_literals

    def __repr__(self) -> str:
        """Return the numbers of variables and the clauses."""
        sizes = f"inputs={self.inputs}, auxiliaries={self.auxiliaries}"
        return f"Template({sizes}, clauses={self.clauses})"

    @cached_property
    def clauses(self) -> tuple[tuple[Lit, ...], ...]:
        """The clauses as tuples of literals."""
        return () if self._formula is None else tuple(self._formula.tuples())

    @cached_property
    def terminated(self) -> Callable[[Lookup], Lookup]:
        """A function that picks all clauses at once out of a lookup, a 0 after each clause."""
        return picker(tuple(self._flat()))

    @cached_property
    def getters(self) -> tuple[Callable[[Lookup], Lookup], ...]:
        """A function for each clause that picks the clause out of a lookup."""
        return tuple(map(picker, self.clauses))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The clauses as read-only int32 arrays of shape (clauses, width), by increasing width."""
        import numpy as np

        found = []
        for width in sorted({len(clause) for clause in self.clauses}):
            rows = [clause for clause in self.clauses if len(clause) == width]
            block = np.array(rows, dtype=np.int32).reshape(len(rows), width)
            block.flags.writeable = False
            found.append(block)
        return tuple(found)

    def _flat(self) -> Iterator[Lit]:
        if self._formula is not None and sys.modules.get("numpy"):
            return chain.from_iterable(part.tolist() for part in self._formula.terminated())
        return chain.from_iterable((*clause, 0) for clause in self.clauses)

    @cached_property
    def _emit_as_array(self) -> Callable[[Sequence[Lit], Lit, ClauseSink], None]:
        import numpy as np

        from pbcnf.encoders.circuits.array_emission import add_flat, lookup_array

        parts = [[*self._flat()]] if self._formula is None else self._formula.terminated()
        flat = np.concatenate([np.zeros(0, dtype=np.intp), *parts])

        def emit(lits: Sequence[Lit], first: Lit, sink: ClauseSink) -> None:
            add_flat(sink, lookup_array(lits, first, self.auxiliaries)[flat])

        return emit

    @cached_property
    def _emit_blocks(self) -> Callable[[Block, ClauseSink], None]:
        import numpy as np

        from pbcnf.encoders.circuits.array_emission import add_block, picked

        # The type that numpy converts indices to.
        blocks = [block.astype(np.intp) for block in self.blocks]

        def emit(lookups: Block, sink: ClauseSink) -> None:
            for block in blocks:
                add_block(sink, picked(lookups, block))

        return emit

    def emit(self, lits: Sequence[Lit], sink: ClauseSink) -> list[Lit]:
        """Emit the clauses over `lits`; return `lits` and, behind them, the new auxiliaries.

        The literals must be valid, one for each input, their variables allocated in `sink`.
        """
        first = sink.new_vars(self.auxiliaries) if self.auxiliaries else 0
        variables = [*lits, *range(first, first + self.auxiliaries)]
        if self._length > _FEW and sys.modules.get("numpy"):
            self._emit_as_array(lits, first, sink)
        else:
            self._emit_one((0, *variables, *map(neg, reversed(variables))), sink)
        return variables

    def emit_rows(self, lookups: list[Lookup] | Block, sink: ClauseSink) -> None:
        """Emit the clauses for each lookup; lookups hold the literals of inputs and auxiliaries.

        With several lookups, or an array of lookups, clauses come by increasing width.
        """
        if not isinstance(lookups, list):
            self._emit_blocks(lookups, sink)
            return
        if len(lookups) == 1:
            self._emit_one(lookups[0], sink)
            return
        add = sink.add_clause
        for getters in self._getters_by_width:
            for lookup in lookups:
                for clause in getters:
                    add(clause(lookup))

    def _emit_one(self, lookup: Lookup, sink: ClauseSink) -> None:
        add_terminated = getattr(sink, "add_terminated", None)
        if add_terminated is not None:
            add_terminated(self.terminated(lookup), self.num_clauses)
            return
        add = sink.add_clause
        for clause in self.getters:
            add(clause(lookup))

    @cached_property
    def _getters_by_width(self) -> list[list[Callable[[Lookup], Lookup]]]:
        by_width: dict[int, list[Callable[[Lookup], Lookup]]] = {}
        for clause, getter in zip(self.clauses, self.getters, strict=True):
            by_width.setdefault(len(clause), []).append(getter)
        return [by_width[width] for width in sorted(by_width)]


def template_unless_large(
    formula: Formula, inputs: int, outputs: Sequence[Var] = ()
) -> Template | None:
    """Return the template of `formula`; None if keeping the template would take too much memory.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=3)
    >>> f.add_clause([-1, 3])
    >>> template, other = template_unless_large(f, inputs=2), Formula(num_vars=9)
    >>> template.emit([7, 8], other), list(other)
    ([7, 8, 10], [[-7, 10]])
    """
    if formula.num_clauses + formula.num_literals > _MOST:
        return None
    found = Template(inputs, formula.num_vars - inputs, formula=formula)
    found.outputs = outputs
    return found


def lookup_of(variables: Sequence[Lit]) -> Lookup:
    """Return the lookup of a template for the literals that its variables stand for.

    >>> lookup_of([5, -7])
    (0, 5, -7, 7, -5)
    """
    return (0, *variables, *map(neg, reversed(variables)))


@lru_cache(maxsize=_MOST_KEPT)
def _made(make: Callable[..., Any], *shape: Hashable) -> Any:
    return make(*shape)


def cached(make: Callable[..., _T], *shape: Hashable) -> _T:
    """Return ``make(*shape)``, from the cache if it has been made before."""
    found: _T = _made(make, *shape)
    return found


def cached_if_asked_before(make: Callable[..., _T], *shape: Hashable) -> _T | None:
    """Return ``make(*shape)`` like `cached`, but None at the first request of a shape.

    Making a template pays off only for a shape that comes again.
    """
    seen: _Seen = _made(_Seen, make, *shape)
    if not seen.asked:
        seen.asked = True
    elif not seen.made:
        seen.found, seen.made = make(*shape), True
    found: _T | None = seen.found
    return found


class _Seen:
    """A shape in the cache: whether it was requested, and the value made at the second request."""

    __slots__ = ("asked", "found", "made")

    def __init__(self, make: Callable[..., object], *shape: Hashable) -> None:
        self.asked = self.made = False
        self.found: Any = None


def subset_clauses(lits: Sequence[Lit], lower: int, upper: int) -> Iterator[tuple[Lit, ...]]:
    """Iterate over the clauses of the direct encoding for any bounds, trivial ones included.

    Every subset of upper + 1 literals has a false literal, every subset of n - lower + 1 literals a
    true one.

    >>> [*subset_clauses([1, 2, 3], 1, 1)]
    [(-1, -2), (-1, -3), (-2, -3), (1, 2, 3)]
    """
    n = len(lits)
    if upper < 0 or lower > n:
        yield ()
        return
    if upper < n:
        yield from combinations(negate(lits), upper + 1)
    if lower > 0:
        yield from combinations(lits, n - lower + 1)


def add_subsets(lits: Sequence[Lit], width: int, sink: ClauseSink) -> None:
    """Emit a clause for each subset of `width` of the literals, many subsets as blocks."""
    subsets = combinations(lits, width)
    if len(lits) > _FEW_CHOSEN_FROM and 0 < width < len(lits) and has_numpy():
        import numpy as np

        from pbcnf.encoders.circuits.array_emission import CHUNK, add_block

        step = max(1, CHUNK // width)
        left = comb(len(lits), width)
        while left:
            count = min(step, left)
            chosen = chain.from_iterable(islice(subsets, count))
            flat = np.fromiter(chosen, dtype=np.int32, count=count * width)
            # A block that owns its memory is kept without a copy.
            flat.shape = count, width
            add_block(sink, flat)
            left -= count
        return
    for clause in subsets:
        sink.add_clause(clause)


def template_of_subsets(n: int, lower: int, upper: int) -> Template:
    """Return the template of the direct encoding, without importing encoders or formulas."""
    return Template(n, 0, subset_clauses(range(1, n + 1), lower, upper))
