"""The use of integers in statements, by which their encodings are chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from pbcnf.language.evaluation import inside_out
from pbcnf.language.expressions import Comparison, Not, Operand, Sum
from pbcnf.language.integers import IntegerVariable

SEVERAL: Final = 3
"""The number of integers from which on a sum needs many clauses in order encoding."""


@dataclass(slots=True)
class EncodingHints:
    """The integers that are asked for more than single values, and those in larger sums.

    Single values are asked by ``==`` with a number, and by ``!=`` with another integer.
    """

    otherwise: set[IntegerVariable] = field(default_factory=set)
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
