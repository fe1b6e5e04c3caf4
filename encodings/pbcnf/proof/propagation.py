"""Unit propagation over clauses that come and go: two watched literals, and a trail that stays.

Literals are stored by their falsity: the trail holds the literals that became false, and `reason`
says by which clause; a literal is true if its opposite is false. What follows from the clauses
alone stays on the trail (its *root*); what is assumed for one question is undone after it.

No bound on variables is needed, nor are consecutive ones: everything is held in dictionaries.
Reference: Moskewicz et al.: Chaff, DAC 2001 (watched literals); Eén, Sörensson: MiniSat, SAT 2003.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from pbcnf.proof.steps import Literals

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

    def antecedents(self, conflict: int, literals: Iterable[int]) -> tuple[int, ...]:
        """Return the clauses by which `refute` of these literals came to its conflict, in order.

        Under the negation of the literals each clause becomes unit in turn, and the last false.
        To be called before `undo`.
        """
        if conflict == ASSUMED:
            return ()
        assumed = set(literals)
        reason, clauses = self.reason, self.clauses
        found: list[int] = []
        seen: set[int] = set()
        # Depth first, so that it costs what it finds: a long root is not walked through.
        open_clauses = [(conflict, iter(clauses[conflict]))]
        while open_clauses:
            number, rest = open_clauses[-1]
            for lit in rest:
                if lit in seen or lit in assumed or lit not in reason:
                    continue
                seen.add(lit)
                why = reason[lit]
                if -lit in assumed:  # False already by what was assumed: nothing else matters.
                    found.clear()
                    seen = {lit}
                    open_clauses = []
                open_clauses.append((why, iter(clauses[why])))
                break
            else:
                found.append(number)
                open_clauses.pop()
        return tuple(found)

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
