"""Narrated games are those that are played, and every word of them is true."""

import io
from itertools import pairwise

import pytest

from pbcnf.proof import ProofFormatError
from satsweeper import classify
from satsweeper.answers.classification import Verdict
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.size import BoardSize
from satsweeper.checker.game.steps import CheckedGame, GameChecker
from satsweeper.play.draw import FirstClick
from satsweeper.play.game import Game, Minefield
from satsweeper.play.narration import narrate_record, narrate_strategy
from satsweeper.play.playing import play
from satsweeper.play.proof import OtherProofError, ProofOfLast, ProvedGame
from satsweeper.play.simulation.player import StrategyFaultError

SMALL = BoardSize(8, 8, 10)


@pytest.mark.parametrize("first_click", list(FirstClick))
@pytest.mark.parametrize("seed", range(1, 5))
def test_a_narrated_game_ends_as_the_one_that_is_played(seed, first_click):
    *_, last = narrate_strategy(SMALL, seed=seed, first_click=first_click)
    outcome = play(SMALL, seed=seed, first_click=first_click)
    # A first click without a promise is no guess of the strategy's.
    own = last.guesses - (first_click is FirstClick.NONE)
    assert (not last.hit, own) == (outcome.won, outcome.guesses)
    assert ("Won" in last.sentence, "Lost" in last.sentence) == (outcome.won, not outcome.won)


def test_another_strategy_plays_its_own_game_and_one_that_fails_is_named():
    for seed in range(1, 6):
        *_, last = narrate_strategy(SMALL, "score_003", seed=seed)
        outcome = play(SMALL, "score_003", seed=seed)
        assert (not last.hit, last.guesses) == (outcome.won, outcome.guesses)
    with pytest.raises(StrategyFaultError, match=r"strategy 'operator:neg' fails in move \d+"):
        list(narrate_strategy(BoardSize(8, 8, 20), "operator:neg"))


def test_a_guess_is_made_only_where_nothing_is_certain_and_a_certain_move_where_all_are():
    """By the verdicts of the position before each move, all clues at once."""
    for seed in range(1, 12):
        for before, after in pairwise(narrate_strategy(SMALL, seed=seed, go_on=True)):
            if not before.opened:
                continue
            seen = Minefield(before.layout, before.opened)
            found = classify(seen.position(before.mines | before.hit))
            assert bool(found.safe) == (after.guess is None)
            if after.guess is not None:
                assert found.verdict[after.guess] is Verdict.UNKNOWN
            assert after.mines & after.layout.free == 0
            # Where the rules suffice, mines that only all clues together prove may wait.
            by_rules = "one at a time" in after.sentence
            assert by_rules or found.mine_board & ~after.mines == 0


def test_a_game_that_goes_on_opens_every_free_cell():
    hits = 0
    for seed in range(1, 12):
        *_, last = narrate_strategy(SMALL, seed=seed, go_on=True)
        assert (last.opened, last.mines_left) == (last.layout.free, 0)
        hits += last.hit.bit_count()
    assert hits


def test_what_a_player_did_is_judged_by_what_he_could_see():
    # The layout: a mine at 0,0 and one at 0,3; the clue at 0,1 has one covered neighbour.
    game = Game.on(Layout(Square(1, 6), mines=0b001001))
    game.open((0, 1))
    game.flag((0, 3))
    game.open((0, 2))
    game.flag((0, 0))
    game.undo()
    game.open((0, 5))
    moments = list(narrate_record(game))
    said = [moment.sentence for moment in moments]
    assert "Open (0, 1): a guess, a mine with 33.3 %" in said[1]
    assert said[2].startswith("A flag on (0, 3): not certain")
    assert "Open (0, 2): a guess, a mine with 50.0 %" in said[3]
    assert said[4:6] == ["A flag on (0, 0): certain.", "The last move is taken back."]
    assert said[6].startswith("Open (0, 5): certain.")
    assert len(moments) == 1 + len(game.moves)
    assert (moments[-1].opened, moments[-1].flags) == (game.opened, game.flags)


def test_a_mistake_is_called_one_and_a_game_without_an_opened_cell_is_not_narrated():
    game = Game.on(Layout(Square(1, 4), mines=0b0010))
    game.open((0, 0))
    game.flag((0, 2))
    game.open((0, 1))
    *_, flag, last = narrate_record(game)
    assert flag.sentence == "A flag on (0, 2): a mistake, it is safe for certain."
    assert "a mistake, there is a mine for certain" in last.sentence
    assert "It was a mine. Lost, with 1 guess. 1 move was a guess" in last.sentence
    with pytest.raises(ValueError, match="no cell is ever opened"):
        narrate_record(Game("5x5/3", seed=1))


# Proofs of games that are followed: what is known before each cell opens.


LAYOUT = Layout(Square(1, 4), mines=0b0010)
"""Free, a mine, free, free."""


def checked(stream: io.BytesIO) -> CheckedGame:
    checker = GameChecker()
    checker.read(stream.getvalue().split(b"\n")[:-1])
    return checker.checked()


def test_cells_proved_to_be_safe_are_opened_one_after_the_other_and_others_are_guesses():
    stream = io.BytesIO()
    game = ProvedGame(LAYOUT, stream)
    with pytest.raises(ValueError, match="a guess is needed"):
        game.follow(LAYOUT.free, guess=False)
    game.follow(0b0001)
    game.follow(LAYOUT.free, guess=False)
    assert (checked(stream).guesses, checked(stream).rows) == (1, ("1?10",))


def test_a_proof_is_gone_on_with_in_its_own_order():
    first, second = io.BytesIO(), io.BytesIO()
    ProvedGame(LAYOUT, first).follow(0b0001)
    game = ProvedGame(LAYOUT, second)
    game.replay(first.getvalue())
    assert (second.getvalue(), game.opened) == (first.getvalue(), 1)
    with pytest.raises(OtherProofError, match="another game"):
        ProvedGame(Layout(Square(1, 4), mines=0b0100), io.BytesIO()).replay(first.getvalue())


def test_what_a_player_opens_is_proved_at_once_and_another_game_begins_anew():
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
    # What cannot be written ends the proof and not the game.
    stream = io.BytesIO()
    proof = ProofOfLast(stream)
    stream.close()
    proof.follow(other)
    assert proof.error is not None


def test_a_proof_without_its_board_proves_nothing():
    with pytest.raises(ProofFormatError, match="expected 'c satsweeper game 1 ROWS"):
        checked(io.BytesIO(b"p lidrup\n"))
