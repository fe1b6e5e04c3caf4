"""Propositions as a circuit of gates that are shared: equal gates exist once.

A *reference* is a non-zero integer: a gate by its number, or its opposite. Gate 1 is the constant
true. Constants, repeated and opposite children are simplified away, a disjunction is the opposite
of a conjunction of opposites, and sums are in normal form
(`pbcnf.constraints.normal_form`): a sum that is a clause is a disjunction.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias

from pbcnf.constraints.constraint import PseudoBoolean
from pbcnf.constraints.normal_form import weighted_normal_form

Ref: TypeAlias = int

TRUE: Final[Ref] = 1
FALSE: Final[Ref] = -1


class Operation(Enum):
    """The operation of a gate on its children."""

    __hash__ = object.__hash__  # The hash of Enum is slow, and gates are hashed often.

    INPUT = auto()
    """No operation: the gate is an input or the constant."""
    AND = auto()
    XOR = auto()
    """Children are distinct positive references."""
    ITE = auto()
    """The condition is a positive reference."""
    SUM = auto()
    """Bounds on a weighted sum in normal form: an upper bound, or both bounds."""


class Gate(NamedTuple):
    """An operation and its children; `weights`, `lower` and `upper` are for sums only."""

    operation: Operation
    children: tuple[Ref, ...] = ()
    weights: tuple[int, ...] = ()
    lower: int = 0
    upper: int = 0


class Circuit:
    """A circuit with structural hashing: equal gates are made once.

    >>> circuit = Circuit()
    >>> x, y = circuit.input(), circuit.input()
    >>> circuit.conjunction([x, y]) == -circuit.disjunction([-y, -x])
    True
    >>> circuit.bounded([(x, 2), (y, 3)], lower=1) == circuit.disjunction([x, y])
    True
    """

    def __init__(self) -> None:
        """Start with the constant."""
        self._gates = [Gate(Operation.INPUT), Gate(Operation.INPUT)]
        self._numbers: dict[Gate, Ref] = {}
        self._uses = [0, 0]

    def __getitem__(self, ref: Ref) -> Gate:
        """Return the gate of a reference, whatever its sign."""
        return self._gates[abs(ref)]

    def input(self) -> Ref:
        """Return a new variable."""
        self._gates.append(Gate(Operation.INPUT))
        self._uses.append(0)
        return len(self._gates) - 1

    def uses(self, ref: Ref) -> int:
        """Return the number of gates that have `ref`, negated or not, as a child."""
        return self._uses[abs(ref)]

    def conjunction(self, refs: Iterable[Ref]) -> Ref:
        """Return the reference that is true if all of `refs` are."""
        distinct = dict.fromkeys(refs)
        distinct.pop(TRUE, None)
        if FALSE in distinct or any(-ref in distinct for ref in distinct):
            return FALSE
        if len(distinct) < 2:
            return next(iter(distinct), TRUE)
        return self._gate(Gate(Operation.AND, tuple(sorted(distinct, key=abs))))

    def disjunction(self, refs: Iterable[Ref]) -> Ref:
        """Return the reference that is true if at least one of `refs` is."""
        return -self.conjunction([-ref for ref in refs])

    def parity(self, refs: Iterable[Ref]) -> Ref:
        """Return the reference that is true if an odd number of `refs` is."""
        # A negation or the constant true flips the parity; equal references cancel in pairs.
        sign, left = 1, dict[Ref, bool]()
        for ref in refs:
            sign = -sign if ref < 0 else sign
            if abs(ref) == TRUE:
                sign = -sign
            else:
                left[abs(ref)] = not left.get(abs(ref), False)
        children = tuple(sorted(ref for ref, once in left.items() if once))
        if len(children) < 2:
            return sign * (children[0] if children else FALSE)
        return sign * self._gate(Gate(Operation.XOR, children))

    def choice(self, condition: Ref, yes: Ref, no: Ref) -> Ref:
        """Return `yes` if the condition is true, else `no`."""
        if condition < 0:
            condition, yes, no = -condition, no, yes
        if condition == TRUE or yes == no:
            return yes
        if yes == -no:  # True where the condition and `yes` have equal values.
            return -self.parity([condition, yes])
        if yes in (TRUE, condition):
            return self.disjunction([condition, no])
        if yes in (FALSE, -condition):
            return self.conjunction([-condition, no])
        if no in (FALSE, condition):
            return self.conjunction([condition, yes])
        if no in (TRUE, -condition):
            return self.disjunction([-condition, yes])
        return self._gate(Gate(Operation.ITE, (condition, yes, no)))

    def bounded(
        self, terms: Iterable[tuple[Ref, int]], lower: int | None = None, upper: int | None = None
    ) -> Ref:
        """Return ``lower <= sum of weight * ref <= upper``; a bound may be missing."""
        constant, left = 0, list[tuple[Ref, int]]()
        for ref, weight in terms:
            if abs(ref) != TRUE:
                left.append((ref, weight))
            elif ref == TRUE:
                constant += weight
        refs, weights = [ref for ref, _ in left], [weight for _, weight in left]
        low = None if lower is None else lower - constant
        high = None if upper is None else upper - constant
        form = weighted_normal_form(PseudoBoolean(refs, weights, low, high))
        if form is None:  # No assignment meets the bounds.
            return FALSE
        clause = form.clause()
        if clause is not None:
            return self.conjunction([*form.units, self.disjunction(clause)])
        if not form.lits:
            return self.conjunction(form.units)
        least, most, all_of_them = form.lower, form.upper, sum(form.weights)
        sign = 1
        if most == all_of_them:  # sum >= k is stored as not (sum <= k - 1): one gate for both.
            sign, least, most = -1, 0, least - 1
        gate = Gate(Operation.SUM, form.lits, form.weights, least, most)
        return self.conjunction([*form.units, sign * self._gate(gate)])

    def _gate(self, gate: Gate) -> Ref:
        """Return the number of `gate`, a new number unless an equal gate exists."""
        found = self._numbers.get(gate)
        if found is None:
            found = self._numbers[gate] = len(self._gates)
            self._gates.append(gate)
            self._uses.append(0)
            for child in gate.children:
                self._uses[abs(child)] += 1
        return found
