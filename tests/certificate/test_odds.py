"""Certified odds of published positions, of games, and of regions that nobody can list."""

import json
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from satsweeper import Position, odds
from satsweeper.certificate.certify import certify
from satsweeper.certificate.folder import FolderTakenError
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.odds.check import CheckedOdds, check_odds
from satsweeper.count.budget import OddsLimitError
from satsweeper.count.odds import digits, fraction
from satsweeper.position import KEEP

POSITIONS = Path(__file__).parents[1] / "data" / "positions"


@pytest.fixture
def certified(tmp_path: Path) -> Callable[[Position], CheckedOdds]:
    """Certify, write, check for this board, and compare with ``odds``."""

    def run(position: Position) -> CheckedOdds:
        with patch("os.fsync"):
            certify_odds(position).write(tmp_path / "c")
        found = check_odds(tmp_path / "c", board=position.text())
        counted = odds(position)
        assert found.solutions == digits(counted.solutions)
        assert found.chances == {cell: fraction(mine) for cell, mine in counted.mine.items()}
        assert found.interior_cells == counted.interior_cells
        return found

    return run


@pytest.mark.parametrize("path", sorted(POSITIONS.glob("*.json")), ids=lambda path: path.stem)
def test_the_numbers_of_published_positions_are_certified(certified, path: Path) -> None:
    cells = path.with_suffix(".txt").read_text()
    board = "".join(
        line for line in cells.splitlines(keepends=True) if line[0] != "#" or line[1] != " "
    )
    for expected in json.loads(path.read_text())["expected"]:
        if expected["verdict"] == "consistent":
            found = certified(Position.parse(board, mines=expected["mines"]))
            assert found.solutions == expected["solutions"]
            for row, marks in enumerate(expected["grid"]):
                for column, mark in enumerate(marks):
                    if mark in "SM":
                        assert found.chances[row, column] == "01"[mark == "M"]


@pytest.mark.parametrize("with_total", [True, False], ids=["total known", "total unknown"])
def test_the_odds_of_the_sample_are_certified(certified, sample, with_total) -> None:
    for record in sample:
        found = certified(Position.parse(record.text, mines=KEEP if with_total else None))
        assert found.recounted <= found.regions


def lattice(rows: int, columns: int) -> Position:
    """A clue at every second place, each with as many mines as safe cells around it, or nearly."""
    cells = np.full((rows, columns), -1, np.int8)
    cells[1::2, ::2] = 4
    cells[1::2, [0, -1]] = 3
    return Position(cells)


@pytest.mark.parametrize(("rows", "cells"), [(4, 62), (6, 93), (8, 124)])
def test_lattices_are_certified(certified, rows: int, cells: int) -> None:
    found = certified(lattice(rows, 21))
    assert (len(found.chances), found.regions) == (cells, 1)


def test_a_region_with_a_wide_lattice_and_a_total_is_certified(certified) -> None:
    found = certified(Position(lattice(6, 21).cells, 45))
    assert found.mines == 45


def test_a_large_interior_has_fractions_of_thousands_of_digits(certified) -> None:
    cells = np.full((120, 120), -1, np.int8)
    cells[::40, ::40] = 1
    cells[1, 2] = 2
    found = certified(Position(cells, 7000))
    # More digits than Python writes by itself.
    assert len(found.solutions) > 4300
    assert "... x 10^43" in found.sentence()


def test_what_counting_refuses_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OddsLimitError, match="too wide"):
        certify_odds(lattice(8, 21), max_width=3)
    with pytest.raises(OddsLimitError, match="time limit"):
        certify_odds(lattice(8, 21), timeout=0.0)


def test_certificates_of_either_kind_take_each_others_place(tmp_path: Path) -> None:
    position = Position.parse("1??\n12?\n01?")
    certify(position).write(tmp_path / "c")
    certify_odds(position).write(tmp_path / "c")
    assert check_odds(tmp_path / "c").solutions == "2"
    certify(position).write(tmp_path / "c")
    (tmp_path / "c" / "manifest.json").write_text('{"schema": "another"}')
    with pytest.raises(FolderTakenError):
        certify_odds(position).write(tmp_path / "c")
