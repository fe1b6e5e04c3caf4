"""The inequalities that ``proof.opb`` must state of a board, and the connections of its cells.

Cell i is variable i + 1, and true if there is a mine. The variables of further mines of cells that
can hold several follow, cell by cell: the k-th of a cell is true if there are at least k mines.
Then come auxiliary variables, in the order in which the rules need them: rules of layouts as they
stand in ``rules:``, clues in the order of their cells, then clues that depend on one another. Each
of them is implied by what it stands for, or defined: every layout of the board extends to values of
all variables that meet all rows. So what contradicts the rows contradicts the board. The order of
rows is free. What is known of cells and the rules of layouts stand here, the rest in `clue_rows`.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise, repeat
from typing import Final

from pbcnf.proof.cutting_planes.inequality import Inequality, normalised
from satsweeper.checker.puzzle.board import PuzzleBoard
from satsweeper.checker.puzzle.connections import ConnectedCells
from satsweeper.checker.puzzle.grid import KNIGHT, Grid, Steps

Key = tuple[frozenset[tuple[int, int]], int]
"""An inequality that can be compared: pairs of literal and weight, and the degree."""


MOST_TABLED: Final = 16
"""The most cells, or mines that fit there, of which a clue is told by all their values."""


class BoardStatement:
    """All rows of a board; ``variables``: the number of variables, auxiliary ones included.

    It begins with what is known of cells and the rules of layouts. Raises WrongCertificateError for
    a board that lacks what one of its rules needs.
    """

    def __init__(self, board: PuzzleBoard, trust_flags: bool) -> None:
        self.grid = board.grid
        self.variables = max(map(max, board.grid.variables))
        self.rows: dict[Key, Inequality] = {}
        self.connections: list[ConnectedCells] = []
        self._known: set[int] = set()
        self._conjunctions: dict[tuple[int, ...], int] = {}
        for variable in self.grid.of_cells(board.safe):
            self._know(-variable)
        for cell in board.shown | (board.flags if trust_flags else set()):
            self._know(cell + 1)
        for cell in self.grid.capacity:
            for fewer, more in pairwise(self.grid.variables[cell]):
                self.clause([fewer, -more])
        for rule in board.layout_rules:
            LAYOUTS[rule](self)

    def connect(
        self, sign: int, near: Sequence[Sequence[int]], anchors: frozenset[int] | None = None
    ) -> None:
        """Add a connection, and define of each cell that it is the first of the set.

        That is not needed where the set is anchored, or where a cell is known to be in it.
        """
        members = [sign * (cell + 1) for cell in range(self.grid.size)]
        possible = {abs(lit) - 1: lit for lit in members if -lit not in self._known}
        firsts: dict[int, int] = {}
        if anchors is None and self._known.isdisjoint(members):
            before: list[int] = []
            for earlier, cell in pairwise(possible):
                before = [self.conjunction([*before, -possible[earlier]])]
                firsts[self.conjunction([*before, possible[cell]])] = cell
        around = [[cell for cell in cells if cell in possible] for cells in near]
        self.connections.append(ConnectedCells(sign, around, anchors, firsts))

    def row(self, terms: Iterable[tuple[int, int]], degree: int) -> None:
        """Add ``sum of weight * literal >= degree``, unless it always holds."""
        found = normalised(terms, degree)
        if not found.trivial:
            self.rows[key_of(found)] = found

    def clause(self, literals: Iterable[int]) -> None:
        """Add that some literal is true."""
        self.row(zip(repeat(1), literals), 1)

    def new_var(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def bounds(self, terms: Sequence[tuple[int, int]], lower: int, upper: int, *when: int) -> None:
        """Add ``lower <= sum <= upper``, which the literals ``when`` imply together."""
        least = sum(min(weight, 0) for weight, _ in terms)
        most = sum(max(weight, 0) for weight, _ in terms)
        # Where one of these is false, its negation adds as much as the sum can lack.
        spare = [(max(lower - least, 0), -lit) for lit in when]
        self.row([*terms, *spare], lower)
        spare = [(max(most - upper, 0), -lit) for lit in when]
        self.row([*[(-weight, lit) for weight, lit in terms], *spare], -upper)

    def conjunction(self, literals: Iterable[int]) -> int:
        """Return a literal that is true exactly if all of ``literals`` are."""
        key = _ascending(literals)
        if len(key) == 1:
            return key[0]
        if key not in self._conjunctions:
            found = self._conjunctions[key] = self.new_var()
            self.row([(len(key), -found), *[(1, lit) for lit in key]], len(key))
            self.clause([found, *[-lit for lit in key]])
        return self._conjunctions[key]

    def sum_of(self, terms: Iterable[tuple[Iterable[int], int]], allowed: Iterable[int]) -> None:
        """Add that a sum of conjunctions with weights has one of the values ``allowed``."""
        ordered = sorted((_ascending(literals), weight) for literals, weight in terms)
        found = [(weight, self.conjunction(literals)) for literals, weight in ordered]
        least = sum(min(weight, 0) for weight, _ in found)
        most = sum(max(weight, 0) for weight, _ in found)
        values = sorted({value for value in allowed if least <= value <= most})
        starts = [value for value in values if value - 1 not in values]
        ends = [value for value in values if value + 1 not in values]
        if len(starts) == 1:
            self.bounds(found, starts[0], ends[0])
            return
        chosen = [self.new_var() for _ in starts]
        self.clause(chosen)
        for choice, start, end in zip(chosen, starts, ends, strict=True):
            self.bounds(found, start, end, choice)

    def table(self, variables: Sequence[int], accepts: Callable[[set[int]], bool]) -> None:
        """Add a clause for each set of true ``variables`` that ``accepts`` refuses.

        Sets that contradict what is known of a cell need none.
        """
        few = len(variables) <= MOST_TABLED
        self.grid.require(few, f"{MOST_TABLED} cells or mines around a clue at most")
        for number in range(1 << len(variables)):
            true = {variable for k, variable in enumerate(variables) if number >> k & 1}
            clause = [-variable if variable in true else variable for variable in variables]
            if self._known.isdisjoint(clause) and not accepts(true):
                self.clause(clause)

    def _know(self, literal: int) -> None:
        self._known.add(literal)
        self.clause([literal])


def key_of(inequality: Inequality) -> Key:
    """Return an inequality in a form that can be a key."""
    return frozenset(inequality.terms.items()), inequality.degree


def _ascending(literals: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted({*literals}, key=lambda lit: (abs(lit), lit)))


# Rules of layouts.


def _blocks(grid: Grid) -> list[list[int]]:
    found = [grid.at(cell, ((0, 0), (0, 1), (1, 0), (1, 1))) for cell in range(grid.size)]
    return [[cell + 1 for cell in block] for block in found if len(block) == 4]


def _quad(said: BoardStatement) -> None:
    for block in _blocks(said.grid):
        said.clause(block)


def _threes(said: BoardStatement, steps: Steps, signs: Sequence[int]) -> None:
    grid = said.grid
    for cell in range(grid.size):
        for down, right in steps:
            line = grid.at(cell, ((0, 0), (down, right), (2 * down, 2 * right)))
            for sign in signs if len(line) == 3 else ():
                said.clause([sign * (each + 1) for each in line])


def _outside(said: BoardStatement) -> None:
    said.grid.require(not said.grid.wraps, "a border")
    beside = said.grid.beside
    said.connect(1, beside, frozenset(said.grid.border))
    said.connect(-1, beside)
    if said.grid.is_square:
        # Where two safe cells meet at a corner between two mines, a way of safe cells from one to
        # the other closes a line with a mine on either side; only one side has the outside.
        for one, left, right, other in _blocks(said.grid):
            said.clause([-one, -other, left, right])
            said.clause([one, other, -left, -right])


def _one_beside(said: BoardStatement, cells: Iterable[int]) -> None:
    for cell in cells:
        near = [each + 1 for each in said.grid.beside[cell]]
        said.clause([-(cell + 1), *near])
        for one, other in combinations(near, 2):
            said.clause([-(cell + 1), -one, -other])


def _snake(said: BoardStatement) -> None:
    """S: a connected set without branches is a path if one or two mines have one beside at most.

    A circle of three or four cells is in no path.
    """
    beside = said.grid.beside
    for cell in range(said.grid.size):
        for one, other in combinations(beside[cell], 2):
            for far in {*beside[one]} & {*beside[other], other} - {cell}:
                said.clause([-(each + 1) for each in {cell, one, other, far}])
    said.connect(1, beside)
    ends = []
    for cell, near in enumerate(beside):
        end = said.new_var()
        ends.append((1, end))
        said.clause([-end, cell + 1])
        for two in combinations(near, 2):
            said.clause([-end, *[-(each + 1) for each in two]])
        for three in combinations(near, 3):
            said.clause([-(cell + 1), *[-(each + 1) for each in three]])
        for spared in near or [cell]:
            said.clause([end, -(cell + 1), *[each + 1 for each in near if each != spared]])
    said.bounds(ends, 1, 2)


def _equal(said: BoardStatement, more: Iterable[int], less: Iterable[int]) -> None:
    said.sum_of([([c + 1], 1) for c in more] + [([c + 1], -1) for c in less], [0])


def _balance(said: BoardStatement) -> None:
    said.grid.require(said.grid.is_square, "columns")
    for lines in said.grid.lines:
        for one, other in pairwise(lines):
            _equal(said, one, other)


def _no_pairs(said: BoardStatement, near: Callable[[int], Iterable[int]]) -> None:
    for cell in range(said.grid.size):
        for other in near(cell):
            if other != cell:
                said.clause([-(cell + 1), -(other + 1)])


def _right(grid: Grid, cell: int) -> list[int]:
    found = grid.right_of(cell)
    return [] if found is None else [found]


def _side_by_side(said: BoardStatement) -> None:
    grid = said.grid
    near: dict[int, list[int]] = {cell: _right(grid, cell) for cell in range(grid.size)}
    for cell in range(grid.size):
        for right in _right(grid, cell):
            near[right] = [*near[right], cell]
    for cell, others in near.items():
        said.clause([-(cell + 1), *[other + 1 for other in others]])


def _rectangles(said: BoardStatement) -> None:
    for block in _blocks(said.grid):
        for spared in block:
            said.clause([spared, *[-lit for lit in block if lit != spared]])
    said.connect(1, said.grid.touching)


def _one_run(said: BoardStatement) -> None:
    said.grid.require(not said.grid.wraps, "rows with ends")
    for row in said.grid.lines[0]:
        starts = [([row[0] + 1], 1)]
        starts += [([-(left + 1), cell + 1], 1) for left, cell in pairwise(row)]
        said.sum_of(starts, [1])


def _fours(said: BoardStatement) -> None:
    """For each cell: no mine, or a whole group of four in which the cell is."""
    beside = said.grid.beside
    found = {frozenset([cell]) for cell in range(said.grid.size)}
    for _ in range(3):
        found = {
            group | {near}
            for group in found
            for cell in group
            for near in beside[cell]
            if near not in group
        }
    for cell in range(said.grid.size):
        terms: list[tuple[Iterable[int], int]] = [([-(cell + 1)], 1)]
        for group in found:
            if cell in group:
                around = {near for each in group for near in beside[each]} - group
                terms.append(([*[c + 1 for c in group], *[-(c + 1) for c in around]], 1))
        said.sum_of(terms, range(1, len(terms) + 1))


def _bridges(said: BoardStatement) -> None:
    """In a column as many mines as in the next, and each at most a row from its partner.

    The first r + 1 rows of a column hold at least as many mines as the first r of its neighbour.
    """
    said.grid.require(said.grid.is_square and not said.grid.wraps, "columns with ends")
    for left, right in pairwise(said.grid.lines[1]):
        for one, other in ((left, right), (right, left)):
            for rows in range(1, len(one) + 1):
                more = [(1, cell + 1) for cell in other[: rows + 1]]
                said.row([*more, *[(-1, cell + 1) for cell in one[:rows]]], 0)


def _zero_sum(said: BoardStatement) -> None:
    for row in said.grid.lines[0]:
        dyed = [cell for cell in row if said.grid.dyed(cell)]
        _equal(said, dyed, [cell for cell in row if cell not in dyed])


LAYOUTS: dict[str, Callable[[BoardStatement], None]] = {
    "Q": _quad,
    "C": lambda said: said.connect(1, said.grid.touching),
    "T": lambda said: _threes(said, ((0, 1), (1, 0), (1, 1), (1, -1)), (-1,)),
    "O": _outside,
    "D": lambda said: _one_beside(said, range(said.grid.size)),
    "S": _snake,
    "B": _balance,
    "A": lambda said: _no_pairs(said, lambda cell: said.grid.at(cell, KNIGHT)),
    "H": lambda said: _no_pairs(said, lambda cell: _right(said.grid, cell)),
    "U": lambda said: _no_pairs(said, lambda cell: said.grid.beside[cell]),
    "2H": _side_by_side,
    "2C": _rectangles,
    "2S": _one_run,
    "2G": _fours,
    "2F": lambda said: _one_beside(said, filter(said.grid.dyed, range(said.grid.size))),
    "2B": _bridges,
    "2T": lambda said: _threes(said, ((0, 1), (1, 0)), (1, -1)),
    "2Z": _zero_sum,
}
"""The rules of layouts."""
