"""A DRUP or DRAT proof checked backwards: from its end, and only the lemmas that are needed.

On the way forwards clauses are added and deleted, and unit propagation at the root is all that is
done; where it conflicts, its reasons are marked. On the way back each marked lemma is taken out and
derived from the clauses that lived before it, deleted ones among them, which marks others. What is
marked in the end is the core: of the formula, and of the proof.

Why that is enough: what is marked, in the proof's order, is a proof by itself. For RAT all clauses
count that lived, marked or not, since one that is not marked may be later.

On the way back clauses are attached and detached, time never increases, and what the clauses alone
imply (the *root*) is known from the way there, so it only shrinks. Clauses that are in the core
come first in unit propagation. Two literals of each clause are watched, those that became false
last: as long as the clause is open at an earlier time, they are not false.

What is found is not believed. The explanation of a conflict is followed back from clause to
clause: each lives at the time, and all its literals but one became false earlier than that one
became true. So an error of propagation can lose a conflict and never make one up.

Reference: Wetzler, Heule, Hunt: DRAT-trim, SAT 2014 (core-first propagation).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pbcnf.proof.proof_queries import History, Lifetimes, Question
from pbcnf.proof.steps import Checked, Literals

ASSUMED: Final = -1
"""The reason of an assumed literal: no clause."""


class CoreFirst:
    """Clauses by number, as they live at a time; none is attached at first."""

    def __init__(self, lives: Lifetimes, time: int) -> None:
        self.time = time
        self.core = bytearray(len(lives.clauses))
        """1 for the clauses that explanations went through."""
        self._lives = lives
        self._clauses = lives.clauses
        self._there = bytearray(len(lives.clauses))
        self._watched = [0] * len(lives.clauses)
        """Clause number -> the sum of its two watched literals."""
        self._core_watches: defaultdict[int, list[int]] = defaultdict(list)
        self._other_watches: defaultdict[int, list[int]] = defaultdict(list)
        self._trail = [lit for lit, _, _ in lives.root]
        self._why = [number for _, number, _ in lives.root]
        self._place = {lit: place for place, lit in enumerate(self._trail)}
        """False literals, and where they are in the trail."""
        self._root = len(self._trail)

    def attach(self, number: int) -> None:
        """Let a clause live, as of now."""
        self._there[number] = 1
        clause, place = self._clauses[number], self._place
        if len(clause) > 1:
            never = len(self._trail)
            *_, one, two = sorted(clause, key=lambda lit: place.get(lit, never))
            self._watched[number] = one + two
            watches = self._core_watches if self.core[number] else self._other_watches
            watches[one].append(number)
            watches[two].append(number)

    def go_back(self, time: int, without: int) -> None:
        """Go back to the time at which clause `without` was added: it, and all from it, is gone."""
        # Where the clause is watched it is passed over from now on.
        self._there[without] = 0
        self.time = time
        while self._root and self._lives.root[self._root - 1][2] > time:
            self._root -= 1
        self._undo()

    def mark_conflict(self, number: int) -> bool:
        """Whether a clause is false at the root, explained and marked."""
        return self._explain(self._clauses[number], number, ())

    def refute(self, literals: Literals) -> bool:
        """Whether a clause is RUP; if so, all clauses of the explanation are marked."""
        place = self._place
        for lit in literals:
            if -lit in place:
                found = self._explain((-lit,), None, literals)
                break
            if lit not in place:
                place[lit] = len(self._trail)
                self._trail.append(lit)
                self._why.append(ASSUMED)
        else:
            conflict = self._propagate()
            found = conflict is not None and self._explain(
                self._clauses[conflict], conflict, literals
            )
        self._undo()
        return found

    def _undo(self) -> None:
        for lit in self._trail[self._root :]:
            del self._place[lit]
        del self._trail[self._root :]
        del self._why[self._root :]

    def _explain(self, false: Sequence[int], conflict: int | None, assumed: Sequence[int]) -> bool:
        """Follow back why the literals `false` are false, and mark the clauses.

        `conflict`: the clause that has these literals, if there is one; `assumed`: the literals
        that were assumed to be false. Returns whether the explanation holds, which does not rely on
        propagation.
        """
        given = frozenset(assumed)
        used = [] if conflict is None else [conflict]
        open_literals = list(false)
        seen = set(open_literals)
        # The list grows while it is walked: each false literal brings the other literals of the
        # clause that made it false, which must have been false before (their place on the trail is
        # smaller).
        for lit in open_literals:
            place = self._place.get(lit)
            if place is None:
                return False
            number = self._why[place]
            if number == ASSUMED:
                if lit not in given:
                    return False
                continue
            used.append(number)
            clause = self._clauses[number]
            if -lit not in clause:
                return False
            for other in clause:
                if other != -lit:
                    if self._place.get(other, place) >= place:
                        return False
                    if other not in seen:
                        seen.add(other)
                        open_literals.append(other)
        # Clauses are attached lazily, so those of the explanation must have lived at this time.
        born, dead = self._lives.born, self._lives.dead
        if not all(born[number] <= self.time < dead[number] for number in used):
            return False
        for number in used:
            self.core[number] = 1
        return True

    def _propagate(self) -> int | None:
        place, trail, why = self._place, self._trail, self._why
        clauses, watched, there, core = self._clauses, self._watched, self._there, self.core
        core_watches, other_watches = self._core_watches, self._other_watches
        core_head = other_head = self._root
        # Core first: all that follows by clauses of the core is found before any other clause is
        # visited, so fewer clauses join the core.
        while True:
            if core_head < len(trail):
                false, watches = trail[core_head], core_watches
                core_head += 1
            elif other_head < len(trail):
                false, watches = trail[other_head], other_watches
                other_head += 1
            else:
                return None
            if false not in watches:
                continue
            stay: list[int] = []
            visits = iter(watches[false])
            watches[false] = stay
            for number in visits:
                # The sum of the two watched literals is stored, so the other one is a subtraction.
                other = watched[number] - false
                if -other in place:
                    stay.append(number)
                    continue
                if not there[number]:
                    continue
                # A clause may have joined the core since it was put into this list: it moves when
                # it is visited.
                home = core_watches if core[number] else other_watches
                for lit in clauses[number]:
                    if lit not in place and lit != other:
                        watched[number] = other + lit
                        home[lit].append(number)
                        break
                else:
                    home[false].append(number)
                    if other in place:
                        stay.extend(visits)
                        return number
                    place[-other] = len(trail)
                    trail.append(-other)
                    why.append(number)


class BackwardCheck:
    """A check from the end of a proof on, as `check_drat` does it with ``backward``."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.lives = history.lives
        self.clauses = CoreFirst(history.lives, history.end)
        self.rat = 0
        self._having: defaultdict[int, list[int]] = defaultdict(list)
        """Literal -> the clauses that ever have it; filled when the first lemma has to be RAT."""

    def answer(self) -> Checked:
        """Go back to the formula, and say what is proved or the last thing wrong that matters."""
        history, clauses = self.history, self.clauses
        if not self.lives.refuted and history.goals is None:
            return history.proved(0, 0)
        revived = self._start()
        lemmas = 0
        questions = list(enumerate(history.questions, len(history.formula)))
        # Invariant: the clauses attached are those that live at `time`, and every lemma that a
        # later marked lemma was derived from is marked.
        for time in reversed(range(history.end)):
            if time + 1 in revived:
                clauses.attach(revived[time + 1])
            if not questions or questions[-1][1].time < time:
                continue
            number, question = questions.pop()
            clauses.go_back(time, number)
            if clauses.core[number]:
                lemmas += 1
                if not clauses.refute(question.literals) and not self._by_rat(question):
                    return history.refused(question, lemmas, self.rat)
        core = tuple(n for n in range(1, len(history.formula) + 1) if clauses.core[n - 1])
        # Needed are the steps that add a marked lemma, and those that delete a marked clause.
        steps = {dead - 1 for dead, one in zip(self.lives.dead, clauses.core, strict=True) if one}
        for number, question in enumerate(history.questions, len(history.formula)):
            if clauses.core[number]:
                steps.add(question.time)
        needed = tuple(sorted(step for step in steps if step < len(history.proof)))
        return replace(history.proved(lemmas, self.rat), core=core, needed=needed)

    def _start(self) -> dict[int, int]:
        """Attach what lives at the end, mark what is asked there; return deaths: time -> clause."""
        lives, end = self.lives, self.history.end
        revived = {}
        for number, (born, dead) in enumerate(zip(lives.born, lives.dead, strict=True)):
            if born <= end < dead:
                self.clauses.attach(number)
            elif dead <= end:
                revived[dead] = number
        if lives.conflict is not None and not self.clauses.mark_conflict(lives.conflict):
            raise AssertionError("two propagations disagree")
        for number, question in enumerate(self.history.questions, len(self.history.formula)):
            if question.time >= len(self.history.proof):
                self.clauses.core[number] = 1
        return revived

    def _by_rat(self, lemma: Question) -> bool:
        if not self.history.may_be_rat(lemma):
            return False
        lives, literals, time = self.lives, lemma.literals, lemma.time
        if not self._having:
            for number, clause in enumerate(lives.clauses):
                for lit in clause:
                    self._having[lit].append(number)
        against = -literals[0]
        # Every clause that lives counts, marked or not: RAT speaks of the whole formula at that
        # time.
        for number in self._having[against]:
            if lives.born[number] <= time < lives.dead[number]:
                rest = tuple(lit for lit in lives.clauses[number] if lit != against)
                tautology = any(-lit in literals for lit in rest)
                if not tautology and not self.clauses.refute(literals + rest):
                    return False
        self.rat += 1
        return True
