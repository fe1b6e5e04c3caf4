"""Queries to a proof: which lemmas are checked against which clauses, and the answer.

For those who ask in another order than the proof's. Lemmas have the numbers after the formula's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from pbcnf.proof.bitparallel_propagation import Question
from pbcnf.proof.clause_lifetimes import Lifetimes
from pbcnf.proof.steps import Addition, Checked, DratStep, Literals, place, refusal, written


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
        self.end = self._live_through(ignore_deletions)
        """The time after the step with which unit propagation conflicts, or after the last one."""

    def _live_through(self, ignore_deletions: bool) -> int:
        lives = self.lives
        for clause in self.formula:
            lives.add(clause, 0)
        goals = map(Addition, self.goals or ())
        for time, step in enumerate((*self.proof, *goals)):
            if lives.refuted:
                return time
            if isinstance(step, Addition):
                self.questions.append(Question(step.literals, time))
                lives.add(step.literals, time + 1)
            elif not ignore_deletions:
                lives.delete(step.literals, time + 1)
        return len(self.proof) + len(self.goals or ())

    def may_be_rat(self, lemma: Question) -> bool:
        """Whether a lemma may be RAT on its first literal: no variable of the goals may be."""
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
        literals, step = wrong
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
