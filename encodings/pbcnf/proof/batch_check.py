"""A DRUP or DRAT proof checked forwards, thousands of lemmas at once.

The verdict and the answer are those of checking one lemma after the other, as
`pbcnf.proof.propagation` does, none of whose code is used here: whether a lemma is derived does not
depend on the others being derived first, only on which clauses live when it is added.

One bit of an integer stands for each lemma. A *question* is whether a clause is RUP at a time:
whether its negation, together with the clauses that live then, leads unit propagation to a
conflict. Question i of a batch is bit i, its *lane*: ``false[lit]`` holds the lanes in which a
literal is false, and a clause is looked at for all lanes together, by three bitwise operations a
literal. The outcome is that of propagating one by one.

What makes it sound: a lane starts with the negation of its question; in it a literal becomes true
only by a clause that lives in the lane and whose other literals are false in it; a lane is refuted
only by such a clause with no other literal.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from pbcnf.proof.proof_queries import History, Lifetimes, Living, Question
from pbcnf.proof.steps import Checked

LANES: Final = 6000
"""The number of questions asked at once; with more, long integers cost more than they save."""

_SHORT: Final = 3
"""Clauses up to this length are propagated to the end before any longer one is looked at."""


_Clause: TypeAlias = tuple[list[int], int, int, list[int], list[int]]
"""The lanes in which a clause lives and has not made a literal true yet; its two rarest literals;
its other literals; all its literals, in this order."""


def unrefuted(clauses: Iterable[Living], questions: Sequence[Question]) -> list[int]:
    """Return the indices of the questions whose clause is not RUP. Times may not decrease."""
    batch = _Batch(questions)
    batch.take(clauses)
    batch.run()
    return [lane for lane, bit in enumerate(f"{batch.open:b}"[::-1]) if bit == "1"]


class _Batch:
    """`open` are the lanes without a conflict yet."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self.open = (1 << len(questions)) - 1
        self._times = [question.time for question in questions]
        where: dict[int, list[int]] = {}
        for lane, question in enumerate(questions):
            for lit in question.literals:
                where.setdefault(lit, []).append(lane)
        self._rarity = {lit: len(lanes) for lit, lanes in where.items()}
        self._false = {lit: _integer(lanes, len(questions)) for lit, lanes in where.items()}

    def take(self, clauses: Iterable[Living]) -> None:
        """Note the clauses that live in some lane: the lanes, and the literals, rare ones first."""
        false, rarity, times = self._false, self._rarity, self._times
        first, last, count = times[0], times[-1], len(times)
        self._short: list[_Clause] = []
        self._long: list[_Clause] = []
        for literals, born, dead in clauses:
            # Lanes are sorted by time, so a clause lives in one interval of lanes.
            start = 0 if born <= first else bisect_left(times, born)
            end = count if dead > last else bisect_left(times, dead)
            if start >= end:
                continue
            lanes = (1 << end) - (1 << start)
            for lit in literals:
                if lit not in rarity:
                    rarity[lit] = 0
            if len(literals) > 1:
                one, two, *rest = ordered = sorted(literals, key=rarity.__getitem__)
                kind = self._short if len(literals) <= _SHORT else self._long
                kind.append(([lanes], one, two, rest, ordered))
            elif literals:
                false[-literals[0]] = false.get(-literals[0], 0) | lanes
            else:
                self.open &= ~lanes
        for lit in rarity:
            false.setdefault(lit, 0)
            false.setdefault(-lit, 0)
        # A literal and its negation false in one lane is a conflict: that question is answered.
        for lit, lanes in false.items():
            self.open &= ~(lanes & false[-lit])

    def run(self) -> None:
        """Propagate until nothing changes or no lane is open.

        What is *fresh* became false since the clauses of a kind were last looked at.
        """
        fresh = set(self._false)
        fresh_to_long = set(fresh)
        short, long = (_LivingClauses(kind, len(fresh)) for kind in (self._short, self._long))
        while self.open and (fresh or fresh_to_long):
            while self.open and fresh:
                fresh = self._sweep(short.with_any(fresh), fresh)
                fresh_to_long |= fresh
            fresh_to_long = self._sweep(long.with_any(fresh_to_long), fresh_to_long)
            fresh = set(fresh_to_long)

    def _sweep(self, clauses: Iterable[_Clause], fresh: set[int]) -> set[int]:
        """Look once at each clause with a fresh literal; return the literals that became false."""
        false, still = self._false, self.open
        found: set[int] = set()
        seen = set(fresh)
        unchanged = seen.isdisjoint
        few = 3 * len(fresh) < len(false)  # Else nearly all clauses have one.
        for lanes, one, two, rest, literals in clauses:
            if few and unchanged(literals):
                continue
            # In `most` at most one of the literals so far is not false, in `none` not even one.
            here, there = false[one], false[two]
            most = lanes[0] & (here | there) & still
            if not most:
                continue
            none = most & here & there
            for lit in rest:
                here = false[lit]
                most = most & here | none
                if not most:
                    break
                none &= here
            else:
                if none:
                    still ^= none
                    most ^= none
                lanes[0] ^= most  # From now on the clause is satisfied there.
                for lit in literals:
                    if not most:
                        break
                    others = most & false[lit]
                    if others != most:
                        before = false[-lit]
                        after = before | (most ^ others)
                        most = others
                        if after != before:
                            false[-lit] = after
                            found.add(-lit)
                            if few:
                                seen.add(-lit)
        self.open = still
        return found


def _integer(ones: Iterable[int], size: int) -> int:
    """Return the integer with ones at these places, below `size`."""
    bits = bytearray(size // 8 + 1)
    for place in ones:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


class _LivingClauses:
    """Clauses, and which of them have a literal, asked for only if few literals are fresh."""

    def __init__(self, clauses: list[_Clause], literals: int) -> None:
        self._all = clauses
        self._many = literals // 8
        self._having: dict[int, list[int]] = {}

    def with_any(self, fresh: set[int]) -> Iterator[_Clause]:
        """Yield all clauses with a literal of `fresh`, and perhaps others, each once, in order."""
        if len(fresh) > self._many:
            return iter(self._all)
        if not self._having:
            for number, clause in enumerate(self._all):
                for lit in clause[-1]:
                    self._having.setdefault(lit, []).append(number)
        numbers = {number for lit in fresh for number in self._having.get(lit, ())}
        return map(self._all.__getitem__, sorted(numbers))


def check_in_batches(history: History) -> Checked:
    """Ask everything, in order, and say what is proved or the first thing wrong."""
    questions = history.questions
    if history.lives.refuted:
        questions = [*questions, Question((), history.end)]
    rat = 0
    for start in range(0, len(questions), LANES):
        batch = questions[start : start + LANES]
        failing = list(_ask(history.lives, batch))
        wrong = next((i for i in failing if not history.may_be_rat(batch[i])), None)
        # Of the lemmas before the first wrong one each that is not RUP must be RAT.
        by_rat = [i for i in failing if wrong is None or i < wrong]
        unproved = _without_rat(history.lives, [batch[i] for i in by_rat])
        if unproved is not None:
            wrong = by_rat[unproved]
        if wrong is not None:
            rat += sum(i < wrong for i in failing)
            lemmas = start + wrong + 1
            if lemmas > len(history.questions):  # Unit propagation conflicts: it cannot be.
                raise AssertionError("two propagations disagree")
            return history.refused(batch[wrong], lemmas, rat)
        rat += len(failing)
    return history.proved(len(history.questions), rat)


def _ask(lives: Lifetimes, questions: Sequence[Question]) -> Iterator[int]:
    """Yield the indices of the questions whose clause is not RUP."""
    for start in range(0, len(questions), LANES):
        batch = questions[start : start + LANES]
        living = lives.between(batch[0].time, batch[-1].time)
        for index in unrefuted(living, batch):
            yield start + index


def _without_rat(lives: Lifetimes, lemmas: Sequence[Question]) -> int | None:
    """Return the index of the first lemma that is not RAT, None if all are."""
    if not lemmas:
        return None
    against: dict[int, list[int]] = {-lemma.literals[0]: [] for lemma in lemmas}
    untouched = against.keys().isdisjoint
    for number, clause in enumerate(lives.clauses):
        if not untouched(clause):
            for lit in clause:
                if lit in against:
                    against[lit].append(number)
    # A lemma is RAT if all its resolvents on the first literal are RUP: they are asked as one
    # batch, tautologies left out, and the first that fails names its lemma.
    resolvents: list[Question] = []
    belongs: list[int] = []
    for index, (lemma, time, _) in enumerate(lemmas):
        for number in against[-lemma[0]]:
            if lives.born[number] <= time < lives.dead[number]:
                rest = [lit for lit in lives.clauses[number] if lit != -lemma[0]]
                if not any(-lit in lemma for lit in rest):
                    resolvents.append(Question((*lemma, *rest), time))
                    belongs.append(index)
    unproved = next(_ask(lives, resolvents), None)
    return None if unproved is None else belongs[unproved]
