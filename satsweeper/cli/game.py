"""Play in a text editor: a game is a file, game.txt of danamlund's minesweeper.

  game new FILE       writes a game of which nothing is open; --force replaces one that is there
  game process FILE   opens what you have chosen
  game solve FILE     makes all moves that are certain, or a guess if there is none

In the first grid write ? on a cell to open it, ! on one that you take for a mine; then process the
file. A ? becomes a number, a space for 0, which opens its neighbours too, or * if it was a mine.
Then the game is lost, but you may write ! there and play on. The second grid is the solution,
encrypted. Nothing but cells of the first grid is ever changed, your comments above it neither.

What solve calls certain is so in every layout with this number of mines. It concludes nothing from
your flags, and takes one away where it proves that there is no mine. A guess is the cell with the
least chance of a mine, which is told; the first one, row by row, if there are several.

--proof FILE: see check. It takes nothing for granted, neither your flags nor mines that exploded.

--rules or --geometry makes a game with rules of its own, as "C" or "2H W", or on other cells, as
hexagonal. Its file is JSON: in its "grid" # is covered, ? and ! are as above, and nothing but what
you choose is opened with a 0. Guesses are the safest cell, and there is no --proof.

Levels, as danamlund's program has them: 0 8x8/10, 1 16x16/40, 2 30x16/99, 3 78x21/450. His page
counts them from 1 and says 40 mines of the first.
"""

import argparse
import os
import sys
from io import BytesIO
from typing import TYPE_CHECKING, Final

from satsweeper.board.errors import LimitError
from satsweeper.cli.arguments import refuse_options, source_name
from satsweeper.cli.exit_codes import DONE, LIMIT_REACHED, InputError, UsageError, usage_errors
from satsweeper.cli.files import STDOUT, check_proof, opened, output, print_json, require_writable
from satsweeper.cli.lifetime import compiled_work
from satsweeper.cli.options import FIRST_CLICKS, JSON, board_size, natural, option, timeout
from satsweeper.processes.standard_output import answer_stream

if TYPE_CHECKING:
    from satsweeper.board.size import BoardSize
    from satsweeper.play.game_file import GameFile, Guesser

EXAMPLE: Final = """\
examples:
  satsweeper game new game.txt --level 0 --seed 1
  satsweeper game process game.txt -v
  satsweeper game solve game.txt -v
  satsweeper game solve game.txt --proof game.lidrup && satsweeper check game.lidrup
  satsweeper game new fair.txt --size 20x10/35 --first-click opening --start 4,9
  satsweeper game new snake.json --size 6x6/12 --rules "S" --seed 4
  satsweeper game new hexes.json --size 8x8/12 --geometry hexagonal --first-click opening
"""

ACTIONS: Final = ("new", "process", "solve")
_LEVELS: Final = ("8x8/10", "intermediate", "expert", "insane")
_ONLY: Final = {
    "new": ("level", "size", "geometry", "seed", "first_click", "start", "force"),
    "solve": ("mark", "strategy"),
}
"""Action -> options, as attributes of the arguments, that only this action takes."""


def _seed(text: str) -> int:
    number = natural("seed")(text)
    if number < 2**31:
        return number
    raise argparse.ArgumentTypeError(f"{text!r} is no seed: 0 to {2**31 - 1}")


OPTIONS: Final = (
    option("action ACTION", ", ".join(ACTIONS), choices=ACTIONS),
    option("file FILE", "the game; - reads standard input, writes standard output"),
    [  # one of these
        option("--level N", "new: a board from 0 (default) to 3"),
        option("--size BOARD", "new: any other, as 30x16/99 or expert", type=board_size),
    ],
    option("--rules LETTERS", "new: rules, as C, or 'C W'; satsweeper rules lists them; else: the"
           " rules MODULE:NAME that FILE may name"),
    option("--geometry NAME", "new: the cells: square (default), torus, hexagonal, triangular ..."),
    option("--seed N", "new: the same game for the same number; by chance", type=_seed),
    option("--first-click", "new: what is promised of the cell that is opened first: nothing"
           " (default), that it is safe, that its neighbours are too, or as in Windows, where a"
           " mine there moves to the top left (these layouts are not equally likely). It is open"
           " from the beginning", choices=FIRST_CLICKS),
    option("--start ROW,COLUMN", "new: that cell (0,0, the top left corner)"),
    option("--strategy NAME", "solve: who guesses where nothing is certain: score_003 as that"
           " program does, safest (default), progress, second_safety, exact, or MODULE:NAME"),
    option("--mark", "solve: write ? and ! for process, and open nothing"),
    option("--proof FILE", "the proof of the game so far: of every verdict, before each cell that"
           " is opened; there is one file a game, and each action goes on with it"),
    option("--force", "new: over files that are there"),
    option("-v --verbose", "print the first grid afterwards"),
    timeout("give up then; the file stays as it is (exit code 124)"),
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Do the action, write the file, and print the changes."""
    for action, options in _ONLY.items():
        if action != arguments.action:
            refuse_options(arguments, options, f"game {action}")
    if arguments.json and arguments.file == STDOUT:
        raise UsageError("--json and the file - would both be standard output")
    if arguments.start is not None and arguments.first_click in (None, "none"):
        raise UsageError("--start needs a --first-click that promises something")
    if arguments.file.endswith((".gz", ".bz2", ".xz")):
        raise UsageError(f"{arguments.file}: a game is edited as text, so it is not compressed")
    require_writable(arguments.file)
    check_proof(arguments.proof, arguments.file)
    from satsweeper.play.game_file import GameFile, marked, processed, solved
    from satsweeper.show.answers import as_json, sentence

    guess, before = None, None
    if arguments.action == "new":
        if arguments.rules is not None or arguments.geometry is not None:
            from satsweeper.cli.game_puzzle import new_game

            _refuse_taken(arguments)
            return new_game(arguments, _board(arguments), _seed_of(arguments))
        game = _new(arguments)
    else:
        from satsweeper.notation.board_file import board_data

        data, source = board_data(arguments.file)
        if data.lstrip()[:1] in ("{", b"{"):
            from satsweeper.cli.game_puzzle import play_game

            return play_game(arguments, data, source)
        refuse_options(arguments, ("rules",), "game new, and boards with rules")
        game = before = GameFile.read(data, source)
        try:
            with compiled_work(arguments, "playing"):
                if arguments.action == "process":
                    game = processed(game)
                else:
                    solve = marked if arguments.mark else solved
                    game, guess = solve(game, _guesser(arguments.strategy))
        except LimitError as error:
            why = "no move is certain, and the chances are too hard to count"
            sys.stderr.write(f"{source_name(arguments.file)}: {why}: {error}\n")
            return LIMIT_REACHED
    proof = None if arguments.proof is None else _proof(arguments, game)
    with output(arguments.file) as stream:
        stream.write(game.written())
    if proof is not None:
        with output(arguments.proof) as stream:
            stream.write(proof)
    if arguments.json:
        print_json(as_json(game, before, guess))
        return DONE
    # If the game itself goes to standard output, the summary goes to standard error.
    where = sys.stderr if arguments.file == STDOUT else answer_stream()
    rows = game.rows if arguments.verbose else []
    print(sentence(game, before, guess), *rows, sep="\n", file=where)
    return DONE


def _proof(arguments: argparse.Namespace, game: "GameFile") -> bytes:
    """Return the proof of ``game`` up to now, which continues the proof in the --proof file."""
    from satsweeper.play.proof import OtherProofError, ProvedGame

    stream = BytesIO()
    proved = ProvedGame(game.layout, stream)
    with compiled_work(arguments, "proving"):
        try:
            if arguments.action != "new" and os.path.isfile(arguments.proof):
                with opened(arguments.proof, source_name(arguments.proof)) as before:
                    proved.replay(before.read())
            if proved.opened & ~game.opened:
                raise OtherProofError("it opens cells that the game has not opened")
        except (OtherProofError, ValueError) as error:
            raise InputError(f"{source_name(arguments.proof)}: {error}") from None
        proved.follow(game.opened)
        proved.close()
    return stream.getvalue()


def _guesser(strategy: str | None) -> "Guesser":
    from satsweeper.play.game_file import Guess, safest

    if strategy is None:
        return safest
    from satsweeper.play.playing import guess_at
    from satsweeper.play.strategies.table import find_strategy

    with usage_errors():
        choose = find_strategy(strategy)
    return lambda position: Guess(*guess_at(position, choose))


def _new(arguments: argparse.Namespace) -> "GameFile":
    from satsweeper.play.draw import FirstClick
    from satsweeper.play.game_file import GameFile

    _refuse_taken(arguments)
    board, seed = _board(arguments), _seed_of(arguments)
    first_click = FirstClick(arguments.first_click or "none")
    try:
        return GameFile.new(board, seed, first_click, arguments.start or (0, 0))
    except ValueError as error:
        raise InputError(f"{source_name(arguments.file)}: board {board}: {error}") from None


def _board(arguments: argparse.Namespace) -> "BoardSize":
    size: BoardSize | None = arguments.size
    return size or board_size(_LEVELS[arguments.level or 0])


def _seed_of(arguments: argparse.Namespace) -> int:
    from secrets import randbelow

    from satsweeper.play.game_file import SEEDS

    return randbelow(SEEDS) if arguments.seed is None else int(arguments.seed)


def _refuse_taken(arguments: argparse.Namespace) -> None:
    """Refuse to replace files that have content, unless ``--force`` is given."""
    for name in () if arguments.force else (arguments.file, arguments.proof):
        if name not in (None, STDOUT) and os.path.isfile(name) and os.path.getsize(name):
            what = "it exists already and stays as it is; --force replaces it"
            raise InputError(f"{source_name(name)}: {what}")
