"""A planted board has its layout; with one clue larger it has none, and differs in that alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from satsweeper.families.lattice import planted, planted_mines

Call = Callable[..., Any]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "share"), [(2, 0.3), (3, 0.5), (8, 0.2), (20, 0.3)])
def test_the_planted_layout_meets_every_clue(n: int, share: float, seed: int, meets: Call) -> None:
    mines = planted_mines(n, share, seed)
    position = planted(n, share, seed)
    assert meets(position, mines)
    assert len(mines) == round(share * len(position.covered_cells()))
    assert (position.mines, position.flag_cells()) == (None, [])
    assert len(position.clue_cells()) == n * n


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [2, 3, 5, 12])
def test_the_sibling_has_one_clue_larger_by_1_and_its_colours_differ_by_1(
    n: int, seed: int, refuted: Call
) -> None:
    sound, bumped = planted(n, seed=seed), planted(n, seed=seed, bump=True)
    change = bumped.cells - sound.cells
    assert np.count_nonzero(change) == change.sum() == 1
    colours = [0, 0]
    for row, column in bumped.clue_cells():
        colours[(row + column) // 2 % 2] += int(bumped.cells[row, column])
    assert abs(colours[0] - colours[1]) == 1
    assert not any(refuted(sound, modulus) for modulus in (0, 2, 3))
    assert all(refuted(bumped, modulus) for modulus in (0, 2, 3, 5))


def test_a_larger_clue_still_has_the_cells_to_count() -> None:
    for seed in range(40):
        position = planted(2, 0.9, seed, bump=True)
        assert all(position.cells[cell] <= 3 for cell in position.clue_cells())


def test_bad_arguments_are_refused() -> None:
    for n, share in ((1, 0.3), (3, -0.1), (3, 1.5)):
        with pytest.raises(ValueError, match="at least 2, and 0 to 1"):
            planted(n, share)
    with pytest.raises(ValueError, match="no clue can be larger"):
        planted(3, 1.0, bump=True)
