"""Random boards of any shape under any rules, held to brute force over all layouts."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import GRIDS, grid
from scripts.fuzzing import plain_shapes
from scripts.fuzzing.rule_boards import Subject, subjects
from scripts.fuzzing.rule_checks import examine
from tests.puzzle.plain_boards import layouts, shown
from tests.puzzle.published import EMPTY, RING, WORKED, Empty, Worked

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


# The plain readings themselves are held to published numbers.


@pytest.mark.parametrize("empty", EMPTY, ids=lambda each: each.rule)
def test_an_empty_board_has_the_published_number_of_layouts_with_each_total(empty: Empty) -> None:
    for size, counts in ((3, empty.three), (4, empty.four_by_mines or [empty.four])):
        found = Counter(map(len, layouts(empty.rule, size, size)))
        by_mines = [found[number] for number in range(max(found) + 1)]
        assert counts in (by_mines, [sum(by_mines)])
    assert found.total() == empty.four


@pytest.mark.parametrize("position", WORKED, ids=lambda each: each.rule)
def test_a_worked_position_has_its_layouts_and_the_mines_of_each_cell(position: Worked) -> None:
    rows = [line.split() for line in position.rows]
    shown = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row)}
    clues = {cell: text for cell, text in shown.items() if text != "."}
    found = [*layouts(position.rule, 4, 4, clues, mines=position.mines)]
    assert len(found) == position.layouts
    mined = [sum(cell in mines for mines in found) for cell in shown if cell not in clues]
    assert mined == position.mined


@pytest.mark.parametrize("letters", RING)
def test_a_full_ring_has_the_published_number_of_layouts_for_each_clue(letters: str) -> None:
    for each in RING[letters].split():
        text, number = each.split(":")
        assert len([*layouts(letters, 3, 3, {(1, 1): text})]) == int(number)


def test_texts_of_clues_in_turn_are_those_that_a_layout_shows() -> None:
    mines = frozenset({(0, 0), (0, 1), (1, 2), (2, 3)})
    wanted = {
        "L": {"2", "4"}, "2X'": {"1", "2"}, "W": {"12"}, "2X": {"12"}, "P": {"2"}, "X'": {"2"},
        "2M": {"0"}, "N": {"1"}, "M": {"5"}, "2P": {"1"}, "E": {"3"}, "2A": {"3"}, "2Q": {"3"},
        "L P": {"1", "3"}, "K M": {"2"}, "2M M": {"2"}, "N X": {"2"},
    }  # fmt: skip
    assert {letters: shown(letters, (1, 1), mines, 3, 4) for letters in wanted} == wanted
