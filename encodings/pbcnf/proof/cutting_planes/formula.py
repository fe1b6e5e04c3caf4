"""The formula a proof starts from: OPB, constraints of integers, an objective if allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from pbcnf.proof.cutting_planes.error import ProofError, RefusedError
from pbcnf.proof.cutting_planes.inequality import Inequality, normalised
from pbcnf.proof.cutting_planes.statements import integer, terms, text_of

# Inequalities by number; of a large formula, each is made when it is asked for.


class Equalities:
    """Equalities ``sum of variables = number``, then perhaps inequalities: a whole formula.

    As a sequence it has two inequalities of each equality, first ``>=``, then ``<=``. Variables
    are above 0, none is twice in a sum.
    """

    def __init__(
        self, sums: Sequence[tuple[Sequence[int], int]], others: Sequence[Inequality] = ()
    ) -> None:
        self.sums = sums
        self.others = others

    def __len__(self) -> int:
        return 2 * len(self.sums) + len(self.others)

    def __getitem__(self, place: int) -> Inequality:
        if not 0 <= place < 2 * len(self.sums):
            return self.others[place - 2 * len(self.sums)]
        variables, number = self.sums[place // 2]
        if place % 2:
            return Inequality({-v: 1 for v in variables}, len(variables) - number)
        return Inequality(dict.fromkeys(variables, 1), number)

    def __iter__(self) -> Iterator[Inequality]:
        return map(self.__getitem__, range(len(self)))

    def forced(self) -> set[int]:
        """Return the literals that single equalities force."""
        ones: set[int] = set()
        zeros: set[int] = set()
        for variables, number in self.sums:
            if number == len(variables):
                ones.update(variables)
            elif number == 0:
                zeros.update(variables)
        return ones.union(-v for v in zeros)


class Known(Mapping[int, Inequality]):
    """The inequalities of a formula by number, from 1 on, and those that were derived."""

    def __init__(self, given: Sequence[Inequality] | Equalities) -> None:
        self.given: Sequence[Inequality] | Equalities = given
        self.size = len(given)
        self.derived: dict[int, Inequality] = {}

    def __getitem__(self, number: int) -> Inequality:
        if 0 < number <= self.size:
            return self.given[number - 1]
        return self.derived[number]

    def __contains__(self, number: object) -> bool:
        return number in self.derived or (isinstance(number, int) and 0 < number <= self.size)

    def __iter__(self) -> Iterator[int]:
        return chain(range(1, self.size + 1), self.derived)

    def __len__(self) -> int:
        return self.size + len(self.derived)

    def forget_given(self) -> None:
        """Delete all inequalities of the formula; what was derived keeps its numbers."""
        self.given, self.size = (), 0

    def forced(self) -> set[int]:
        """Return the literals that single inequalities force."""
        given = self.given
        found = given.forced() if isinstance(given, Equalities) else set()
        rest = given.others if isinstance(given, Equalities) else given
        for inequality in chain(rest, self.derived.values()):
            found.update(inequality.forced)
        return found


_DECLARED: Final = re.compile(r"#variable=\s*([0-9]{1,18})(?![0-9])")
_PADDED: Final = re.compile(r">=|<=|=")


class PbFormula(NamedTuple):
    """The constraints in order, an equality as two, and the largest variable, used or declared.

    ``rows``: of each constraint of the file, how many of ``constraints`` it became. ``objective``:
    weights and literals of what is minimised, None where nothing is.
    """

    constraints: list[Inequality] | Equalities
    variables: int
    rows: tuple[int, ...] = ()
    objective: tuple[tuple[int, int], ...] | None = None

    def at_most(self, value: int) -> Inequality:
        """Return "the objective is at most `value`"."""
        return normalised([(-weight, lit) for weight, lit in self.objective or ()], -value)

    def at_least(self, value: int) -> Inequality:
        """Return "the objective is at least `value`"."""
        return normalised(self.objective or (), value)

    def value(self, true: set[int]) -> int:
        """Return the objective where exactly the literals `true` are true."""
        return sum(weight for weight, lit in self.objective or () if lit in true)


def read_formula(raw: bytes, source: str = "formula.opb", *, objective: bool = False) -> PbFormula:
    """Read an OPB file: ``+1 x1 -2 ~x2 >= 1 ;``, with ``>=``, ``<=`` or ``=``.

    An equality becomes two constraints, first ``>=``, then ``<=``, as VeriPB counts them. The
    number of variables that the first comment declares is kept: they are inputs, used or not.
    An `objective` to be minimised may stand in front, if that is allowed: it excludes no model.
    Raises ProofError for anything else.
    """
    text = text_of(raw, source)
    constraints: list[Inequality] = []
    largest, begin = 0, 0
    rows: list[int] = []
    pending: list[str] = []
    minimised: tuple[tuple[int, int], ...] | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("*"):
            declared = _DECLARED.search(line)
            if declared and not constraints and not pending:
                largest = max(largest, int(declared[1]))
            continue
        *ended, rest = _PADDED.sub(r" \g<0> ", line).split(";")
        for part in ended:
            words = [*pending, *part.split()]
            try:
                if words[:1] == ["min:"] and objective and not constraints and minimised is None:
                    minimised = tuple(terms(words[1:]))
                    largest = max([largest, *(abs(lit) for _, lit in minimised)])
                else:
                    new = _constraint(words)
                    constraints += new
                    rows.append(len(new))
            except RefusedError as refusal:
                raise ProofError(source, begin or number, str(refusal)) from None
            pending, begin = [], 0
        pending += rest.split()
        begin = begin or (number if pending else 0)
    if pending:
        raise ProofError(source, begin, "the last constraint has no ';' at its end")
    for constraint in constraints:
        largest = max([largest, *map(abs, constraint.terms)])
    return PbFormula(constraints, largest, tuple(rows), minimised)


def _constraint(words: list[str]) -> list[Inequality]:
    if words[:1] in (["min:"], ["max:"]):
        raise RefusedError("a formula with an objective is not read")
    if len(words) < 2 or words[-2] not in (">=", "<=", "="):
        raise RefusedError("a constraint ends with '>=', '<=' or '=', a number and ';'")
    summands, relation, degree = terms(words[:-2]), words[-2], integer(words[-1])
    opposite = [(-weight, lit) for weight, lit in summands]
    at_least, at_most = normalised(summands, degree), normalised(opposite, -degree)
    return {">=": [at_least], "<=": [at_most], "=": [at_least, at_most]}[relation]
