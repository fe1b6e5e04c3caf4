"""The checker's two readings of each rule, held to each other and to a third one."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from pbcnf.proof.cutting_planes.inequality import Inequality
from pbcnf.proof.cutting_planes.propagation import propagated
from satsweeper.checker.puzzle.board import LAYOUT_RULES, PuzzleClue
from satsweeper.checker.puzzle.clue_rows import statement_of
from satsweeper.checker.puzzle.connections import ConnectedCells, is_cut
from satsweeper.checker.puzzle.grid import GEOMETRIES, Grid
from satsweeper.checker.puzzle.predicates import LAYOUTS, broken_by, clue_holds
from satsweeper.checker.puzzle.reading import read_puzzle_board
from tests.checker.puzzle.boards import CLUES, drawn, fits, sets_of
from tests.puzzle import plain_boards


def extends(rows: Sequence[Inequality], true: set[int]) -> bool:
    """Whether literals extend to a model of the rows: by propagation and trying."""
    true = set(true)
    changed = True
    while changed:
        changed = False
        for row in rows:
            forced = propagated(row, true)
            if forced is None or any(-lit in true for lit in forced):
                return False
            changed = changed or bool(forced)
            true.update(forced)
    left = [
        row for row in rows if sum(w for lit, w in row.terms.items() if lit in true) < row.degree
    ]
    if not left:
        return True
    lit = next(lit for row in left for lit in row.terms if lit not in true and -lit not in true)
    return extends(left, true | {lit}) or extends(left, true | {-lit})


def hangs_together(grid: Grid, cells: set[int], near: Sequence[Sequence[int]], of: object) -> bool:
    """Whether cells, or with ``of`` each of their groups with one of these, are connected."""
    places = {grid.names[cell] for cell in cells}
    left, groups = set(cells), []
    assert len(places) == len(cells)
    while left:
        group, old = {min(left)}, set[int]()
        while group != old:
            old, group = group, group | {n for cell in group for n in near[cell] if n in cells}
        left -= group
        groups.append(group)
    if isinstance(of, frozenset):
        return all(group & of for group in groups)
    return len(groups) <= 1


CASES = [
    (rules, geometry)
    for rules in [*LAYOUT_RULES, *CLUES]
    for geometry in GEOMETRIES
    if fits(rules.split(), geometry)
]


def require_the_same(rules: str, geometry: str, rows: int, columns: int, tried: int) -> None:
    """Require rows and connections to have the layouts of the plain reading, of some tried."""
    rng = random.Random(f"{rules} {geometry}")
    text = drawn(rules.split(), geometry, rows, columns, rng)
    if text is None:
        return
    board = read_puzzle_board(text)
    statement = statement_of(board, True)
    inequalities = [*statement.rows.values()]
    asked = [*sets_of(board.grid.size)]
    # Few sets meet all clues: some of those are tried, and some of all.
    met = [mines for mines in asked if broken_by(board, Counter(mines), True) is None]
    for mines in [*rng.sample(met, min(len(met), tried)), *rng.sample(asked, 2 * tried)]:
        cells = {cell + 1 if cell in mines else -(cell + 1) for cell in range(board.grid.size)}
        expected = broken_by(board, Counter(mines), True) is None
        found = extends(inequalities, cells) and all(
            hangs_together(
                board.grid,
                {c for c in range(board.grid.size) if (c in mines) == (each.sign > 0)},
                each.near,
                each.anchors,
            )
            for each in statement.connections
        )
        assert found == expected, (text, sorted(mines))


@pytest.mark.parametrize(("rules", "geometry"), CASES)
def test_rows_and_connections_have_exactly_the_layouts_of_the_plain_reading(
    rules: str, geometry: str
) -> None:
    require_the_same(rules, geometry, 3, 3, 12)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "geometry"), CASES)
def test_rows_and_connections_have_the_same_layouts_on_larger_boards(
    rules: str, geometry: str
) -> None:
    require_the_same(rules, geometry, 3, 4, 100)


@pytest.mark.parametrize("rule", LAYOUT_RULES)
def test_rules_of_layouts_on_squares_are_those_of_the_oracle(rule: str) -> None:
    grid = Grid("square", 3, 4)
    lawful = {*plain_boards.layouts(rule, 3, 4)}
    for mines in random.Random(rule).sample([*sets_of(grid.size)], 1000):
        expected = frozenset(map(grid.place, mines)) in lawful
        assert LAYOUTS[rule](grid, mines) == expected, sorted(mines)


@pytest.mark.parametrize("rules", [*plain_boards.SINGLE, *plain_boards.PAIRS])
def test_clues_on_squares_show_what_the_oracle_shows(rules: str) -> None:
    grid = Grid("square", 4, 5)
    rng = random.Random(rules)
    for _ in range(150):
        mines = {cell for cell in range(grid.size) if rng.random() < rng.choice((0.2, 0.5, 0.8))}
        cell = rng.choice([c for c in range(grid.size) if c not in mines] or [0])
        mines.discard(cell)
        layout = frozenset(map(grid.place, mines))
        expected = plain_boards.shown(rules, grid.place(cell), layout, 4, 5)
        for text in expected | {str(rng.randrange(9)), "11"}:
            clue = PuzzleClue(cell, tuple(rules.split()), text)
            if "W" in rules and "0" in text.strip("0"):
                continue
            holds = clue_holds(grid, clue, Counter(mines))
            assert holds == (text in expected), (text, sorted(mines))


NEIGHBOURS = {
    # A cell inside, its neighbours, and those that share an edge with it.
    ("hexagonal", (2, 2)): (6, 6), ("hexagonal", (1, 2)): (6, 6), ("triangular", (2, 2)): (12, 3),
    ("triangular", (2, 3)): (12, 3), ("torus", (0, 0)): (8, 4), ("square", (0, 0)): (3, 2),
    ("knight", (2, 2)): (8, 4), ("cross", (2, 2)): (8, 4), ("triangular", (0, 0)): (5, 2),
}  # fmt: skip


@pytest.mark.parametrize(("where", "expected"), NEIGHBOURS.items())
def test_each_geometry_has_its_number_of_neighbours(where, expected) -> None:
    name, place = where
    grid = Grid(name, 6, 6)
    cell = grid.cell(*place)
    assert cell is not None
    assert (len(grid.around[cell]), len(grid.beside[cell])) == expected
    for near in (grid.around, grid.touching, grid.beside):
        assert all(one in near[other] for one in range(36) for other in near[one])


@pytest.mark.parametrize("name", [name for name in GEOMETRIES if name not in ("knight", "cross")])
def test_neighbours_that_follow_each_other_in_a_circle_touch(name: str) -> None:
    grid = Grid(name, 6, 6)
    for ring in grid.rings:
        for one, other in zip(ring, [*ring[1:], ring[0]], strict=True):
            if one is not None and other is not None:
                assert other in grid.touching[one]


@pytest.mark.parametrize("anchors", [None, frozenset({0, 1, 2})])
def test_a_clause_is_a_cut_exactly_if_every_connected_set_meets_it(anchors) -> None:
    """With "it is the first" of some cells: only if; ways to the first cell may pass others."""
    grid = Grid("square", 3, 3)
    rng = random.Random(5)
    sets = [s for s in sets_of(9) if hangs_together(grid, s, grid.beside, anchors)]
    firsts = {} if anchors else {10 + cell: cell for cell in range(1, 9)}
    seen = set()
    for _ in range(3000):
        cells = rng.sample(range(9), rng.randrange(1, 6))
        clause = [(cell + 1) * (-1 if place < 2 else 1) for place, cell in enumerate(cells)]
        share = rng.choice((0, 0.5, 0.8))
        chosen = {lit for lit in firsts if rng.random() < share}
        for sign in (1, -1):
            literals = [*[sign * lit for lit in clause], *chosen]
            said = Inequality(dict.fromkeys(literals, 1), 1)
            met = all(
                any((abs(lit) - 1 in s) == (lit > 0) for lit in clause) or 10 + min(s) in chosen
                for s in sets
                if s or anchors or min(clause) > 0
            )
            found = is_cut(said, ConnectedCells(sign, grid.beside, anchors, firsts))
            assert found == met or (met and chosen), (clause, chosen)
            seen.add((found, bool(chosen)))
    assert len(seen) == 2 + 2 * bool(firsts)
