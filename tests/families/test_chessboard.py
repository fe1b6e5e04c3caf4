"""Layouts of chessboards are domino coverings, and those of parity lattices markings of links."""

from functools import cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random

import pytest

from satsweeper import Position, Status, classify, odds
from satsweeper.answers.options import Options
from satsweeper.engines.compare import EngineProcess
from satsweeper.families.chessboard import (
    chessboard_with_private_cells,
    mutilated_chessboard,
    parity_lattice,
)

POSITIONS = Path(__file__).parents[1] / "data" / "positions"


def coverings(squares: frozenset[tuple[int, int]]) -> int:
    """How many ways there are to cover the squares by dominoes, by trying."""

    @cache
    def count(left: frozenset[tuple[int, int]]) -> int:
        if not left:
            return 1
        row, column = min(left)
        found = 0
        for other in ((row, column + 1), (row + 1, column)):
            if other in left:
                found += count(left - {(row, column), other})
        return found

    return count(squares)


def whole(n: int) -> frozenset[tuple[int, int]]:
    return frozenset((i, j) for i in range(n) for j in range(n))


def test_the_boards_are_those_that_were_published():
    assert mutilated_chessboard(8) == Position.read(POSITIONS / "mutilated_8.txt")
    assert chessboard_with_private_cells(8) == Position.read(POSITIONS / "mutilated_corner_8.txt")
    assert parity_lattice(8) == Position.read(POSITIONS / "parity_8.txt")
    assert parity_lattice(8, open_end=True) == Position.read(POSITIONS / "parity_extra_8.txt")


@pytest.mark.parametrize(("n", "known"), [(2, 2), (4, 36), (6, 6728)])
def test_layouts_are_coverings_and_both_private_cells_are_safe(n, known):
    position = chessboard_with_private_cells(n)
    assert odds(position).solutions == coverings(whole(n)) == known
    corners = {(0, 0), (2 * n, 2 * n)}
    assert corners <= set(classify(position).safe)


@pytest.mark.parametrize(
    ("n", "missing"),
    [(3, None), (4, None), (5, None), (6, None), (5, [(0, 1)]), (6, [(0, 0), (0, 2)]),
     (4, [(1, 1)])],
)  # fmt: skip
def test_without_even_colours_there_is_no_layout(n, missing):
    left = whole(n) - set(missing or [(0, 0), (n - 1, n - 1)])
    assert coverings(left) == 0
    position = mutilated_chessboard(n, missing)
    assert classify(position).status is Status.INCONSISTENT
    assert len(position.clue_cells()) == len(left)


@pytest.mark.skipif(find_spec("highspy") is None, reason="an extra: pip install satsweeper[ilp]")
def test_linear_programming_refutes_what_is_far_too_large_for_search():
    with EngineProcess("ilp") as child:
        refuted = child.ask(mutilated_chessboard(30), Options())
    assert refuted.answer is not None
    assert refuted.answer.status == "inconsistent"


Vertex = tuple[int, int]


def links(n: int) -> list[tuple[Vertex, Vertex]]:
    """Left to right, and down from every vertex whose coordinates have an odd sum."""
    across = [((i, j), (i, j + 1)) for i in range(n) for j in range(n - 1)]
    down = [((i, j), (i + 1, j)) for i in range(n - 1) for j in range(n) if (i + j) % 2]
    return across + down


def markings(n: int, charges: set[Vertex]) -> int:
    """How many sets of links meet every vertex as often as it asks for, by trying all of them."""
    found = 0
    for marks in product((0, 1), repeat=len(links(n))):
        odd: set[Vertex] = set()
        for mark, (one, two) in zip(marks, links(n), strict=True):
            if mark:
                odd ^= {one, two}
        found += odd == charges
    return found


@pytest.mark.parametrize("seed", range(12))
def test_layouts_of_a_parity_lattice_are_markings_of_links(seed):
    random = Random(seed)
    n = random.choice([2, 3])
    vertices = [(i, j) for i in range(n) for j in range(n)]
    charges = set(random.sample(vertices, random.randrange(len(vertices) + 1)))
    position = parity_lattice(n, charges)
    expected = markings(n, charges)
    assert expected == (0 if len(charges) % 2 else 2 ** (len(links(n)) - n * n + 1))
    if expected:
        assert odds(position).solutions == expected
    else:
        assert classify(position).status is Status.INCONSISTENT


def test_a_larger_lattice_has_the_number_of_layouts_that_theory_says():
    assert odds(parity_lattice(4, ())).solutions == 2 ** (len(links(4)) - 4 * 4 + 1)


@pytest.mark.parametrize("charges", [(), ((0, 0),), ((1, 1), (2, 0)), ((0, 1), (1, 0), (2, 2))])
@pytest.mark.parametrize("n", [3, 4])
def test_an_open_end_is_marked_if_the_number_of_charges_is_odd(n, charges):
    answer = classify(parity_lattice(n, charges, open_end=True))
    end = (6 * n - 2, 3)
    assert answer.status is Status.CONSISTENT
    assert end in (answer.mines if len(charges) % 2 else answer.safe)


def test_every_clue_has_cells_to_count_and_every_cell_a_clue():
    position = parity_lattice(5, [(2, 2), (0, 3)])
    covered, clues = position.covered_cells(), position.clue_cells()

    def near(one: tuple[int, int], two: tuple[int, int]) -> bool:
        return max(abs(one[0] - two[0]), abs(one[1] - two[1])) == 1

    assert all(any(near(clue, cell) for cell in covered) for clue in clues)
    assert all(any(near(clue, cell) for clue in clues) for cell in covered)
