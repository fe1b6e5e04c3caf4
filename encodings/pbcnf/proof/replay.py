"""A DRUP or DRAT proof, replayed forwards: every lemma is derived when it is added.

A lemma is derived by RUP (reverse unit propagation): its negation leads unit propagation to a
conflict. Or by RAT on its first literal p (resolution asymmetric tautology): for every clause D
with -p, the lemma together with D without -p is RUP; clauses that were removed do not count. RUP
lemmas are implied; RAT lemmas keep satisfiability only: what models they lose differ from others in
the variable of p.

Reference: Järvisalo, Heule, Biere: Inprocessing rules, IJCAR 2012; Wetzler, Heule, Hunt, SAT 2014.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from pbcnf.proof.propagation import ClausePropagator
from pbcnf.proof.steps import Addition, Checked, DratStep, Literals, place, refusal, written

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
        keep_hints: bool,
    ) -> None:
        if deletions not in ("drat-trim", "strict", "ignored"):
            raise ValueError(f"deletions are 'drat-trim', 'strict' or 'ignored', not {deletions!r}")
        self.formula = [tuple(clause) for clause in cnf]
        self.goals = None if goals is None else [tuple(goal) for goal in goals]
        self.derived: dict[int, tuple[Literals, tuple[int, ...]]] = {}
        """Lemmas and their LRAT hints by number, if hints are kept."""
        self.refutation: tuple[int, ...] | None = None
        """The hints of the empty clause, if it is reached and hints are kept."""
        self._deletions = deletions
        self._keep_hints = keep_hints
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
        conflict = self._clauses.conflict
        if conflict is not None and self._keep_hints:
            self.refutation = self._clauses.antecedents(conflict, ())
        return conflict is not None

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
        """Derive the clause that is added next."""
        self._lemmas += 1
        hints = self._rup(lemma)
        if hints is None and self._may_be_rat(lemma):
            hints = self._by_rat(lemma)
            self._rat += hints is not None
        if hints is not None and self._keep_hints:
            self.derived[len(self._clauses.clauses)] = (lemma, hints)
        return hints is not None

    def _rup(self, lemma: Literals) -> tuple[int, ...] | None:
        clauses = self._clauses
        conflict = clauses.refute(lemma)
        hints: tuple[int, ...] | None = None
        if conflict is not None:
            hints = clauses.antecedents(conflict, lemma) if self._keep_hints else ()
        clauses.undo()
        return hints

    def _may_be_rat(self, lemma: Literals) -> bool:
        return bool(lemma) and (self.goals is None or abs(lemma[0]) not in self._fixed)

    def _by_rat(self, lemma: Literals) -> tuple[int, ...] | None:
        against = -lemma[0]
        hints: list[int] = []
        for number, clause in enumerate(self._clauses.clauses):
            if against in clause:
                rest = tuple(lit for lit in clause if lit != against)
                if not any(-lit in lemma for lit in rest):
                    resolvent = self._rup(lemma + rest)
                    if resolvent is None:
                        return None
                    hints += [-number, *resolvent]
                else:
                    hints.append(-number)
        return tuple(hints)

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
