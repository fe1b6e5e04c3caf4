"""The inequalities that ``proof.opb`` must state of a board, and the connections of its cells.

Cell i is variable i + 1. Auxiliary variables follow, in the order in which the rules need them:
rules of layouts as they stand in ``rules:``, clues in reading order, then clues that depend on one
another. Each of them is implied by what it stands for, or defined: every layout of the board
extends to values of all variables that meet all rows. So what contradicts the rows contradicts the
board. The order of rows is free.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise, repeat

from pbcnf.proof.cutting_planes.inequality import Inequality, normalised
from satsweeper.checker.puzzle.board import PuzzleBoard, PuzzleClue
from satsweeper.checker.puzzle.connections import ConnectedCells
from satsweeper.checker.puzzle.grid import EDGES, KNIGHT, RING, Grid, Steps
from satsweeper.checker.puzzle.predicates import counted_cells, ring_of, runs

Key = tuple[frozenset[tuple[int, int]], int]
"""An inequality that can be compared: pairs of literal and weight, and the degree."""


class BoardStatement:
    """All rows of a board; ``variables``: the number of variables, auxiliary ones included.

    Raises WrongCertificateError for a board that lacks what one of its rules needs.
    """

    def __init__(self, board: PuzzleBoard, trust_flags: bool) -> None:
        self.grid = board.grid
        self.variables = board.grid.size
        self.rows: dict[Key, Inequality] = {}
        self.connections: list[ConnectedCells] = []
        self._known: set[int] = set()
        self._conjunctions: dict[tuple[int, ...], int] = {}
        for clue in board.clues:
            self._know(-(clue.cell + 1))
        for cell in board.flags if trust_flags else ():
            self._know(cell + 1)
        for rule in board.layout_rules:
            LAYOUTS[rule](self)
        alone = [clue for clue in board.clues if not clue.has("2I", "2E", "2L")]
        for clue in alone:
            self._clue(clue)
        # Groups of clues in the order of their first clues.
        for letters in dict.fromkeys(clue.letters for clue in board.clues if clue not in alone):
            TOGETHER[letters[0]](self, [c for c in board.clues if c.letters == letters])
        if board.mines is not None:
            self.bounds([(1, cell + 1) for cell in range(self.grid.size)], board.mines, board.mines)

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

    def table(self, cells: Sequence[int], accepts: Callable[[set[int]], bool]) -> None:
        """Add a clause for each set of mines among ``cells`` that ``accepts`` refuses.

        Sets that contradict what is known of a cell need none.
        """
        for number in range(1 << len(cells)):
            mines = {cell for k, cell in enumerate(cells) if number >> k & 1}
            clause = [-(cell + 1) if cell in mines else cell + 1 for cell in cells]
            if self._known.isdisjoint(clause) and not accepts(mines):
                self.clause(clause)

    def _know(self, literal: int) -> None:
        self._known.add(literal)
        self.clause([literal])

    # Clues that stand for themselves.

    def _clue(self, clue: PuzzleClue) -> None:
        grid, here = self.grid, clue.cell
        weights = {c: 1 + (clue.has("M") and grid.dyed(c)) for c in counted_cells(grid, clue)}
        match clue.rule_of("runs", "difference", "sight", "pair", "area", "distances"):
            case "2X" | "2X'" as rule:
                wanted = sorted(map(int, clue.text)) if rule == "2X" else [clue.number]

                def fits(mines: set[int]) -> bool:
                    dyed = sum(weights[c] for c in mines if grid.dyed(c))
                    both = sorted((dyed, sum(weights[c] for c in mines) - dyed))
                    return both == wanted if len(wanted) == 2 else wanted[0] in both

                self.table([*weights], fits)
            case "W" | "P" as rule:
                ring = ring_of(grid, here)
                lengths = sorted(map(int, clue.text.strip("0"))) if rule == "W" else None
                allowed = {*_related(clue, len(ring))} if rule == "P" else set()

                def has_runs(mines: set[int]) -> bool:
                    found = runs([cell in mines for cell in ring])
                    return found == lengths if lengths is not None else len(found) in allowed

                self.table([cell for cell in ring if cell is not None], has_runs)
            case "N":
                signed = [([c + 1], w if grid.dyed(c) else -w) for c, w in weights.items()]
                values = _related(clue, sum(weights.values()))
                self.sum_of(signed, [sign * value for value in values for sign in (1, -1)])
            case "E":
                lines = [grid.line(here, down, right) for down, right in EDGES]
                ends = [line[: k + 1] for line in lines for k in range(len(line))]
                # Each beginning of a line without a mine is a cell that is seen.
                seen = [([-(cell + 1) for cell in end], 1) for end in ends]
                self.sum_of(seen, [value - 1 for value in _related(clue, len(seen) + 1)])
            case "2Q":
                lines = [line for d, r in RING if (line := grid.line(here, d, r))]
                empty = [([-(cell + 1) for cell in line], 1) for line in lines]
                self.sum_of(empty, [len(lines) - value for value in _related(clue, len(lines))])
            case "2A":
                self._area(here, sorted(_related(clue, grid.size - 1)))
            case "2P":
                self._nearest(here, clue.number)
            case _:
                terms = [([c + 1], w) for c, w in weights.items()]
                self.sum_of(terms, _related(clue, sum(weights.values())))

    def _area(self, here: int, allowed: Sequence[int]) -> None:
        """2A: as many mines as allowed are reached, step by step, from the edges of a cell."""
        near = [[c for c in beside if c != here] for beside in self.grid.beside]
        start = self.grid.beside[here]
        if not allowed or allowed[-1] < 1:
            for cell in start if allowed else ():
                self.clause([-(cell + 1)])
            if not allowed:
                self.clause([])
            return
        # reached[c]: c is a mine, and so are the cells of a way of at most t cells from the start.
        # A way through the mines of an area needs no more cells than the area has.
        reached = {cell: cell + 1 for cell in start}
        for _ in range(min(allowed[-1], self.grid.size - 1) - 1):
            following = {}
            for cell in sorted({*reached, *[c for each in reached for c in near[each]]}):
                if cell in start:
                    following[cell] = cell + 1
                    continue
                before = [reached[c] for c in (cell, *near[cell]) if c in reached]
                none = self.conjunction([-lit for lit in before])
                following[cell] = self.conjunction([cell + 1, -none])
            reached = following
        # Nothing beside what is reached is a mine that is not.
        for cell, literal in reached.items():
            for other in near[cell]:
                further = [reached[other]] if other in reached else []
                self.clause([-literal, -(other + 1), *further])
        terms = [(1, literal) for literal in reached.values()]
        inside = [value for value in allowed if value <= len(terms)]
        if not inside:
            self.clause([])
            return
        if len(inside) == 1:
            self.bounds(terms, inside[0], inside[0])
            return
        chosen = [self.new_var() for _ in inside]
        self.clause(chosen)
        for choice, value in zip(chosen, inside, strict=True):
            self.bounds(terms, value, value, choice)

    def _nearest(self, here: int, product: int) -> None:
        """2P: a case for each two distances with the product, and a clause that some case holds."""
        shells: dict[int, list[int]] = {}
        for cell in range(self.grid.size):
            if cell != here:
                shells.setdefault(self.grid.distance(here, cell), []).append(cell + 1)
        cases = []
        for near in sorted(shells):
            for far in sorted(shells):
                if far < near or near * far != product:
                    continue
                case = self.new_var()
                cases.append(case)
                for distance, shell in shells.items():
                    if distance < far and distance != near:
                        for lit in shell:
                            self.clause([-case, -lit])
                first = [(1, lit) for lit in shells[near]]
                if near == far:
                    self.bounds(first, 2, len(first), case)
                else:
                    self.bounds(first, 1, 1, case)
                    self.clause([-case, *shells[far]])
        self.clause(cases)


def key_of(inequality: Inequality) -> Key:
    """Return an inequality in a form that can be a key."""
    return frozenset(inequality.terms.items()), inequality.degree


def _ascending(literals: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted({*literals}, key=lambda lit: (abs(lit), lit)))


def _related(clue: PuzzleClue, most: int) -> list[int]:
    """Return the true numbers, 0 to ``most``, that the number shown can stand for."""
    shown = clue.number
    match clue.rule_of("relation"):
        case "L":
            return [value for value in (shown - 1, shown + 1) if 0 <= value <= most]
        case "2M":
            return [value for value in range(most + 1) if value % 3 == shown]
        case _:
            return [shown]


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
    """S: a connected set without branches is a path if one or two mines have one beside at most."""
    beside = said.grid.beside
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
    row, column = grid.place(cell)
    found = grid.cell(row, column + 1)
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

# Clues that depend on one another.


def _around(said: BoardStatement, clue: PuzzleClue) -> list[tuple[int, int]]:
    return [(1, cell + 1) for cell in said.grid.around[clue.cell]]


def _one_direction_missing(said: BoardStatement, clues: Sequence[PuzzleClue]) -> None:
    said.grid.require(said.grid.is_square, "squares")
    rings = [ring_of(said.grid, clue.cell) for clue in clues]
    missing = [said.new_var() for _ in rings[0]]
    said.clause(missing)
    for clue, ring in zip(clues, rings, strict=True):
        for direction, literal in enumerate(missing):
            seen = [(1, c + 1) for k, c in enumerate(ring) if c is not None and k != direction]
            said.bounds(seen, clue.number, clue.number, literal)


def _encrypted(said: BoardStatement, clues: Sequence[PuzzleClue]) -> None:
    letters = sorted({clue.text for clue in clues})
    stands = {letter: [said.new_var() for _ in range(9)] for letter in letters}
    for letter in letters:
        said.bounds([(1, lit) for lit in stands[letter]], 1, 1)
    for number in range(9):
        said.bounds([(1, stands[letter][number]) for letter in letters], 0, 1)
    for clue in clues:
        for number, literal in enumerate(stands[clue.text]):
            said.bounds(_around(said, clue), number, number, literal)


def _one_liar(said: BoardStatement, clues: Sequence[PuzzleClue]) -> None:
    grid = said.grid
    grid.require(grid.is_square, "squares")
    clue_of = {clue.cell: clue for clue in clues}
    wrong = {}
    for cell in range(grid.size):
        wrong[cell] = said.new_var()
        if cell not in clue_of:
            said.clause([-wrong[cell], -(cell + 1)])
            continue
        clue = clue_of[cell]
        terms, value, more = _around(said, clue), clue.number, said.new_var()
        said.bounds(terms, value, value, -wrong[cell])
        said.bounds(terms, value + 1, value + 1, wrong[cell], more)
        said.bounds(terms, value - 1, value - 1, wrong[cell], -more)
        said.clause([wrong[cell], -more])
    for lines in grid.lines:
        for line in lines:
            said.bounds([(1, wrong[cell]) for cell in line], 1, 1)


TOGETHER: dict[str, Callable[[BoardStatement, Sequence[PuzzleClue]], None]] = {
    "2I": _one_direction_missing,
    "2E": _encrypted,
    "2L": _one_liar,
}
"""The rules under which clues depend on one another."""
