"""A game's proof, as the session writes it: every verdict in it against all layouts."""

import io
import random
import shutil
import subprocess
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from satsweeper import Position, Session
from satsweeper.board.errors import LimitError
from satsweeper.board.planes import indices
from satsweeper.board.size import BoardSize
from satsweeper.checker.game.steps import CheckedGame, GameChecker
from satsweeper.families.chessboard import mutilated_chessboard
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.game import Minefield
from tests.boards import Board, neighbours

SHAPES = [(1, 4), (2, 3), (3, 3), (3, 4), (2, 5)]


Played = namedtuple("Played", "data stops")
"""A proof, and after each position how long it is, and the board."""


def play(seed: int) -> Played:
    """A game of a few cells: flags, totals that are unknown or wrong, clues that are wrong."""
    rnd = random.Random(seed)
    rows, columns = rnd.choice(SHAPES)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    mines = set(rnd.sample(cells, rnd.randint(0, len(cells) - 1)))
    flags = set(rnd.sample(sorted(mines), rnd.choice([0, 0, 0, 1]) if mines else 0))
    count = len(mines)
    total = rnd.choice([count, count, count, None, min(count + 1, len(cells))])
    codes = [[-2 if (r, c) in flags else -1 for c in range(columns)] for r in range(rows)]
    board, out, stops = Board(np.array(codes, np.int8), total), io.BytesIO(), []
    free = [cell for cell in cells if cell not in mines]
    rnd.shuffle(free)
    with Session(Position(board.cells, total), proof=out) as session:
        while True:
            session.classify()
            stops.append((len(out.getvalue()), board))
            if not free:
                return Played(out.getvalue(), stops)
            for _ in range(min(rnd.choice([1, 1, 2, 3]), len(free))):
                cell = free.pop()
                clue = len(mines.intersection(neighbours(cell, board.cells.shape)))
                board = board.opened(cell, rnd.randint(0, 8) if rnd.random() < 0.03 else clue)
                session.reveal(cell, int(board.cells[cell]))


def lines(data: bytes) -> list[bytes]:
    return data.split(b"\n")[:-1]


def checked(data: bytes) -> CheckedGame:
    checker = GameChecker()
    checker.read(lines(data))
    return checker.checked()


@pytest.mark.parametrize("seed", range(0, 150, 10))
def test_a_proof_proves_the_verdicts_that_all_layouts_have_and_grows_with_the_game(seed):
    for one in range(seed, seed + 10):
        game = play(one)
        checker, begin = GameChecker(), 0
        for end, board in game.stops:
            checker.read(lines(game.data[begin:end]))
            begin, found = end, checker.checked()
            true = board.verdicts()
            assert found.status == ("inconsistent" if true is None else "consistent")
            if true is not None:
                marks = {"safe": "S", "mine": "M", "unknown": "?"}
                shown = [["F" if code == -2 else str(code) for code in row] for row in board.cells]
                for (r, c), verdict in true.items():
                    shown[r][c] = marks[verdict]
                assert list(found.grid) == ["".join(row) for row in shown]
                assert found.complete


def test_any_prefix_of_a_proof_is_a_proof():
    game = play(7)
    for end in range(len(b"p lidrup\nc satsweeper game 1 2 5 10\n"), len(game.data), 7):
        stops = [at for at, _ in game.stops if at <= end]
        assert checked(game.data[:end]).classified <= len(stops) + 1


def test_what_is_too_hard_ends_the_proof_with_what_it_has(monkeypatch):
    monkeypatch.setattr("satsweeper.search.game_proof.CONFLICTS", 3)
    rows = mutilated_chessboard(6)
    out = io.BytesIO()
    with Session(rows, proof=out) as session, pytest.raises(LimitError, match="3 conflicts"):
        session.classify()
    assert not checked(out.getvalue()).complete


def expert(proof: io.BytesIO | Path) -> None:
    board = BoardSize.parse("16x16/40")
    field = Minefield(game_layout(board, (2, 2), FirstClick.OPENING, 3))
    layout, geometry = field.layout, field.layout.geometry
    new = field.open(1 << geometry.index((2, 2)))
    with Session(Position([[-1] * 16] * 16, 40), proof=proof) as session:
        while not field.won:
            for index in indices(new, geometry.size):
                clue = sum((plane >> index & 1) << k for k, plane in enumerate(layout.numbers))
                session.reveal(geometry.cell(index), clue)
            safe = session.classify().safe_board or layout.free & ~field.opened
            new = field.open(safe & -safe if safe & ~field.opened == safe else safe)


def test_a_whole_game_is_proved_in_a_file_that_is_named(tmp_path):
    expert(tmp_path / "game.lidrup")
    found = checked((tmp_path / "game.lidrup").read_bytes())
    assert found.classified > 5
    assert found.proved > 30


@pytest.mark.skipif(shutil.which("lidrup-check") is None, reason="lidrup-check is not on PATH")
def test_lidrup_check_accepts_the_same_file(tmp_path):
    for name, data in (("small", play(5).data), ("large", b"")):
        path = tmp_path / name
        path.write_bytes(data)
        if not data:
            expert(path)
        run = subprocess.run(["lidrup-check", str(path)], capture_output=True, check=False)
        assert b"s VERIFIED" in run.stdout
