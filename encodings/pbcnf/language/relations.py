"""Relations of several numbers: all different, entry of a sequence, rows of a table, order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from pbcnf.language.connectives import all_of, any_of, at_most_one, exactly_one, total
from pbcnf.language.expressions import (
    FALSE,
    TRUE,
    AnyOperand,
    Compound,
    Operand,
    Proposition,
    Sum,
)
from pbcnf.language.integers import IntegerVariable
from pbcnf.literals import IntLike, integer
from pbcnf.wording import counted

MOST_PLACES: Final = 100_000
"""The largest total of domain sizes for which `all_different` constrains each value, not pairs."""


def all_different(operands: Iterable[Operand]) -> Proposition:
    """Return the proposition that `operands` have pairwise different values.

    Integer variables, also with a number added, get an at-most-one constraint for every value that
    two of them can have, an exactly-one constraint if there are no more values than variables.
    Other operands are compared in pairs, and so are variables of more than `MOST_PLACES` values.
    """
    every = list(operands)
    return _related("all_different", _pairwise_different(every), every)


def _pairwise_different(every: list[Operand]) -> Proposition:
    shifted: list[tuple[IntegerVariable, int]] = []
    for whole in map(Sum.of, every):
        match list(whole.terms):
            case [(IntegerVariable() as variable, 1)]:
                shifted.append((variable, whole.constant))
    few = sum(len(variable.domain) for variable, _ in shifted) <= MOST_PLACES
    if len(shifted) < len(every) or not few:
        return all_of([a != b for a, b in combinations(every, 2)])
    places: dict[int, list[Proposition]] = defaultdict(list)
    for variable, shift in shifted:
        for value in variable.domain:
            places[value + shift].append(variable == value)
    # As many values as variables: by counting, each value is taken, which propagates more.
    limited = exactly_one if len(places) == len(every) else at_most_one
    return all_of(
        [
            limited(places[value])
            for value in sorted(places)
            if len(places[value]) > 1 or limited is exactly_one
        ]
    )


def element(table: Sequence[AnyOperand] | Mapping[int, AnyOperand], place: AnyOperand) -> Sum:
    """Return ``table[place]`` as a sum; the place counts from 0.

    For a place outside of the table the sum is 0: add bounds on `place` to exclude such places.
    With `table` as a dictionary the places are its keys.

    >>> from pbcnf.language.integers import Domain
    >>> place = IntegerVariable("i", Domain.of(range(3)))
    >>> element([7, 0, 9], place)
    7*(i == 0) + 9*(i == 2)
    """
    entries = table.items() if isinstance(table, Mapping) else enumerate(table)
    at, terms = total([place]), list[Operand]()
    for key, entry in entries:
        if isinstance(entry, Operand) or entry != 0:
            number = int(entry) if isinstance(entry, bool | np.bool_) else entry
            terms.append(number * (at == key))
    return total(terms)


def table(operands: Iterable[AnyOperand], rows: Iterable[Iterable[IntLike]]) -> Proposition:
    """Return the proposition that the values of `operands`, in order, are a row of `rows`.

    Unit propagation excludes a value once all rows with the value are excluded. Raises ValueError
    for a row of another length, TypeError for values that are no integers.
    """
    every = [total([operand]) for operand in operands]
    found = [tuple(integer(value, "a value") for value in row) for row in rows]
    for row in found:
        if len(row) != len(every):
            raise ValueError(
                f"{counted(len(row), 'value')} in the row {row}, for"
                f" {counted(len(every), 'operand')}"
            )
    known: dict[tuple[int, int], Proposition] = {}
    using: dict[tuple[int, int], list[Proposition]] = defaultdict(list)
    chosen = []
    for row in dict.fromkeys(found):
        for at, value in enumerate(row):
            if (at, value) not in known:
                known[at, value] = every[at] == value
        chosen.append(all_of([known[place] for place in enumerate(row)]))
        for place in enumerate(row):
            using[place].append(chosen[-1])
    # "Some row is chosen" is not enough to exclude a value whose rows are all excluded: each value
    # implies one of its rows (support clauses).
    supported = [known[place] >> any_of(using[place]) for place in using]
    return _related("table", all_of([any_of(chosen), *supported]), every, rows=found)


def lexicographic(left: Iterable[AnyOperand], right: Iterable[AnyOperand]) -> Proposition:
    """Return the formula ``left <= right`` over sequences, compared as Python compares lists.

    The first place with different entries decides; without such a place the shorter sequence is
    first.
    """
    ahead = [total([operand]) for operand in left]
    behind = [total([operand]) for operand in right]
    found: Proposition = TRUE if len(ahead) <= len(behind) else FALSE
    # Invariant: `found` compares the sequences behind a and b.
    for a, b in reversed(list(zip(ahead, behind, strict=False))):
        found = (a <= b) & ((a < b) | found)
    return _related("lexicographic", found, ahead, behind)


def _related(
    name: str,
    meaning: Proposition,
    *operands: Sequence[Operand],
    rows: Sequence[tuple[int, ...]] = (),
) -> Proposition:
    """Return the meaning of a relation; a compound one says which relation it is."""
    if not isinstance(meaning, Compound):
        return meaning
    origin = name, tuple(map(tuple, operands)), tuple(rows)
    return Compound(meaning.connective, meaning.parts, origin)
