"""What an encoder of at-most-one can express: at most one, at least one, and their mirror images.

At least n-1 of n inputs are true if and only if at most one of the negated inputs is; at least one
input is true, or at most n-1 are, if and only if one clause holds. This is the only place where
the bounds of an encoder are derived from its at-most-one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from pbcnf.constraints.normal_form import size_of
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, negate
from pbcnf.sink import ClauseSink

Emission = Callable[[Sequence[Lit], ClauseSink], None]
SizeOf = Callable[[int], EncodingSize]


def encode_bounds(
    name: str,
    at_most_one: Emission,
    lits: Sequence[Lit],
    lower: int,
    upper: int,
    sink: ClauseSink,
    exactly_one: Emission | None = None,
) -> None:
    """Emit non-trivial bounds by `at_most_one`, which gets three literals or more.

    Exactly one is at most one and a clause, unless the encoder has an `exactly_one` of its own.
    Raises ValueError, before it emits anything, for a bound that at-most-one does not give; `name`
    is the encoder's.
    """
    for part, negated in _parts(name, len(lits), lower, upper):
        inputs = negate(lits) if negated else lits
        if part is _Part.EXACTLY_ONE and exactly_one is not None:
            exactly_one(inputs, sink)
            continue
        if part is not _Part.AT_LEAST_ONE:
            at_most_one(inputs, sink)
        if part is not _Part.AT_MOST_ONE:
            sink.add_clause(inputs)


def size_of_bounds(
    name: str,
    at_most_one_size: SizeOf,
    n: int,
    lower: int,
    upper: int,
    exactly_one_size: SizeOf | None = None,
) -> EncodingSize:
    """Return the size of what `encode_bounds` emits, and that of trivial bounds.

    Raises ValueError as `encode_bounds` does.
    """

    def nontrivial(n: int, lower: int, upper: int) -> EncodingSize:
        size = EncodingSize(0, 0, 0)
        for part, _ in _parts(name, n, lower, upper):
            if part is _Part.EXACTLY_ONE and exactly_one_size is not None:
                size += exactly_one_size(n)
                continue
            if part is not _Part.AT_LEAST_ONE:
                size += at_most_one_size(n)
            if part is not _Part.AT_MOST_ONE:
                size += EncodingSize(0, 1, n)
        return size

    return size_of(n, lower, upper, nontrivial)


def bounds_are_equal(n: int, lower: int, upper: int) -> bool:
    """Whether the bounds, clamped to 0 .. n, leave one sum: exactly one or exactly n-1 here."""
    return max(lower, 0) == min(upper, n)


class _Part(Enum):
    AT_MOST_ONE = "at most one"
    AT_LEAST_ONE = "at least one"
    EXACTLY_ONE = "exactly one"


def _parts(name: str, n: int, lower: int, upper: int) -> list[tuple[_Part, bool]]:
    """Return what to say, and whether of the negated inputs, to say the bounds."""
    if lower not in (0, 1, n - 1) or upper not in (1, n - 1, n):
        raise EncodingError(
            f"{name} cannot express {lower} <= sum of {n} inputs <= {upper}: it can do at most"
            " one, at least one, and the same of the negated inputs (upper n-1, lower n-1)"
        )
    if n > 2 and upper == 1:
        return [(_Part.EXACTLY_ONE if lower == 1 else _Part.AT_MOST_ONE, False)]
    if n > 2 and lower == n - 1:
        return [(_Part.EXACTLY_ONE if upper == n - 1 else _Part.AT_MOST_ONE, True)]
    # Here "at most n-1" and "at least one" are clauses; for n = 2 there is nothing else.
    clauses = [(_Part.AT_LEAST_ONE, True)] if upper == n - 1 else []
    return clauses + ([(_Part.AT_LEAST_ONE, False)] if lower == 1 else [])
