"""A plain CNF in memory, in the order in which it was emitted.

Clauses are kept in parts: a buffer or an array of integers with a 0 after each clause, or a block,
an array with a row for each clause of one width.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from pbcnf.errors import EncodingError
from pbcnf.literals import (
    MAX_VAR,
    Block,
    Clause,
    IntLike,
    Lit,
    Var,
    integer,
    literal,
    literal_array,
)
from pbcnf.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Buffer: TypeAlias = "array[int]"

Row = TypeVar("Row", list[int], tuple[int, ...])

_FEW = 2**10
"""The largest length of a flat part whose clauses are cut out one by one, without numpy."""

_MANY = 2**13
"""The number of clauses that become Python objects at a time."""

_CHUNK = 2**18
"""The number of integers, about, that `terminated` copies at a time."""


def lists(part: Block | Buffer) -> Iterator[Iterable[list[Lit]]]:
    """Yield the clauses of a part, in order, as lists, some thousand at a time."""
    return _pieces(part, list, lambda rows: cast(list[list[Lit]], rows.tolist()))


def tuples(part: Block | Buffer) -> Iterator[Iterable[tuple[Lit, ...]]]:
    """Yield the clauses of a part, in order, as tuples, some thousand at a time."""
    return _pieces(
        part,
        tuple,
        lambda rows: list(zip(*rows.T.tolist(), strict=True)) if rows.size else [()] * len(rows),
    )


def _pieces(
    part: Block | Buffer,
    kind: Callable[[list[Lit]], Row],
    rows: Callable[[Block], list[Row]],
) -> Iterator[Iterable[Row]]:
    if not isinstance(part, array) and part.ndim == 2:
        for start in range(0, len(part), _MANY):
            yield rows(part[start : start + _MANY])
    elif len(part) > _FEW and sys.modules.get("numpy"):
        yield from _by_block(as_array(part), rows)
    else:
        yield _split(kind(part.tolist()))


def _split(lits: Row) -> Iterator[Row]:
    start, length, index = 0, len(lits), lits.index
    while start < length:
        end = index(0, start)
        yield lits[start:end]
        start = end + 1


def _by_block(flat: Block, rows: Callable[[Block], list[Row]]) -> Iterator[Iterable[Row]]:
    """Yield the clauses of `flat` in order, `_MANY` at a time.

    Clauses of one width are cut out together as a block, which is faster for many clauses.
    """
    import numpy as np

    ends = np.flatnonzero(flat == 0)
    starts = np.concatenate(([0], ends[:-1] + 1))
    for first in range(0, len(ends), _MANY):
        start = starts[first : first + _MANY]
        widths = ends[first : first + _MANY] - start
        made: list[Row] = []
        places = np.empty(len(start), dtype=np.intp)
        for width in np.flatnonzero(np.bincount(widths)):
            chosen = widths == width
            block = flat.take(start[chosen][:, None] + np.arange(width))
            places[chosen] = np.arange(len(made), len(made) + len(block))
            made += rows(block)
        # `places[i]` is the index of clause i in `made`: the order of emission is restored.
        yield map(made.__getitem__, places.tolist())


def as_array(part: Block | Buffer) -> Block:
    """Return a buffer as a read-only array without a copy; an array is returned unchanged."""
    if isinstance(part, array):
        import numpy as np

        part = np.frombuffer(part, np.int32)
        part.flags.writeable = False
    return part


def by_width(flat: Block) -> Iterator[Block]:
    """Iterate over the clauses of `flat` as blocks, one for each width, narrow ones first.

    Clauses of one width keep their order.
    """
    import numpy as np

    ends = np.flatnonzero(flat == 0)
    starts = np.concatenate(([0], ends[:-1] + 1))
    widths = ends - starts
    for width in np.flatnonzero(np.bincount(widths)):
        yield flat.take(starts[widths == width][:, None] + np.arange(width))


def terminated(block: Block) -> Iterator[Block]:
    """Iterate over flat arrays of about `_CHUNK` integers: clauses of `block`, a 0 after each."""
    import numpy as np

    step = max(1, _CHUNK // (block.shape[1] + 1))
    for start in range(0, len(block), step):
        rows = block[start : start + step]
        closed = np.zeros((len(rows), block.shape[1] + 1), dtype=np.int32)
        closed[:, :-1] = rows
        yield closed.ravel()


@dataclass(frozen=True, slots=True)
class EncodingSize:
    """The size of an encoding: auxiliary variables, clauses and literal occurrences."""

    variables: int
    clauses: int
    literals: int

    def __add__(self, other: EncodingSize) -> EncodingSize:
        """Return the size of two encodings together."""
        return EncodingSize(
            self.variables + other.variables,
            self.clauses + other.clauses,
            self.literals + other.literals,
        )

    def __mul__(self, times: int) -> EncodingSize:
        """Return the size of `times` such encodings together."""
        return EncodingSize(self.variables * times, self.clauses * times, self.literals * times)


class Formula:
    """A clause sink that keeps everything: blocks as arrays, single clauses in one flat buffer.

    Numpy is imported only by the methods that take or return arrays.

    A literal is accepted only if its variable has been allocated, so that inputs and auxiliary
    variables can never collide. Clauses are kept as given: neither sorted nor simplified.

    >>> f = Formula()
    >>> x, y = f.new_var(), f.new_var()
    >>> f.add_clause([x, -y])
    >>> f, len(f), list(f)
    (Formula(2 variables, 1 clause, 2 literals), 1, [[1, -2]])
    """

    def __init__(self, num_vars: int = 0) -> None:
        """Start without clauses, with variables 1 .. num_vars allocated."""
        self._num_vars = 0
        self._num_clauses = 0
        self._num_literals = 0
        # Two-dimensional arrays are blocks; one-dimensional ones, and buffers, are clauses each
        # closed by a 0.
        self._parts: list[Block | Buffer] = []
        self._buffer = array("i")
        self.new_vars(num_vars)

    @property
    def num_vars(self) -> int:
        """The number of allocated variables; they are 1 .. num_vars."""
        return self._num_vars

    @property
    def num_clauses(self) -> int:
        """The number of clauses."""
        return self._num_clauses

    @property
    def num_literals(self) -> int:
        """The number of literal occurrences in all clauses."""
        return self._num_literals

    def __len__(self) -> int:
        """Return the number of clauses."""
        return self._num_clauses

    def __bool__(self) -> bool:
        """Return True, also without clauses: an empty formula is not a missing one."""
        return True

    def __iter__(self) -> Iterator[list[Lit]]:
        """Iterate over the clauses, as `clauses` does."""
        return self.clauses()

    def __repr__(self) -> str:
        """Return the numbers of variables, clauses and literals as text."""
        variables = counted(self._num_vars, "variable")
        clauses = counted(self._num_clauses, "clause")
        return f"Formula({variables}, {clauses}, {counted(self._num_literals, 'literal')})"

    def new_var(self) -> Var:
        """Allocate the next variable. Raises ValueError beyond MAX_VAR."""
        return self.new_vars(1)

    def new_vars(self, count: IntLike) -> Var:
        """Allocate `count` >= 0 consecutive variables and return the first.

        Raises ValueError for a negative count or beyond MAX_VAR.
        """
        count = integer(count, "the number of variables")
        if not 0 <= count <= MAX_VAR - self._num_vars:
            raise ValueError(f"cannot allocate {counted(count, 'variable')} after {self._num_vars}")
        first = self._num_vars + 1
        self._num_vars += count
        return first

    def add_clause(self, clause: Clause) -> None:
        """Append one clause; an empty one makes the formula unsatisfiable.

        Raises TypeError or ValueError for a value that is no literal, ValueError naming a literal
        whose variable was never allocated.
        """
        lits = list(clause)
        limit = self._num_vars
        for lit in lits:
            if type(lit) is not int or not lit or not -limit <= lit <= limit:
                lits = [self._allocated(lit) for lit in lits]
                break
        self._num_clauses += 1
        self._num_literals += len(lits)
        lits.append(0)
        self._buffer.fromlist(lits)

    def add_block(self, block: Block) -> None:
        """Append the rows of an integer array of shape (clauses, width).

        The array is copied, unless it owns its memory and is read-only, int32 and C-contiguous.
        Raises as `add_clause` does.
        """
        import numpy as np

        checked = block
        if not self._is_sound(block):
            checked = literal_array(block, dimensions=2)
            if checked.size:
                self._require_allocated(checked)
        # The caller could still change an array that is writeable, or a view of another array.
        shared = checked is block and (block.flags.writeable or block.base is not None)
        if shared or not checked.flags.c_contiguous:
            checked = np.array(checked, order="C")
        checked.flags.writeable = False
        self._close_buffer()
        self._parts.append(checked)
        self._num_clauses += len(checked)
        self._num_literals += checked.size

    def add_flat(self, flat: NDArray[np.integer]) -> None:
        """Append the clauses of a one-dimensional integer array, in which a 0 ends every clause.

        `flat` is copied unless it owns its memory and is read-only and int32. Raises as `add_block`
        does, and ValueError if the last value of `flat` is not 0.
        """
        import numpy as np

        if flat.ndim != 1 or flat.dtype.kind not in "iu":
            raise TypeError(f"a flat array of integers is needed, not {flat.ndim}-d {flat.dtype}")
        if not flat.size:
            return
        if flat[-1]:
            raise ValueError("the last clause has no 0 at its end")
        self._require_allocated(flat)
        part: Block = flat.astype(np.int32, order="C", copy=False)
        if part is flat and (flat.flags.writeable or flat.base is not None):
            part = np.array(flat)
        part.flags.writeable = False
        self._close_buffer()
        self._parts.append(part)
        ends = len(flat) - int(np.count_nonzero(flat))
        self._num_clauses += ends
        self._num_literals += len(flat) - ends

    def add_terminated(self, lits: Sequence[int], count: int) -> None:
        """Append `count` clauses at once: `lits` holds their literals, a 0 after each clause.

        For hot loops: nothing is checked, so the literals must be plain ints of allocated
        variables.
        """
        self._buffer.fromlist(list(lits))
        self._num_clauses += count
        self._num_literals += len(lits) - count

    def clauses(self) -> Iterator[list[Lit]]:
        """Iterate over the clauses as lists of Python ints, in emission order."""
        return chain.from_iterable(piece for part in self._closed() for piece in lists(part))

    def tuples(self) -> Iterator[tuple[Lit, ...]]:
        """Iterate over the clauses as tuples of Python ints, in emission order.

        Two to four times as fast as `clauses`, which makes a list of each. A solver of PySAT takes
        any iterable of iterables of Python ints: ``solver.append_formula(formula.tuples())``.
        """
        return chain.from_iterable(piece for part in self._closed() for piece in tuples(part))

    def blocks(self) -> Iterator[Block]:
        """Iterate over arrays of shape (clauses, width) that together hold every clause once.

        A width may occur in several arrays. Clauses of one width keep their emission order.
        """
        for part in map(as_array, self._closed()):
            if part.ndim == 2:
                yield part
            else:
                yield from by_width(part)

    def terminated(self) -> Iterator[Block]:
        """Iterate over flat arrays of literals in emission order, a 0 after every clause."""
        for part in map(as_array, self._closed()):
            if part.ndim == 1:
                yield part
            else:
                yield from terminated(part)

    def write(self, path: str | os.PathLike[str], *, comments: Iterable[str] = ()) -> None:
        """Write the clauses to a file: ``formula.cnf`` is DIMACS, ``formula.cnf.xz`` compressed.

        The ending of `path` selects the format and the compression, `comments` become lines at the
        top of the file. Formats, endings and errors are those of `pbcnf.write_formula`.
        """
        # `pbcnf.formats` imports this module, so `write_formula` is looked up in the package at
        # call time: an import here would be circular.
        sys.modules[__name__.partition(".")[0]].write_formula(self, path, comments=comments)

    def _closed(self) -> list[Block | Buffer]:
        self._close_buffer()
        return list(self._parts)

    def _close_buffer(self) -> None:
        if self._buffer:
            self._parts.append(self._buffer)
            self._buffer = array("i")

    def _is_sound(self, block: object) -> bool:
        """Whether `block` is a non-empty 2-d int32 array of literals of allocated variables."""
        import numpy as np

        if not isinstance(block, np.ndarray) or block.dtype != np.int32 or block.ndim != 2:
            return False
        limit = self._num_vars
        return bool(block.size and -limit <= block.min() and block.max() <= limit and block.all())

    def _require_allocated(self, values: NDArray[np.integer]) -> None:
        # All values are in the range of literals if the least and the largest are.
        for extreme in (values.min(), values.max()):
            if not -self._num_vars <= extreme <= self._num_vars:
                self._allocated(extreme)

    def _allocated(self, value: IntLike) -> Lit:
        lit = literal(value)
        if abs(lit) > self._num_vars:
            raise ValueError(
                f"literal {lit}: variable {abs(lit)} is not allocated"
                f" (the formula has {counted(self._num_vars, 'variable')})"
            )
        return lit


class TooManyClausesError(EncodingError):
    """Raised by a `LimitedFormula` with more clauses than its limit."""


class LimitedFormula(Formula):
    """A formula that ends an encoding, by `TooManyClausesError`, once it has too many clauses.

    Args:
        num_vars: variables that are allocated already.
        most_clauses: the limit; None: no limit.

    >>> limited = LimitedFormula(2, most_clauses=1)
    >>> limited.add_clause([1, 2])
    >>> limited.add_clause([-1, -2])
    Traceback (most recent call last):
        ...
    pbcnf.formula.TooManyClausesError
    """

    def __init__(self, num_vars: int, most_clauses: int | None) -> None:
        super().__init__(num_vars)
        self._most = most_clauses

    def add_clause(self, clause: Clause) -> None:
        """Add ``clause``."""
        super().add_clause(clause)
        self._look()

    def add_block(self, block: Block) -> None:
        """Add the rows of ``block`` as clauses."""
        super().add_block(block)
        self._look()

    def add_flat(self, flat: NDArray[np.integer]) -> None:
        """Add the clauses of ``flat``, each ended by 0."""
        super().add_flat(flat)
        self._look()

    def add_terminated(self, lits: Sequence[int], count: int) -> None:
        """Add ``count`` clauses from ``lits``, each ended by 0."""
        super().add_terminated(lits, count)
        self._look()

    def _look(self) -> None:
        if self._most is not None and self.num_clauses > self._most:
            raise TooManyClausesError
