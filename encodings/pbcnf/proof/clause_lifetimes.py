"""When each clause of a proof is there: all additions and deletions in order, nothing derived yet.

Time counts steps: a lemma that is step t is asked for at time t and lives from t + 1 on. Deletions
of unit clauses and of reasons of literals that hold for good are not obeyed, as in drat-trim, so
what unit propagation finds in the clauses alone (the *root*) only grows. What is wrong here cannot
make a wrong proof pass: a clause lives only after it was added, and that the root is contradictory
is asked again, as a question like all others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from pbcnf.proof.bitparallel_propagation import Living
from pbcnf.proof.steps import Literals

FOREVER: Final = 1 << 60
"""The time of death of what is never deleted."""


class Lifetimes:
    """Clauses by number, in the order they are added."""

    def __init__(self) -> None:
        self.clauses: list[Literals] = []
        self.born: list[int] = []
        self.dead: list[int] = []
        self.conflict: int | None = None
        """The clause with which unit propagation conflicts; nothing more should be added then."""
        self.root: list[tuple[int, int, int]] = []
        """The false literals that unit propagation finds, in order, with reason and time."""
        self.ignored: list[int] = []
        """The times of the deletions that are not obeyed."""
        self.missing: list[int] = []
        """The times of the deletions of clauses that are not there."""
        self._numbers: dict[frozenset[int], list[int]] = {}
        self._false: set[int] = set()
        self._kept: set[int] = set()
        self._watches: defaultdict[int, list[int]] = defaultdict(list)

    @property
    def refuted(self) -> bool:
        """Whether unit propagation conflicts."""
        return self.conflict is not None

    def add(self, literals: Sequence[int], time: int) -> None:
        """Add a clause that lives from a time on. Raises ValueError for a literal 0."""
        literal_set = frozenset(literals)
        if 0 in literal_set:
            raise ValueError("0 is no literal")
        clause = tuple(dict.fromkeys(literals))
        number = len(self.clauses)
        self.clauses.append(clause)
        self.born.append(time)
        self.dead.append(FOREVER)
        self._numbers.setdefault(literal_set, []).append(number)
        if len(clause) == 1:
            self._kept.add(number)
        self._watch(number)

    def delete(self, literals: Sequence[int], time: int) -> None:
        """Delete one copy of a clause, the newest, from a time on."""
        numbers = self._numbers.get(frozenset(literals))
        if not numbers:
            self.missing.append(time)
        elif numbers[-1] in self._kept:
            self.ignored.append(time)
        else:
            self.dead[numbers.pop()] = time

    def between(self, first: int, last: int) -> Iterator[Living]:
        """Yield the clauses that live at some time from first to last."""
        for living in zip(self.clauses, self.born, self.dead, strict=True):
            if living[1] <= last and living[2] > first:
                yield living

    def _watch(self, number: int) -> None:
        """Watch two literals that are not false, or else propagate what follows."""
        false, waiting, time = self._false, [number], self.born[number]
        for number in waiting:
            if self.dead[number] != FOREVER:
                continue
            free = []
            for lit in self.clauses[number]:
                if lit not in false:
                    if -lit in false:
                        break  # Satisfied, and that for good.
                    free.append(lit)
                    if len(free) == 2:
                        self._watches[free[0]].append(number)
                        self._watches[free[1]].append(number)
                        break
            else:
                if not free:
                    self.conflict = number
                    return
                false.add(-free[0])
                self.root.append((-free[0], number, time))
                self._kept.add(number)
                waiting += self._watches.pop(-free[0], ())
