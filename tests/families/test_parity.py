"""Layouts of a parity lattice are the ways to mark links with the parity that vertices ask for."""

from itertools import product
from pathlib import Path
from random import Random

import pytest

from satsweeper import Position, Status, classify, odds
from satsweeper.families.parity import parity_lattice

POSITIONS = Path(__file__).parents[1] / "data" / "positions"
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


def test_the_boards_are_those_that_were_published() -> None:
    assert parity_lattice(8) == Position.read(POSITIONS / "parity_8.txt")
    assert parity_lattice(8, open_end=True) == Position.read(POSITIONS / "parity_extra_8.txt")


@pytest.mark.parametrize("seed", range(12))
def test_layouts_are_markings_of_links(seed: int) -> None:
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


def test_a_larger_lattice_has_the_number_of_layouts_that_theory_says() -> None:
    assert odds(parity_lattice(4, ())).solutions == 2 ** (len(links(4)) - 4 * 4 + 1)


@pytest.mark.parametrize("charges", [(), ((0, 0),), ((1, 1), (2, 0)), ((0, 1), (1, 0), (2, 2))])
@pytest.mark.parametrize("n", [3, 4])
def test_an_open_end_is_marked_if_the_number_of_charges_is_odd(
    n: int, charges: tuple[Vertex, ...]
) -> None:
    answer = classify(parity_lattice(n, charges, open_end=True))
    end = (6 * n - 2, 3)
    assert answer.status is Status.CONSISTENT
    assert end in (answer.mines if len(charges) % 2 else answer.safe)


def test_every_clue_has_cells_to_count_and_every_cell_a_clue() -> None:
    position = parity_lattice(5, [(2, 2), (0, 3)])
    covered, clues = position.covered_cells(), position.clue_cells()

    def near(one: tuple[int, int], two: tuple[int, int]) -> bool:
        return max(abs(one[0] - two[0]), abs(one[1] - two[1])) == 1

    assert all(any(near(clue, cell) for cell in covered) for clue in clues)
    assert all(any(near(clue, cell) for clue in clues) for cell in covered)


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        parity_lattice(1)
    with pytest.raises(ValueError, match=r"a charge at \(3, 0\)"):
        parity_lattice(3, [(3, 0)])
