"""A DRUP or DRAT proof checked backwards: from its end, and only the lemmas that are needed.

On the way forwards clauses are added and deleted, and unit propagation at the root is all that is
done; where it conflicts, its reasons are marked. On the way back each marked lemma is taken out and
derived from the clauses that lived before it, deleted ones among them, which marks others. What is
marked in the end is the core: of the formula, and of the proof.

Why that is enough: what is marked, in the proof's order, is a proof by itself. For RAT all clauses
count that lived, marked or not, since one that is not marked may be later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbcnf.proof.bitparallel_propagation import Question
from pbcnf.proof.core_first import CoreFirst
from pbcnf.proof.proof_queries import History
from pbcnf.proof.steps import Checked, DratStep


def check_backward(
    cnf: Iterable[Sequence[int]],
    proof: Sequence[DratStep],
    goals: Iterable[Sequence[int]] | None,
    ignore_deletions: bool,
) -> Checked:
    """Check as `check_drat` does backwards. Raises ValueError for a literal 0."""
    return _Backward(History(list(map(tuple, cnf)), proof, goals, ignore_deletions)).answer()


class _Backward:
    def __init__(self, history: History) -> None:
        self.history = history
        self.lives = history.lives
        self.clauses = CoreFirst(history.lives, history.end)
        self.rat = 0
        self._having: defaultdict[int, list[int]] = defaultdict(list)
        """By literal, the clauses that ever have it; empty until that is asked."""

    def answer(self) -> Checked:
        """Go back to the formula, and say what is proved or the last thing wrong that matters."""
        history, clauses = self.history, self.clauses
        if not self.lives.refuted and history.goals is None:
            return history.proved(0, 0)
        revived = self._start()
        lemmas = 0
        questions = list(enumerate(history.questions, len(history.formula)))
        for time in reversed(range(history.end)):
            if time + 1 in revived:
                clauses.attach(revived[time + 1])
            if not questions or questions[-1][1].time < time:
                continue
            number, question = questions.pop()
            clauses.detach(number)
            clauses.back_to(time)
            if clauses.core[number]:
                lemmas += 1
                if not clauses.refute(question.literals) and not self._by_rat(question):
                    return history.refused(question, lemmas, self.rat)
        core = tuple(n for n in range(1, len(history.formula) + 1) if clauses.core[n - 1])
        proved = history.proved(lemmas, self.rat)
        return replace(proved, core=core, needed=tuple(self._needed()))

    def _start(self) -> dict[int, int]:
        """Attach what lives at the end, and mark what is asked there; return deaths by time."""
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
        for number in self._having[against]:
            if lives.born[number] <= time < lives.dead[number]:
                rest = tuple(lit for lit in lives.clauses[number] if lit != against)
                tautology = any(-lit in literals for lit in rest)
                if not tautology and not self.clauses.refute(literals + rest):
                    return False
        self.rat += 1
        return True

    def _needed(self) -> Iterator[int]:
        """Yield the steps that add a marked lemma or delete a marked clause."""
        history, core = self.history, self.clauses.core
        steps = {dead - 1 for dead, one in zip(self.lives.dead, core, strict=True) if one}
        for number, question in enumerate(history.questions, len(history.formula)):
            if core[number]:
                steps.add(question.time)
        yield from sorted(step for step in steps if step < len(history.proof))
