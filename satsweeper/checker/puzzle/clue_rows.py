"""Clues, regions and the total as inequalities.

`statement_of` has all rows of a board; their variables are those of `rows`.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final

from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.puzzle.board import PuzzleBoard, PuzzleClue, PuzzleRegion
from satsweeper.checker.puzzle.grid import EDGES, RING
from satsweeper.checker.puzzle.predicates import require_single_mines, ring_of, runs, weights_of
from satsweeper.checker.puzzle.rows import BoardStatement

MOST_VALUES: Final = 100_000
"""The most true numbers that a clue can stand for."""


def statement_of(board: PuzzleBoard, trust_flags: bool) -> BoardStatement:
    """Return all rows of a board.

    Raises WrongCertificateError for one that lacks what a rule needs.
    """
    said = BoardStatement(board, trust_flags)
    for clue in board.clues:
        if not clue.has(*TOGETHER):
            _clue(said, clue)
    # The rule of all clues speaks of a board without clues, too; other groups of clues stand in the
    # order of their first clues.
    shown = [letters for clue in board.clues for letters in clue.letters]
    for letters in dict.fromkeys([*board.rules, *shown]):
        if letters in TOGETHER:
            TOGETHER[letters](said, [clue for clue in board.clues if clue.has(letters)])
    for region in board.regions:
        _region(said, region)
    if board.mines is not None:
        _exactly(said, range(said.grid.size), board.mines)
    return said


def _exactly(said: BoardStatement, cells: Iterable[int], mines: int) -> None:
    said.sum_of([([variable], 1) for variable in said.grid.of_cells(cells)], [mines])


def _region(said: BoardStatement, region: PuzzleRegion) -> None:
    _exactly(said, region.cells, region.mines)
    mines = [cell + 1 for cell in region.cells]
    if region.arranged and not said.grid.capacity.keys().isdisjoint(region.cells):
        # Mines may share a cell: what counts is where runs of cells with mines begin.
        starts = [([mines[0]], 1), *[([-a, b], 1) for a, b in pairwise(mines)]]
        said.sum_of(
            starts, (0, 1) if region.arranged == "together" else (0, *range(2, len(mines) + 1))
        )
    elif region.arranged == "together":
        # Mines that are as far apart as there are mines are not all in one run.
        for place, one in enumerate(mines):
            for other in mines[place + max(region.mines, 1) :]:
                said.clause([-one, -other])
    elif region.arranged == "apart" and region.mines:
        for place in range(len(mines) - region.mines + 1):
            said.clause([-one for one in mines[place : place + region.mines]])


def _clue(said: BoardStatement, clue: PuzzleClue) -> None:
    grid, here = said.grid, clue.cell
    weights = {
        variable: (weight, grid.dyed(cell))
        for cell, weight in weights_of(grid, clue).items()
        for variable in grid.variables[cell]
    }
    most = sum(abs(weight) for weight, _ in weights.values())
    match clue.rule_of("runs", "difference", "sight", "pair", "area", "distances"):
        case "2X" | "2X'" as rule:
            wanted = sorted(map(int, clue.text)) if rule == "2X" else [clue.number]

            def fits(true: set[int]) -> bool:
                sums = [0, 0]
                for variable in true:
                    weight, dyed = weights[variable]
                    sums[dyed] += weight
                return sorted(sums) == wanted if len(wanted) == 2 else wanted[0] in sums

            said.table([*weights], fits)
        case "W" | "P" | "HC" | "HN" as rule:
            ring = ring_of(grid, here)
            lengths = sorted(map(int, clue.text.strip("0"))) if rule == "W" else []
            allowed = {*_related(clue, len(ring))} if rule == "P" else set()

            def has_runs(true: set[int]) -> bool:
                found = runs([cell is not None and cell + 1 in true for cell in ring])
                match rule:
                    case "W":
                        return found == lengths
                    case "P":
                        return len(found) in allowed
                return sum(found) == clue.number and (len(found) > 1) == (rule == "HN")

            said.table([cell + 1 for cell in ring if cell is not None], has_runs)
        case "N":
            signed = [([v], w if dyed else -w) for v, (w, dyed) in weights.items()]
            values = _related(clue, most)
            said.sum_of(signed, [sign * value for value in values for sign in (1, -1)])
        case "E":
            lines = [grid.line(here, down, right) for down, right in EDGES]
            ends = [line[: k + 1] for line in lines for k in range(len(line))]
            # Each beginning of a line without a mine is a cell that is seen.
            seen = [([-(cell + 1) for cell in end], 1) for end in ends]
            said.sum_of(seen, [value - 1 for value in _related(clue, len(seen) + 1)])
        case "2Q":
            lines = [line for d, r in RING if (line := grid.line(here, d, r))]
            empty = [([-(cell + 1) for cell in line], 1) for line in lines]
            said.sum_of(empty, [len(lines) - value for value in _related(clue, len(lines))])
        case "2A":
            _area(said, here, sorted(_related(clue, grid.size - 1)))
        case "2P":
            _nearest(said, here, clue.number)
        case _:
            terms = [([v], w) for v, (w, _) in weights.items()]
            most = sum(max(w, 0) for w, _ in weights.values())
            said.sum_of(terms, _related(clue, most))


def _area(said: BoardStatement, here: int, allowed: Sequence[int]) -> None:
    """2A: as many mines as allowed are reached, step by step, from the edges of a cell."""
    near = [[c for c in beside if c != here] for beside in said.grid.beside]
    start = said.grid.beside[here]
    if not allowed or allowed[-1] < 1:
        for cell in start if allowed else ():
            said.clause([-(cell + 1)])
        if not allowed:
            said.clause([])
        return
    # reached[c]: c is a mine, and so are the cells of a way of at most t cells from the start.
    # A way through the mines of an area needs no more cells than the area has, or can have.
    within = [*start]
    for cell in within:
        within += [other for other in near[cell] if other not in within]
    reached = {cell: cell + 1 for cell in start}
    for _ in range(min(allowed[-1], len(within)) - 1):
        following = {}
        for cell in sorted({*reached, *[c for each in reached for c in near[each]]}):
            if cell in start:
                following[cell] = cell + 1
                continue
            before = [reached[c] for c in (cell, *near[cell]) if c in reached]
            none = said.conjunction([-lit for lit in before])
            following[cell] = said.conjunction([cell + 1, -none])
        reached = following
    # Nothing beside what is reached is a mine that is not.
    for cell, literal in reached.items():
        for other in near[cell]:
            further = [reached[other]] if other in reached else []
            said.clause([-literal, -(other + 1), *further])
    terms = [(1, literal) for literal in reached.values()]
    inside = [value for value in allowed if value <= len(terms)]
    if not inside:
        said.clause([])
        return
    if len(inside) == 1:
        said.bounds(terms, inside[0], inside[0])
        return
    chosen = [said.new_var() for _ in inside]
    said.clause(chosen)
    for choice, value in zip(chosen, inside, strict=True):
        said.bounds(terms, value, value, choice)


def _nearest(said: BoardStatement, here: int, product: int) -> None:
    """2P: a case for each two distances with the product, and a clause that some case holds."""
    shells: dict[int, list[int]] = {}
    for cell in range(said.grid.size):
        if cell != here:
            shells.setdefault(said.grid.distance(here, cell), []).append(cell + 1)
    cases = []
    for near in sorted(shells):
        for far in sorted(shells):
            if far < near or near * far != product:
                continue
            case = said.new_var()
            cases.append(case)
            for distance, shell in shells.items():
                if distance < far and distance != near:
                    for lit in shell:
                        said.clause([-case, -lit])
            first = [(1, lit) for lit in shells[near]]
            if near == far:
                said.bounds(first, 2, len(first), case)
            else:
                said.bounds(first, 1, 1, case)
                said.clause([-case, *shells[far]])
    said.clause(cases)


def _related(clue: PuzzleClue, most: int) -> list[int]:
    """Return the true numbers, 0 to ``most``, that the number shown can stand for."""
    shown = clue.number
    if clue.has("2M") and most > MOST_VALUES:
        raise WrongCertificateError("the board", f"a clue modulo 3 of a sum above {MOST_VALUES}")
    match clue.rule_of("relation"):
        case "L":
            return [value for value in (shown - 1, shown + 1) if 0 <= value <= most]
        case "2M":
            return [value for value in range(most + 1) if value % 3 == shown]
        case _:
            return [shown]


# Clues that depend on one another.


def _around(said: BoardStatement, clue: PuzzleClue) -> list[tuple[int, int]]:
    return [(1, variable) for variable in said.grid.of_cells(said.grid.around[clue.cell])]


def _one_direction_missing(said: BoardStatement, clues: Sequence[PuzzleClue]) -> None:
    said.grid.require(said.grid.is_square, "squares")
    require_single_mines(said.grid, clues)
    if not clues:
        return
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


TOGETHER: Final[dict[str, Callable[[BoardStatement, Sequence[PuzzleClue]], None]]] = {
    "2I": _one_direction_missing,
    "2E": _encrypted,
    "2L": _one_liar,
}
"""The rules under which clues depend on one another."""
