"""Unit propagation for thousands of lemmas at once: one bit of an integer for each of them.

A *question* is whether a clause is RUP at a time: whether its negation, together with the clauses
that live then, leads unit propagation to a conflict. Question i of a batch is bit i, its *lane*:
``false[lit]`` holds the lanes in which a literal is false, and a clause is looked at for all lanes
together, by three bitwise operations a literal. The outcome is that of propagating one by one.

What makes it sound: a lane starts with the negation of its question; in it a literal becomes true
only by a clause that lives in the lane and whose other literals are false in it; a lane is refuted
only by such a clause with no other literal.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from pbcnf.proof.steps import Literals

LANES: Final = 4000
"""How many questions are asked at once: above, integers cost more than fewer visits save."""

_SHORT: Final = 3
"""Clauses up to this length are propagated to the end before any longer one is looked at."""


Living: TypeAlias = tuple[Literals, int, int]
"""A clause, without repeated literals, and the times at which it is there: born <= t < dead."""


class Question(NamedTuple):
    """Is the clause RUP at this time?"""

    literals: Literals
    time: int


def unrefuted(clauses: Iterable[Living], questions: Sequence[Question]) -> list[int]:
    """Return the indices of the questions whose clause is not RUP. Times may not decrease."""
    batch = _Batch(questions)
    batch.take(clauses)
    batch.run()
    return [i for i in range(len(questions)) if batch.open >> i & 1]


class _Batch:
    """`open` are the lanes without a conflict yet."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self.open = (1 << len(questions)) - 1
        self._times = [question.time for question in questions]
        self._false: dict[int, int] = {}
        for lane, question in enumerate(questions):
            bit = 1 << lane
            for lit in question.literals:
                self._false[lit] = self._false.get(lit, 0) | bit
        for lit, lanes in self._false.items():
            self.open &= ~(lanes & self._false.get(-lit, 0))

    def take(self, clauses: Iterable[Living]) -> None:
        """Note the clauses that live in some lane: the lanes, and the literals, rare ones first."""
        false = self._false
        rarity = {lit: lanes.bit_count() for lit, lanes in false.items()}
        self._short: list[tuple[list[int], list[int]]] = []
        self._long: list[tuple[list[int], list[int]]] = []
        for literals, born, dead in clauses:
            start, end = bisect_left(self._times, born), bisect_left(self._times, dead)
            if start < end:
                for lit in literals:
                    if lit not in rarity:
                        rarity[lit] = 0
                ordered = sorted(literals, key=rarity.__getitem__)
                kind = self._short if len(literals) <= _SHORT else self._long
                kind.append(([(1 << end) - (1 << start)], ordered))
        for lit in rarity:
            false.setdefault(lit, 0)
            false.setdefault(-lit, 0)

    def run(self) -> None:
        """Propagate until nothing changes or no lane is open.

        What is *fresh* became false since the clauses of a kind were last looked at.
        """
        for lanes, literals in self._short + self._long:
            if not literals:
                self.open &= ~lanes[0]
        fresh = set(self._false)
        fresh_to_long = set(fresh)
        short, long = _Clauses(self._short), _Clauses(self._long)
        while self.open and (fresh or fresh_to_long):
            while self.open and fresh:
                fresh = self._sweep(short.with_any(fresh), fresh)
                fresh_to_long |= fresh
            fresh_to_long = self._sweep(long.with_any(fresh_to_long), fresh_to_long)
            fresh = set(fresh_to_long)

    def _sweep(self, clauses: Iterable[tuple[list[int], list[int]]], fresh: set[int]) -> set[int]:
        """Look once at each clause with a fresh literal; return the literals that became false."""
        false, still = self._false, self.open
        found: set[int] = set()
        seen = set(fresh)
        unchanged = seen.isdisjoint
        for lanes, literals in clauses:
            if unchanged(literals):
                continue
            # In `most` at most one of the literals so far is not false, in `none` not even one.
            none = most = lanes[0] & still
            for lit in literals:
                here = false[lit]
                most = most & here | none
                if not most:
                    break
                none &= here
            else:
                still ^= none
                unit = most ^ none
                lanes[0] ^= unit  # From now on the clause is satisfied there.
                for lit in literals:
                    if not unit:
                        break
                    true = unit & ~false[lit]
                    unit ^= true
                    before = false[-lit]
                    if true & ~before:
                        false[-lit] = before | true
                        found.add(-lit)
                        seen.add(-lit)
        self.open = still
        return found


class _Clauses:
    """Clauses, and which of them have a literal, asked for only if few literals are fresh."""

    def __init__(self, clauses: list[tuple[list[int], list[int]]]) -> None:
        self._all = clauses
        self._having: dict[int, list[int]] = {}

    def with_any(self, fresh: set[int]) -> Iterator[tuple[list[int], list[int]]]:
        """Yield at least all clauses with a literal of these, each once, in order."""
        if len(fresh) * 50 > len(self._all):
            return iter(self._all)
        if not self._having:
            for number, (_, literals) in enumerate(self._all):
                for lit in literals:
                    self._having.setdefault(lit, []).append(number)
        numbers = {number for lit in fresh for number in self._having.get(lit, ())}
        return map(self._all.__getitem__, sorted(numbers))
