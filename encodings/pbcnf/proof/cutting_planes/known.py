"""Inequalities by number; of a large formula, each is made when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from pbcnf.proof.cutting_planes.inequality import Inequality


class Equalities:
    """Equalities ``sum of variables = number``, then perhaps inequalities: a whole formula.

    As a sequence it has two inequalities of each equality, first ``>=``, then ``<=``. Variables
    are above 0, none is twice in a sum.
    """

    def __init__(
        self, sums: Sequence[tuple[Sequence[int], int]], others: Sequence[Inequality] = ()
    ) -> None:
        self._sums = sums
        self._others = others

    def __len__(self) -> int:
        return 2 * len(self._sums) + len(self._others)

    def __getitem__(self, place: int) -> Inequality:
        if not 0 <= place < 2 * len(self._sums):
            return self._others[place - 2 * len(self._sums)]
        variables, number = self._sums[place // 2]
        if place % 2:
            return Inequality({-v: 1 for v in variables}, len(variables) - number)
        return Inequality(dict.fromkeys(variables, 1), number)

    def __iter__(self) -> Iterator[Inequality]:
        return map(self.__getitem__, range(len(self)))

    def forcing(self) -> Iterator[Inequality]:
        """All that cannot do without some literal, perhaps with others."""
        for place, (variables, number) in enumerate(self._sums):
            if number <= 0:
                yield self[2 * place + 1]
            if number >= len(variables):
                yield self[2 * place]
        yield from self._others


class Known(Mapping[int, Inequality]):
    """The inequalities of a formula by number, from 1 on, and those that were derived."""

    def __init__(self, given: Sequence[Inequality] | Equalities) -> None:
        self.given = given
        self.size = len(given)
        self.derived: dict[int, Inequality] = {}

    def __getitem__(self, number: int) -> Inequality:
        if 0 < number <= self.size:
            return self.given[number - 1]
        return self.derived[number]

    def __contains__(self, number: object) -> bool:
        return number in self.derived or (isinstance(number, int) and 0 < number <= self.size)

    def __iter__(self) -> Iterator[int]:
        return chain(range(1, self.size + 1), self.derived)

    def __len__(self) -> int:
        return self.size + len(self.derived)

    def forcing(self) -> Iterator[Inequality]:
        """All that cannot do without some literal, perhaps with others."""
        given = self.given
        yield from given.forcing() if isinstance(given, Equalities) else given
        yield from self.derived.values()
