"""Parts of a sum over groups: what stands for them in the clauses, and the rows of the groups.

By the clauses each output of a leaf, or "one of these is true", is at least the sum of the literals
of the group that imply it, since at most one of these is true: m - 1 times that, and the m clauses,
are divided by m.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.converse.given_clauses import GivenClauses, added_to
from pbcnf.derivation.derivation_state import DerivationState, Parts, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.inequalities import LinearInequality, combined
from pbcnf.derivation.leaves import GroupRows
from pbcnf.derivation.networks.falling import Chain
from pbcnf.encoders.circuits.grouped_sums import (
    BoundedChoices,
    GroupedSum,
    chained_leaf,
    is_chained,
    values_of,
)
from pbcnf.formula import Formula
from pbcnf.literals import Lit, Var


class LeafBack:
    """The outputs of an at-most-one group, each "the group has at least this value"."""

    def __init__(
        self,
        weights: Mapping[Lit, int],
        none: int | None,
        outputs: Sequence[Lit],
        clauses: GivenClauses,
        rows: KeptRows,
    ) -> None:
        self._weights, self._clauses, self._state = weights, clauses, clauses.state
        self._rows, self.outputs = rows, outputs
        values = values_of(weights, none)
        self._none = values[-1] if none is None else none
        self._values = values
        self.steps = [above - below for below, above in pairwise(values)]

    def links(self) -> list[int]:
        """Return the numbers of "an output implies the previous output"."""
        return [self._clauses[-more, less] for less, more in pairwise(self.outputs)]

    def at_least(self) -> list[tuple[int, int]]:
        """Return parts: what the outputs weigh is at least what the literals do."""
        found = list[tuple[int, int]]()
        before: int | None = None
        known = set[Lit]()
        for at in range(len(self.outputs), 0, -1):
            own, value, step = self.outputs[at - 1], self._values[at], self.steps[at - 1]
            if value <= self._none:
                some = [lit for lit, weight in self._weights.items() if weight < value]
                # If it is none of these: a clause, unless it is the group's last literal.
                is_last = own in self._weights
                number = (
                    self._rows.one_of([*self._weights]) if is_last else self._clauses[own, *some]
                )
                found.append((number, step))
                continue
            # The literals of this value imply the output, and so does the output behind.
            rows = list[tuple[int, int]]()
            if before is not None:
                rows = [(before, 1), (self._clauses[-self.outputs[at], own], 1)]
            elif known:
                rows = [(self._clauses[-self.outputs[at], own], 1)]
            new = [lit for lit, weight in self._weights.items() if weight == value and lit != own]
            rows += [(self._clauses[-lit, own], 1) for lit in new]
            known |= {lit for lit, weight in self._weights.items() if weight == value}
            times = len(rows) - (before is not None)
            if times == 1 and len(rows) == 1:
                before = rows[0][0]
            elif times:
                before = self._divided(rows, times, [*known])
            if before is not None and known != {own}:
                found.append((before, step))
        return found

    def at_most(self) -> list[tuple[int, int]]:
        """Return parts: what the outputs weigh is at most what the literals do."""
        state, found = self._state, list[tuple[int, int]]()
        links = self.links()
        hints = [self._clauses.get(-lit, -own) for lit in self._weights for own in self.outputs]
        larger = [lit for lit, weight in self._weights.items() if weight > self._none]
        last = sum(value <= self._none for value in self._values[1:])
        if last < len(self.outputs) and larger != [self.outputs[last]]:
            hints.append(self._clauses[-self.outputs[last], *larger])
        hints += links
        known = [hint for hint in hints if hint is not None]
        for at, own in enumerate(self.outputs, start=1):
            value, step = self._values[at], self.steps[at - 1]
            if value > self._none:
                some = [lit for lit, weight in self._weights.items() if weight >= value]
                if some != [own]:
                    found.append((state.propagate([-own, *some], known), step))
            elif own in self._weights:
                found.append((self._rows.at_most_one([*self._weights]), step))
            else:
                some = [lit for lit, weight in self._weights.items() if weight < value]
                rows = [(state.propagate([-own, -lit], known), 1) for lit in some]
                found.append((self._divided(rows, len(rows), some), step))
        return found

    def _divided(self, rows: Parts, times: int, some: Sequence[Lit]) -> int:
        return self._rows.divided(rows, times, some, [*self._weights])


class KeptRows:
    """The rows of groups, each derived once."""

    def __init__(self, rows: GroupRows, state: DerivationState) -> None:
        self._rows, self._state = rows, state
        self._known: dict[tuple[Lit, ...], int] = {}

    def at_most_one(self, lits: Sequence[Lit]) -> int:
        """Return the number of "at most one of the literals is true"."""
        if tuple(lits) not in self._known:
            self._known[tuple(lits)] = self._rows.at_most_one(lits)
        return self._known[tuple(lits)]

    def one_of(self, lits: Sequence[Lit]) -> int:
        """Return the number of "one of the literals is true"."""
        return self._rows.one_of(lits)

    def divided(self, rows: Parts, times: int, some: Sequence[Lit], group: Sequence[Lit]) -> int:
        """Add "at most one of `some`", one time less than `times`, to `rows`; divide by `times`."""
        if times > 1:
            others = [(lit, times - 1) for lit in group if lit not in some]
            rows = [*rows, (self.at_most_one(group), times - 1)]
            return self._state.add(rows, others, divisor=times)
        return rows[0][0] if len(rows) == 1 else self._state.add(rows)


class BoundBack:
    """An upper bound of the parts of a sum, to be derived; its variables begin at ``next_var``."""

    def __init__(
        self,
        bound: GroupedSum,
        left: ClausesLeft,
        next_var: Var,
        clauses: GivenClauses,
        rows: KeptRows,
    ) -> None:
        if any(len(chain) > 1 for chain in bound.chains):
            raise UnderivableError("no row of a problem says that literals are a chain")
        self.bound, self.left, self.next_var, self.clauses = bound, left, next_var, clauses
        self.rows, self.state = rows, clauses.state
        self.upper = list[tuple[int, int]]()
        """Parts of the upper bound."""
        self.lower = list[tuple[int, int]]()
        """Parts of the lower bound, if there is one."""

    def leaf(self, weights: Mapping[Lit, int], none: int | None, both: bool = False) -> LeafBack:
        """Return the next leaf; its outputs are weighed against the group in the bounds."""
        alone = Formula(self.next_var - 1)
        _, node = chained_leaf(weights, none, both, alone)
        self.next_var = alone.num_vars + 1
        leaf = LeafBack(weights, none, node.outputs, self.clauses, self.rows)
        self.upper += leaf.at_least()
        self.lower += leaf.at_most() if both else []
        return leaf

    def sum(self, terms: Sequence[tuple[int, Lit]], lower: int, upper: int) -> EncodedSum:
        """Return a sum of literals that are distinct."""
        of, total = self.left.of, sum(weight for weight, _ in terms)
        return EncodedSum(
            of.encoder,
            tuple(lit for _, lit in terms),
            tuple(weight for weight, _ in terms),
            lower,
            upper,
            0 if lower > 0 else None,
            0 if upper < total else None,
            self.next_var,
            of.clauses,
        )

    def choices(self, chains: list[Chain] | None = None) -> BoundedChoices | None:
        """Return the bound that adders of digits get; None if there is nothing to add.

        The outputs of leaves are appended to `chains`.
        """
        again = Formula(self.next_var - 1)
        choices = self.bound.choices(again)
        weigh = {lit: weight for chain in self.bound.chains for lit, weight in chain}
        for weights, none in self.bound.at_most_one:
            if is_chained(weights, none):
                leaf = self.leaf(weights, none)
                weigh |= dict(zip(leaf.outputs, leaf.steps, strict=True))
                if chains is not None:
                    chains.append(Chain(leaf.outputs, leaf.links(), self.state))
            else:
                least = min(weights.values()) if none is None else none
                weigh |= {lit: weight - least for lit, weight in weights.items()}
        # Literals that exceed the bound alone are false.
        for clause in again.clauses():
            if len(clause) == 1:
                self.upper.append((self.clauses[clause], weigh[-clause[0]]))
        return choices

    def terms(self) -> EncodedSum | None:
        """Return the sum that adders of bits get; None if there is nothing to add."""
        choices = self.choices()
        if choices is None:
            return None
        terms = [(weight, lit) for chain in choices.chains for lit, weight in chain]
        for some, weight in choices.alternatives():
            own = some[0]
            if len(some) > 1:
                own = self.next_var
                self.next_var += 1
                rows = [(self.clauses[-lit, own], 1) for lit in some]
                self.upper.append((self.divided(rows, some), weight))
            terms.append((weight, own))
        return self.sum(terms, 0, choices.upper)

    def divided(self, rows: Parts, some: Sequence[Lit]) -> int:
        """Add "at most one of `some`" as often as needed, and divide by their number."""
        [group] = [[*each] for each, _ in self.bound.at_most_one if some[0] in each]
        return self.rows.divided(rows, len(some), some, group)

    def bounded(self, wanted: LinearInequality, parts: Parts) -> int:
        """Derive a bound from parts, and from what groups with a true literal weigh."""
        found = combined([(self.state.rows[number], factor) for number, factor in parts])
        more = list[tuple[int, int]]()
        for weights, none in self.bound.at_most_one:
            # Of literals that weigh too much only one counts; others leave, as they are at least 0.
            short = min(_weight(wanted, lit) - _weight(found, lit) for lit in weights)
            if short < 0:
                more.append((self.rows.at_most_one([*weights]), -short))
            elif short > 0 and none is None:
                more.append((self.rows.one_of([*weights]), short))
        return added_to(wanted, [*parts, *more], self.state)


def _weight(row: LinearInequality, lit: Lit) -> int:
    coefficient = row.coefficients.get(abs(lit), 0)
    return coefficient if lit > 0 else -coefficient
