"""From expressions to the gates of a circuit: integers become sums of their literals.

A comparison with a maximum is split into comparisons of its parts; elsewhere a maximum becomes a
sum over its attainable values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Final

from pbcnf.errors import EncodingError
from pbcnf.language.circuit import FALSE, TRUE, Circuit, Ref
from pbcnf.language.evaluation import inside_out
from pbcnf.language.expressions import (
    Comparison,
    Compound,
    Connective,
    Constant,
    IntegerProduct,
    Literal,
    Maximum,
    Not,
    Operand,
    Proposition,
    Sum,
)
from pbcnf.language.integer_literals import IntegerLiterals, LinearForm
from pbcnf.language.integers import IntegerVariable
from pbcnf.wording import shortened

MOST_PAIRED: Final = 512
"""The largest domain for which a comparison of two integers becomes a clause for each value.

The smaller of the two domains counts.
"""
MOST_PRODUCTS: Final = 100_000
"""The largest number of terms of a product of two sums."""
MOST_PARTED: Final = 64
"""The most comparisons that one comparison may be split into."""
MOST_VALUES: Final = 4096
"""The most values of a part of a maximum that occurs in a sum."""


class Lowering:
    """Turns propositions into references, each expression once."""

    def __init__(
        self,
        circuit: Circuit,
        literals: Mapping[IntegerVariable, IntegerLiterals],
        variable: Callable[[Literal], Ref],
    ) -> None:
        """Take the literals of the integers; `variable` returns the input of a Boolean variable."""
        self._circuit, self._literals, self._variable = circuit, literals, variable
        self._refs: dict[Operand, Ref] = {}

    def ref(self, root: Proposition) -> Ref:
        """Return the reference of a proposition.

        Raises EncodingError for an integer that is not known here, and for a product with too many
        terms.
        """
        for each in inside_out([root], self._refs):
            # An equality of two integers often occurs only negated, for which `_different` makes
            # another gate: the gate of the equality is made on demand, by `_known`.
            equates_two = (
                isinstance(each, Comparison)
                and len(each.terms) == 2
                and each.lower == each.upper
                and all(isinstance(operand, IntegerVariable) for operand, _ in each.terms)
            )
            if isinstance(each, Proposition) and not equates_two:
                self._refs[each] = self._lowered(each)
        return self._known(root)

    def linear_form(self, operand: Operand) -> LinearForm:
        """Return an expression as a constant and weighted references."""
        if isinstance(operand, Proposition):
            return 0, [(self.ref(operand), 1)]
        if isinstance(operand, IntegerVariable):
            return self._literals_of(operand).linear_form()
        if isinstance(operand, IntegerProduct):
            return self._product(operand)
        if isinstance(operand, Maximum):
            return self._maximum(operand)
        assert isinstance(operand, Sum)
        constant, terms = self._expanded(operand.terms)
        return constant + operand.constant, terms

    def _known(self, each: Proposition) -> Ref:
        """Return the reference of a proposition whose parts are lowered; lower it at first use."""
        if each not in self._refs:
            self._refs[each] = self._lowered(each)
        return self._refs[each]

    def _lowered(self, each: Proposition) -> Ref:
        match each:
            case Constant():
                return TRUE if each.value else FALSE
            case Literal():
                ref = self._variable(each)
                return ref if each.lit > 0 else -ref
            case Not():
                inner = each.part
                if isinstance(inner, Comparison) and inner.lower == inner.upper:
                    return self._different(inner)
                return -self._known(inner)
            case Compound():
                return self._compound(each.connective, [self._known(part) for part in each.parts])
            case Comparison():
                return self._compared(each)
        raise TypeError(f"{type(each).__name__} is no proposition of this language")

    def _compound(self, connective: Connective, refs: list[Ref]) -> Ref:
        match connective:
            case Connective.AND:
                return self._circuit.conjunction(refs)
            case Connective.OR:
                return self._circuit.disjunction(refs)
            case Connective.XOR:
                return self._circuit.parity(refs)
            case Connective.ITE:
                return self._circuit.choice(*refs)

    def _compared(self, comparison: Comparison) -> Ref:
        if len(comparison.terms) == 1:
            [(only, weight)] = comparison.terms
            # The case of a single term needs no list of integers.
            if isinstance(only, IntegerVariable) and weight:
                return self._one_integer(only, weight, comparison)
        parted = _split(comparison)
        if parted is not None:
            connective, parts = parted
            return self._compound(connective, [self._compared(part) for part in parts])
        integers = _integers(comparison)
        if integers is not None and len(integers) == 1:
            [(variable, weight)] = integers
            return self._one_integer(variable, weight, comparison)
        if integers is not None and len(integers) == 2 and self._few(integers):
            found = []
            if comparison.upper is not None:
                found.append(self._at_most(integers, comparison.upper))
            if comparison.lower is not None:
                opposite = [(variable, -weight) for variable, weight in integers]
                found.append(self._at_most(opposite, -comparison.lower))
            return self._circuit.conjunction(found)
        constant, terms = self._expanded(comparison.terms)
        lower = None if comparison.lower is None else comparison.lower - constant
        upper = None if comparison.upper is None else comparison.upper - constant
        return self._circuit.bounded(terms, lower, upper)

    def _one_integer(self, variable: IntegerVariable, weight: int, comparison: Comparison) -> Ref:
        """Return bounds on one integer, which are literals or small gates over its literals."""
        found, (lower, upper) = self._literals_of(variable), (comparison.lower, comparison.upper)
        # weight * variable = lower needs a multiple of the weight.
        if lower is not None and lower == upper:
            return FALSE if lower % weight else found.equals(lower // weight)
        above = [] if lower is None else [_at_least(found, weight, lower)]
        below = [] if upper is None else [_at_least(found, -weight, -upper)]
        return self._circuit.conjunction([*above, *below])

    def _at_most(self, integers: list[tuple[IntegerVariable, int]], upper: int) -> Ref:
        """Return ``a*x + b*y <= upper``, an implication for each value of the smaller domain."""
        # For each value v of x: a*x >= a*v implies b*y <= upper - a*v, that is -b*y >= a*v - upper.
        # For the value v that x has, the implication is the inequality itself.
        (x, a), (y, b) = sorted(integers, key=lambda pair: len(pair[0].domain))
        first, second = self._literals_of(x), self._literals_of(y)
        return self._circuit.conjunction(
            self._circuit.disjunction(
                [-_at_least(first, a, a * value), _at_least(second, -b, a * value - upper)]
            )
            for value in x.domain
        )

    def _different(self, comparison: Comparison) -> Ref:
        """Return ``a*x + b*y != c``: a clause excludes each pair of values with the sum c."""
        integers = _integers(comparison)
        if integers is None or len(integers) != 2 or not self._few(integers):
            return -self._known(comparison)
        (x, a), (y, b) = sorted(integers, key=lambda pair: len(pair[0].domain))
        assert comparison.lower is not None
        # For each value of x at most one value of y gives the sum c: (c - a*x) / b, if an integer.
        first, second = self._literals_of(x), self._literals_of(y)
        return self._circuit.conjunction(
            -self._circuit.conjunction([first.equals(value), second.equals(partner // b)])
            for value in x.domain
            if (partner := comparison.lower - a * value) % b == 0
        )

    def _few(self, integers: list[tuple[IntegerVariable, int]]) -> bool:
        """Whether the smallest domain has at most `MOST_PAIRED` values: a clause for each value."""
        return min(len(variable.domain) for variable, _ in integers) <= MOST_PAIRED

    def _expanded(self, terms: Iterable[tuple[Operand, int]]) -> LinearForm:
        """Return ``sum of factor * operand`` as a constant and weighted references."""
        constant, found = 0, list[tuple[Ref, int]]()
        for operand, factor in terms:
            more, weighted = self.linear_form(operand)
            constant += factor * more
            found += [(ref, factor * weight) for ref, weight in weighted]
        return constant, found

    def _product(self, product: IntegerProduct) -> LinearForm:
        left, right = self.linear_form(product.left), self.linear_form(product.right)
        # (c + sum a_i x_i) * (d + sum b_j y_j), multiplied out; x_i * y_j is a conjunction.
        every = [[(TRUE, constant), *terms] for constant, terms in (left, right)]
        if len(every[0]) * len(every[1]) > MOST_PRODUCTS:
            raise EncodingError(
                f"the product {shortened(product)} would have more than {MOST_PRODUCTS:,} terms"
            )
        constant, found = 0, list[tuple[Ref, int]]()
        for a, first in every[0]:
            for b, second in every[1]:
                ref = self._circuit.conjunction([a, b])
                if ref == TRUE:
                    constant += first * second
                elif first and second and ref != FALSE:
                    found.append((ref, first * second))
        return constant, found

    def _maximum(self, maximum: Maximum) -> LinearForm:
        """Return an operand as its least value and the steps between its attainable values."""
        values = [_attainable(part) for part in maximum.parts]
        # max = least + sum of (value - previous value) * [some part >= value].
        least = max(min(each) for each in values)
        steps, last = list[tuple[Ref, int]](), least
        for value in sorted(set().union(*values)):
            if value > least:
                above = [Comparison(list(p.terms), value - p.constant, None) for p in maximum.parts]
                reached = self._circuit.disjunction([self._compared(each) for each in above])
                steps.append((reached, value - last))
                last = value
        return least, steps

    def _literals_of(self, variable: IntegerVariable) -> IntegerLiterals:
        found = self._literals.get(variable)
        if found is None:
            raise EncodingError(
                f"the integer {variable!r} belongs to another builder, or was made later"
            )
        return found


def _integers(comparison: Comparison) -> list[tuple[IntegerVariable, int]] | None:
    """Return the integers with their weights; None if something else is summed, too."""
    weights: dict[IntegerVariable, int] = {}
    for operand, weight in comparison.terms:
        if not isinstance(operand, IntegerVariable):
            return None
        weights[operand] = weights.get(operand, 0) + weight
    return [(variable, weight) for variable, weight in weights.items() if weight]


def _at_least(literals: IntegerLiterals, weight: int, bound: int) -> Ref:
    """Return ``weight * variable >= bound``."""
    # The bound divided by the weight, rounded to an integer: up for a weight > 0; down for a weight
    # < 0, which turns the inequality into variable <= quotient.
    if weight > 0:
        return literals.at_least(-(-bound // weight))
    return -literals.at_least(-bound // -weight + 1)


def _split(comparison: Comparison) -> tuple[Connective, list[Comparison]] | None:
    """Split a comparison with a maximum into comparisons of its parts; None without a maximum.

    A maximum is <= b if all its parts are, and >= b if at least one part is.
    """
    parts = [each.parts for each, _ in comparison.terms if isinstance(each, Maximum)]
    if not parts or prod(map(len, parts)) > MOST_PARTED:
        return None
    lower, upper = comparison.lower, comparison.upper
    if lower is not None and upper is not None:
        sides = [(lower, None), (None, upper)]
        return Connective.AND, [Comparison(comparison.terms, *side) for side in sides]
    at = next(at for at, (each, _) in enumerate(comparison.terms) if isinstance(each, Maximum))
    weight = comparison.terms[at][1]
    others = comparison.terms[:at] + comparison.terms[at + 1 :]
    # For w > 0, w * max(parts) <= b holds exactly if w * part <= b for every part. A lower bound,
    # or a weight < 0, needs one such part; a lower bound with a weight < 0 needs every part.
    every = (weight > 0) == (upper is not None)
    return (
        Connective.AND if every else Connective.OR,
        [
            Comparison(
                [*others, *part.terms.scaled(weight)],
                None if lower is None else lower - weight * part.constant,
                None if upper is None else upper - weight * part.constant,
            )
            for part in parts[0]
        ],
    )


def _attainable(operand: Operand) -> set[int]:
    """Return a superset of the values of `operand`.

    Raises EncodingError for more than `MOST_VALUES` values.
    """
    match operand:
        case IntegerVariable():
            found = _not_many(operand.domain, operand)
        case Sum():
            found = {operand.constant}
            for each, weight in operand.terms:
                inner = _attainable(each)
                found = _not_many((a + weight * b for a in found for b in inner), operand)
        case IntegerProduct():
            left, right = _attainable(operand.left), _attainable(operand.right)
            found = _not_many((a * b for a in left for b in right), operand)
        case Maximum():
            found = set().union(*(_attainable(part) for part in operand.parts))
        case _:
            found = {0, 1}
    return found


def _not_many(values: Iterable[int], operand: Operand) -> set[int]:
    found = set[int]()
    for value in values:
        found.add(value)
        if len(found) > MOST_VALUES:
            raise EncodingError(
                f"{shortened(operand)} has more than {MOST_VALUES:,} values:"
                " for a maximum in a sum it needs an integer variable that is equal to it"
            )
    return found
