"""The rows of a board as clauses, each derived from its row.

Cells that units among the rows decide leave a row first: what is left of it is shorter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from pbcnf.constraints.constraint import PseudoBoolean
from pbcnf.derivation import BoundIds, Derivation, DerivationState, derive_constraint
from pbcnf.derivation.derivation_state import Propagated
from satsweeper.certificate.puzzle.rows import BoardRow, BoardRows

_DIRECT: Final = 130
"""The most clauses of a row without auxiliary variables: at most 4 of 9 cells has 126."""
_TOTALIZED: Final = 256
"""The most cells of a sum without weights for which a totalizer is written."""


class RowClauses:
    """Clauses that follow from rows, and their derivation.

    ``clauses``: all of them; ``numbers``: of the constraints that say them; ``steps``: those that
    derive what is no row. ``given``: the number of constraints before the first step, cuts and the
    claim among them. The clauses of the total come when `add` is asked for them.
    """

    def __init__(self, rows: BoardRows, given: int) -> None:
        self.clauses: list[list[int]] = []
        self.numbers: list[int] = []
        self.variables = rows.variables
        self.given = given
        self.steps = Derivation(given)
        self._rows = rows
        self._units: dict[int, int] = {}
        for number, row in enumerate(rows.rows, start=1):
            if len(row.terms) == 1 and row.degree == 1:
                self._units.setdefault(row.terms[0][1], number)
        self.add(rows.sums)

    def add(self, sums: Iterable[tuple[int | None, int | None]]) -> None:
        """Add the clauses of sums, given by the numbers of the rows that bound them."""
        for lower, upper in sums:
            numbers = [number for number in (lower, upper) if number is not None]
            if not all(map(self._direct, numbers)):
                self._encoded(BoundIds(lower, upper))

    def _direct(self, number: int) -> bool:
        """Add the shortest clauses that a row implies, all or none; return whether they are few."""
        row = self._rows.rows[number - 1]
        if row.degree == 1 and all(weight == 1 for weight, _ in row.terms):
            # The row is a clause; units in it are left to the solver.
            self.clauses.append([*dict.fromkeys([lit for _, lit in row.terms])])
            self.numbers.append(number)
            return True
        left, hints = _without(row, self._units)
        found = [*islice(implied_clauses(left), _DIRECT + 1)]
        if len(found) > _DIRECT:
            return False
        for clause in found:
            self.clauses.append(clause)
            self.numbers.append(self.steps.add(Propagated(tuple(clause), (*hints, number))))
        return True

    def _encoded(self, bounds: BoundIds) -> None:
        """Add an encoder's clauses of the sum that has these bounds."""
        state = DerivationState(self.steps)
        numbers = BoundIds(*[self._folded(number, state) for number in bounds])
        known = [number for number in bounds if number is not None]
        terms = _without(self._rows.rows[known[0] - 1], self._units)[0].terms
        sign = -1 if bounds.lower is None else 1
        weights = [sign * weight for weight, _ in terms]
        lits = [lit for _, lit in terms]
        ends = [None if n is None else _degree(self._rows.rows[n - 1], self._units) for n in bounds]
        lower = sum([w for w in weights if w < 0]) if ends[0] is None else ends[0]
        upper = sum([w for w in weights if w > 0]) if ends[1] is None else -ends[1]
        constraint = PseudoBoolean(lits, weights, lower, upper)
        state.last_var = self.variables
        # A totalizer has more clauses than others and propagates by fewer: lemmas need fewer hints.
        few = len(lits) <= _TOTALIZED and {*weights} == {1}
        encoder = "totalizer" if few else None
        clauses, found = derive_constraint(constraint, encoder, numbers, state, self.variables + 1)
        self.clauses += clauses
        self.numbers += found
        self.variables = max([state.last_var, *[abs(lit) for each in clauses for lit in each]])

    def _folded(self, number: int | None, state: DerivationState) -> int | None:
        """Derive the rest of a row that units leave; return the number of that rest.

        A row without decided cells keeps its number, and None, no row, stays None.
        """
        if number is None:
            return None
        row = self._rows.rows[number - 1]
        state.declare(number, row.terms, row.degree)
        parts, axioms = [(number, 1)], []
        for weight, lit in row.terms:
            # A literal leaves a sum ``>=`` at its largest value by an axiom, at its least by the
            # unit that decides it; a negative weight turns its literal around.
            least = -lit if weight > 0 else lit
            if -least in self._units:
                axioms.append((least, abs(weight)))
            elif least in self._units:
                unit = state.declare(self._units[least], [(1, least)], 1)
                parts.append((unit, abs(weight)))
        return state.add(parts, axioms) if len(parts) > 1 or axioms else number


def _without(row: BoardRow, units: Mapping[int, int]) -> tuple[BoardRow, list[int]]:
    """Return a row without what units decide, and the numbers of those units."""
    left, degree, hints = [], row.degree, []
    for weight, lit in row.terms:
        if lit in units:
            degree -= weight
            hints.append(units[lit])
        elif -lit in units:
            hints.append(units[-lit])
        else:
            left.append((weight, lit))
    return BoardRow(tuple(left), degree), hints


def _degree(row: BoardRow, units: Mapping[int, int]) -> int:
    return _without(row, units)[0].degree


def implied_clauses(row: BoardRow) -> Iterator[list[int]]:
    """Yield the shortest clauses that a row implies; together they say what the row says.

    Literals are of distinct variables. A clause says that not all of its literals are false: even
    with all others true the sum would stay below the degree.

    >>> list(implied_clauses(BoardRow(((2, 1), (1, 2), (1, 3)), 2)))
    [[1, 2], [1, 3]]
    """
    degree, terms = row.degree, []
    for weight, lit in row.terms:
        terms.append((abs(weight), lit if weight > 0 else -lit))
        degree -= min(weight, 0)
    terms.sort(key=lambda term: -term[0])
    # What the false literals of a clause weigh together must exceed this.
    slack = sum([weight for weight, _ in terms]) - degree
    if slack < 0:
        yield []
        return
    rest = [0] * (len(terms) + 1)
    for place in range(len(terms) - 1, -1, -1):
        rest[place] = rest[place + 1] + terms[place][0]

    def chosen(start: int, left: int, taken: Sequence[int]) -> Iterator[list[int]]:
        # By falling weight: the literal that exceeds the slack is the lightest of its clause, so
        # none can be left out.
        for place in range(start, len(terms)):
            if rest[place] <= left:
                return
            weight, lit = terms[place]
            if weight > left:
                yield [*taken, lit]
            else:
                yield from chosen(place + 1, left - weight, [*taken, lit])

    if degree > 0:
        yield from chosen(0, slack, ())
