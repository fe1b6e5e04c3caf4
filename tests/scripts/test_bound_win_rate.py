"""No player wins more than the bound says, on boards whose best play is known."""

import json
from collections import Counter
from itertools import combinations
from random import Random
from statistics import mean

import numpy as np
import pytest

from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.size import BoardSize
from satsweeper.play.kernel.certain import WON
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN
from satsweeper.play.scratch import lend_scratch, numbers_of
from scripts import bound_win_rate
from scripts.bound_win_rate import Bound, Relaxation, bound_of, value_of
from tests.play.cells import cells_of, clue_of, mines_of

CORNER = [(0, 0), (0, 1), (1, 0), (1, 1)]
# The games that the best play wins, of all layouts, by exhaustive search (4x4/4: 961 layouts of
# 1820 is published, codegolf.stackexchange.com/questions/34276).
BEST = [
    ("3x3/3", (0, 0), CORNER[:1], 33, 56), ("4x3/2", (0, 0), CORNER[:1], 52, 55),
    ("4x4/4", (0, 0), CORNER, 417, 495),
    pytest.param("4x4/4", (1, 0), [(1, 0)], 961, 1365, marks=pytest.mark.slow),
]  # fmt: skip


def layouts_of(board: BoardSize, free: list[tuple[int, int]]) -> list[Layout]:
    geometry = Square(board.rows, board.columns)
    cells = sorted({*cells_of((board.rows, board.columns))} - {*free})
    chosen = combinations(map(geometry.index, cells), board.mines)
    return [Layout(geometry, sum(1 << index for index in each)) for each in chosen]


@pytest.mark.parametrize(("size", "start", "free", "won", "of"), BEST)
@pytest.mark.parametrize("most", [pytest.param(1, marks=pytest.mark.slow), 10, 2000])
def test_the_best_play_wins_no_more_than_the_bound(size, start, free, won, of, most):
    board = BoardSize.parse(size)
    layouts = layouts_of(board, free)
    assert len(layouts) == of
    first = start[0] * board.columns + start[1]
    told, guess = [], []
    with lend_scratch(board.rows, board.columns) as scratch:
        relaxation = Relaxation(board, scratch, most)
        for at, layout in enumerate(layouts):
            state, codes = relaxation.opened(layout, first)
            told.append(1.0 if state == WON else relaxation.rest(layout, codes).chance)
            if most == 10 and at % 7 == 0:
                guess.append(value_of(relaxation, layout, first, Random(at), 8).guess)
    assert 1 >= mean(told) >= won / of - 1e-9
    if guess:
        assert mean(guess) >= won / of - 0.02
    if most == 2000:
        # Nothing is told, as every part is small enough.
        assert mean(told) == pytest.approx(won / of)


def test_layouts_that_agree_with_a_position_are_drawn_equally_often():
    board, clues = BoardSize.parse("5x4/3"), {(0, 1): 2, (2, 2): 1}
    codes = np.full(20, UNKNOWN, np.int8)
    codes[[1, 12]] = 2, 1
    fit = {
        mines_of(layout)
        for layout in layouts_of(board, [*clues])
        if all(clue_of(cell, mines_of(layout)) == clue for cell, clue in clues.items())
    }
    with lend_scratch(4, 5) as scratch:
        relaxation, draw = Relaxation(board, scratch), Random(1)
        drawn = Counter(mines_of(relaxation.another(codes, draw)) for _ in range(1500))
    assert drawn.keys() <= fit
    expected = 1500 / len(fit)
    square = sum((drawn[each] - expected) ** 2 / expected for each in fit)
    freedom = len(fit) - 1
    assert abs(square - freedom) < 5 * (2 * freedom) ** 0.5


def test_cells_of_two_groups_never_count_for_one_clue():
    draw = Random(3)
    for _ in range(60):
        codes = np.array([draw.choice([UNKNOWN, KNOWN_MINE, KNOWN_MINE, 1]) for _ in range(42)])
        with lend_scratch(6, 7) as scratch:
            groups = [
                {divmod(cell, 7) for cell in np.flatnonzero(group).tolist()}
                for group in Relaxation(BoardSize(6, 7, 9), scratch)._groups(codes.astype(np.int8))
            ]
        unknown = [divmod(cell, 7) for cell in np.flatnonzero(codes == UNKNOWN).tolist()]
        assert sorted(unknown) == sorted(cell for group in groups for cell in group)
        for one, other in combinations(groups, 2):
            for row, column in cells_of((6, 7)):
                if codes[7 * row + column] != KNOWN_MINE:
                    seen = {(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
                    assert not (seen & one and seen & other)


def test_what_is_left_to_win_is_exact_where_all_cells_are_of_one_small_part():
    board = BoardSize.parse("4x3/2")
    layouts = layouts_of(board, CORNER[:1])
    with lend_scratch(3, 4) as scratch:
        relaxation = Relaxation(board, scratch, 100)
        for layout in layouts[::5]:
            codes = np.full(12, UNKNOWN, np.int8)
            codes[0] = numbers_of(layout)[0]
            rest = relaxation.rest(layout, codes)
            assert ((rest.first <= rest.safe + 1e-9) & (rest.first <= rest.chance + 1e-9)).all()
            assert rest.first.max() == pytest.approx(rest.chance)


def test_the_interval_and_the_limit_are_those_of_the_formulas():
    found = bound_of([0.0, 1.0] * 200)
    assert found[:2] == (400, 0.5)
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * 0.5006 / 20, rel=1e-3)
    assert found.limit == pytest.approx(
        0.5 + 0.5006 * (2 * 3.6889 / 400) ** 0.5 + 7 * 3.6889 / 1197, rel=1e-3
    )
    assert isinstance(found, Bound)


def run(capsys, *words):
    assert bound_win_rate.main([*map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)["bounds"]


def test_values_that_are_kept_are_gone_on_with(capsys, tmp_path):
    words = ["--board", "5x5/5", "--layouts", 20, "--samples", 4, "--seed", 3]
    expected = run(capsys, *words, "--games", 8)
    assert [(row["first_click"], row["start"]) for row in expected] == [
        ("safe", [0, 0]), ("opening", [2, 2])
    ]  # fmt: skip
    keep = tmp_path / "values.txt"
    run(capsys, *words, "--games", 5, "--keep", keep)
    keep.write_text(keep.read_text() + "5x5/5 sa")
    assert run(capsys, *words, "--games", 8, "--keep", keep) == expected
    assert len(keep.read_text().splitlines()) == 16
    before = keep.read_bytes()
    assert run(capsys, *words, "--games", 8, "--keep", keep) == expected
    assert keep.read_bytes() == before
    keep.write_text("5x5/5: 1\n")
    assert bound_win_rate.main([*map(str, words), "--keep", str(keep)]) == 1
    assert capsys.readouterr().err == f"bound_win_rate: {keep}:1: no value of a game\n"
