"""Closed forms against counting by hand."""

import itertools

import pytest

from satsweeper.competition.known_counts import domino_tilings, even_subgraphs, known_count
from satsweeper.count.odds import odds
from satsweeper.families.table import FAMILIES
from satsweeper.position import Position


def tilings(n: int) -> int:
    """Coverings, square after square: how many ways for each set of squares that stick out."""
    ways = {0: 1}
    for place in range(n * n):
        after: dict[int, int] = {}
        for taken, number in ways.items():
            options = [taken >> 1]
            if not taken & 1:
                # Down, or to the right if that square is on the board and free.
                options = [taken >> 1 | 1 << n - 1] if place < n * n - n else []
                if place % n < n - 1 and not taken & 2:
                    options.append(taken >> 1 | 1)
            for option in options:
                after[option] = after.get(option, 0) + number
        ways = after
    return ways.get(0, 0)


@pytest.mark.parametrize("n", [2, 4, 6, 8, 10])
def test_tilings_are_those_that_are_laid_square_by_square(n: int) -> None:
    assert domino_tilings(n) == tilings(n)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_even_subgraphs_are_those_among_all_sets_of_links(n: int) -> None:
    right = [((i, j), (i, j + 1)) for i in range(n) for j in range(n - 1)]
    down = [((i, j), (i + 1, j)) for i in range(n - 1) for j in range(n) if (i + j) % 2]
    links = right + down
    found = 0
    for taken in itertools.product((0, 1), repeat=len(links)):
        ends = [v for link, one in zip(links, taken, strict=True) if one for v in link]
        found += all(ends.count(v) % 2 == 0 for v in set(ends))
    assert even_subgraphs(n) == found


@pytest.mark.parametrize("name", ["chessboard_with_private_cells", "parity_lattice_with_open_end"])
def test_the_layouts_of_boards_are_as_many(name: str) -> None:
    for size in FAMILIES[name].small:
        board = FAMILIES[name].instance(size)
        assert isinstance(board, Position)
        assert known_count(name, size) == odds(board).solutions


def test_of_drawn_boards_none_is_known() -> None:
    assert known_count("planted", 5) is None
