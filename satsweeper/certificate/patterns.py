"""Clauses and derivations of one shape, made once and copied for every clue of that shape."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbcnf.constraint import Cardinality
from pbcnf.derivation import Derivation, Given, Step, derive
from pbcnf.derivation.steps import Defined, Propagated, Sum
from pbcnf.encoding import encode
from pbcnf.formula import Formula


class Pattern(NamedTuple):
    """For inputs 1 .. n, auxiliary variables from n + 1, bounds that are constraints 1 and 2."""

    auxiliaries: int
    clauses: list[list[int]]
    steps: list[Step]

    def clauses_of(self, lookup: Sequence[int]) -> Iterator[list[int]]:
        """The clauses with other variables: ``lookup[literal]``, negative ones from the end."""
        for clause in self.clauses:
            yield [lookup[literal] for literal in clause]

    def steps_of(self, lookup: Sequence[int], bound: int, taken: int) -> Iterator[Step]:
        """The steps with other variables, ``bound`` and ``bound`` + 1 as the bounds' numbers.

        ``taken``: constraints before the first of these steps.
        """
        moved = (0, bound, bound + 1, *range(taken + 1, taken + 1 + len(self.steps)))
        for step in self.steps:
            match step:
                case Propagated(clause, ids):
                    lits = tuple([lookup[literal] for literal in clause])
                    yield Propagated(lits, tuple([moved[number] for number in ids]))
                case Sum(ids, weakened):
                    away = tuple([lookup[variable] for variable in weakened])
                    yield Sum(tuple([moved[number] for number in ids]), away)
                case Defined(variable, value, weight, literals):
                    lits = tuple([lookup[literal] for literal in literals])
                    yield Defined(lookup[variable], value, weight, lits)


@lru_cache(maxsize=1024)
def pattern(encoding: str, n: int, mines: int) -> Pattern:
    """The pattern of "exactly ``mines`` of ``n`` inputs".

    Raises:
        ValueError: the encoding's clauses cannot be derived.
    """
    constraint = Cardinality(range(1, n + 1), mines, mines)
    derivation = Derivation(formula=2)
    derive(constraint, encoding, Given(1, 2), derivation, n + 1)
    formula = Formula(num_vars=n)
    encode(constraint, formula, encoding)
    return Pattern(formula.num_vars - n, list(formula.clauses()), derivation.steps)


def lookup_of(inputs: Sequence[int], first: int, auxiliaries: int) -> tuple[int, ...]:
    """What each literal of a pattern becomes, auxiliary variables being numbered from ``first``."""
    variables = (*inputs, *range(first, first + auxiliaries))
    return (0, *variables, *[-variable for variable in reversed(variables)])
