"""Integer variables and their domains, independent of their encodings by literals."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from pbcnf.language.connectives import any_of
from pbcnf.language.expressions import AnyOperand, Operand, Proposition
from pbcnf.literals import IntLike, integer
from pbcnf.wording import unknown_name


class IntegerEncoding(Enum):
    """The encoding of an integer variable by literals."""

    ORDER = "order"
    """A literal for each value but the least: the variable is at least the value."""
    DIRECT = "direct"
    """A literal for each value: the variable equals the value."""
    BINARY = "binary"
    """The binary digits of variable minus least value."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A finite set of integers as ranges: ascending, apart from each other, ends included.

    >>> domain = Domain.of([5, 1, 2, 2, 3])
    >>> domain, len(domain), 4 in domain, list(domain)
    (Domain(ranges=((1, 3), (5, 5))), 4, False, [1, 2, 3, 5])
    """

    ranges: tuple[tuple[int, int], ...]

    @staticmethod
    def of(values: Iterable[IntLike]) -> Domain:
        """Return the domain of `values`. Raises TypeError for a value that is no integer."""
        ranges: list[tuple[int, int]] = []
        if isinstance(values, range) and values.step == 1:
            return Domain(((values.start, values.stop - 1),) if values else ())
        for value in sorted({integer(value, "a value") for value in values}):
            if ranges and ranges[-1][1] == value - 1:
                ranges[-1] = ranges[-1][0], value
            else:
                ranges.append((value, value))
        return Domain(tuple(ranges))

    @property
    def lower(self) -> int:
        """The least value."""
        return self.ranges[0][0]

    @property
    def upper(self) -> int:
        """The largest value."""
        return self.ranges[-1][1]

    def __len__(self) -> int:
        """Return the number of values."""
        return sum(last - first + 1 for first, last in self.ranges)

    def __iter__(self) -> Iterator[int]:
        """Iterate over the values, ascending."""
        for first, last in self.ranges:
            yield from range(first, last + 1)

    def __contains__(self, value: int) -> bool:
        """Whether `value` is in the domain."""
        return any(first <= value <= last for first, last in self.ranges)

    def __str__(self) -> str:
        """Show the ranges."""
        return ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in self.ranges)


class IntegerVariable(Operand):
    """A variable with an integer value of its domain."""

    __slots__ = ("_equalities", "domain", "encoding", "name")
    __hash__ = Operand.__hash__

    def __init__(
        self, name: Hashable, domain: Domain, encoding: IntegerEncoding | str | None = None
    ) -> None:
        """Take the name, the domain, and the encoding if the caller wants to choose it.

        Raises ValueError for an empty domain and for an unknown encoding.
        """
        if not domain.ranges:
            raise ValueError(f"the integer {name!s} has no value: its domain is empty")
        self.name, self.domain = name, domain
        if isinstance(encoding, str):
            known = [each.value for each in IntegerEncoding]
            if encoding not in known:
                raise ValueError(unknown_name("encoding of integers", encoding, known))
            encoding = IntegerEncoding(encoding)
        self.encoding = encoding
        self._equalities: dict[int, Proposition] = {}

    def __eq__(self, other: AnyOperand) -> Proposition:  # type: ignore[override]
        """Return the equality; for a number, the proposition is made once and reused.

        As everywhere in the language ``==`` makes a proposition.
        """
        if type(other) is not int:
            return super().__eq__(other)
        if other not in self._equalities:
            self._equalities[other] = super().__eq__(other)
        return self._equalities[other]

    def among(self, values: Iterable[IntLike]) -> Proposition:
        """Return the proposition that the variable is in `values`. TypeError for non-integers."""
        return any_of([self == value for value in sorted({integer(v, "a value") for v in values})])

    def __repr__(self) -> str:
        """Show the name."""
        return str(self.name)
