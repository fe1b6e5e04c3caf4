"""The worked examples of five published solvers, put right, by every engine that takes them."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from satsweeper import Position
from satsweeper.notation.danamlund import read
from tests.oracles import layouts

AskAll = Callable[[Position], Any]

LP = "001??\n001??\n011??\n12???\n1????"
FORCED_SAFE = {(1, 3), (2, 3), (3, 3), (4, 2)}
FORCED_MINES = {(0, 3), (3, 2), (4, 1)}
FREE = {(0, 4), (1, 4), (2, 4), (3, 4), (4, 3), (4, 4)}
SEEING = {"single_clue", "subset", "assumption", "elimination", "lp_relaxation"}
"""Incomplete engines that see what one clue contradicts by itself."""
BY_TOTAL = ("subset", "elimination")
"""Incomplete engines that use the total."""


def test_a_clue_that_no_corner_can_meet_is_a_contradiction_and_nothing_is_safe(ask_all):
    """Jandhyala's code reads values without a status, and calls cells of this board safe."""
    asked = ask_all(Position([[8, -1, -1], [-1, -1, -1], [-1, -1, -1]]))
    assert asked.agree()
    assert asked.truth.status == "inconsistent"
    for name, answer in (asked.complete | asked.incomplete).items():
        if name in asked.complete or name in SEEING:
            assert (answer.status, answer.safe, answer.mines) == ("inconsistent", set(), set())


def test_the_reduction_of_a_3x3_grid_has_two_layouts_and_two_certain_cells(ask_all):
    position = Position.parse("1??\n12?\n01?")
    assert layouts(position) == [{(0, 1), (2, 2)}, {(0, 1), (1, 2)}]
    asked = ask_all(position)
    assert asked.agree()
    assert (asked.truth.safe, asked.truth.mines) == ({(0, 2)}, {(0, 1)})


@pytest.mark.parametrize("total", [None, *range(2, 11)])
def test_all_seven_cells_at_clues_are_forced_and_the_total_may_decide_the_other_six(total, ask_all):
    """Golovatskaia finds one safe cell. Totals below 3 or above 9 fit no layout."""
    asked = ask_all(Position.parse(LP, mines=total))
    assert asked.agree()
    if total in (2, 10):
        assert asked.truth.status == "inconsistent"
        assert {asked.incomplete[name].status for name in BY_TOTAL} == {"inconsistent"}
    else:
        assert asked.truth.safe == FORCED_SAFE | (FREE if total == 3 else set())
        assert asked.truth.mines == FORCED_MINES | (FREE if total == 9 else set())
        for name in BY_TOTAL:
            answer = asked.incomplete[name]
            assert (answer.safe, answer.mines) == (asked.truth.safe, asked.truth.mines)


@pytest.mark.parametrize(
    ("board", "safe", "mines"),
    [
        ("F??\n?1?\n???", {(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}, set()),
        ("F2?\n132\n01?", set(), {(0, 2), (2, 2)}),
        ("???\n111", {(0, 0), (0, 2)}, {(0, 1)}),
        ("01?\n12?\n???", {(2, 2)}, set()),
    ],
)
def test_the_four_methods_of_danamlund(board, safe, mines, ask_all):
    """7.1 twice (132 where the text prints 112), 7.2 and 7.3."""
    asked = ask_all(Position.parse(board))
    assert asked.agree()
    assert (asked.truth.safe, asked.truth.mines) == (safe, mines)


def test_the_cluster_of_danamlund_has_four_layouts_and_112_none(ask_all):
    assert len(layouts(Position.parse("01?\n12?\n???"))) == 4
    asked = ask_all(Position.parse("F2?\n112\n01?"))
    assert asked.agree()
    assert asked.truth.status == "inconsistent"
    assert {a.status for name, a in asked.incomplete.items() if name in SEEING} == {"inconsistent"}


def test_the_encrypted_game_of_danamlund_is_played_to_its_end(data, ask_all):
    """Certain cells are opened, and a cell that holds no mine when there are none: three times."""
    record = read((data / "notation" / "game.danamlund").read_bytes(), "game")
    truth = record.truth
    assert truth is not None
    game = np.frombuffer(truth, np.int8).reshape(8, 9)[:, :8]
    mines = {(int(r), int(c)) for r, c in np.argwhere(game < 0)}
    assert (record.mines, len(mines), (4, 4) in mines) == (10, 10, True)
    cells = np.full((8, 8), -1, np.int8)
    guesses = 0
    refused = []
    while (cells < 0).sum() > 10:
        asked = ask_all(Position(cells, 10))
        assert asked.agree()
        refused.append("brute_force" not in asked.complete)
        assert not asked.truth.safe & mines
        assert asked.truth.mines <= mines
        certain = sorted(asked.truth.safe)
        guesses += not certain
        safe = [(int(r), int(c)) for r, c in np.argwhere((cells < 0) & (game >= 0))]
        for cell in certain or safe[:1]:
            cells[cell] = game[cell]
    assert guesses == 3
    assert refused[0]
    assert not refused[-1]
    assert ask_all(Position(cells, 10)).truth.mines == mines


def test_with_one_mine_left_the_endgame_of_three_cells_is_decided(ask_all):
    """GGAMES.MOBI: a mine at A forces another, one is left: A and C are safe, B is the mine."""
    position = Position.parse("1 5 1\n?1?1?")
    assert layouts(position) == [{(0, 2)}]
    asked = ask_all(position)
    assert asked.agree()
    assert (asked.truth.safe, asked.truth.mines) == ({(0, 0), (0, 4)}, {(0, 2)})
    assert all(asked.incomplete[name] == asked.truth for name in BY_TOTAL)
    assert not ask_all(Position.parse("?1?1?")).truth.safe


def test_a_wire_of_kaye_carries_one_of_two_values(data, ask_all):
    published = json.loads((data / "positions" / "kaye_wire.json").read_text())["expected"][0]
    assert published["solutions"] == "2"
    position = Position.read(data / "positions" / "kaye_wire.txt")
    asked = ask_all(position)
    assert asked.agree()
    assert len(asked.truth.safe) == "".join(published["grid"]).count("S")
    assert not asked.truth.mines
    # Deciding one cell decides them all, so that there are two layouts.
    for clue in (0, 1, 2):
        opened = ask_all(position.with_clue((2, 0), clue))
        assert opened.agree()
        assert opened.truth.status == ("consistent" if clue == 1 else "inconsistent")
    one = ask_all(position.with_clue((2, 0), 1)).truth
    assert len(one.safe) + len(one.mines) == len(position.covered_cells()) - 1
