"""Proofs of games that are followed: what is known before each cell opens."""

import io

import pytest

from pbcnf.proof import ProofFormatError
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.checker.game.steps import CheckedGame, GameChecker
from satsweeper.play.game import Game
from satsweeper.play.proof import OtherProofError, ProofOfLast, ProvedGame

LAYOUT = Layout(Square(1, 4), mines=0b0010)
"""Free, a mine, free, free."""


def checked(stream: io.BytesIO) -> CheckedGame:
    checker = GameChecker()
    checker.read(stream.getvalue().split(b"\n")[:-1])
    return checker.checked()


def test_cells_that_are_proved_to_be_safe_are_opened_one_after_the_other() -> None:
    stream = io.BytesIO()
    game = ProvedGame(LAYOUT, stream)
    game.follow(0b0001)
    game.follow(LAYOUT.free, guess=False)
    assert (checked(stream).guesses, checked(stream).rows) == (1, ("1?10",))


def test_where_nothing_is_proved_a_guess_must_be_allowed() -> None:
    game = ProvedGame(LAYOUT, io.BytesIO())
    with pytest.raises(ValueError, match="a guess is needed"):
        game.follow(LAYOUT.free, guess=False)


def test_a_proof_is_gone_on_with_in_its_own_order() -> None:
    first, second = io.BytesIO(), io.BytesIO()
    ProvedGame(LAYOUT, first).follow(0b0001)
    game = ProvedGame(LAYOUT, second)
    game.replay(first.getvalue())
    assert (second.getvalue(), game.opened) == (first.getvalue(), 1)
    with pytest.raises(OtherProofError, match="another game"):
        ProvedGame(Layout(Square(1, 4), mines=0b0100), io.BytesIO()).replay(first.getvalue())


def test_what_a_player_opens_is_proved_at_once_and_another_game_begins_anew() -> None:
    stream = io.BytesIO()
    proof = ProofOfLast(stream)
    game = Game("9x9/10", "opening", seed=7)
    proof.follow(game)
    assert stream.getvalue() == b""
    game.open((4, 4))
    proof.follow(game)
    assert (checked(stream).opened, checked(stream).complete) == (54, True)
    game.undo()
    proof.follow(game)
    assert checked(stream).opened == 54
    other = Game("8x8/10", "opening", seed=2)
    other.open((0, 0))
    proof.follow(other)
    assert len(checked(stream).rows) == 8
    proof.close()
    assert proof.error is None


def test_what_cannot_be_written_ends_the_proof_and_not_the_game() -> None:
    stream = io.BytesIO()
    proof = ProofOfLast(stream)
    game = Game("9x9/10", "opening", seed=7)
    game.open((4, 4))
    stream.close()
    proof.follow(game)
    assert proof.error is not None


def test_a_proof_without_its_board_proves_nothing() -> None:
    with pytest.raises(ProofFormatError, match="expected 'c satsweeper game 1 ROWS"):
        checked(io.BytesIO(b"p lidrup\n"))
