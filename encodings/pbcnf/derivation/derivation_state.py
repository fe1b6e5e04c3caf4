"""A derivation in progress: the inequality behind each number, and methods that add steps.

Every step is computed before it is added, by arithmetic that is not the checker's; a step that
would not give what it is meant to give raises UnderivableError instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pbcnf.derivation.inequalities import (
    LinearInequality,
    Terms,
    combined,
    divided,
    linear_inequality,
    saturated,
)
from pbcnf.errors import EncodingError
from pbcnf.literals import Lit, Var

# The steps of a derivation in cutting planes, and the list they are collected in.
#
# Every step adds one constraint, ``sum of weight * literal >= degree``, and gets the next number.
# The constraints of the formula have the numbers from 1 on, an equality two of them: ``>=``,
# ``<=``.


class Propagated(NamedTuple):
    """A clause; unit propagation on the constraints `ids` alone refutes its negation."""

    clause: tuple[Lit, ...]
    ids: tuple[int, ...]


class HalfDefinition(NamedTuple):
    """Half of an auxiliary variable's definition: ``weight * own + sum of lits >= weight``.

    `own` is `var` if `value` holds, else its negation. The choice `var` = `value` satisfies the
    constraint: it is added by redundance-based strengthening with the witness var -> value. The
    literals have these weights, or 1 each.
    """

    var: Var
    value: bool
    weight: int
    lits: tuple[Lit, ...]
    weights: tuple[int, ...] = ()


class Combined(NamedTuple):
    """Multiples of constraints and of literal axioms added up, then divided and rounded up.

    ``constraints``: (number, factor above 0); ``axioms``: (literal, factor above 0). At last, if
    ``saturated``, no weight exceeds the degree.
    """

    constraints: tuple[tuple[int, int], ...]
    axioms: tuple[tuple[Lit, int], ...] = ()
    divisor: int = 1
    saturated: bool = False


class Deleted(NamedTuple):
    """The deletion of derived constraints; no constraint is added."""

    ids: tuple[int, ...]


Step = Propagated | HalfDefinition | Combined
"""A step that adds a constraint."""


def antecedents(step: Step) -> tuple[int, ...]:
    """Return the numbers of the constraints that the new one is derived from."""
    match step:
        case Propagated(_, ids):
            return ids
        case Combined(constraints):
            return tuple([number for number, _ in constraints])
    return ()


class BoundIds(NamedTuple):
    """The numbers of ``sum of literals >= lower`` and ``<= upper``; None for a missing bound.

    The second may be written ``sum of negations >= n - upper`` or ``-sum >= -upper`` as well.
    """

    lower: int | None = None
    upper: int | None = None


@dataclass(slots=True)
class Derivation:
    """The steps taken from a formula of `formula` constraints, an equality counted twice."""

    formula: int
    steps: list[Step | Deleted] = field(default_factory=list)
    added: int = 0
    """The number of constraints that the steps add."""

    def add(self, step: Step) -> int:
        """Append a step; return the number of the constraint it adds."""
        self.steps.append(step)
        self.added += 1
        return self.formula + self.added

    def delete(self, ids: Iterable[int]) -> None:
        """Append a deletion of the derived constraints `ids`; nothing if there are none."""
        numbers = tuple(ids)
        if numbers:
            self.steps.append(Deleted(numbers))

    def additions(self) -> list[Step]:
        """Return the steps that add constraints; without deletions the n-th adds the n-th."""
        return [step for step in self.steps if not isinstance(step, Deleted)]


Parts = Sequence[tuple[int, int]]
"""Numbers of constraints, and the factors above 0 that they are taken with."""


class UnderivableError(EncodingError):
    """Raised for a clause that does not follow the way its derivation goes."""


class DerivationState:
    """A derivation, and the inequalities (``rows``) that its constraints are, by number.

    ``if_false``: literal of an auxiliary variable -> the number of that half of the variable's
    definition that says something while the literal is false. If y is true exactly if ``sum >= t``,
    the half of y is ``sum <= t - 1``, and the half of -y is ``sum >= t``.
    """

    def __init__(self, derivation: Derivation) -> None:
        self.derivation = derivation
        self.rows: dict[int, LinearInequality] = {}
        self.if_false: dict[Lit, int] = {}
        self.last_var: Var = 0
        """The last variable in use; callers set the last variable of all clauses."""

    def fresh(self) -> Var:
        """Return a new variable of the proof alone, to be defined."""
        self.last_var += 1
        return self.last_var

    def declare(self, number: int, terms: Terms, least: int) -> int:
        """Record that constraint `number`, which is given, says ``sum of terms >= least``."""
        self.rows[number] = linear_inequality(terms, least)
        return number

    def define(self, var: Var, terms: Terms, least: int) -> None:
        """Introduce a variable: true exactly if ``sum of weight * literal >= least``.

        Weights are >= 1, the literals are of distinct variables that are there already, and
        ``1 <= least <= sum of weights``.
        """
        weights = tuple(weight for weight, _ in terms)
        lits = tuple(lit for _, lit in terms)
        most = sum(weights)
        if not 1 <= least <= most:
            raise UnderivableError(f"variable {var} is constant: {least} of at most {most}")
        if set(weights) == {1}:
            weights = ()
        # The witness of each half is the value of `var` that satisfies it: true for the first one,
        # ``below * var + sum of negated >= below``, false for ``least * ~var + sum >= least``.
        below = most - least + 1
        negated = tuple(-lit for lit in lits)
        self.if_false[var] = self._defined(HalfDefinition(var, True, below, negated, weights))
        self.if_false[-var] = self._defined(HalfDefinition(var, False, least, lits, weights))

    def define_or(self, var: Var, lits: Sequence[Lit]) -> None:
        """Introduce a variable: true exactly if one of the literals is."""
        self.define(var, [(1, lit) for lit in lits], 1)

    def define_and(self, var: Var, lits: Sequence[Lit]) -> None:
        """Introduce a variable: true exactly if all literals are."""
        self.define(var, [(1, lit) for lit in lits], len(lits))

    def fix(self, lit: Lit) -> int:
        """Introduce the variable of `lit` by the unit clause `lit`; return the clause's number."""
        return self._defined(HalfDefinition(abs(lit), lit > 0, 1, ()))

    def add(
        self,
        parts: Parts,
        axioms: Sequence[tuple[Lit, int]] = (),
        divisor: int = 1,
        saturate: bool = False,
    ) -> int:
        """Add constraints and axioms ``literal >= 0``, each times its factor; divide, saturate."""
        found = combined([(self.rows[number], factor) for number, factor in parts], axioms)
        if divisor > 1:
            found = divided(found, divisor)
        if saturate:
            found = saturated(found)
        step = Combined(tuple(parts), tuple(axioms), divisor, saturate)
        number = self.derivation.add(step)
        self.rows[number] = found
        return number

    def add_up(self, numbers: Iterable[int], start: int | None = None) -> int | None:
        """Return the constraint between a sum and all outputs that count the sum; None for none.

        Args:
            numbers: a half of the definition of each output: if output t is true, the sum is at
                least t (or, the outputs negated and in reverse, at most). The degree of each half
                is one more than that of the half before.
            start: a bound on the sum that comes before the first half; None if there is none.
        """
        # t - 1 times the inequality for the first t - 1 outputs, and the half of output t, have t
        # as the weight of every literal of the sum: divided by t they are the inequality for t
        # outputs.
        for number in numbers:
            if start is None:
                start = number
                continue
            degree = self.rows[number].literal_degree
            start = self.add([(start, degree - 1), (number, 1)], divisor=degree)
        return start

    def sum_refutes(self, clause: Sequence[Lit], parts: Parts) -> bool:
        """Whether `derive_by_sum` would derive the clause."""
        return self._sum(parts).refutes(clause)

    def derive_by_sum(self, clause: Sequence[Lit], parts: Parts, *, bounded: bool = True) -> int:
        """Derive a clause whose negation the sum of `parts` contradicts; return its number.

        One step is enough if nothing but the literals of the clause is left of the sum. If a bound
        is among the parts (`bounded`), the clause is stated as a step of its own nevertheless: the
        sum from another bound would be another inequality, and a checker would refuse the clause
        at this step, not later. Raises UnderivableError if the clause does not follow.
        """
        found = self._derived_by(self._sum(parts), clause, parts, bounded)
        if found is None:
            raise UnderivableError(f"clause {list(clause)} does not follow from the sum")
        return found

    def derive_clause(self, clause: Sequence[Lit], *further: int) -> int:
        """Derive a clause by adding the definitions of its auxiliary literals and the bounds.

        For each auxiliary literal of the clause the half of its definition is taken that says
        something while the literal is false. The common inputs of these inequalities cancel. The
        clause follows if the sum has negative slack while all its literals are false: even if all
        other literals were true, the left side would stay below the degree. If the definitions are
        not enough, bounds (`further`) are added: one, two, all.
        """
        # Fewest bounds first: a bound that is not needed can spoil the slack.
        own = [(self.if_false[lit], 1) for lit in clause if lit in self.if_false]
        some = [(number, 1) for number in further]
        pairs = [[one, two] for i, one in enumerate(some) for two in some[i + 1 :]]
        definitions = self._sum(own)
        for bounds in ([], *([one] for one in some), *pairs, some):
            if own or bounds:
                added = combined([(definitions, 1), *((self.rows[n], 1) for n, _ in bounds)])
                found = self._derived_by(added, clause, [*own, *bounds], bool(bounds))
                if found is not None:
                    return found
        raise UnderivableError(f"clause {list(clause)} does not follow from what it mentions")

    def propagate(self, clause: Sequence[Lit], ids: Iterable[int]) -> int:
        """Derive a clause: propagation on the constraints `ids` alone refutes its negation."""
        ids = tuple(ids)
        if not self._refuted(clause, [self.rows[number] for number in ids]):
            raise UnderivableError(f"clause {list(clause)} is not found by propagation")
        return self._clause(clause, ids)

    def delete(self, numbers: Iterable[int]) -> None:
        """Delete derived constraints that are not needed any more."""
        gone = [number for number in numbers if self.rows.pop(number, None) is not None]
        self.derivation.delete(gone)

    def _sum(self, parts: Parts) -> LinearInequality:
        return combined([(self.rows[number], factor) for number, factor in parts])

    def _derived_by(
        self, found: LinearInequality, clause: Sequence[Lit], parts: Parts, bounded: bool
    ) -> int | None:
        """Derive a clause from the sum of `parts`, None if it does not follow."""
        if not bounded:
            terms = found.terms()
            is_same = terms and {lit for _, lit in terms} == set(clause)
            if is_same and min(terms)[0] >= found.literal_degree > 0:
                # The sum has exactly the clause's literals, each of which satisfies it alone:
                # divided by its largest weight and rounded up, it is the clause itself.
                most = max(map(abs, found.coefficients.values()))
                number = self.derivation.add(Combined(tuple(parts), (), most))
                self.rows[number] = linear_inequality([(1, lit) for lit in clause], 1)
                return number
        # Negative slack while the clause is false: the sum refutes the negated clause.
        if not found.refutes(clause):
            return None
        number = parts[0][0]
        if len(parts) > 1:
            number = self.derivation.add(Combined(tuple(parts)))
            self.rows[number] = found
        return self._clause(clause, (number,))

    def _clause(self, clause: Sequence[Lit], ids: tuple[int, ...]) -> int:
        number = self.derivation.add(Propagated(tuple(clause), ids))
        self.rows[number] = linear_inequality([(1, lit) for lit in clause], 1)
        return number

    def _defined(self, step: HalfDefinition) -> int:
        number = self.derivation.add(step)
        own = step.var if step.value else -step.var
        weights = step.weights or (1,) * len(step.lits)
        terms = zip(weights, step.lits, strict=True)
        self.rows[number] = linear_inequality([(step.weight, own), *terms], step.weight)
        return number

    def _refuted(self, clause: Sequence[Lit], rows: Sequence[LinearInequality]) -> bool:
        # A literal is forced by an inequality if its weight exceeds the slack: without it, even all
        # other literals that are not false would stay below the degree.
        false = set(clause)
        found = True
        while found:
            found = False
            for each in rows:
                known = [lit for v in each.coefficients for lit in (v, -v) if lit in false]
                slack = each.most(known) - each.degree
                if slack < 0:
                    return True
                forced = {
                    -lit
                    for weight, lit in each.terms()
                    if weight > slack and lit not in false and -lit not in false
                }
                found = found or bool(forced)
                false |= forced
        return False
