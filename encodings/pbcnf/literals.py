"""Literals in the DIMACS convention, and the check that every literal passes.

A literal is a non-zero integer: ``v`` says that variable ``v`` is true, ``-v`` that it is false.
Variables run from 1 to ``MAX_VAR = 2**30 - 1``, the range in which every solver that packs a
literal and a flag into 32 bits agrees.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias, Union

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Lit: TypeAlias = int
"""A literal: ``v`` or ``-v`` of a variable, never 0."""
Var: TypeAlias = int
"""A variable: from 1 to `MAX_VAR`."""
Clause: TypeAlias = Sequence[Lit]
"""A disjunction; of no literals it is false."""
# Not one string for the whole type: modules join other types to `IntLike` at import time.
IntLike: TypeAlias = Union[int, "np.integer[Any]"]
"""A Python int or a numpy integer."""
Block: TypeAlias = "npt.NDArray[np.int32]"
"""Literals as an int32 array; clauses of one width have the shape (clauses, width)."""

MAX_VAR = 2**30 - 1
"""The largest variable."""


def integer(value: object, what: str) -> int:
    """Return `value` as a plain int; `what` names the value in errors.

    Raises TypeError for anything but an int or a numpy integer. Booleans are refused: True in the
    place of a number is a slip of the caller, never variable 1.
    """
    if type(value) is int:
        return value
    if isinstance(value, bool) or not (isinstance(value, int) or is_numpy(value, "integer")):
        raise TypeError(f"{what} must be an int, not {value!r} ({type(value).__name__})")
    return int(value)  # type: ignore[call-overload, no-any-return]


def is_numpy(value: object, kind: str) -> bool:
    """Whether `value` is an instance of numpy's class `kind`; False until numpy is imported."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, getattr(numpy, kind))


def has_numpy() -> bool:
    """Whether numpy is installed; in a browser it may be missing. Does not import it."""
    # A module that is None in the table is one whose import is forbidden.
    found: object = sys.modules.get("numpy", NotImplemented)
    return _installed("numpy") if found is NotImplemented else found is not None


@cache
def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ImportError:
        return False


def literal(value: object) -> Lit:
    """Return `value` as a literal: a plain int with ``1 <= abs(value) <= MAX_VAR``.

    Raises TypeError for anything but an int (see `integer`), ValueError outside the range.

    >>> literal(-7)
    -7
    """
    lit = integer(value, "a literal")
    if not 1 <= abs(lit) <= MAX_VAR:
        raise ValueError(f"literal {lit} is outside the range 1 <= |literal| <= {MAX_VAR}")
    return lit


def literals(values: Iterable[object]) -> tuple[Lit, ...]:
    """Return the values as literals. Raises as `literal` does.

    >>> literals([1, -2])
    (1, -2)
    """
    found: tuple[Any, ...] = tuple(values)
    plain = {*map(type, found)} == {int} and 0 not in found
    if plain and min(found) >= -MAX_VAR and max(found) <= MAX_VAR:
        return found
    return tuple([literal(value) for value in found])


def literal_array(values: npt.ArrayLike, dimensions: int) -> Block:
    """Return `values` as an int32 array of literals with the given number of dimensions.

    An integer array is checked at once, without a copy if it is int32 already; nested sequences
    are checked value by value. Raises as `literal` does, and ValueError for another shape.
    """
    import numpy as np

    if not isinstance(values, np.ndarray):
        values = np.array(values, dtype=object)
        flat = [literal(value) for value in values.ravel()]
        values = np.array(flat, dtype=np.int32).reshape(values.shape)
    if values.ndim != dimensions:
        raise ValueError(f"literals of shape {values.shape}: {dimensions} dimensions are needed")
    if values.dtype.kind not in "iu":
        raise TypeError(f"a literal must be an int, not {values.dtype}")
    if values.size:
        for extreme in (values.min(), values.max()):
            if not extreme or not -MAX_VAR <= extreme <= MAX_VAR:
                literal(extreme)
        if not values.all():
            literal(0)
    return values if values.dtype == np.int32 else values.astype(np.int32)


def negate(lits: Iterable[Lit]) -> list[Lit]:
    """Return the negation of every literal, in order.

    >>> negate([1, -2])
    [-1, 2]
    """
    return [-lit for lit in lits]


def picker(places: Sequence[int]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    """Return a function from a sequence to the tuple of its items at the indices `places`.

    >>> picker([0, -1])([5, 6, 7]), picker([-1])((5, 6, 7)), picker([])((5,))
    ((5, 7), (7,), ())
    """
    if len(places) >= 2:
        several: Callable[[Any], tuple[int, ...]] = itemgetter(*places)
        return several
    # An itemgetter of one index returns the bare item; with a slice, a tuple if the sequence is a
    # tuple.
    ends = slice(places[0], places[0] + 1 or None) if places else slice(0)
    single: Callable[[Any], tuple[int, ...]] = itemgetter(ends)
    return single
