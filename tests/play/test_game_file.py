"""Games in text files: what a move does to the file, and what the solver concludes and does not."""

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from satsweeper.board.size import BoardSize
from satsweeper.notation.error import BoardError
from satsweeper.notation.formats import read_record
from satsweeper.play.draw import FirstClick
from satsweeper.play.game_file import GameFile, Guess, marked, processed, solved
from tests.play.cells import cells_of, clue_of

PUBLISHED = (Path(__file__).parents[1] / "data/notation/game.danamlund").read_text()
SOLUTION = [
    "  123*1 ", "  1**221", "  12322*", "   12*21", "   1*32 ", "  134*1 ", "  1**31 ", "  13*2  ",
]  # fmt: skip
"""That of the published game."""


def published(*rows):
    """The published game with other rows from the top."""
    lines = PUBLISHED.splitlines()
    return "\n".join([lines[0], *rows, *lines[1 + len(rows) :], ""])


def game(text):
    return GameFile.read(text, "game.txt")


def at(rows, character):
    return {(r, c) for r, row in enumerate(rows) for c, each in enumerate(row) if each == character}


def certain(rows, total):
    """What all layouts have in common, by looking at each: the safe cells, and the mines."""
    cells = cells_of((len(rows), len(rows[0])))
    hidden = [cell for cell in cells if rows[cell[0]][cell[1]] in ".!?"]
    hit = at(rows, "*")
    shown = {(r, c): int(rows[r][c].replace(" ", "0")) for r, c in {*cells} - {*hidden} - hit}
    every = (hit | set(mines) for mines in combinations(hidden, total - len(hit)))
    layouts = [m for m in every if all(clue_of(cell, m) == n for cell, n in shown.items())]
    return set(hidden) - set().union(*layouts), set(hidden).intersection(*layouts)


def test_chosen_cells_are_opened_a_0_with_its_area_and_a_mine_explodes():
    before = game(published("........", ".....?..", "........", "?......."))
    after = processed(before)
    assert after.rows[:4] == ["  1.....", "  1..2..", "  12....", "   1...."]
    assert (after.rows, after.exploded) == (game(after.written()).rows, 0)
    hit = processed(game(published("........", "..??....")))
    assert (hit.rows[1], hit.exploded.bit_count(), hit.won) == ("..1*....", 1, False)


def test_no_0_opens_a_flag_nor_goes_on_behind_it():
    after = processed(game(published("?!......", "!!......")))
    assert after.rows[:3] == [" !......", "!!......", "........"]
    # A 0 that is there already opens what is covered round it.
    assert processed(game(published("  ......"))).rows[:2] == ["  1.....", "  1....."]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_everything_but_changed_cells_stays_byte_by_byte(end):
    rows = [
        "  1...1", "  1..?21", "  12....", "   1....", "   1....", "  13....", "  1.....",
        "  1.....",
    ]  # fmt: skip
    text = "; played on a train\n# and this is by me, too\n\n" + published(*rows)
    # As an editor may leave it: a blank cut off, no newline at the end, a byte order mark.
    data = b"\xef\xbb\xbf" + text.rstrip("\n").replace("\n", end).encode()
    after = processed(GameFile.read(data, "game.txt"))
    assert after.written() == data.replace(b"1..?21", b"1..221")


def test_what_an_editor_cut_off_is_read_as_zeros_and_only_changed_rows_are_filled_up():
    text = published(*(row.replace("*", ".").rstrip() for row in SOLUTION))
    before = game(text)
    assert (before.won, before.written()) == (True, text.encode())
    flagged, _ = solved(before)
    assert flagged.rows == [row.replace("*", "!") for row in SOLUTION]
    lines = flagged.written().decode().splitlines()
    assert (lines[0], lines[4]) == (PUBLISHED.splitlines()[0], "   12!21")


def test_the_solver_does_all_that_is_certain_and_nothing_else():
    guesses = 0
    for seed in range(25):
        random = Random(seed)
        board = BoardSize(random.randint(2, 4), random.randint(3, 4), random.randint(2, 4))
        played = GameFile.new(board, seed)
        while not played.won and played.opened != played.layout.free:
            before = played
            played, guess = solved(before)
            played = GameFile.read(played.written(), "game.txt")
            if guess is None:
                # Nothing is left to be concluded, and all of it is written down.
                assert certain(played.rows, board.mines) == (set(), at(played.rows, "!"))
                assert played.exploded == before.exploded
            else:
                guesses += 1
                assert certain(before.rows, board.mines)[0] == set()
                assert played.rows != before.rows
                assert guess.cell in at(before.rows, ".")
                assert 0 < (guess.chance or 0) < 1
        after, guess = solved(played)
        assert (solved(after)[0].rows, guess) == (after.rows, None)
        assert at(after.rows, ".") == set()
    assert guesses > 25


def test_flags_of_the_player_prove_nothing_and_give_way_to_proofs():
    after, guess = solved(game(published(".!......")))
    assert guess == Guess((0, 0), Fraction(10, 64))
    assert after.rows[0] == " !1....."
    again, guess = solved(after)
    assert guess is None
    assert again.rows[0].startswith("  1")

    # A flag that may be right is left alone.
    after, guess = solved(game(published(*["........"] * 7, ".....2!.")))
    assert (guess.cell, after.rows[7][5:7]) == ((0, 0), "2!")


def test_exploded_mines_are_known_and_the_game_goes_on():
    text = published(*[row.replace("*", ".") for row in SOLUTION[:4]], "....*...")
    after, guess = solved(game(text))
    assert (guess, after.rows[4][4]) == (None, "*")
    while after.opened != after.layout.free:
        after, _ = solved(after)
    assert not after.won
    assert at(after.rows, "!") == at(SOLUTION, "*") - at(after.rows, "*")


def test_marks_are_moves_for_process():
    played, moves = GameFile.new(BoardSize(8, 8, 10), 6, FirstClick.OPENING, (0, 0)), 0
    at_once = played
    while not played.won and not played.exploded:
        chosen, guess = marked(played)
        assert chosen.opened == played.opened
        assert guess is None or chosen.chosen.bit_count() == 1
        assert not chosen.chosen or marked(chosen) == (chosen, None)
        played = processed(GameFile.read(chosen.written(), "game.txt"))
        moves += 1
    while not at_once.won and not at_once.exploded:
        at_once, _ = solved(at_once)
    assert moves > 1
    assert played.rows == at_once.rows


def test_any_guesser_may_choose():
    seen = []

    def last(position):
        seen.append(position)
        return Guess((7, 7))

    after, guess = solved(game(PUBLISHED), last)
    assert (guess, after.rows[7][6:], seen[0].mines) == (Guess((7, 7)), "  ", 10)


def test_a_new_game_is_a_file_that_other_programs_read():
    for first_click in FirstClick:
        new = GameFile.new(BoardSize(5, 9, 12), 77, first_click, (2, 4))
        assert new.written() == GameFile.new(BoardSize(5, 9, 12), 77, first_click, (2, 4)).written()
        record = read_record(new.written(), "game.txt")
        assert (record.seed, record.mines, record.columns) == (77, 12, 9)
        opened = 45 - len(at(new.rows, "."))
        assert (opened > 8) == (first_click is FirstClick.OPENING)
        assert (opened == 0) == (first_click is FirstClick.NONE)


def test_a_number_that_the_solution_does_not_have_is_refused():
    with pytest.raises(BoardError, match=r"^game.txt:3:1: opened cell 1: the layout has 0 there$"):
        game(published("........", "1......."))
