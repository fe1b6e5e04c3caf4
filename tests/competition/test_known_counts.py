"""Closed forms against the layouts that are counted."""

import pytest

from satsweeper.competition.measuring import known_count
from satsweeper.count.odds import odds
from satsweeper.families.table import FAMILIES
from satsweeper.position import Position


@pytest.mark.parametrize("name", ["chessboard_with_private_cells", "parity_lattice_with_open_end"])
def test_the_layouts_of_boards_are_as_many(name: str) -> None:
    for size in FAMILIES[name].small:
        board = FAMILIES[name].instance(size)
        assert isinstance(board, Position)
        assert known_count(name, size) == odds(board).solutions


def test_of_drawn_boards_none_is_known() -> None:
    assert known_count("planted", 5) is None
