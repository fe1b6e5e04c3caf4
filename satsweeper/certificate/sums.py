"""Cutting planes for sums of equations that prove verdicts, clauses, or contradictions.

Constraint 2i + 1 of the problem says that sum i is at least its number, 2i + 2 that it is at most.

* A row modulo p (``satsweeper.linear.equations``) with value K, and a clause of its variables to be
  derived from it: multiples of the lower halves add up to coefficients that are multiples of p but
  for the row's own. Axioms raise those of the clause's positive literals and take away those of the
  negative ones; then all is divided by p, rounding up. The upper halves likewise. What is left of
  their sum is the clause, since K less what the clause's negative literals count is no multiple of
  p: both divisions round up, together by 1. Without variables it is 0 >= 1.
* Weights of a linear program: one sum, whose slack allows each variable of the claim one value.
"""

import io
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from math import gcd

from pbcnf.derivation import Derivation, write_proof
from pbcnf.derivation.steps import Combined, Propagated
from satsweeper.linear.duality import Weighted
from satsweeper.linear.equations import Equation, ModularRow, clauses_of

Halves = tuple[int, int]
"""The numbers of two constraints: a sum is at least its number, and at most."""


class SumsProof:
    """A proof by sums of equations in progress: the steps, and what they have proved.

    ``decided``: variable -> its value, forced by a single constraint. ``rows`` of few variables
    follow, too, with the halves of their equations. ``contradiction``: the number of a
    constraint that cannot hold, or None.
    """

    def __init__(self, equations: Sequence[Equation], clues: int | None = None) -> None:
        self.equations = equations
        self.of: dict[int, list[int]] = defaultdict(list)
        """Variable -> the indices of its equations, among the first ``clues``."""
        for index, (variables, _) in enumerate(equations[:clues]):
            for variable in variables:
                self.of[variable].append(index)
        self.decided: dict[int, bool] = {}
        self.rows: list[tuple[ModularRow, Mapping[int, Halves]]] = []
        self.contradiction: int | None = None
        self.derivation = Derivation(2 * len(self.equations))
        self._derived: dict[frozenset[int], int] = {}
        self._origin: dict[int, int] = {}
        self._units: dict[int, int] = {}
        self._halves: dict[tuple[int, int], int] = {}

    @property
    def units(self) -> list[list[int]]:
        """The decided variables as unit clauses."""
        return [[v if one else -v] for v, one in self.decided.items()]

    def text(self) -> bytes:
        """Return the proof; without a contradiction it concludes nothing."""
        stream = io.BytesIO()
        write_proof(self.derivation, stream, contradiction=self.contradiction)
        return stream.getvalue()

    def number_of(self, clause: Sequence[int]) -> int:
        """Return the number of the constraint that proves a derived clause or decided literal."""
        return (
            self._origin[abs(clause[0])] if len(clause) == 1 else self._derived[frozenset(clause)]
        )

    def open(self, index: int) -> tuple[list[int], int]:
        """Return the undecided variables of an equation, and how many of them are 1."""
        variables, number = self.equations[index]
        left = [v for v in variables if v not in self.decided]
        return left, number - sum(self.decided.get(v, False) for v in variables)

    def halves(self, index: int) -> Halves:
        """Return the numbers of both halves of an equation as :meth:`open` leaves it."""
        return self._half(index, False), self._half(index, True)

    def _half(self, index: int, upper: bool) -> int:
        given = 2 * index + 1 + upper
        kept: list[int] = []
        gone: list[int] = []
        for v in self.equations[index][0]:
            if v in self.decided:
                (kept if self.decided[v] is upper else gone).append(v)
        if not kept and not gone:
            return given
        key = given, len(kept) + len(gone)
        if key not in self._halves:
            units = [(self._unit(v), 1) for v in kept]
            axioms = [(v if upper else -v, 1) for v in gone]
            self._halves[key] = self._add([(given, 1), *units], axioms)
        return self._halves[key]

    def settle(self, index: int) -> bool:
        """Decide the open variables of an equation if all must be 0 or all 1.

        Returns whether variables were decided, or a contradiction was found.
        """
        left, number = self.open(index)
        size = len(left)
        if 0 < number < size or (not left and not number):
            return False
        origin = self._half(index, number < size)
        if number < 0 or number > size:
            self.contradiction = origin
        else:
            self._decide(dict.fromkeys(left, number > 0), origin)
        return True

    def differ(self, one: int, other: int) -> list[int]:
        """Decide the private variables of two equations if their difference leaves no choice.

        If `one` needs exactly as many more ones than `other` as it has private variables, these are
        1, and the private variables of `other` are 0. Returns the decided variables.
        """
        left, number = self.open(one)
        others, less = self.open(other)
        own = [v for v in left if v not in others]
        theirs = [v for v in others if v not in left]
        if number - less != len(own) or not (own or theirs):
            return []
        origin = self._add([(self._half(one, False), 1), (self._half(other, True), 1)])
        self._decide(dict.fromkeys(own, True) | dict.fromkeys(theirs, False), origin)
        return own + theirs

    def add_row(self, row: ModularRow, halves: Mapping[int, Halves], clause: Sequence[int]) -> None:
        """Derive a clause over the variables of a row; an empty one is a contradiction.

        Args:
            row: one that follows.
            halves: of the equations that it is made of, by their index in it.
            clause: one of ``clauses_of(row)``.
        """
        p = row.modulus
        used = [(halves[index], factor) for index, factor in row.multipliers.items()]
        # All coefficients but the row's own are multiples of p. Those of the clause's literals are
        # made multiples, too: raised to p, or taken away.
        more = [(lit, p - row.coefficients[lit]) for lit in clause if lit > 0]
        less = [(lit, row.coefficients[-lit]) for lit in clause if lit < 0]
        at_least = self._add([(half[0], n) for half, n in used], [*more, *less], p)
        axioms = [(lit, p - n) for lit, n in [*more, *less]]
        at_most = self._add([(half[1], n) for half, n in used], axioms, p)
        number = self._add([(at_least, 1), (at_most, 1)])
        if not clause:
            self.contradiction = number
        elif len(clause) == 1:
            self._decide({abs(clause[0]): clause[0] > 0}, number)
        else:
            self._derived[frozenset(clause)] = number

    def near(self, variables: Iterable[int]) -> set[int]:
        """Return the equations in ``of`` that are connected to `variables` by open variables."""
        found: set[int] = set()
        seen: set[int] = set()
        reached = set(variables)
        while reached:
            seen |= reached
            new = {index for variable in reached for index in self.of.get(variable, ())} - found
            found |= new
            reached = {v for index in new for v in self.open(index)[0]} - seen
        return found

    def add_rows(self, variables: Container[int]) -> list[list[int]]:
        """Derive and return the clauses of the ``rows`` that have one of `variables`."""
        derived = []
        for row, halves in self.rows:
            if any(variable in variables for variable in row.coefficients):
                for clause in clauses_of(row):
                    self.add_row(row, halves, clause)
                    derived.append(clause)
        return derived

    def add_weighted(self, claim: Weighted, halves: Mapping[int, Halves]) -> None:
        """Derive `claim` by adding ``halves``, given by the indices of equations in `claim`."""
        divisor = gcd(*claim.weights.values())
        summands = [
            (halves[index][weight < 0], abs(weight) // divisor)
            for index, weight in claim.weights.items()
        ]
        number = self._add(summands)
        if claim.variables:
            self._decide(dict.fromkeys(claim.variables, claim.ones), number)
        else:
            self.contradiction = number

    def _add(
        self,
        constraints: Iterable[tuple[int, int]],
        axioms: Iterable[tuple[int, int]] = (),
        divisor: int = 1,
    ) -> int:
        return self.derivation.add(Combined(tuple(constraints), tuple(axioms), divisor))

    def _decide(self, values: Mapping[int, bool], origin: int) -> None:
        for variable, value in values.items():
            if variable not in self.decided:
                self.decided[variable] = value
                self._origin[variable] = origin

    def _unit(self, variable: int) -> int:
        """Return the number of a unit clause of this decided variable."""
        if variable not in self._units:
            literal = variable if self.decided[variable] else -variable
            step = Propagated((literal,), (self._origin[variable],))
            self._units[variable] = self.derivation.add(step)
        return self._units[variable]
