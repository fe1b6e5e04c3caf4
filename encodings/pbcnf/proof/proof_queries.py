"""Queries to a proof: which lemmas are checked, against which clauses that live at the time.

For those who ask in another order than the proof's. Lemmas have the numbers after the formula's.

Time counts steps: a lemma that is step t is asked for at time t and lives from t + 1 on. Deletions
of unit clauses and of reasons of literals that hold for good are not obeyed, as in drat-trim, so
what unit propagation finds in the clauses alone (the *root*) only grows. What is wrong here cannot
make a wrong proof pass: a clause lives only after it was added, and that the root is contradictory
is asked again, as a question like all others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from pbcnf.proof.steps import Addition, Checked, DratStep, Literals, place, refusal, written

FOREVER: Final = 1 << 60
"""The time of death of what is never deleted."""


Living: TypeAlias = tuple[Literals, int, int]
"""A clause, without repeated literals, and the times at which it is there: born <= t < dead."""


class Question(NamedTuple):
    """The question whether a clause is RUP at a time."""

    literals: Literals
    time: int
    mark: bool | None = None
    """True if the clause is given, False if it is wanted, used or not."""


class Lifetimes:
    """Clauses by number, in the order they are added."""

    def __init__(self) -> None:
        self.clauses: list[Literals] = []
        self.born: list[int] = []
        self.dead: list[int] = []
        self.conflict: int | None = None
        """The clause that unit propagation makes false; once there is one, nothing is added."""
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
        # Invariant: of every living clause two literals that are not false are watched, or the
        # clause is satisfied for good, or its last literal is in the root. Nothing is ever undone.
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


class History:
    """A formula and a proof, and the lives of their clauses.

    Raises ValueError for a literal 0.
    """

    def __init__(
        self,
        formula: list[Literals],
        proof: Sequence[DratStep],
        goals: Iterable[Sequence[int]] | None,
        ignore_deletions: bool,
        marks: Mapping[int, bool] = MappingProxyType({}),
    ) -> None:
        self.formula = formula
        self.proof = proof
        self.goals = None if goals is None else [tuple(goal) for goal in goals]
        self._fixed = {abs(lit) for part in (formula, self.goals or ()) for c in part for lit in c}
        if 0 in self._fixed:
            raise ValueError("0 is no literal")
        self.lives = Lifetimes()
        self.questions: list[Question] = []
        """A question for each lemma up to the conflict, and for each goal."""
        self.end = len(self.proof) + len(self.goals or ())
        """The time after the step with which unit propagation conflicts, or after the last one."""
        for clause in self.formula:
            self.lives.add(clause, 0)
        for time, step in enumerate((*self.proof, *map(Addition, self.goals or ()))):
            if self.lives.refuted:
                self.end = time
                break
            if isinstance(step, Addition):
                self.questions.append(Question(step.literals, time, marks.get(time)))
                self.lives.add(step.literals, time + 1)
            elif not ignore_deletions:
                self.lives.delete(step.literals, time + 1)

    def may_be_rat(self, lemma: Question) -> bool:
        """Whether RAT is allowed for a lemma.

        With goals it is not on a variable of the formula or of a goal: that could lose models in
        which a goal has to hold.
        """
        if not lemma.literals:
            return False
        return self.goals is None or abs(lemma.literals[0]) not in self._fixed

    def proved(self, lemmas: int, rat: int) -> Checked:
        """Return the result, given that all lemmas of the core hold."""
        if self.goals is not None and (not self.lives.refuted or self.end > len(self.proof)):
            return self._checked(True, f"all goals follow ({len(self.goals)})", lemmas, rat)
        if not self.lives.refuted:
            return self._checked(False, "the proof ends without the empty clause", lemmas, rat)
        if self.end == 0:
            return self._checked(True, "the formula is refuted by unit propagation", lemmas, rat)
        step = self.end - 1
        where = place(step, self.proof[step].line)
        return self._checked(True, f"the empty clause is reached at {where}", lemmas, rat)

    def refused(self, wrong: Question, lemmas: int, rat: int) -> Checked:
        """Say what does not hold."""
        literals, step, _ = wrong
        if step >= len(self.proof):
            reason = f"the goal, {written(literals)}, does not follow by unit propagation"
            return self._checked(False, reason, lemmas, rat, None, None, literals)
        line = self.proof[step].line
        reason = refusal(place(step, line), literals, not literals or self.may_be_rat(wrong))
        return self._checked(False, reason, lemmas, rat, step, line, literals)

    def _checked(
        self,
        verified: bool,
        reason: str,
        lemmas: int,
        rat: int,
        step: int | None = None,
        line: int | None = None,
        clause: Literals | None = None,
    ) -> Checked:
        time = self.end if step is None else step
        return Checked(
            verified, reason, step, line, clause, lemmas, rat,
            bisect_right(self.lives.ignored, time), bisect_right(self.lives.missing, time),
        )  # fmt: skip
