"""Game files of boards with rules: what is opened, marked, guessed and refused."""

import json
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from satsweeper.notation.error import BoardError
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.play.game import PuzzleGame, marked, processed, solved
from satsweeper.puzzle.play.generate import generate_puzzle
from satsweeper.puzzle.puzzle import Puzzle
from tests.puzzle.plain_boards import cells
from tests.puzzle.play.plain_play import all_layouts, safe_cells, stuck


def new(rules: str, seed: int = 1, first_click: str = "none") -> PuzzleGame:
    puzzle = Puzzle(grid("square", 4, 4), tuple(rules.split()), mines=4)
    return PuzzleGame.of(generate_puzzle(puzzle, seed=seed, first_click=first_click))


def edited(game: PuzzleGame, cell: int, mark: str) -> PuzzleGame:
    """The game after a player wrote ``mark`` into the grid of the file."""
    found = json.loads(game.written())
    rows = [line.split() for line in found["grid"]]
    rows[cell // 4][cell % 4] = mark
    found["grid"] = [" ".join(line) for line in rows]
    return PuzzleGame.read(json.dumps(found), "game.json")


@pytest.mark.parametrize("rules", ["V", "C W", "#", "2E", "2L", "L", "2P", "2X"])
def test_a_written_game_is_read_as_it_was(rules: str) -> None:
    game = new(rules, first_click="opening")
    game = replace(game, flags=frozenset([0]) - game.opened, chosen=frozenset([1]) - game.opened)
    again = PuzzleGame.read(game.written())
    assert again.written() == game.written()
    assert (again.opened, again.flags, again.chosen) == (game.opened, game.flags, game.chosen)
    assert again.clues == game.clues
    assert again.puzzle == game.puzzle


def test_the_solution_is_not_there_to_be_read_by_accident() -> None:
    game = new("V")
    found = json.loads(game.written())
    assert found["schema"] == "satsweeper/game/2"
    assert found["grid"] == ["# # # #"] * 4
    solution = b64decode(found["solution"]).decode().split("\n")
    assert sum(line.count("*") for line in solution) == 4


def test_chosen_cells_are_opened_and_a_mine_ends_the_game() -> None:
    game = new("C", first_click="safe")
    safe, mine = min(game.clues.keys() - game.opened), min(game.mines)
    after = processed(edited(game, safe, "?"))
    assert after.opened == game.opened | {safe}
    assert after.status == "in play"
    lost = processed(edited(after, mine, "?"))
    assert lost.exploded == {mine}
    assert lost.status == "lost"
    assert "*" in lost.rows[mine // 4]
    # The exploded mine is known from now on.
    assert lost.seen.shown == {mine}


@pytest.mark.parametrize("rules", ["V", "C", "2I", "2E", "X T"])
def test_solve_opens_what_all_layouts_prove_and_flags_no_safe_cell(rules: str) -> None:
    for seed in range(1, 5):
        game = new(rules, seed, first_click="opening")
        solution = {divmod(cell, 4): clue.text() for cell, clue in game.clues.items()}
        first = {
            cell: text for cell, text in solution.items() if cell[0] * 4 + cell[1] in game.opened
        }
        expected = stuck(rules.split(), first, solution, 4, 4, 4)
        after, guess = solved(game)
        if guess is None:
            assert {divmod(cell, 4) for cell in after.opened} == expected
            assert after.flags <= game.mines
        else:
            assert expected == first.keys()


def test_a_game_is_solved_to_its_end_by_certain_moves_and_guesses() -> None:
    game, guesses = new("T W", seed=5), 0
    for _ in range(40):
        if game.opened == game.clues.keys():
            break
        game, guess = solved(game)
        guesses += guess is not None
    assert game.opened == game.clues.keys()
    assert guesses
    assert game.won is (not game.exploded)
    assert solved(game)[0].opened == game.opened


def test_solve_takes_away_a_flag_from_a_cell_that_is_certain_to_be_safe() -> None:
    game = new("V", first_click="opening", seed=2)
    cell = min({divmod_to(c) for c in safe_cells(["V"], seen(game), 4, 4, 4)})
    flagged = edited(game, cell, "!")
    assert flagged.flags == {cell}
    after, _ = solved(flagged)
    assert cell in after.opened
    assert cell not in after.flags


def divmod_to(cell: tuple[int, int]) -> int:
    return cell[0] * 4 + cell[1]


def seen(game: PuzzleGame) -> dict[tuple[int, int], str]:
    return {divmod(cell, 4): game.clues[cell].text() for cell in game.opened}


def test_mark_writes_certain_cells_and_opens_nothing() -> None:
    game = new("V", first_click="opening", seed=2)
    after, guess = marked(game)
    expected = safe_cells(["V"], seen(game), 4, 4, 4)
    assert guess is None
    assert {divmod(cell, 4) for cell in after.chosen} == expected
    assert after.opened == game.opened
    assert after.flags <= game.mines


def test_mark_chooses_the_safest_cell_where_nothing_is_certain() -> None:
    after, guess = marked(new("T"))
    assert guess is not None
    assert after.chosen == {guess.cell}
    assert not after.opened
    # All 16 cells are alike but for the rule: the chances of all layouts are the oracle.
    layouts = [*all_layouts(["T"], {}, 4, 4, 4)]
    held = {cell: sum(cell in mines for mines in layouts) for cell in cells(4, 4)}
    assert guess.chance == Fraction(min(held.values()), len(layouts))
    assert held[divmod(guess.cell, 4)] == min(held.values())


def changed(change: Callable[[dict[str, object]], object]) -> str:
    found = json.loads(new("C", first_click="opening").written())
    change(found)
    return json.dumps(found)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{", "g.json:1:2: no JSON: Expecting property name"),
        ("[]", "g.json: a game is a JSON object"),
        ("{}", "g.json: no game: an object of the schema 'satsweeper/game/2'"),
        (changed(lambda f: f.update(rules="os:abort")), "rule os:abort is code, which no file may"),
        (changed(lambda f: f.pop("grid")), "g.json: no entry 'grid'"),
        (changed(lambda f: f.update(rules="ZZ")), "unknown rule 'ZZ'"),
        (changed(lambda f: f.update(grid=["# #"])), "the size of the solution, 4 rows of 4"),
        (changed(lambda f: f.update(mines=5)), "the solution has 4 mines, not 5"),
        (changed(lambda f: f.update(grid=["9 # # #"] * 4)), r"'9' at \(0, 0\): # covered"),
        (changed(lambda f: f.update(grid=["# # # #"] * 3 + ["# # # *"])), "there is no mine"),
        (changed(lambda f: f.update(solution="???")), "g.json: "),
        (changed(lambda f: f.update(grid=7)), "g.json: "),
    ],
)  # fmt: skip
def test_a_file_that_is_no_game_is_refused_in_one_line(data: str, said: str) -> None:
    with pytest.raises(BoardError, match=said) as raised:
        PuzzleGame.read(data, "g.json")
    assert "\n" not in str(raised.value)
