"""Gaussian elimination modulo 2 and modulo 3 on equations of zeros and ones.

Modulo 2 it refutes parity arguments (every link of a graph is counted twice), modulo 3 arguments by
counting two colours against each other, as on the mutilated chessboard: 1 and -1 differ there.
Rows are integers with a bit a variable, so that a step is a handful of operations on long numbers
whatever the row's length. Modulo 3 a row is two of them, for the coefficients 1 and 2, added by
seven operations a step (Boothby, Bradshaw: Bitslicing and the method of four Russians over larger
finite fields, arXiv 0901.1413, 2009). The pivot of a row is its last variable: on a board, where
equations and variables are ordered alike, nearly all rows then are left as they are.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from satsweeper.board.errors import DefectError
from satsweeper.linear.equations import Equation, ModularRow, follows

MODULI: Final = (2, 3)
"""The primes modulo which elimination works."""
EFFORT: Final = 20_000_000
"""The default cost of a run, in units of about a 64-bit word: some tenths of a second."""
SHORT: Final = 3
"""Variables of the longest row that is always reported."""
_STEP: Final = 40
"""The cost of a step besides the words that it works on."""

_Number = tuple[int, int]
"""A vector modulo 3: the bits of its ones and of its twos; modulo 2 there are no twos."""


class Eliminated(NamedTuple):
    """The result of `eliminate`.

    ``clash``: a row without variables whose value is not 0; then nothing else is reported.
    ``rows``: all rows with few variables that follow from the equations, and longer rows as far as
    ``long`` allowed. ``complete``: whether effort was enough; what is reported holds either way.
    """

    clash: ModularRow | None
    rows: list[ModularRow]
    complete: bool


def eliminate(
    equations: Sequence[Equation], modulus: int, effort: int = EFFORT, long: int = 0
) -> Eliminated:
    """Eliminate modulo 2 or 3.

    Args:
        equations: over any numbers as variables.
        modulus: 2 or 3.
        effort: the cost at the most.
        long: also report rows of more than ``SHORT`` variables, until these rows have this many
            variables and multipliers together.

    >>> eliminate([((1, 2), 1), ((2, 3), 1), ((1, 3), 1)], 2).clash.multipliers
    {0: 1, 1: 1, 2: 1}
    """
    variables = sorted({v for variables, _ in equations for v in variables})
    # A row is as long as its last variable is far: a million of them would not fit into memory.
    if len(variables) * (len(variables) + len(equations)) >> 6 > effort:
        return Eliminated(None, [], complete=False)
    return _EliminationRun(equations, variables, modulus, effort, long).result()


class _EliminationRun:
    """The rows so far; each has its last variable as the pivot, of coefficient 1.

    Bit 0 of a row is its value, bit n + 1 the n-th variable in ascending order.
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
        # Invariant: ``used`` are the multipliers of equations that add up to ``row``.
        for index, (mask, number) in enumerate(self.equations):
            row = (mask | (number & 1), number >> 1)
            used = (1 << index, 0)
            while (top := (row[0] | row[1]).bit_length() - 1) > 0:
                pivot = self.pivots.get(top)
                if pivot is None:
                    # Negated if its last coefficient is 2, so that every pivot's is 1.
                    if row[1] >> top & 1:
                        row, used = (row[1], row[0]), (used[1], used[0])
                    self.pivots[top] = row, used
                    break
                row, used = self._without(row, used, top, *pivot)
                if self.left < 0:
                    return Eliminated(None, [], complete=False)
            # No variable is left, but a value other than 0: the equations clash.
            if row[0] | row[1] == 1:
                return Eliminated(self._row(row, used), [], complete=True)
        # Then back, until each row holds no pivot but its own. Pivots ascend, so the rows that are
        # taken away hold no pivot but their own already, and bring no new one in.
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
        # The pivot's coefficient is 1: a coefficient 2 goes by adding, 1 by subtracting, which is
        # adding the negated row.
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

    Arguments as those of `eliminate`.

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
    # Ones and twos of two vectors to ones and twos of their sum, all places at once: 1 + 1 = 2,
    # 1 + 2 = 0, 2 + 2 = 1.
    both = (one[0] | other[1]) ^ (one[1] | other[0])
    return (one[1] | other[1]) ^ both, (one[0] | other[0]) ^ both


def _bits(number: int) -> list[int]:
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found
