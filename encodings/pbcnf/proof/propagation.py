"""Unit propagation over clauses that come and go: two watched literals, and a trail that stays.

Literals are stored by their falsity: the trail holds the literals that became false, and `reason`
says by which clause; a literal is true if its opposite is false. What follows from the clauses
alone stays on the trail (its *root*); what is assumed for one question is undone after it.

No bound on variables is needed, nor are consecutive ones: everything is held in dictionaries.
Reference: Moskewicz et al.: Chaff, DAC 2001 (watched literals); Eén, Sörensson: MiniSat, SAT 2003.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from pbcnf.proof.steps import Addition, Checked, DratStep, Literals, place, refusal, written

ASSUMED = 0
"""The reason of a literal that was assumed to be false, and the conflict of opposite ones."""


class ClausePropagator:
    """A set of numbered clauses (from 1), closed under unit propagation.

    `conflict` is the number of a clause that is false at the root, None as long as there is none;
    once there is one, the clauses are unsatisfiable and nothing more should be asked.
    """

    def __init__(self) -> None:
        self.clauses: list[Literals] = [()]
        """By number, without repeated literals; () for those removed, and for 0."""
        self.conflict: int | None = None
        self.reason: dict[int, int] = {}
        self._trail: list[int] = []
        self._root = 0
        self._head = 0
        self._watches: defaultdict[int, list[int]] = defaultdict(list)
        self._watched: list[int] = [0]
        """Clause number -> the sum of its two watched literals."""
        self._units: set[int] = set()

    def add(self, literals: Iterable[int]) -> int:
        """Add a clause and what follows from it at the root; return its number.

        Raises ValueError for a literal 0.
        """
        clause = tuple(dict.fromkeys(literals))
        if 0 in clause:
            raise ValueError("0 is no literal")
        number = len(self.clauses)
        self.clauses.append(clause)
        self._watched.append(0)
        reason = self.reason
        free = [lit for lit in clause if lit not in reason]
        if len(clause) > 1:
            # A false literal is watched only if the rest is false or true at the root.
            chosen = free if len(free) > 1 else [*free, *(x for x in clause if x in reason)]
            self._watched[number] = chosen[0] + chosen[1]
            self._watches[chosen[0]].append(number)
            self._watches[chosen[1]].append(number)
        elif clause:
            self._units.add(number)
        if not free:
            self.conflict = number
        elif len(free) == 1:
            self._imply(free[0], number)
            self._settle()
        return number

    def keeps_root(self, number: int) -> bool:
        """Whether a clause is a unit clause or the reason of a literal of the root."""
        if number in self._units:
            return True
        return any(self.reason.get(-lit) == number for lit in self.clauses[number])

    def remove(self, number: int) -> None:
        """Remove a clause, and from the root what does not follow without it."""
        shrinks = self.keeps_root(number)
        for lit in self.clauses[number]:
            watching = self._watches[lit]
            if number in watching:
                watching.remove(number)
        true = [lit for lit in self.clauses[number] if self.reason.get(-lit) == number]
        self.clauses[number] = ()
        self._units.discard(number)
        if shrinks and true:
            self._root = self._trail.index(-true[0])
            self.undo()
            for unit in sorted(self._units):
                self._imply(self.clauses[unit][0], unit)
            # All of the root again: watches moved on the strength of literals that are undone.
            self._head = 0
            self._settle()

    def refute(self, literals: Iterable[int]) -> int | None:
        """Assume literals false and propagate; return a clause that becomes false, or None.

        ASSUMED is returned for opposite literals. The assumptions stay until `undo`.
        """
        reason = self.reason
        for lit in literals:
            if -lit in reason:
                return reason[-lit]
            if lit not in reason:
                reason[lit] = ASSUMED
                self._trail.append(lit)
        return self._propagate()

    def undo(self) -> None:
        """Undo the assumptions and all literals propagated from them."""
        for lit in self._trail[self._root :]:
            del self.reason[lit]
        del self._trail[self._root :]
        self._head = self._root

    def _imply(self, lit: int, number: int) -> None:
        if -lit not in self.reason:
            self.reason[-lit] = number
            self._trail.append(-lit)

    def _settle(self) -> None:
        """Propagate, and let everything found stay."""
        conflict = self._propagate()
        if conflict is None:
            self._root = len(self._trail)
        else:
            self.conflict = conflict

    def _propagate(self) -> int | None:
        clauses, watched, watches = self.clauses, self._watched, self._watches
        reason, trail = self.reason, self._trail
        head = self._head
        while head < len(trail):
            false = trail[head]
            head += 1
            if false not in watches:
                continue
            # The list of `false` is rebuilt while it is visited: a clause either stays or moves to
            # the list of another literal that is not false.
            stay: list[int] = []
            visits = iter(watches[false])
            watches[false] = stay
            for number in visits:
                other = watched[number] - false
                # The other watched literal is true: the clause is satisfied, and may keep a false
                # watch, since the trail has two parts only, and its second part is undone as a
                # whole: the true literal never goes while `false` stays.
                if -other in reason:
                    stay.append(number)
                    continue
                for lit in clauses[number]:
                    if lit not in reason and lit != other:
                        watched[number] = other + lit
                        watches[lit].append(number)
                        break
                else:
                    stay.append(number)
                    if other in reason:
                        stay.extend(visits)
                        return number
                    reason[-other] = number
                    trail.append(-other)
        self._head = head
        return None


# A DRUP or DRAT proof, replayed forwards: every lemma is derived when it is added.
#
# A lemma is derived by RUP (reverse unit propagation): its negation leads unit propagation to a
# conflict. Or by RAT on its first literal p (resolution asymmetric tautology): for every clause D
# with -p, the lemma together with D without -p is RUP; clauses that were removed do not count. RUP
# lemmas are implied; RAT lemmas keep satisfiability only: what models they lose differ from others
# in the variable of p.
#
# Reference: Järvisalo, Heule, Biere: Inprocessing rules, IJCAR 2012; Wetzler, Heule, Hunt, SAT
# 2014.

Deletions: TypeAlias = Literal["drat-trim", "strict", "ignored"]
"""Deletions that are obeyed: all except deletions of unit clauses and reasons of literals that
hold for good, as drat-trim does it; all; none."""


class Replay:
    """The clauses of a formula and of a proof, numbered from 1 in the order they are added."""

    def __init__(
        self,
        cnf: Iterable[Sequence[int]],
        goals: Iterable[Sequence[int]] | None,
        deletions: Deletions,
    ) -> None:
        if deletions not in ("drat-trim", "strict", "ignored"):
            raise ValueError(f"deletions are 'drat-trim', 'strict' or 'ignored', not {deletions!r}")
        self.formula = [tuple(clause) for clause in cnf]
        self.goals = None if goals is None else [tuple(goal) for goal in goals]
        self._deletions = deletions
        self._clauses = ClausePropagator()
        self._numbers: dict[frozenset[int], list[int]] = {}
        self._lemmas = self._rat = self._ignored = self._missing = 0
        # Goals speak of these variables: a lemma must not exclude models on their account.
        spoken_of = (*self.formula, *(self.goals or ()))
        self._fixed = {abs(lit) for clause in spoken_of for lit in clause}
        if 0 in self._fixed:
            raise ValueError("0 is no literal")

    def run(self, proof: Iterable[DratStep]) -> Checked:
        """Replay the proof up to the empty clause, or else to its end, and then derive the goals.

        To be called once. Goals are lemmas too, the last ones. Raises ValueError for a literal 0.
        """
        for clause in self.formula:
            self._add(clause)
            if self._refuted():
                return self._answer(True, "the formula is refuted by unit propagation")
        for index, step in enumerate(proof):
            if not isinstance(step, Addition):
                self._delete(step.literals)
            elif self._derive(step.literals):
                self._add(step.literals)
                if self._refuted():
                    where = place(index, step.line)
                    return self._answer(True, f"the empty clause is reached at {where}")
            else:
                where = place(index, step.line)
                rat = not step.literals or self._may_be_rat(step.literals)
                reason = refusal(where, step.literals, rat)
                return self._answer(False, reason, index, step.line, step.literals)
        if self.goals is None:
            return self._answer(False, "the proof ends without the empty clause")
        for goal in self.goals:
            if not self._derive(goal):
                reason = f"the goal, {written(goal)}, does not follow by unit propagation"
                return self._answer(False, reason, clause=goal)
            self._add(goal)
            if self._refuted():
                break
        return self._answer(True, f"all goals follow ({len(self.goals)})")

    def _refuted(self) -> bool:
        return self._clauses.conflict is not None

    def _add(self, literals: Literals) -> None:
        number = self._clauses.add(literals)
        self._numbers.setdefault(frozenset(literals), []).append(number)

    def _delete(self, literals: Literals) -> None:
        if self._deletions == "ignored":
            return
        numbers = self._numbers.get(frozenset(literals))
        if not numbers:
            self._missing += 1
        elif self._deletions == "drat-trim" and self._clauses.keeps_root(numbers[-1]):
            self._ignored += 1
        else:
            self._clauses.remove(numbers.pop())

    def _derive(self, lemma: Literals) -> bool:
        """Whether the clause that is added next follows: by RUP, or else, if allowed, by RAT."""
        self._lemmas += 1
        if self._rup(lemma):
            return True
        rat = self._may_be_rat(lemma) and self._by_rat(lemma)
        self._rat += rat
        return rat

    def _rup(self, lemma: Literals) -> bool:
        conflict = self._clauses.refute(lemma)
        self._clauses.undo()
        return conflict is not None

    def _may_be_rat(self, lemma: Literals) -> bool:
        return bool(lemma) and (self.goals is None or abs(lemma[0]) not in self._fixed)

    def _by_rat(self, lemma: Literals) -> bool:
        # All resolvents on the first literal must be RUP; a tautology is. Removed clauses are ()
        # and have none.
        against = -lemma[0]
        for clause in self._clauses.clauses:
            if against in clause:
                rest = tuple(lit for lit in clause if lit != against)
                if not any(-lit in lemma for lit in rest) and not self._rup(lemma + rest):
                    return False
        return True

    def _answer(
        self,
        verified: bool,
        reason: str,
        step: int | None = None,
        line: int | None = None,
        clause: Literals | None = None,
    ) -> Checked:
        return Checked(
            verified, reason, step, line, clause,
            self._lemmas, self._rat, self._ignored, self._missing,
        )  # fmt: skip
