"""A DRUP or DRAT proof checked backwards: from its end, and only the lemmas that are needed.

On the way forwards clauses are added and deleted, and unit propagation at the root is all that is
done; where it conflicts, its reasons are marked. On the way back each marked lemma is taken out and
derived from the clauses that lived before it, deleted ones among them, which marks others. What is
marked in the end is the core: of the formula, and of the proof.

Why that is enough: what is marked, in the proof's order, is a proof by itself. For RAT all clauses
count that lived, marked or not, since one that is not marked may be later.

On the way back clauses are attached and detached, time never increases, and what the clauses alone
imply (the *root*) is known from the way there, so it only shrinks. A clause that the root satisfies
sleeps until that literal leaves the root. Two literals of each longer clause are watched, those
that were assigned last: as long as the clause is open at an earlier time, they are open.

What is found is not believed. The explanation of a conflict is followed back from clause to
clause: each lives at the time, and all its literals but one became false earlier than that one
became true. So an error of propagation can lose a conflict and never make one up. In the order in
which they made literals true, the clauses of an explanation are the hints of LRAT.

References: Wetzler, Heule, Hunt: DRAT-trim, SAT 2014 (core-first propagation); van der Tak, Ramos,
Heule: Reusing the assignment trail in CDCL solvers, JSAT 7, 2011.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from pbcnf.proof.proof_queries import History, Lifetimes, Question
from pbcnf.proof.steps import Checked, Literals

ASSUMED: Final = -1
"""The reason of an assumed literal: no clause."""
_LONG: Final = 200
"""The fewest literals propagated for a lemma with which some are kept for the next one."""
_NEXT: Final = 10
"""The number of coming lemmas by which the assumptions of a lemma are ordered."""


class BackwardPropagator:
    """Clauses by number, as they live at a time; none is attached at first.

    With ``core_first``, clauses that explanations went through come first in unit propagation, so
    that fewer join them. Else what was assumed for a question stays for the next one, as far as
    both ask for it.
    """

    # Literals are even and odd numbers from 0 here, the opposite of one is ``lit ^ 1``. The trail
    # holds the literals that became false.

    def __init__(self, lives: Lifetimes, time: int, core_first: bool) -> None:
        self.time = time
        self.core = bytearray(len(lives.clauses))
        """1 for the clauses that explanations went through."""
        self.explanation: list[int] = []
        """The clauses of the last one: each is unit after those before it, the last is false."""
        self.propagated = 0
        """The number of literals that were false at the last conflict, without the root."""
        self._lives = lives
        self._core_first = core_first
        self._first = self.core if core_first else bytes([1]) * len(self.core)
        """1 for the clauses that come first in unit propagation."""
        codes: dict[int, int] = {}
        for clause in lives.clauses:
            for lit in clause:
                if lit not in codes:
                    codes[lit] = len(codes)
                    codes[-lit] = len(codes)
        self._codes = codes
        self._clauses = [tuple([codes[lit] for lit in clause]) for clause in lives.clauses]
        self._there = bytearray(len(self.core))
        self._watched = [0] * len(self.core)
        """Clause number -> the sum of its two watched literals."""
        self._watches: list[list[int]] = [[] for _ in codes]
        # Clauses of two literals: the other literal, and the number.
        self._pairs: list[list[tuple[int, int]]] = [[] for _ in codes]
        self._other_watches, self._other_pairs = self._watches, self._pairs
        if core_first:
            self._other_watches, self._other_pairs = [[] for _ in codes], [[] for _ in codes]
        self._value: list[bool | None] = [None] * len(codes)
        self._place = [0] * len(codes)
        """Where false literals are in the trail."""
        self._trail = [codes[lit] for lit, _, _ in lives.root]
        self._why = [number for _, number, _ in lives.root]
        self._root = len(self._trail)
        for place, lit in enumerate(self._trail):
            self._set_false(lit, place)
        self._levels: list[tuple[int, int]] = []
        """Of what is assumed: a literal, -1 for several at once; and where it is in the trail."""
        self._asleep: defaultdict[int, list[int]] = defaultdict(list)
        """Place in the root -> the clauses that are satisfied by what became true there."""

    def attach(self, number: int) -> None:
        """Let a clause live, as of now."""
        self._there[number] = 1
        clause, value, place = self._clauses[number], self._value, self._place
        if len(clause) < 2:
            return
        free = [lit for lit in clause if value[lit] is None]
        if len(free) < len(clause):
            satisfied = min([place[lit ^ 1] for lit in clause if value[lit]], default=self._root)
            if satisfied < self._root:
                self._asleep[satisfied].append(number)
                return
        if len(free) < 2:
            assigned = [lit for lit in clause if value[lit] is not None]
            assigned.sort(key=lambda lit: -place[lit ^ 1 if value[lit] else lit])
            free += assigned
            # The clause may imply something at a level that stays for the next question: that and
            # all above it goes, so that nothing that follows is missed.
            last = free[1]
            self._undo(self._level_of(place[last ^ 1 if value[last] else last]))
        one, two = free[:2]
        if len(clause) == 2:
            pairs = self._pairs if self._first[number] else self._other_pairs
            pairs[one].append((two, number))
            pairs[two].append((one, number))
        else:
            self._watched[number] = one + two
            watches = self._watches if self._first[number] else self._other_watches
            watches[one].append(number)
            watches[two].append(number)

    def go_back(self, time: int, without: int) -> None:
        """Go back to the time at which clause `without` was added: it, and all from it, is gone."""
        # Where a longer clause is watched it is passed over from now on.
        self._there[without] = 0
        self.time = time
        clause, value = self._clauses[without], self._value
        if len(clause) == 2:
            self._take_pair(without)
        for lit in clause:
            if value[lit] and self._why[self._place[lit ^ 1]] == without:
                self._undo(self._level_of(self._place[lit ^ 1]))
        root = self._root
        while self._root and self._lives.root[self._root - 1][2] > time:
            self._root -= 1
        if self._root < root:
            self._undo(self._root)
            for place in range(self._root, root):
                for number in self._asleep.pop(place, ()):
                    if self._there[number]:
                        self.attach(number)

    def mark_conflict(self, number: int) -> bool:
        """Whether a clause is false at the root, explained and marked."""
        return self._explain(self._clauses[number], number, frozenset())

    def refute(self, literals: Iterable[int], later: Iterable[Literals] = ()) -> bool:
        """Whether a clause is RUP; if so, all clauses of the explanation are marked.

        What it has in common with those asked for `later` is assumed first.
        """
        coded = [self._codes[lit] for lit in literals]
        given = frozenset(coded)
        groups = [coded]
        # For how many of the next clauses an assumption can stay; the longest come first.
        common, runs = set(given), dict.fromkeys(coded, 0)
        for clause in later:
            common.intersection_update([self._codes[lit] for lit in clause])
            for lit in common:
                runs[lit] += 1
            if not common:
                break
        stays = 0
        while stays < len(self._levels) and self._levels[stays][0] in given:
            stays += 1
        if stays < len(self._levels):
            self._undo(self._levels[stays][1])
        if later:
            coded.sort(key=lambda lit: -runs[lit])
            groups = [[lit] for lit in coded if runs[lit]]
            groups.append([lit for lit in coded if not runs[lit]])
        for group in groups:
            start = len(self._trail)
            false, conflict = self._assume(group)
            if false is not None:
                found = self._explain(false, conflict, given)
                self.propagated = len(self._trail) - self._root
                # A level that ends with a conflict is not propagated to its end.
                self._undo(start)
                return found
        return False

    def _assume(self, group: Sequence[int]) -> tuple[Sequence[int] | None, int | None]:
        """Assume literals to be false, as a level; return literals that clash, and their clause."""
        value, start, fresh = self._value, len(self._trail), list[int]()
        self._levels.append((group[0] if len(group) == 1 else -1, start))
        for lit in group:
            if value[lit]:
                self._trail += fresh
                return (lit ^ 1,), None
            if value[lit] is None:
                self._set_false(lit, start + len(fresh))
                self._why.append(ASSUMED)
                fresh.append(lit)
        conflict = self._propagate(fresh)
        return None if conflict is None else self._clauses[conflict], conflict

    def _set_false(self, lit: int, place: int) -> None:
        self._value[lit], self._value[lit ^ 1] = False, True
        self._place[lit] = place

    def _level_of(self, place: int) -> int:
        """Return where the level begins that a place is in; the end of the root if in the root."""
        return max([start for _, start in self._levels if start <= place], default=self._root)

    def _undo(self, place: int) -> None:
        """Take back all from a place of the trail on."""
        value = self._value
        for lit in self._trail[place:]:
            value[lit] = value[lit ^ 1] = None
        del self._trail[place:]
        del self._why[place:]
        while self._levels and self._levels[-1][1] >= place:
            self._levels.pop()

    def _take_pair(self, number: int) -> bool:
        """Detach a clause of two literals; return whether it was attached."""
        one, two = self._clauses[number]
        for pairs in (self._pairs, self._other_pairs):
            if (two, number) in pairs[one]:
                pairs[one].remove((two, number))
                pairs[two].remove((one, number))
                return True
        return False

    def _explain(self, false: Sequence[int], conflict: int | None, given: frozenset[int]) -> bool:
        """Follow back why the literals `false` are false, and mark the clauses.

        `conflict`: the clause that has these literals, if there is one; `given`: the literals that
        were assumed to be false. Returns whether the explanation holds, which does not rely on
        propagation.
        """
        used: list[tuple[int, int]] = []
        open_literals = list(false)
        seen = set(open_literals)
        places, value, clauses = self._place, self._value, self._clauses
        # The list grows while it is walked: each false literal brings the other literals of the
        # clause that made it false, which must have been false before (their place on the trail is
        # smaller).
        for lit in open_literals:
            if lit in given:
                continue
            if lit ^ 1 in given and (lit,) != tuple(false):
                # What was assumed fails here already: nothing else matters.
                return self._explain((lit,), None, given)
            if value[lit] is not False:
                return False
            place = places[lit]
            number = self._why[place]
            if number == ASSUMED or lit ^ 1 not in clauses[number]:
                return False
            used.append((place, number))
            for other in clauses[number]:
                if other in given or other == lit ^ 1:
                    continue
                if value[other] is not False or places[other] >= place:
                    return False
                if other not in seen:
                    seen.add(other)
                    open_literals.append(other)
        used.sort()
        explanation = [number for _, number in used]
        if conflict is not None:
            explanation.append(conflict)
        # Clauses are attached lazily, so those of the explanation must have lived at this time.
        born, dead = self._lives.born, self._lives.dead
        if not all(born[number] <= self.time < dead[number] for number in explanation):
            return False
        for number in explanation:
            if not self.core[number]:
                # Longer clauses change lists when they are visited.
                moves = self._core_first and len(clauses[number]) == 2 and self._take_pair(number)
                self.core[number] = 1
                if moves:
                    one, two = clauses[number]
                    self._pairs[one].append((two, number))
                    self._pairs[two].append((one, number))
        self.explanation = explanation
        return True

    def _propagate(self, fresh: list[int]) -> int | None:
        """Propagate literals that are false and not in the trail yet; return a false clause."""
        trail = self._trail
        unvisited = islice(trail, len(trail), None)
        # All that follows by clauses that come first is found before any other clause is visited.
        while True:
            conflict = self._visit(fresh, fresh, self._pairs, self._watches)
            trail += fresh
            if conflict is not None or not self._core_first:
                return conflict
            fresh = []
            for false in unvisited:
                conflict = self._visit((false,), fresh, self._other_pairs, self._other_watches)
                if conflict is not None:
                    trail += fresh
                    return conflict
                if fresh:
                    break
            else:
                return None

    def _visit(
        self,
        queue: Iterable[int],
        found: list[int],
        pairs: list[list[tuple[int, int]]],
        watches: list[list[int]],
    ) -> int | None:
        """Append what becomes false by false literals to `found`; return a false clause, if any."""
        value, places, why = self._value, self._place, self._why
        clauses, watched, there, first = self._clauses, self._watched, self._there, self._first
        first_watches = self._watches
        end = len(why)
        for false in queue:
            for other, number in pairs[false]:
                true = value[other]
                if not true:
                    if true is not None:
                        return number
                    value[other] = True
                    other ^= 1
                    value[other] = False
                    places[other] = end
                    end += 1
                    why.append(number)
                    found.append(other)
            if not watches[false]:
                continue
            # The list is rebuilt while it is visited: a clause stays, or moves to another list.
            visits = iter(watches[false])
            watches[false] = stay = []
            for number in visits:
                # The sum of the two watched literals is stored, so the other is a subtraction.
                other = watched[number] - false
                true = value[other]
                if true:
                    stay.append(number)
                    continue
                if not there[number]:
                    continue
                # A clause may have joined the core since it was put into this list: it moves when
                # it is visited.
                home = first_watches if first[number] else watches
                for lit in clauses[number]:
                    if value[lit] is not False and lit != other:
                        watched[number] = other + lit
                        home[lit].append(number)
                        break
                else:
                    home[false].append(number)
                    if true is not None:
                        stay.extend(visits)
                        return number
                    value[other] = True
                    other ^= 1
                    value[other] = False
                    places[other] = end
                    end += 1
                    why.append(number)
                    found.append(other)
        return None


class BackwardCheck:
    """A check from the end of a proof on, as `check_drat` does it with ``backward``.

    ``core_first``: for a small core; else for few hints, which are kept.
    """

    def __init__(self, history: History, core_first: bool = True) -> None:
        self.history = history
        self.lives = history.lives
        self.clauses = BackwardPropagator(history.lives, history.end, core_first)
        self.rat = 0
        self.hints: dict[int, tuple[int, ...]] = {}
        """Marked lemma -> its LRAT hints, if kept; clauses are numbered from 1 here."""
        self.refutation: tuple[int, ...] | None = None
        """The hints of the empty clause, if it is reached."""
        self._core_first = core_first
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
                given = question.mark is True
                hints = () if given else self._rup(question.literals, self._later(questions))
                if hints is None:
                    hints = self._by_rat(question)
                if hints is None:
                    return history.refused(question, lemmas, self.rat)
                if not self._core_first:
                    self.hints[number + 1] = hints
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
        if lives.conflict is not None:
            if not self.clauses.mark_conflict(lives.conflict):
                raise AssertionError("two propagations disagree")
            self.refutation = tuple([hint + 1 for hint in self.clauses.explanation])
        for number, question in enumerate(self.history.questions, len(self.history.formula)):
            if question.time >= len(self.history.proof) or question.mark is False:
                self.clauses.core[number] = 1
        return revived

    def _later(self, questions: Sequence[tuple[int, Question]]) -> list[Literals]:
        """Return the lemmas that are derived next, unless others are marked meanwhile."""
        if self._core_first or self.clauses.propagated < _LONG:
            return []
        coming = islice(reversed(questions), _NEXT)
        return [question.literals for _, question in coming]

    def _rup(self, literals: Literals, later: Sequence[Literals] = ()) -> tuple[int, ...] | None:
        """Return the hints of a clause that is RUP, else None."""
        if not self.clauses.refute(literals, later):
            return None
        return tuple([hint + 1 for hint in self.clauses.explanation])

    def _by_rat(self, lemma: Question) -> tuple[int, ...] | None:
        """Return the hints of a lemma that is RAT, else None."""
        if not self.history.may_be_rat(lemma):
            return None
        lives, literals, time = self.lives, lemma.literals, lemma.time
        if not self._having:
            for number, clause in enumerate(lives.clauses):
                for lit in clause:
                    self._having[lit].append(number)
        against = -literals[0]
        hints: list[int] = []
        # Every clause that lives counts, marked or not: RAT speaks of the whole formula at that
        # time. A negative hint opens the hints of the resolvent with the clause that it names.
        for number in self._having[against]:
            if lives.born[number] <= time < lives.dead[number]:
                hints.append(-number - 1)
                rest = tuple(lit for lit in lives.clauses[number] if lit != against)
                if not any(-lit in literals for lit in rest):
                    resolvent = self._rup(literals + rest)
                    if resolvent is None:
                        return None
                    hints += resolvent
        self.rat += 1
        return tuple(hints)
