"""A DRUP or DRAT proof checked forwards, thousands of lemmas at once.

The verdict and the answer are those of checking one lemma after the other (`pbcnf.proof.replay`,
with which this shares no propagation): whether a lemma is derived does not depend on the others
being derived first, only on which clauses live when it is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbcnf.proof.bitparallel_propagation import LANES, Question, unrefuted
from pbcnf.proof.proof_queries import History
from pbcnf.proof.steps import Checked, DratStep


def check_in_batches(
    cnf: Iterable[Sequence[int]],
    proof: Sequence[DratStep],
    goals: Iterable[Sequence[int]] | None,
    ignore_deletions: bool,
) -> Checked:
    """Check as `check_drat` does. Raises ValueError for a literal 0."""
    return _Batches(History(list(map(tuple, cnf)), proof, goals, ignore_deletions)).answer()


class _Batches:
    def __init__(self, history: History) -> None:
        self.history = history
        self.lives = history.lives

    def answer(self) -> Checked:
        """Ask everything, in order, and say what is proved or the first thing wrong."""
        questions, history = self.history.questions, self.history
        if self.lives.refuted:
            questions = [*questions, Question((), history.end)]
        rat = 0
        for start in range(0, len(questions), LANES):
            batch = questions[start : start + LANES]
            failing = list(self._ask(batch))
            wrong = next((i for i in failing if not history.may_be_rat(batch[i])), None)
            by_rat = [i for i in failing if wrong is None or i < wrong]
            unproved = self._without_rat([batch[i] for i in by_rat])
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

    def _ask(self, questions: Sequence[Question]) -> Iterator[int]:
        """Yield the indices of those that are not RUP."""
        for start in range(0, len(questions), LANES):
            batch = questions[start : start + LANES]
            living = self.lives.between(batch[0].time, batch[-1].time)
            for index in unrefuted(living, batch):
                yield start + index

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
