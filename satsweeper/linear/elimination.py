"""Gaussian elimination modulo 2 and modulo 3 on equations of zeros and ones.

Elimination modulo 2 refutes formulas by parity (every edge of a graph is counted twice);
elimination modulo 3 refutes formulas by counting two colours against each other, as on the
mutilated chessboard, because 1 and -1 differ modulo 3. A row is an integer with a bit for each
variable, so that a step is a few operations on long integers. Modulo 3 a row is two integers, for
the coefficients 1 and 2, added by seven operations (Boothby, Bradshaw: Bitslicing and the method of
four Russians over larger finite fields, arXiv 0901.1413, 2009). The pivot of a row is its last
variable: on a board, where equations and variables are ordered alike, most rows need few steps.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from satsweeper.board.errors import DefectError
from satsweeper.linear.equations import Equation, ModularRow, follows

MODULI: Final = (2, 3)
"""The primes modulo which elimination works."""
EFFORT: Final = 20_000_000
"""The default limit on the cost of a run, in 64-bit words processed: some tenths of a second."""
SHORT: Final = 3
"""The number of variables of the longest row that is always reported."""
_STEP: Final = 40
"""The fixed cost of a step, in words, added to the words that the step processes."""

_Number = tuple[int, int]
"""A vector modulo 2 or 3: a bit for each entry 1, and a bit for each entry 2 (0 modulo 2)."""


class Eliminated(NamedTuple):
    """The result of `eliminate`.

    ``clash``: a row without variables whose value is not 0, or None; with a clash ``rows`` is
    empty. ``rows``: the rows of the reduced system with at most ``SHORT`` variables, and longer
    rows up to the limit ``long``. ``complete``: whether the effort sufficed; the rows are valid in
    any case.
    """

    clash: ModularRow | None
    rows: list[ModularRow]
    complete: bool


def eliminate(
    equations: Sequence[Equation], modulus: int, effort: int = EFFORT, long: int = 0
) -> Eliminated:
    """Eliminate modulo 2 or 3.

    Args:
        equations: equations; variables may be any integers.
        modulus: 2 or 3.
        effort: the limit on the cost, in 64-bit words processed.
        long: the limit on the variables and multipliers, together, of reported rows with more than
            ``SHORT`` variables; 0: no such row is reported.

    >>> eliminate([((1, 2), 1), ((2, 3), 1), ((1, 3), 1)], 2).clash.multipliers
    {0: 1, 1: 1, 2: 1}
    """
    variables = sorted({v for variables, _ in equations for v in variables})
    # A row has as many bits as the index of its last variable, and its multipliers as many as there
    # are equations: the whole system must fit into memory.
    if len(variables) * (len(variables) + len(equations)) >> 6 > effort:
        return Eliminated(None, [], complete=False)
    return _EliminationRun(equations, variables, modulus, effort, long).result()


class _EliminationRun:
    """A run of the elimination: the rows so far, by their pivot.

    The pivot of a row is its last variable, with coefficient 1. Bit 0 of a row holds its value, bit
    n + 1 the coefficient of variable n (from 0) in ascending order.
    """

    def __init__(
        self,
        equations: Sequence[Equation],
        variables: list[int],
        modulus: int,
        effort: int,
        long: int,
    ) -> None:
        self.modulus = modulus
        self.left = effort
        self.long = long
        self.variables = variables
        self.pivots: dict[int, tuple[_Number, _Number]] = {}
        bit = {variable: 2 << n for n, variable in enumerate(variables)}
        self.equations = [
            (sum(bit[v] for v in variables), number % modulus) for variables, number in equations
        ]

    def result(self) -> Eliminated:
        """Return the reduced rows: forward elimination, then back substitution."""
        # Invariant: the equations times the multipliers ``used`` add up to ``row``.
        for index, (mask, number) in enumerate(self.equations):
            row = (mask | (number & 1), number >> 1)
            used = (1 << index, 0)
            while (top := (row[0] | row[1]).bit_length() - 1) > 0:
                pivot = self.pivots.get(top)
                if pivot is None:
                    # A row with the last coefficient 2 is negated, so that every pivot has 1.
                    if row[1] >> top & 1:
                        row, used = (row[1], row[0]), (used[1], used[0])
                    self.pivots[top] = row, used
                    break
                row, used = self._without(row, used, top, *pivot)
                if self.left < 0:
                    return Eliminated(None, [], complete=False)
            # No variable is left, and the value is not 0: the equations have no solution.
            if row[0] | row[1] == 1:
                return Eliminated(self._row(row, used), [], complete=True)
        # Back substitution, until each row holds no pivot but its own. Rows are reduced by
        # ascending pivot, so that a subtracted row is reduced already and brings no other pivot in.
        others = sum(1 << top for top in self.pivots)
        rows = []
        for top in sorted(self.pivots):
            row, used = self.pivots[top]
            within = (row[0] | row[1]) & others & ~(1 << top)
            while within:
                lower = within.bit_length() - 1
                within ^= 1 << lower
                row, used = self._without(row, used, lower, *self.pivots[lower])
            self.pivots[top] = row, used
            size = ((row[0] | row[1]) >> 1).bit_count()
            if size > SHORT:
                self.long -= size + (used[0] | used[1]).bit_count()
            if size <= SHORT or self.long >= 0:
                rows.append(self._row(row, used))
            if self.left < 0:
                return Eliminated(None, rows, complete=False)
        return Eliminated(None, rows, complete=True)

    def _without(
        self, row: _Number, used: _Number, top: int, other: _Number, by: _Number
    ) -> tuple[_Number, _Number]:
        """Return ``row`` without variable ``top``, by subtracting a multiple of ``other``."""
        self.left -= _STEP + (other[0].bit_length() + by[0].bit_length() >> 5)
        if self.modulus == 2:
            return (row[0] ^ other[0], 0), (used[0] ^ by[0], 0)
        # The pivot's coefficient is 1: a coefficient 2 is cancelled by adding the pivot's row, and
        # a coefficient 1 by adding its negation, in which ones and twos are exchanged.
        if row[0] >> top & 1:
            other, by = (other[1], other[0]), (by[1], by[0])
        return _sum(row, other), _sum(used, by)

    def _row(self, row: _Number, used: _Number) -> ModularRow:
        of = {
            self.variables[n - 1]: 1 + factor
            for factor in (0, 1)
            for n in _bits(row[factor] >> 1 << 1)
        }
        multipliers = {n: 1 + factor for factor in (0, 1) for n in _bits(used[factor])}
        return ModularRow(self.modulus, of, (row[0] & 1) + 2 * (row[1] & 1), multipliers)


def checked_rows(equations: Sequence[Equation], modulus: int, long: int = 0) -> Eliminated:
    """Return the result of `eliminate`, each row checked in integers; a clash is the last row.

    Args:
        equations: equations; variables may be any integers.
        modulus: 2 or 3.
        long: the limit on longer rows, as for `eliminate`.

    Raises:
        DefectError: a row does not follow from the equations.
    """
    found = eliminate(equations, modulus, long=long)
    if found.clash is not None:
        found.rows.append(found.clash)
    for row in found.rows:
        if not follows(equations, row):
            raise DefectError(f"elimination modulo {modulus}: a row does not follow")
    return found


def _sum(one: _Number, other: _Number) -> _Number:
    # The sum of two vectors modulo 3, bit-sliced: 1 + 1 = 2, 1 + 2 = 0 and 2 + 2 = 1 in each place.
    both = (one[0] | other[1]) ^ (one[1] | other[0])
    return (one[1] | other[1]) ^ both, (one[0] | other[0]) ^ both


def _bits(number: int) -> list[int]:
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found
