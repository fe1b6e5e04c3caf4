"""Integer variables as literals: order, direct and binary encoding, each behind one protocol.

A variable without a chosen encoding gets `direct` if it is compared with single values alone
(``==`` and ``!=`` with a number or another variable, `all_different`, `element`) and has up to
`MOST_DIRECT` values; else `order` up to `MOST_ORDER` values, or `MOST_SUMMED` if it is summed with
two other integers at least; else `binary`. In a sum of three integers, the number of clauses of
`order` grows with the product of the sizes of their domains: a magic square of order 5 has five
times as many clauses as in `binary`, and took 12 times as long.

References: Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14,
2009 (order); de Kleer: A comparison of ATMS and CSP techniques, IJCAI 1989 (direct); Iwama,
Miyazaki: SAT-variable complexity of hard combinatorial problems, IFIP 1994 (binary).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Protocol

from pbcnf.errors import EncodingError
from pbcnf.language.circuit import FALSE, TRUE, Circuit, Ref
from pbcnf.language.evaluation import inside_out
from pbcnf.language.expressions import Comparison, Not, Operand, Sum
from pbcnf.language.integers import Domain, IntegerEncoding, IntegerVariable
from pbcnf.wording import counted

MOST_DIRECT: Final = 256
MOST_ORDER: Final = 128
MOST_SUMMED: Final = 16
MOST_LITERALS: Final = 1_000_000
SEVERAL: Final = 3
"""The number of integers from which on a sum needs many clauses in order encoding."""

LinearForm = tuple[int, list[tuple[Ref, int]]]
"""A constant and weighted references."""


class IntegerLiterals(Protocol):
    """The literals of an integer variable in one encoding. Methods may make shared gates."""

    @property
    def refs(self) -> list[Ref]:
        """The inputs of the circuit that encode the variable, in the order of `meanings`."""
        ...

    def at_least(self, value: int) -> Ref:
        """Return the reference that is true if the variable is at least `value`."""
        ...

    def equals(self, value: int) -> Ref:
        """Return the reference that is true if the variable equals `value`."""
        ...

    def linear_form(self) -> LinearForm:
        """Return the variable as a sum of references."""
        ...

    def axioms(self) -> list[Ref]:
        """Return references that are true exactly if the literals encode a value of the domain."""
        ...

    def meanings(self) -> list[str]:
        """Return the meaning of each literal, as a suffix of the variable's name."""
        ...

    def read(self, true: Callable[[Ref], bool]) -> int:
        """Return the value in a model; `true`: whether a reference is true there."""
        ...

    @property
    def tied(self) -> bool | None:
        """True: every literal implies the previous literal; False: at most one is true; or None."""
        ...


@dataclass(slots=True)
class _Order:
    """A literal for every value but the least: the variable is at least the value.

    Each literal implies the previous literal.
    """

    circuit: Circuit
    values: list[int]
    refs: list[Ref]
    tied: bool | None = True

    def at_least(self, value: int) -> Ref:
        # The literal refs[i] says: the variable is at least values[i + 1].
        at = bisect_left(self.values, value)
        if at == 0:
            return TRUE
        return FALSE if at == len(self.values) else self.refs[at - 1]

    def equals(self, value: int) -> Ref:
        return self.circuit.conjunction([self.at_least(value), -self.at_least(value + 1)])

    def linear_form(self) -> LinearForm:
        # The least value, plus the steps to all values that are reached.
        steps = [more - less for less, more in pairwise(self.values)]
        return self.values[0], list(zip(self.refs, steps, strict=True))

    def axioms(self) -> list[Ref]:
        return [self.circuit.disjunction([-more, less]) for less, more in pairwise(self.refs)]

    def meanings(self) -> list[str]:
        return [f">={value}" for value in self.values[1:]]

    def read(self, true: Callable[[Ref], bool]) -> int:
        return self.values[sum(map(true, self.refs))]


@dataclass(slots=True)
class _Direct:
    """A literal for every value, of which exactly one is true."""

    circuit: Circuit
    values: list[int]
    refs: list[Ref]
    tied: bool | None = False

    def at_least(self, value: int) -> Ref:
        # Exactly one literal is true: one of the values from `value` on, or none of the smaller
        # values. The shorter disjunction is taken.
        at = bisect_left(self.values, value)
        if 2 * at < len(self.values):
            return -self.circuit.disjunction(self.refs[:at])
        return self.circuit.disjunction(self.refs[at:])

    def equals(self, value: int) -> Ref:
        at = bisect_left(self.values, value)
        there = at < len(self.values) and self.values[at] == value
        return self.refs[at] if there else FALSE

    def linear_form(self) -> LinearForm:
        # Exactly one literal is true: the literal of the least value can be left out.
        least = self.values[0]
        above = zip(self.refs[1:], self.values[1:], strict=True)
        return least, [(ref, value - least) for ref, value in above]

    def axioms(self) -> list[Ref]:
        return [self.circuit.bounded([(ref, 1) for ref in self.refs], 1, 1)]

    def meanings(self) -> list[str]:
        return [f"={value}" for value in self.values]

    def read(self, true: Callable[[Ref], bool]) -> int:
        return next(v for v, ref in zip(self.values, self.refs, strict=True) if true(ref))


@dataclass(slots=True)
class _Binary:
    """The binary digits of variable minus least value, the lowest digit first."""

    circuit: Circuit
    domain: Domain
    refs: list[Ref]
    tied: bool | None = None

    def at_least(self, value: int) -> Ref:
        above = value - self.domain.lower
        if above <= 0:
            return TRUE
        if value > self.domain.upper:
            return FALSE
        return self._at_least(above)

    def _at_least(self, above: int) -> Ref:
        # Invariant: `found` says that the digits below `place` are at least the same digits of
        # `above`. A digit 1 of `above` needs bit and `found`; for a digit 0 either is enough.
        found = TRUE
        for place, bit in enumerate(self.refs):
            joined = self.circuit.conjunction if above >> place & 1 else self.circuit.disjunction
            found = joined([bit, found])
        return found

    def equals(self, value: int) -> Ref:
        above = value - self.domain.lower
        if value not in self.domain:
            return FALSE
        bits = enumerate(self.refs)
        return self.circuit.conjunction([bit if above >> i & 1 else -bit for i, bit in bits])

    def linear_form(self) -> LinearForm:
        return self.domain.lower, [(bit, 1 << place) for place, bit in enumerate(self.refs)]

    def axioms(self) -> list[Ref]:
        # The digits can encode numbers above the largest value, unless the next number is 2^digits.
        too_large = self.domain.upper + 1 - self.domain.lower
        found = [] if too_large == 1 << len(self.refs) else [-self._at_least(too_large)]
        for (_, last), (first, _) in pairwise(self.domain.ranges):
            # No value between two ranges: at most `last`, or at least `first`.
            outside = [-self.at_least(last + 1), self.at_least(first)]
            found.append(self.circuit.disjunction(outside))
        return found

    def meanings(self) -> list[str]:
        return [f"_bit{place}" for place in range(len(self.refs))]

    def read(self, true: Callable[[Ref], bool]) -> int:
        bits = enumerate(self.refs)
        return self.domain.lower + sum(1 << place for place, bit in bits if true(bit))


@dataclass(slots=True)
class EncodingHints:
    """The uses of integers in statements, which decide their encodings."""

    otherwise: set[IntegerVariable] = field(default_factory=set)
    """Integers in other comparisons than ``==`` with a number and ``!=`` with another integer."""
    summed: set[IntegerVariable] = field(default_factory=set)
    """Integers compared in a sum of three integers or more."""

    @staticmethod
    def of(statements: Iterable[Operand]) -> EncodingHints:
        """Return the use of integers in `statements`, an objective included."""
        found = EncodingHints()
        every = list(inside_out(statements))
        negated = {each.part for each in every if isinstance(each, Not)}
        for each in every:
            if isinstance(each, Comparison):
                summed = [operand for operand, _ in each.terms]
                integers = {operand for operand in summed if isinstance(operand, IntegerVariable)}
                # `Lowering` encodes x != y of two integers by single values of both.
                single = each.lower == each.upper and (
                    len(summed) == 1 or (len(summed) == 2 and each in negated)
                )
                if not single:
                    found.otherwise |= integers
                if len(integers) >= SEVERAL:
                    found.summed |= integers
            elif isinstance(each, Sum):
                # A factor of a product, a part of a maximum, or an objective.
                found.otherwise |= {v for v, _ in each.terms if isinstance(v, IntegerVariable)}
        return found


def encoding_for(
    variable: IntegerVariable, single_values: bool, summed: bool = False
) -> IntegerEncoding:
    """Return the encoding of a variable, by the rule of this module if `variable` names none.

    `single_values`: whether the variable is compared with single values alone. `summed`: whether a
    sum contains the variable and at least two other integers.

    >>> x = IntegerVariable("x", Domain.of(range(20)))
    >>> [encoding_for(x, *uses).value for uses in ((True, False), (False, False), (False, True))]
    ['direct', 'order', 'binary']
    """
    if variable.encoding is not None:
        return variable.encoding
    if single_values and 2 < len(variable.domain) <= MOST_DIRECT:
        return IntegerEncoding.DIRECT
    few = len(variable.domain) <= (MOST_SUMMED if summed else MOST_ORDER)
    return IntegerEncoding.ORDER if few else IntegerEncoding.BINARY


def literals_of(domain: Domain, encoding: IntegerEncoding, circuit: Circuit) -> IntegerLiterals:
    """Return the literals of a variable with `domain`, which are new inputs of the circuit.

    Raises EncodingError for more than `MOST_LITERALS` literals.
    """
    if encoding is not IntegerEncoding.BINARY and len(domain) > MOST_LITERALS:
        raise EncodingError(
            f"an integer of {counted(len(domain), 'value', ',')} in {encoding.value} encoding:"
            f" {MOST_LITERALS:,} literals at the most, one for each; binary takes one a digit"
        )
    match encoding:
        case IntegerEncoding.ORDER:
            values = list(domain)
            return _Order(circuit, values, [circuit.input() for _ in values[1:]])
        case IntegerEncoding.DIRECT:
            values = list(domain)
            return _Direct(circuit, values, [circuit.input() for _ in values])
        case IntegerEncoding.BINARY:
            bits = (domain.upper - domain.lower).bit_length()
            return _Binary(circuit, domain, [circuit.input() for _ in range(bits)])
