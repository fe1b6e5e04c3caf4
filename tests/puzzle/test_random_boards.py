"""Random boards of any shape under any rules, held to brute force over all layouts."""

from itertools import product
from random import Random

import pytest

from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import GRIDS, grid
from scripts.fuzzing import plain_shapes
from scripts.fuzzing.plain_layouts import TESTS
from scripts.fuzzing.plain_readings import CLUES, PAIRS, Readings, every_layout
from scripts.fuzzing.rule_boards import Subject, chequered, subjects
from scripts.fuzzing.rule_checks import examine
from tests.puzzle import plain_rules

SUBJECTS = {group: subjects([group]) for group in ("singles", "pairs", "geometries")}
SAMPLE = Random("a sample of pairs and geometries")
SHAPES = [(3, 3), (4, 5), (5, 4), (1, 4), (4, 1), (3, 7), (1, 1)]


@pytest.mark.parametrize("subject", SUBJECTS["singles"], ids=str)
def test_verdicts_conflicts_and_reasons_under_a_rule_are_those_of_brute_force(subject) -> None:
    assert [each.line() for each in examine(subject, 16, seed=1).failures] == []


@pytest.mark.parametrize("group", ["pairs", "geometries"])
def test_verdicts_conflicts_and_reasons_are_those_of_brute_force_for(group) -> None:
    for subject in SAMPLE.sample(SUBJECTS[group], 30):
        assert [each.line() for each in examine(subject, 8, seed=2).failures] == []


@pytest.mark.slow
@pytest.mark.parametrize("subject", [*SUBJECTS["pairs"], *SUBJECTS["geometries"]], ids=str)
def test_many_boards_have_the_answers_of_brute_force(subject: Subject) -> None:
    assert [each.line() for each in examine(subject, 40, seed=3).failures] == []


def circles(ring: tuple[int | None, ...]) -> tuple[int, ...]:
    """A circle of cells, whichever cell it begins with and whichever way round it goes."""
    cells = [-1 if cell is None else cell for cell in ring]
    turned = [each[k:] + each[:k] for each in (cells, cells[::-1]) for k in range(len(cells))]
    return tuple(min(turned))


def same_shape(geometry: Geometry, shape: plain_shapes.Shape) -> None:
    assert geometry.cells == shape.cells
    assert [*map(sorted, geometry.neighbours)] == [*map(sorted, shape.near)]
    assert [*map(sorted, geometry.touching)] == [*map(sorted, shape.touching)]
    assert [*map(sorted, geometry.beside)] == [*map(sorted, shape.beside)]
    assert (geometry.rings is None) == (shape.circle is None)
    if geometry.rings is not None and shape.circle is not None:
        assert [*map(circles, geometry.rings)] == [*map(circles, shape.circle)]


@pytest.mark.parametrize(("name", "size"), [*product(GRIDS, SHAPES)])
def test_neighbourhoods_follow_from_distances_corners_and_angles(name, size) -> None:
    if name == "torus" and min(size) < 3:
        pytest.skip("a torus has 3 rows and 3 columns at least")
    same_shape(grid(name, *size), plain_shapes.GRIDS[name](*size))


def test_cubes_are_neighbours_where_no_coordinate_differs_by_more_than_one() -> None:
    for size in ((2, 3, 2), (1, 1, 1), (1, 3, 4), (3, 3, 3)):
        same_shape(cubes(*size), plain_shapes.cubes(*size))


# The readings of many layouts at once are held to those of one layout after the other.

FREE = plain_shapes.GRIDS["square"](3, 4)
LAYOUTS = every_layout([1] * 12)
READINGS = Readings(FREE, LAYOUTS, chequered(FREE), {})
CELLS = plain_rules.cells(3, 4)


def layout(number: int) -> frozenset[tuple[int, int]]:
    return frozenset(cell for place, cell in enumerate(CELLS) if LAYOUTS[number, place])


@pytest.mark.parametrize("letters", plain_rules.LAYOUTS)
def test_a_rule_is_read_off_many_layouts_as_off_one(letters: str) -> None:
    table = READINGS.layout(letters, TESTS[letters])
    plain = plain_rules.LAYOUTS[letters]
    for number in range(len(LAYOUTS)):
        assert table >> number & 1 == plain(layout(number), 3, 4)


ALONE = [each for each in (*CLUES, *PAIRS) if each in (*plain_rules.SINGLE, *plain_rules.PAIRS)]


@pytest.mark.parametrize("letters", ALONE)
def test_a_clue_is_read_off_many_layouts_as_off_one(letters: str) -> None:
    rng = Random(letters)
    for _ in range(150):
        number = rng.randrange(len(LAYOUTS))
        mines = layout(number)
        place = rng.choice([i for i, cell in enumerate(CELLS) if cell not in mines] or [0])
        if CELLS[place] in mines:
            continue
        shown = plain_rules.shown(letters, CELLS[place], mines, 3, 4)
        found = {*READINGS.texts(letters, place, number)}
        # A liar with dyed cells counted twice may go beyond the largest sum, or not.
        assert found == shown or (letters == "L M" and found < shown)
        for text in shown:
            assert READINGS.clue(letters, place, text) >> number & 1
        other = rng.choice(["0", "1", "2", "3"] if "2X" not in letters.split() else ["01", "12"])
        met = READINGS.clue(letters, place, other) >> number & 1
        assert met == (other in shown)
