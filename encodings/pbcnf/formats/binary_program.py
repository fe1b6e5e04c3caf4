"""Linear programs over 0/1 variables: the part shared by the LP and MPS readers and writers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Final

from pbcnf.constraints.constraint import Cardinality, Constraint, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.errors import EncodingError
from pbcnf.formats.digits import exact, integers
from pbcnf.formats.error import FormatError, excerpt
from pbcnf.formats.names import named
from pbcnf.formats.rows import MatrixRow, resolved, rows
from pbcnf.literals import Var

LARGEST: Final = 10**15
"""The largest absolute value of an integer in LP and MPS files, which are read in floating point.

Floating point holds integers up to 2**53 exactly.
"""

Place = tuple[int, int]
"""Line and column, from 1."""
Number = Fraction | int
"""An exact number, an int where it is one: Python reckons with ints several times as fast."""


def exact_rows(problem: Problem, format_name: str) -> Iterator[MatrixRow]:
    """Yield the rows of a problem.

    Raises ValueError, naming the constraint, for an integer that floating point may not hold.
    """
    for row in rows(problem):
        bounds = [bound for bound in (row.lower, row.upper) if bound is not None]
        require_exact([*row.terms.values(), *bounds], f"constraint {row.number}", format_name)
        yield row


def exact_objective(problem: Problem, format_name: str) -> tuple[dict[Var, int], int]:
    """Return the weight of each variable in the objective, and the constant; `({}, 0)` without one.

    Raises ValueError for an integer that floating point may not hold.
    """
    objective = problem.objective
    if objective is None:
        return {}, 0
    terms, constant = resolved(objective.lits, objective.weights)
    constant += objective.constant
    require_exact([constant, *terms.values()], "the objective", format_name)
    return terms, constant


def require_exact(integers: Iterable[int], where: str, format_name: str) -> None:
    """Raise ValueError for an integer beyond `LARGEST`."""
    for value in integers:
        if abs(value) > LARGEST:
            size = value.bit_length()
            raise EncodingError(
                f"{where}: an integer of {size} bits is too large for {format_name}, which is read"
                f" in floating point: at most {LARGEST:,}"
            )


def shown(text: str) -> str:
    """Return `text`, one character a byte, as an error message quotes a word of the file."""
    return excerpt(text.encode("latin-1", "replace"))


@dataclass(slots=True)
class Linear:
    """``lower <= sum of weight * variable <= upper``, variables by name; None for no bound."""

    terms: dict[str, Number]
    lower: Number | None = None
    upper: Number | None = None


@dataclass(slots=True)
class BinaryProgram:
    """A linear program over 0/1 variables as read, before the variables have numbers."""

    source: str
    """The name of the file, for errors."""
    seen: dict[str, Place] = field(default_factory=dict)
    """Name of each variable -> place of its first occurrence."""
    rows: list[Linear] = field(default_factory=list)
    objective: dict[str, Number] = field(default_factory=dict)
    """The weight of each variable in the objective; empty for a problem without an objective."""
    constant: Number = 0
    """The constant of the objective."""
    maximise: bool = False
    values: dict[str, Number | None] = field(default_factory=dict)
    """The values of texts that were read before; few are different."""

    def error(self, place: Place, message: str) -> FormatError:
        """Return the error at a place."""
        return FormatError(self.source, *place, message)

    def value(self, text: str) -> Number | None:
        """Return the exact value of a number, None for any other `text`."""
        try:
            return self.values[text]
        except KeyError:
            value: Number | None = exact(text)
            if value is not None and value.denominator == 1:
                value = value.numerator
            self.values[text] = value
            return value

    def number(self, text: str, place: Place) -> Number:
        """Return the exact value of a number. Raises FormatError for any other `text`."""
        value = self.value(text)
        if value is None:
            raise self.error(place, f"'{shown(text)}' is no number that is read here")
        return value

    def numbered(self, domains: dict[str, tuple[int, int]], order: Sequence[str]) -> Problem:
        """Return the problem; the variables are numbered in `order`, which names each once.

        A variable whose domain is not 0..1 is fixed by a constraint of its own.
        """
        number = {name: var for var, name in enumerate(order, start=1)}
        constraints = [_constraint(row, number) for row in self.rows]
        for name in order:
            lower, upper = domains[name]
            if (lower, upper) != (0, 1):
                constraints.append(Cardinality([number[name]], lower, upper))
        terms = {name: weight for name, weight in self.objective.items() if weight}
        objective = None
        if terms or self.constant:
            lits = tuple(number[name] for name in terms)
            (*weights, constant), scale = integers([*terms.values(), self.constant])
            objective = Objective(lits, tuple(weights), constant, self.maximise, scale)
        names = [name.encode("latin-1").decode("utf-8", "backslashreplace") for name in order]
        return Problem(len(order), tuple(constraints), named(names), objective)


def _constraint(row: Linear, number: dict[str, int]) -> Constraint:
    lits = [number[name] for name, weight in row.terms.items() if weight]
    weights, factor = integers([weight for weight in row.terms.values() if weight])
    # Scaled weights are integers, so the sum is one: rounding its bounds inwards loses no model.
    least = None if row.lower is None else ceil(row.lower * factor)
    most = None if row.upper is None else floor(row.upper * factor)
    if all(abs(weight) == 1 for weight in weights):
        # The sum of x - y is one less than the number of true literals among x and not y.
        negative = weights.count(-1)
        lower = None if least is None else least + negative
        upper = None if most is None else most + negative
        signed = [weight * var for var, weight in zip(lits, weights, strict=True)]
        return Cardinality(signed, lower, upper)
    return PseudoBoolean(lits, weights, least, most)
