"""A DRUP or DRAT proof checked forwards, thousands of lemmas at once.

The verdict and the answer are those of checking one lemma after the other (`pbcnf.proof.replay`,
with which this shares no propagation): whether a lemma is derived does not depend on the others
being derived first, only on which clauses live when it is added.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from pbcnf.proof.lanes import LANES, Question, unrefuted
from pbcnf.proof.lifetimes import Lifetimes
from pbcnf.proof.steps import Addition, Checked, DratStep, Literals, place, refusal, written


def check_in_batches(
    cnf: Iterable[Sequence[int]],
    proof: Sequence[DratStep],
    goals: Iterable[Sequence[int]] | None,
    ignore_deletions: bool,
) -> Checked:
    """Check as `check_drat` does. Raises ValueError for a literal 0."""
    return _Check(list(map(tuple, cnf)), proof, goals, ignore_deletions).answer()


class _Check:
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
        self.fixed = {abs(lit) for part in (formula, self.goals or ()) for c in part for lit in c}
        if 0 in self.fixed:
            raise ValueError("0 is no literal")
        self.lives = Lifetimes()
        self.questions: list[Question] = []
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

    def answer(self) -> Checked:
        """Ask everything, in order, and say what is proved or the first thing wrong."""
        questions = self.questions
        if self.lives.refuted:
            questions = [*questions, Question((), self.end)]
        rat = 0
        for start in range(0, len(questions), LANES):
            batch = questions[start : start + LANES]
            failing = list(self._ask(batch))
            wrong = next((i for i in failing if not self._may_be_rat(batch[i])), None)
            by_rat = [i for i in failing if wrong is None or i < wrong]
            unproved = self._without_rat([batch[i] for i in by_rat])
            if unproved is not None:
                wrong = by_rat[unproved]
            if wrong is not None:
                rat += sum(i < wrong for i in failing)
                return self._refused(batch[wrong], start + wrong + 1, rat)
            rat += len(failing)
        return self._proved(rat)

    def _ask(self, questions: Sequence[Question]) -> Iterator[int]:
        """Yield the indices of those that are not RUP."""
        for start in range(0, len(questions), LANES):
            batch = questions[start : start + LANES]
            living = self.lives.between(batch[0].time, batch[-1].time)
            for index in unrefuted(living, batch):
                yield start + index

    def _may_be_rat(self, lemma: Question) -> bool:
        if not lemma.literals:
            return False
        return self.goals is None or abs(lemma.literals[0]) not in self.fixed

    def _without_rat(self, lemmas: Sequence[Question]) -> int | None:
        """Return the index of the first lemma that is not RAT, None if all are."""
        if not lemmas:
            return None
        against: dict[int, list[int]] = {-lemma.literals[0]: [] for lemma in lemmas}
        untouched = against.keys().isdisjoint
        for number, clause in enumerate(self.lives.clauses):
            if not untouched(clause):
                for lit in clause:
                    if lit in against:
                        against[lit].append(number)
        resolvents: list[Question] = []
        belongs: list[int] = []
        for index, (lemma, time) in enumerate(lemmas):
            for number in against[-lemma[0]]:
                if self.lives.born[number] <= time < self.lives.dead[number]:
                    rest = [lit for lit in self.lives.clauses[number] if lit != -lemma[0]]
                    if not any(-lit in lemma for lit in rest):
                        resolvents.append(Question((*lemma, *rest), time))
                        belongs.append(index)
        unproved = next(self._ask(resolvents), None)
        return None if unproved is None else belongs[unproved]

    def _proved(self, rat: int) -> Checked:
        if self.goals is not None and (not self.lives.refuted or self.end > len(self.proof)):
            return self._checked(True, f"all goals follow ({len(self.goals)})", rat)
        if not self.lives.refuted:
            return self._checked(False, "the proof ends without the empty clause", rat)
        if self.end == 0:
            return self._checked(True, "the formula is refuted by unit propagation", rat)
        step = self.end - 1
        where = place(step, self.proof[step].line)
        return self._checked(True, f"the empty clause is reached at {where}", rat)

    def _refused(self, wrong: Question, lemmas: int, rat: int) -> Checked:
        literals, step = wrong
        if lemmas > len(self.questions):  # Unit propagation conflicts: so this cannot be.
            raise AssertionError("two propagations disagree")
        if step >= len(self.proof):
            reason = f"the goal, {written(literals)}, does not follow by unit propagation"
            return self._checked(False, reason, rat, lemmas, None, None, literals)
        line = self.proof[step].line
        reason = refusal(place(step, line), literals, not literals or self._may_be_rat(wrong))
        return self._checked(False, reason, rat, lemmas, step, line, literals)

    def _checked(
        self,
        verified: bool,
        reason: str,
        rat: int,
        lemmas: int | None = None,
        step: int | None = None,
        line: int | None = None,
        clause: Literals | None = None,
    ) -> Checked:
        time = self.end if step is None else step
        return Checked(
            verified, reason, step, line, clause,
            len(self.questions) if lemmas is None else lemmas, rat,
            bisect_right(self.lives.ignored, time), bisect_right(self.lives.missing, time),
        )  # fmt: skip
