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
        self.sums = sums
        self.others = others

    def __len__(self) -> int:
        return 2 * len(self.sums) + len(self.others)

    def __getitem__(self, place: int) -> Inequality:
        if not 0 <= place < 2 * len(self.sums):
            return self.others[place - 2 * len(self.sums)]
        variables, number = self.sums[place // 2]
        if place % 2:
            return Inequality({-v: 1 for v in variables}, len(variables) - number)
        return Inequality(dict.fromkeys(variables, 1), number)

    def __iter__(self) -> Iterator[Inequality]:
        return map(self.__getitem__, range(len(self)))

    def forced(self) -> set[int]:
        """Return the literals that single equalities force."""
        ones: set[int] = set()
        zeros: set[int] = set()
        for variables, number in self.sums:
            if number == len(variables):
                ones.update(variables)
            elif number == 0:
                zeros.update(variables)
        return ones.union(-v for v in zeros)


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

    def forced(self) -> set[int]:
        """Return the literals that single inequalities force."""
        given = self.given
        found = given.forced() if isinstance(given, Equalities) else set()
        rest = given.others if isinstance(given, Equalities) else given
        for inequality in chain(rest, self.derived.values()):
            found.update(inequality.forced)
        return found
