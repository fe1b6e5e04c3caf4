"""Expressions with operators: sums of Booleans and integers, and propositions over them.

A *proposition* is true or false: a literal, a formula of ``& | ^ ~ >>``, a comparison of sums. In
a sum a true proposition counts 1, a false proposition 0. In sets and dictionaries expressions are
compared by identity.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from enum import Enum
from typing import ClassVar, Final, NoReturn, TypeAlias

import numpy as np

from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
from pbcnf.literals import IntLike, Lit, integer, literal
from pbcnf.wording import shortened

# Lists of weighted terms, which sums share; their text, and bounds on their sum.


class Terms:
    """Pairs of an operand and its weight, in the order in which they were added.

    Long sums are built term by term, and copying at each step would take quadratic time: sums share
    one list, the first to append extends the list in place, and every sum keeps its own length.

    >>> short = Terms([("x", 2)])
    >>> long = short.extended(Terms([("y", 3)]))
    >>> list(short), list(long.scaled(-1))
    ([('x', 2)], [('x', -2), ('y', -3)])
    """

    __slots__ = ("_length", "_pairs")

    def __init__(self, pairs: list[tuple[Operand, int]]) -> None:
        """Take the list over."""
        self._pairs = pairs
        self._length = len(pairs)

    def __iter__(self) -> Iterator[tuple[Operand, int]]:
        """Iterate over the pairs."""
        return iter(self._pairs[: self._length])

    def extended(self, more: Terms) -> Terms:
        """Return the terms followed by further pairs."""
        # If another sum has already extended the shared list, the new sum starts from a copy.
        if len(self._pairs) != self._length:
            self._pairs = self._pairs[: self._length]
        self._pairs += more
        return Terms(self._pairs)

    def scaled(self, factor: int) -> Terms:
        """Return the pairs with every weight multiplied."""
        return Terms([(each, factor * weight) for each, weight in self])


def shown(terms: Iterable[tuple[object, int]], constant: int = 0) -> str:
    """Return a sum as text.

    >>> shown([("x", 1), ("~y", -2)], 3)
    'x - 2*~y + 3'
    """
    parts = []
    for each, weight in terms:
        factor = "" if abs(weight) == 1 else f"{abs(weight)}*"
        parts.append(f"{'-' if weight < 0 else '+'} {factor}{each!s}")
    if constant or not parts:
        parts.append(f"{'-' if constant < 0 else '+'} {abs(constant)}")
    return " ".join(parts).removeprefix("+ ")


def bounded(
    lits: Sequence[Lit], weights: Sequence[int], lower: int | None, upper: int | None
) -> Cardinality | PseudoBoolean:
    """Return bounds on a sum of literals as a constraint; `Cardinality` if every weight is 1."""
    if all(weight == 1 for weight in weights):
        return Cardinality(lits, lower, upper)
    return PseudoBoolean(lits, weights, lower, upper)


class Operand:
    """An expression with an integer value: can be added, multiplied and compared."""

    __slots__ = ("__weakref__",)
    __array_ufunc__: ClassVar[None] = None  # Operators of numpy's integers defer to this class.
    __hash__ = object.__hash__

    def __add__(self, other: AnyOperand) -> Sum:
        return Sum.of(self).plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: AnyOperand) -> Sum:
        return Sum.of(self).plus(other, -1)

    def __rsub__(self, other: IntLike) -> Sum:
        return (-self).plus(other, 1)

    def __neg__(self) -> Sum:
        return Sum.of(self).times(-1)

    def __abs__(self) -> Maximum:
        return Maximum((Sum.of(self), -self))

    def __mul__(self, other: AnyOperand) -> Operand:
        if not isinstance(other, Operand):
            return Sum.of(self).times(integer(other, "a weight"))
        if isinstance(self, Proposition) and isinstance(other, Proposition):
            return self & other
        return IntegerProduct(Sum.of(self), Sum.of(other))

    def __rmul__(self, other: IntLike) -> Sum:
        return Sum.of(self).times(integer(other, "a weight"))

    def __le__(self, other: AnyOperand) -> Proposition:
        return _compared(self, other, None, 0)

    def __lt__(self, other: AnyOperand) -> Proposition:
        return _compared(self, other, None, -1)

    def __ge__(self, other: AnyOperand) -> Proposition:
        return _compared(self, other, 0, None)

    def __gt__(self, other: AnyOperand) -> Proposition:
        return _compared(self, other, 1, None)

    # A comparison states a constraint, so `==` and `!=` return no bool as in the base class.
    def __eq__(self, other: AnyOperand) -> Proposition:  # type: ignore[override]
        return _compared(self, other, 0, 0)

    def __ne__(self, other: AnyOperand) -> Proposition:  # type: ignore[override]
        return ~_compared(self, other, 0, 0)

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "an expression has no truth value: write & | ~ for and, or, not,"
            " (a <= e) & (e <= b) for a <= e <= b, and look things up by name, not by =="
        )


class Sum(Operand):
    """``constant + sum of weight * operand``; made by operators, and by `sum`."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: Terms, constant: int = 0) -> None:
        self.terms, self.constant = terms, constant

    @staticmethod
    def of(operand: Operand) -> Sum:
        """Return an operand as a sum."""
        return operand if isinstance(operand, Sum) else Sum(Terms([(operand, 1)]))

    def plus(self, other: AnyOperand, factor: int) -> Sum:
        """Return ``self + factor * other``."""
        if not isinstance(other, Operand):
            return Sum(self.terms, self.constant + factor * integer(other, "a term of a sum"))
        added = Sum.of(other)
        terms = self.terms.extended(added.terms.scaled(factor))
        return Sum(terms, self.constant + factor * added.constant)

    def times(self, factor: int) -> Sum:
        """Return ``factor * self``."""
        return Sum(self.terms.scaled(factor), factor * self.constant)

    def __repr__(self) -> str:
        return shown(self.terms, self.constant)


class IntegerProduct(Operand):
    """The product of two sums, such as an integer and a Boolean."""

    __slots__ = ("left", "right")

    def __init__(self, left: Sum, right: Sum) -> None:
        self.left, self.right = left, right

    def __repr__(self) -> str:
        return f"({self.left!r})*({self.right!r})"


class Maximum(Operand):
    """The largest of several sums, one at least."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Sum, ...]) -> None:
        self.parts = parts

    def __repr__(self) -> str:
        return f"max({', '.join(map(repr, self.parts))})"


class Proposition(Operand):
    """An expression with a truth value, worth 1 or 0 in sums."""

    __slots__ = ()

    def __and__(self, other: AnyProposition) -> Proposition:
        return joined(Connective.AND, (self, other))

    def __or__(self, other: AnyProposition) -> Proposition:
        return joined(Connective.OR, (self, other))

    def __xor__(self, other: AnyProposition) -> Proposition:
        return joined(Connective.XOR, (self, other))

    def __rshift__(self, other: AnyProposition) -> Proposition:
        return joined(Connective.OR, (~self, other))

    def __rrshift__(self, other: bool) -> Proposition:
        return joined(Connective.OR, (~proposition(other), self))

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__

    def __invert__(self) -> Proposition:
        return Not(self)

    # A comparison states a constraint, so `==` and `!=` return no bool as in the base class.
    def __eq__(self, other: AnyOperand) -> Proposition:  # type: ignore[override]
        if isinstance(other, Proposition | bool | np.bool_):
            return ~joined(Connective.XOR, (self, other))
        return _compared(self, other, 0, 0)

    def __ne__(self, other: AnyOperand) -> Proposition:  # type: ignore[override]
        return ~(self == other)

    __hash__ = object.__hash__


class Constant(Proposition):
    """`TRUE` or `FALSE`; operators take a Python bool for a constant."""

    __slots__ = ("value",)

    def __init__(self, value: bool) -> None:
        self.value = value

    def __invert__(self) -> Proposition:
        return FALSE if self.value else TRUE

    def __repr__(self) -> str:
        return "TRUE" if self.value else "FALSE"


class Literal(Proposition):
    """A literal of DIMACS as a proposition, with the name of its variable if it has one."""

    __slots__ = ("lit", "name")

    def __init__(self, lit: IntLike, name: Hashable | None = None) -> None:
        self.lit: Lit = literal(lit)
        self.name = name

    def __invert__(self) -> Proposition:
        return Literal(-self.lit, self.name)

    def __repr__(self) -> str:
        name = f"x{abs(self.lit)}" if self.name is None else str(self.name)
        return f"~{name}" if self.lit < 0 else name


class Not(Proposition):
    """The opposite of a compound proposition."""

    __slots__ = ("part",)

    def __init__(self, part: Proposition) -> None:
        self.part = part

    def __invert__(self) -> Proposition:
        return self.part

    def __repr__(self) -> str:
        return f"~({self.part!r})"


class Connective(Enum):
    """Operators; XOR: an odd number of parts, ITE: the 2nd if the 1st is true, else the 3rd."""

    AND = " & "
    OR = " | "
    XOR = " ^ "
    ITE = " ? "


class Compound(Proposition):
    """A connective and its parts; of a relation, they are what the relation means.

    ``origin``: the name of the relation that was stated, its operands, and further data; or None.
    """

    __slots__ = ("connective", "origin", "parts")

    def __init__(
        self,
        connective: Connective,
        parts: tuple[Proposition, ...],
        origin: Origin | None = None,
    ) -> None:
        self.connective, self.parts, self.origin = connective, parts, origin

    def __repr__(self) -> str:
        if self.connective is Connective.ITE:
            return f"ite({', '.join(map(repr, self.parts))})"
        return f"({self.connective.value.join(map(repr, self.parts))})"


class Comparison(Proposition):
    """``lower <= sum of weight * operand <= upper``, of which one bound may be missing."""

    __slots__ = ("lower", "terms", "upper")

    def __init__(
        self, terms: list[tuple[Operand, int]], lower: int | None, upper: int | None
    ) -> None:
        self.terms, self.lower, self.upper = terms, lower, upper

    def constraint(self) -> Cardinality | PseudoBoolean:
        """Return the comparison as a constraint. Raises TypeError unless it sums literals."""
        lits = [operand.lit for operand, _ in self.terms if isinstance(operand, Literal)]
        if len(lits) < len(self.terms):
            raise TypeError(f"a constraint is a sum of literals, and not {shortened(self)}")
        return bounded(lits, [weight for _, weight in self.terms], self.lower, self.upper)

    def __repr__(self) -> str:
        sign = "<=" if self.lower is None else "==" if self.lower == self.upper else ">="
        return f"({shown(self.terms)} {sign} {self.upper if self.lower is None else self.lower})"


Origin: TypeAlias = tuple[str, tuple[tuple[Operand, ...], ...], tuple[tuple[int, ...], ...]]
AnyOperand: TypeAlias = "Operand | IntLike | bool | np.bool_"
AnyProposition: TypeAlias = Proposition | bool | np.bool_

TRUE: Final = Constant(True)
FALSE: Final = Constant(False)


def proposition(value: object) -> Proposition:
    """Return a proposition unchanged, a bool as a constant. Raises TypeError for other types."""
    if isinstance(value, Proposition):
        return value
    if isinstance(value, bool | np.bool_):
        return TRUE if value else FALSE
    kind = "a number" if isinstance(value, Operand) else shortened(value)
    raise TypeError(f"a proposition is needed, not {kind} ({type(value).__name__})")


def joined(connective: Connective, parts: Iterable[AnyProposition]) -> Proposition:
    """Return `parts` joined by AND, OR or XOR; nested parts of an equal connective are flattened.

    Raises TypeError for a part that is no proposition.
    """
    found: list[Proposition] = []
    for part in map(proposition, parts):
        inner = part.parts if isinstance(part, Compound) and part.connective is connective else ()
        found += inner if 0 < len(inner) < 1000 else [part]  # Copies stay bounded.
    return found[0] if len(found) == 1 else Compound(connective, tuple(found))


def _compared(left: Operand, right: AnyOperand, lower: int | None, upper: int | None) -> Comparison:
    """Return ``lower <= left - right <= upper``, the constants on the side of the bounds."""
    if isinstance(right, bool | np.bool_):
        raise TypeError(f"a sum is compared with numbers and sums, not with {right!r}")
    if type(right) is int and not isinstance(left, Sum):  # A fast special case.
        return Comparison([(left, 1)], *(None if b is None else b + right for b in (lower, upper)))
    difference = Sum.of(left).plus(right, -1)
    bounds = [None if bound is None else bound - difference.constant for bound in (lower, upper)]
    return Comparison(list(difference.terms), *bounds)
