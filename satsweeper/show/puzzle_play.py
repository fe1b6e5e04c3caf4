"""Lines about games on boards with rules: generated boards, advice, game files."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from pbcnf.wording import counted
from satsweeper.count.odds import fraction
from satsweeper.show.sentences import NAMED, percent

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from satsweeper.puzzle.play.advice import PuzzleAdvice
    from satsweeper.puzzle.play.game import PuzzleGame, PuzzleGuess
    from satsweeper.puzzle.play.generated import GeneratedPuzzle
    from satsweeper.puzzle.puzzle import Puzzle

SCHEMA: Final = "satsweeper/game/2"
_EVEN: Final = "all layouts that the rules and the first click allow are equally likely"
_NOT: Final = "layouts are not equally likely: a solver finds them, from random draws"
_MOVED: Final = "layouts are not equally likely: mines are moved where a guess would be needed"


def joined(puzzle: Puzzle, symbols: Sequence[str]) -> list[str]:
    """Return rows of cells, with blanks between them where a cell has more than one character."""
    width = max(map(len, symbols))
    between = " " if width > 1 else ""
    columns = puzzle.columns
    return [
        between.join([each.ljust(width) for each in symbols[start : start + columns]]).rstrip()
        for start in range(0, len(symbols), columns)
    ]


def generated_sentence(board: GeneratedPuzzle) -> str:
    """Return the settings of a generated board, and how many moves its proof has."""
    puzzle = board.puzzle
    said = f"{board.size}, rules {' '.join(puzzle.rules) or 'V'}, {puzzle.geometry.name}"
    if board.style == "puzzle":
        said += f", {counted(len(board.given), 'clue')} at first"
    else:
        said += f", first click {_place(board.start)} ({board.first_click})"
    said += f", seed {board.seed}"
    if board.number:
        said += f", board {board.number}"
    if board.moves is None:
        return said
    total = sum(move.reason.total for move in board.moves)
    rules = sum(bool(move.reason.rules) for move in board.moves)
    needed = [f"the total is needed for {total}"] if total else []
    needed += [f"a rule of the board for {rules}"] if rules else []
    return f"{said}: no guess, {', '.join([counted(len(board.moves), 'move'), *needed])}"


def generated_lines(board: GeneratedPuzzle) -> list[str]:
    """Return the sentence, how layouts are drawn, what is open at first, and the solution."""
    from satsweeper.puzzle.play.generated import solution_symbols
    from satsweeper.puzzle.text_board import text_board

    spread = _EVEN if board.uniform else _MOVED if board.changes else _NOT
    solution = joined(board.puzzle, solution_symbols(board.puzzle, board.clues))
    first = text_board(board.puzzle).splitlines()
    return [generated_sentence(board), spread, *first, "solution:", *solution]


def advice_lines(advice: PuzzleAdvice) -> list[str]:
    """Return the certain cells, or the best guess and other choices, as lines for a person."""
    names = advice.puzzle.geometry.cells
    if advice.certain:
        cells = [names[cell] for cell in advice.certain]
        rest = f" and {len(cells) - NAMED} more" if len(cells) > NAMED else ""
        return [f"Open what holds no mine: {', '.join(map(str, cells[:NAMED]))}{rest}."]
    if not advice.choices:
        return ["Nothing is left to open: the game is won."]
    (best, safe), *others = advice.choices
    lines = [f"No cell is certain. Guess {names[best]}: free with {_share(safe)}."]
    if others:
        lines.append("Instead of it:")
        lines += [f"  {names[cell]}: free with {_share(one)}" for cell, one in others[: NAMED - 1]]
    return [*lines, "The order is that of the odds; the chance to win is not known."]


def _share(share: Fraction) -> str:
    exact = fraction(share)
    return f"{exact} ({percent(share)})" if len(exact) <= 20 else percent(share)


def _place(cell: Hashable) -> str:
    return ",".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)


def game_sentence(
    game: PuzzleGame, before: PuzzleGame | None = None, guess: PuzzleGuess | None = None
) -> str:
    """Return the changes since ``before`` (None for a new game), and the status of the game."""
    done = [f"new game, seed {game.seed}"] if before is None else []
    if guess is not None:
        place = _place(game.puzzle.geometry.cells[guess.cell])
        done.append(f"nothing is certain: guessed {place}, a mine with {percent(guess.chance)}")
    for verb, number, noun in _changes(game, before):
        if number and before is not None:
            done.append(f"{verb} {counted(number, noun)}")
    return f"{', '.join(done) or 'nothing to do'}; {game.status}, {_left(game)} left"


def game_json(
    game: PuzzleGame, before: PuzzleGame | None = None, guess: PuzzleGuess | None = None
) -> dict[str, Any]:
    """Return the changes since ``before`` and the status, as ``game --json`` prints them."""
    from satsweeper.puzzle.answers import rows_of

    names = [list(n) if isinstance(n, tuple) else n for n in game.puzzle.geometry.cells]
    guessed: dict[str, Any] | None = None
    if guess is not None:
        chance = guess.chance
        guessed = {"cell": names[guess.cell], "mine": str(chance), "value": float(chance)}
    marks = {"#": "?", "!": "F"}
    return {
        "schema": SCHEMA,
        "rows": game.puzzle.rows,
        "columns": game.puzzle.columns,
        "mines": game.puzzle.mines,
        "rules": list(game.puzzle.rules),
        "geometry": game.puzzle.geometry.name,
        "mines_left": (game.puzzle.mines or 0) - len(game.flags | game.exploded),
        "seed": game.seed,
        "status": game.status,
        "done": {verb: number for verb, number, _ in _changes(game, before)},
        "guess": guessed,
        "exploded": [names[cell] for cell in sorted(game.exploded)],
        "grid": rows_of(game.puzzle, [marks.get(each, each) for each in game.symbols]),
    }


def _left(game: PuzzleGame) -> str:
    return counted((game.puzzle.mines or 0) - len(game.flags | game.exploded), "mine")


def _changes(game: PuzzleGame, before: PuzzleGame | None) -> list[tuple[str, int, str]]:
    """Return the changes since ``before``: for each kind a verb, a number of cells, and a noun."""
    none: frozenset[int] = frozenset()
    opened, flags = (none, none) if before is None else (before.opened, before.flags)
    exploded, chosen = (none, none) if before is None else (before.exploded, before.chosen)
    return [
        ("opened", len(game.opened - opened), "cell"),
        ("hit", len(game.exploded - exploded), "mine"),
        ("flagged", len(game.flags - flags), "mine"),
        ("unflagged", len(flags - game.flags), "cell"),
        ("chose", len(game.chosen - chosen), "cell"),
    ]
