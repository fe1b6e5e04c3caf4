"""Cutting planes for sums of equations that prove verdicts, clauses, or contradictions.

Constraint 2i + 1 of the problem says that sum i is at least its number, 2i + 2 that it is at most.

* A row modulo p (``satsweeper.linear.equations``) has the value K and proves clauses over its
  variables. Multiples of the equations' lower halves add up to coefficients that are multiples of
  p, except on the row's variables. There axioms raise the coefficient of each positive literal of
  the clause to p, and take the coefficient of each negative literal away; then the sum is divided
  by p, rounding up. Likewise with the upper halves. K less the coefficients taken away is no
  multiple of p, so both divisions round up, together by 1: the sum of both results is the clause,
  or 0 >= 1 if the row has no variables.
* The weights of a linear program give one sum, whose slack leaves each variable of the claim one
  value.
"""

import io
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import gcd
from typing import Final

from pbcnf.derivation import Derivation, write_proof
from pbcnf.derivation.derivation_state import Combined, Propagated
from satsweeper.certificate.formula import Statement
from satsweeper.linear.elimination import MODULI, checked_rows
from satsweeper.linear.equations import Equation, ModularRow, clauses_of
from satsweeper.linear.relaxation import (
    DENOMINATOR,
    Weighted,
    available,
    decide,
    decide_one,
    proves,
    refute,
)

Halves = tuple[int, int]
"""The numbers of two constraints: a sum is at least its number, and at most."""


class SumsProof:
    """A proof by sums of equations in progress: the steps, and what they have proved.

    ``decided``: variable -> its value, forced by a single constraint. ``rows``: rows modulo p over
    few variables, which follow as well, each with the halves of its equations. ``contradiction``:
    the number of a constraint that cannot hold, or None.
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
        # A decided variable leaves the half. If its value makes the half tighter, a 1 in "at most"
        # or a 0 in "at least", its unit is added (`kept`), otherwise the axiom that its literal is
        # not negative (`gone`). Values never change, so the number of decided variables names the
        # result.
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
        # "At most none" makes all 0, "at least all" makes all 1; less than none and more than all
        # are contradictions of the same two halves.
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
        # Common variables cancel: "own less theirs is at least the number of own" has slack 0.
        origin = self._add([(self._half(one, False), 1), (self._half(other, True), 1)])
        self._decide(dict.fromkeys(own, True) | dict.fromkeys(theirs, False), origin)
        return own + theirs

    def add_row(self, row: ModularRow, halves: Mapping[int, Halves], clause: Sequence[int]) -> None:
        """Derive a clause over the variables of a row; an empty one is a contradiction.

        Args:
            row: a row that follows from equations.
            halves: the numbers of the equations' halves, by the index of each equation in the row.
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
        # A positive weight takes the lower half of its equation, a negative one the upper half.
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


# The search for verdicts that sums of clues prove, and the proof of these.
#
# Single sums first, then elimination modulo 2 and 3 and a linear program, region by region, over
# the open cells; repeated as long as anything new is proved.

_SECONDS: Final = 10.0
"""The time limit of a linear program."""


def prove_by_sums(
    said: Statement,
    *,
    total: bool,
    least: int | None,
    wanted: int | None = None,
    certain: Sequence[int] = (),
) -> SumsProof:
    """Return the proof of all that sums were found to prove.

    Args:
        said: some clues, and perhaps the total.
        total: whether the statement's total may be used.
        least: the number of open cells from which on a region is looked at; None: no region is.
        wanted: a literal that is asked for by itself if nothing else decides it.
        certain: literals that are known to hold; two clues are compared if they might prove one.
    """
    equations: list[Equation] = [*said.sums]
    if said.total is not None:
        equations.append((range(1, said.cells + 1), said.total))
    search = _Search(equations, len(said.sums))
    search.run(total, least, [abs(lit) for lit in certain])
    if least is not None and wanted is not None and abs(wanted) not in search.proof.decided:
        search.ask(wanted)
    return search.proof


class _Search:
    def __init__(self, equations: Sequence[Equation], clues: int) -> None:
        self.proof = SumsProof(equations, clues)
        self.clues = range(clues)
        self._of = self.proof.of

    def run(self, total: bool, least: int | None, certain: Sequence[int]) -> None:
        proof = self.proof
        said = proof.equations
        self._settle(i for i in self.clues if not 0 < said[i][1] < len(said[i][0]))
        if total and proof.contradiction is None:
            self._use_total(len(self.clues))
            self._settle(self.clues)
        self._compare([cell for cell in certain if cell not in proof.decided])
        before = -1 if least is not None else len(proof.decided)
        while proof.contradiction is None and len(proof.decided) > before:
            before = len(proof.decided)
            proof.rows.clear()
            for region in self._regions():
                equations: list[Equation] = [proof.open(index) for index in region]
                if len({cell for cells, _ in equations for cell in cells}) >= (least or 0):
                    self._look(region, equations)
                if proof.contradiction is not None:
                    return
            self._settle(self.clues)

    def ask(self, literal: int) -> None:
        """Prove a literal by a linear program of its own."""
        proof = self.proof
        region = sorted(proof.near([abs(literal)]))
        equations: list[Equation] = [proof.open(index) for index in region]
        if proof.contradiction is None and available():
            claim = decide_one(equations, abs(literal), literal > 0, _SECONDS)
            if claim is not None:
                proof.add_weighted(claim, {i: proof.halves(region[i]) for i in claim.weights})

    def _compare(self, cells: Sequence[int]) -> None:
        """Decide cells by differences of two clues, where one of `cells` might be decided."""
        proof, wanted = self.proof, set(cells)
        waiting = dict.fromkeys(index for cell in cells for index in self._of[cell])
        while waiting and proof.contradiction is None:
            touched: dict[int, None] = {}
            for index in waiting:
                left, _ = proof.open(index)
                if wanted.isdisjoint(left):
                    continue
                near = sorted({other for cell in left for other in self._of[cell]} - {index})
                pairs = (pair for other in near for pair in ((index, other), (other, index)))
                decided = next(filter(None, (proof.differ(*pair) for pair in pairs)), ())
                if decided:
                    around = [index, *(other for cell in decided for other in self._of[cell])]
                    self._settle(around)
                    touched |= dict.fromkeys(around)
            waiting = touched

    def _settle(self, indices: Iterable[int]) -> None:
        proof = self.proof
        while indices and proof.contradiction is None:
            touched: dict[int, None] = {}
            for index in indices:
                cells, _ = proof.open(index)
                if proof.settle(index):
                    if proof.contradiction is not None:
                        return
                    touched |= dict.fromkeys(i for cell in cells for i in self._of[cell])
            indices = touched

    def _regions(self) -> Iterator[list[int]]:
        """Yield the regions: indices of equations that are connected by open variables."""
        waiting = set(self.clues)
        for first in self.clues:
            if first not in waiting:
                continue
            waiting.remove(first)
            region, reached = [], [first]
            while reached:
                region.append(index := reached.pop())
                for cell in self.proof.open(index)[0]:
                    near = waiting.intersection(self._of[cell])
                    waiting -= near
                    reached += near
            if len(region) > 1 or self.proof.open(region[0])[0]:
                yield sorted(region)

    def _look(self, region: list[int], equations: list[Equation]) -> None:
        """Prove what elimination and a linear program find in a region.

        ``equations``: the equations of the region, over its open cells.
        """
        proof = self.proof
        rows, claims = _findings(equations)
        # Before anything is decided: these are the halves of the equations as they were looked at.
        used = {index for row in rows for index in row.multipliers}
        used |= {index for claim in claims for index in claim.weights}
        halves = {index: proof.halves(region[index]) for index in sorted(used)}
        for row in rows:
            if len(row.coefficients) > 1:
                proof.rows.append((row, halves))
                continue
            for clause in clauses_of(row):
                proof.add_row(row, halves, clause)
            if proof.contradiction is not None:
                return
        for claim in claims:
            proof.add_weighted(claim, halves)

    def _use_total(self, total: int) -> None:
        """Use equation `total` less sums of clues: disjoint clues, or found by a linear program."""
        proof = self.proof
        given = {index: (2 * index + 1, 2 * index + 2) for index in range(total + 1)}
        for claim in _less_disjoint(proof.equations, total):
            proof.add_weighted(claim, given)
        if available():
            equations, most, members = _merged(proof.equations, total, self._of)
            clash = refute(equations, _SECONDS, most)
            for claim in (
                decide(equations, lambda: _SECONDS, most).claims if clash is None else [clash]
            ):
                variables = frozenset(v for merged in claim.variables for v in members[merged])
                proof.add_weighted(claim._replace(variables=variables), given)


def _findings(equations: Sequence[Equation]) -> tuple[list[ModularRow], list[Weighted]]:
    """Return short rows, or one contradictory row, and the claims of a linear program."""
    rows: list[ModularRow] = []
    for modulus in MODULI:
        found = checked_rows(equations, modulus)
        if found.clash is not None:
            return [found.clash], []
        rows += found.rows
    if not available():
        return rows, []
    clash = refute(equations, _SECONDS)
    return rows, decide(equations, lambda: _SECONDS).claims if clash is None else [clash]


def _less_disjoint(equations: Sequence[Equation], total: int) -> list[Weighted]:
    """Return the claims about other cells that the total less disjoint clues proves."""
    covered: set[int] = set()
    clues = []
    for index, (cells, _) in enumerate(equations[:total]):
        if covered.isdisjoint(cells):
            covered.update(cells)
            clues.append(index)
    rest = frozenset(equations[total][0]) - covered
    claims = []
    for ones in (False, True):
        # The total less the clues is the exact number of mines in `rest`: none, or as many as
        # cells.
        sign = DENOMINATOR if ones else -DENOMINATOR
        claim = Weighted(rest, ones, dict.fromkeys(clues, -sign) | {total: sign})
        if rest and proves(equations, claim):
            claims.append(claim)
    return claims


def _merged(
    equations: Sequence[Equation], total: int, of: dict[int, list[int]]
) -> tuple[list[Equation], Counter[int], dict[int, list[int]]]:
    """Merge interchangeable cells into variables.

    Returns the equations over merged variables, the largest value of each variable that stands for
    several cells, and the cells of each variable.
    """
    first: dict[tuple[int, ...], int] = {}
    members: dict[int, list[int]] = defaultdict(list)
    for cell in equations[total][0]:
        members[first.setdefault(tuple(of.get(cell, ())), cell)].append(cell)
    merged: list[Equation] = [
        ([cell for cell in cells if cell in members], number) for cells, number in equations
    ]
    most = Counter({cell: len(cells) for cell, cells in members.items() if len(cells) > 1})
    return merged, most, members
