"""Whether a layout is one of the board: each rule read plainly off the set of its mines.

`rows` says the same as inequalities, by other code; tests compare both on all layouts of small
boards. Here layouts of certificates are judged, one at a time.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from satsweeper.checker.puzzle.board import PuzzleBoard, PuzzleClue, PuzzleRegion
from satsweeper.checker.puzzle.grid import CROSS, EDGES, KNIGHT, RING, Grid, Steps

Mines = Collection[int]
"""The cells with a mine."""
Layout = Mapping[int, int]
"""Cell -> the number of its mines, for the cells with a mine and no others."""


def broken_by(board: PuzzleBoard, layout: Layout, trust_flags: bool) -> str | None:
    """Return a message about the clue, rule, flag or total that a layout breaks; None: nothing.

    Args:
        board: the board.
        layout: all mines, those under trusted flags among them.
        trust_flags: whether flags are mines.
    """
    grid, mines = board.grid, {*layout}
    for cell, number in layout.items():
        if not 1 <= number <= grid.capacity.get(cell, 1):
            return f"{number} mines at {grid.names[cell]}, more than there is room for"
    for clue in board.clues:
        if clue.cell in mines - board.shown:
            return f"a mine on the clue at {grid.names[clue.cell]}"
    if not board.opened.isdisjoint(mines):
        return f"a mine on the opened cell {grid.names[min(board.opened & mines)]}"
    if not board.shown <= mines:
        return f"no mine on the known mine at {grid.names[min(board.shown - mines)]}"
    if trust_flags and not board.flags <= mines:
        return f"no mine under the flag at {grid.names[min(board.flags - mines)]}"
    total = sum(layout.values())
    if board.mines is not None and total != board.mines:
        return f"the total is {board.mines}, the layout has {total}"
    for region in board.regions:
        if not _region_holds(region, layout):
            return f"the region {region.name} is broken"
    for letters in board.layout_rules:
        if not LAYOUTS[letters](grid, mines):
            return f"rule {letters} is broken"
    for clue in board.clues:
        if not clue.has("2I", "2E", "2L") and not clue_holds(grid, clue, layout):
            shown = " ".join(clue.letters)
            return f"the clue at {grid.names[clue.cell]} is broken (rule {shown})"
    for letters, judge in TOGETHER.items():
        clues = [clue for clue in board.clues if clue.has(letters)]
        if (clues or letters in board.rules) and not judge(grid, clues, layout):
            return f"rule {letters} is broken"
    return None


def _region_holds(region: PuzzleRegion, layout: Layout) -> bool:
    """Whether a region has its number of mines, and they are arranged as it says."""
    if sum(layout.get(cell, 0) for cell in region.cells) != region.mines:
        return False
    line = "".join("x" if cell in layout else " " for cell in region.cells)
    parts = len(line.split())
    # No mines are as good as one run, and as good as several.
    return not parts or not region.arranged or (parts == 1) is (region.arranged == "together")


# Rules of layouts.


def groups(cells: Iterable[int], near: Sequence[Sequence[int]]) -> list[set[int]]:
    """Return the connected parts of ``cells``; ``near``: the neighbours of each cell."""
    left, found = set(cells), []
    while left:
        reached = {left.pop()}
        waiting = [*reached]
        while waiting:
            new = left.intersection(near[waiting.pop()])
            left -= new
            reached |= new
            waiting += new
        found.append(reached)
    return found


def _blocks(grid: Grid) -> list[list[int]]:
    found = [grid.at(cell, ((0, 0), (0, 1), (1, 0), (1, 1))) for cell in range(grid.size)]
    return [block for block in found if len(block) == 4]


def _triples(grid: Grid, steps: Steps) -> list[list[int]]:
    found = [
        grid.at(cell, ((0, 0), (down, right), (2 * down, 2 * right)))
        for cell in range(grid.size)
        for down, right in steps
    ]
    return [line for line in found if len(line) == 3]


def _degree(grid: Grid, cell: int, mines: Mines) -> int:
    return sum(near in mines for near in grid.beside[cell])


def _quad(grid: Grid, mines: Mines) -> bool:
    return all(any(cell in mines for cell in block) for block in _blocks(grid))


def _connected(grid: Grid, mines: Mines) -> bool:
    return len(groups(mines, grid.touching)) <= 1


def _no_triplet(grid: Grid, mines: Mines) -> bool:
    lines = _triples(grid, ((0, 1), (1, 0), (1, 1), (1, -1)))
    return not any(all(cell in mines for cell in line) for line in lines)


def _outside(grid: Grid, mines: Mines) -> bool:
    grid.require(not grid.wraps, "a border")
    safe = [cell for cell in range(grid.size) if cell not in mines]
    apart = [group for group in groups(mines, grid.beside) if grid.border.isdisjoint(group)]
    return not apart and len(groups(safe, grid.beside)) <= 1


def _dominoes(grid: Grid, mines: Mines) -> bool:
    return all(_degree(grid, cell, mines) == 1 for cell in mines)


def _snake(grid: Grid, mines: Mines) -> bool:
    degrees = [_degree(grid, cell, mines) for cell in mines]
    # A connected graph with one edge less than nodes is a tree, one without branches a path.
    is_tree = len(groups(mines, grid.beside)) == 1 and sum(degrees) == 2 * (len(mines) - 1)
    return is_tree and max(degrees) <= 2


def _counts(lines: Iterable[Sequence[int]], mines: Mines) -> set[int]:
    return {sum(cell in mines for cell in line) for line in lines}


def _balance(grid: Grid, mines: Mines) -> bool:
    grid.require(grid.is_square, "columns")
    return all(len(_counts(lines, mines)) == 1 for lines in grid.lines)


def _no_knights(grid: Grid, mines: Mines) -> bool:
    return not any(near in mines for cell in mines for near in grid.at(cell, KNIGHT))


def _no_side_by_side(grid: Grid, mines: Mines) -> bool:
    return not any(grid.right_of(cell) in mines for cell in mines)


def _no_edge_pair(grid: Grid, mines: Mines) -> bool:
    return not any(_degree(grid, cell, mines) for cell in mines)


def _side_by_side(grid: Grid, mines: Mines) -> bool:
    right = {grid.right_of(cell) for cell in mines}
    return all(cell in right or grid.right_of(cell) in mines for cell in mines)


def _rectangles(grid: Grid, mines: Mines) -> bool:
    # Round a torus a rectangle may go on for ever: it is what has no inner corner.
    corners = any(sum(cell in mines for cell in block) == 3 for block in _blocks(grid))
    return not corners and _connected(grid, mines)


def _one_run(grid: Grid, mines: Mines) -> bool:
    grid.require(not grid.wraps, "rows with ends")
    return all(
        sum(cell in mines and (k == 0 or row[k - 1] not in mines) for k, cell in enumerate(row))
        == 1
        for row in grid.lines[0]
    )


def _fours(grid: Grid, mines: Mines) -> bool:
    return all(len(group) == 4 for group in groups(mines, grid.beside))


def _flowers(grid: Grid, mines: Mines) -> bool:
    return all(_degree(grid, cell, mines) == 1 for cell in mines if grid.dyed(cell))


def _bridges(grid: Grid, mines: Mines) -> bool:
    grid.require(grid.is_square and not grid.wraps, "columns with ends")
    rows = [[row for row, cell in enumerate(column) if cell in mines] for column in grid.lines[1]]
    return all(
        len(one) == len(other) and all(abs(a - b) <= 1 for a, b in zip(one, other, strict=True))
        for one, other in pairwise(rows)
    )


def _trio(grid: Grid, mines: Mines) -> bool:
    lines = _triples(grid, ((0, 1), (1, 0)))
    return all(len({cell in mines for cell in line}) == 2 for line in lines)


def _zero_sum(grid: Grid, mines: Mines) -> bool:
    return all(
        sum((1 if grid.dyed(cell) else -1) for cell in row if cell in mines) == 0
        for row in grid.lines[0]
    )


LAYOUTS: Final[dict[str, Callable[[Grid, set[int]], bool]]] = {
    "Q": _quad, "C": _connected, "T": _no_triplet, "O": _outside, "D": _dominoes, "S": _snake,
    "B": _balance, "A": _no_knights, "H": _no_side_by_side, "U": _no_edge_pair,
    "2H": _side_by_side, "2C": _rectangles, "2S": _one_run, "2G": _fours, "2F": _flowers,
    "2B": _bridges, "2T": _trio, "2Z": _zero_sum,
}  # fmt: skip
"""The rules of layouts."""

# Rules of clues.

_CELLS: Final[dict[str, Steps]] = {
    "X": CROSS, "X'": EDGES, "K": KNIGHT,
    "2D": ((-1, 0), *[(down - 1, right) for down, right in RING]),
    "2K": (*EDGES, (-1, -1), (-1, 1)),
}  # fmt: skip
"""Steps to the cells that count, for rules that change which cells do."""


def counted_cells(grid: Grid, clue: PuzzleClue) -> list[int]:
    """Return the cells that a clue counts, ascending, each once and the clue's own left out."""
    rule = clue.rule_of("cells")
    if rule == "HB":
        return sorted(grid.within_two[clue.cell])
    found = grid.at(clue.cell, _CELLS[rule]) if rule else grid.around[clue.cell]
    return sorted({*found} - {clue.cell})


def weights_of(grid: Grid, clue: PuzzleClue) -> dict[int, int]:
    """Return the weight of a mine in each cell that a clue counts, ascending."""
    twice = clue.has("M")
    return {
        cell: grid.weights.get(cell, 1) * (2 if twice and grid.dyed(cell) else 1)
        for cell in counted_cells(grid, clue)
    }


def runs(circle: Sequence[bool]) -> list[int]:
    """Return the lengths of the runs of True in a circle, ascending."""
    if all(circle):
        return [len(circle)]
    start = circle.index(False)
    word = "".join("x" if value else " " for value in (*circle[start:], *circle[:start]))
    return sorted(map(len, word.split()))


def ring_of(grid: Grid, cell: int) -> list[int | None]:
    """Return the circle of neighbours that a clue counts; raises WrongCertificateError."""
    circles = grid.name not in ("knight", "cross", "cubes", "graph")
    grid.require(circles, "neighbours in a circle")
    return grid.rings[cell]


def clue_holds(grid: Grid, clue: PuzzleClue, layout: Layout) -> bool:
    """Whether a clue that stands for itself is right in a layout.

    What is no sum asks only whether cells hold a mine, not how many, nor what is in the clue's own
    cell.
    """
    here = clue.cell
    mines = {*layout} - {here}
    weights = weights_of(grid, clue)
    dyed = sum(w * layout.get(cell, 0) for cell, w in weights.items() if grid.dyed(cell))
    other = sum(w * layout.get(cell, 0) for cell, w in weights.items() if not grid.dyed(cell))
    match clue.rule_of("runs", "difference", "sight", "pair", "area", "distances"):
        case "2X":
            return sorted(map(int, clue.text)) == sorted((dyed, other))
        case "2X'":
            return clue.number in (dyed, other)
        case "W":
            found = runs([cell in mines for cell in ring_of(grid, here)])
            return sorted(map(int, clue.text.strip("0"))) == found
        case "HC" | "HN" as rule:
            found = runs([cell in mines for cell in ring_of(grid, here)])
            return sum(found) == clue.number and (len(found) < 2) is (rule == "HC")
        case "2P":
            far = sorted(grid.distance(here, cell) for cell in mines)
            return len(far) > 1 and far[0] * far[1] == clue.number
        case "P":
            value = len(runs([cell in mines for cell in ring_of(grid, here)]))
        case "N":
            value = abs(dyed - other)
        case "E":
            value = 1
            for line in (grid.line(here, down, right) for down, right in EDGES):
                ends = [length for length, cell in enumerate(line) if cell in mines]
                value += min(ends, default=len(line))
        case "2Q":
            lines = [grid.line(here, down, right) for down, right in RING]
            value = sum(any(cell in mines for cell in line) for line in lines)
        case "2A":
            touched = groups(mines, grid.beside)
            value = sum(len(g) for g in touched if not g.isdisjoint(grid.beside[here]))
        case _:
            value = dyed + other
    match clue.rule_of("relation"):
        # Weights may be negative: a sum below 0 has no number that could be told.
        case "L":
            return value >= 0 and abs(value - clue.number) == 1
        case "2M":
            return value >= 0 and value % 3 == clue.number
        case _:
            return value == clue.number


# Rules under which clues depend on one another.


def _mines_around(grid: Grid, clue: PuzzleClue, layout: Layout) -> int:
    return sum(layout.get(cell, 0) for cell in grid.around[clue.cell])


def _one_direction_missing(grid: Grid, clues: Sequence[PuzzleClue], layout: Layout) -> bool:
    grid.require(grid.is_square, "squares")
    require_single_mines(grid, clues)
    rings = [ring_of(grid, clue.cell) for clue in clues]
    return not clues or any(
        all(
            sum(cell in layout for k, cell in enumerate(ring) if k != direction) == clue.number
            for clue, ring in zip(clues, rings, strict=True)
        )
        for direction in range(len(rings[0]))
    )


def require_single_mines(grid: Grid, clues: Sequence[PuzzleClue]) -> None:
    """Raise WrongCertificateError if a cell around one of ``clues`` can hold several mines."""
    several = any(cell in grid.capacity for clue in clues for cell in grid.around[clue.cell])
    grid.require(not several, "cells with one mine at most")


def _encrypted(grid: Grid, clues: Sequence[PuzzleClue], layout: Layout) -> bool:
    pairs = {(clue.text, _mines_around(grid, clue, layout)) for clue in clues}
    letters, numbers = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    return {*letters.values(), *numbers.values()} <= {1} and max(numbers, default=0) <= 8


def _one_liar(grid: Grid, clues: Sequence[PuzzleClue], layout: Layout) -> bool:
    """Whether one number of each row and column can be off by one, all others being right."""
    grid.require(grid.is_square, "squares")
    off = {clue.cell: abs(_mines_around(grid, clue, layout) - clue.number) for clue in clues}
    if grid.rows != grid.columns or max(off.values(), default=0) > 1:
        return False
    # Row by row, the sets of columns that have their wrong number: a covered safe cell has a number
    # that nobody sees, which may be wrong.
    sets = {frozenset[int]()}
    for row in grid.lines[0]:
        wrong = [cell for cell in row if off.get(cell) == 1]
        free = wrong or [cell for cell in row if cell not in off and cell not in layout]
        if len(wrong) > 1:
            return False
        columns = [grid.place(cell)[1] for cell in free]
        sets = {known | {column} for known in sets for column in columns if column not in known}
    return bool(sets)


TOGETHER: Final[dict[str, Callable[[Grid, Sequence[PuzzleClue], Layout], bool]]] = {
    "2I": _one_direction_missing,
    "2E": _encrypted,
    "2L": _one_liar,
}
"""The rules under which clues depend on one another."""
