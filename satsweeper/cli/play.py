"""Minesweeper in the terminal: arrows move, Enter opens, Space puts a flag, h shows all keys.

Where the mines are is drawn when the first cell is opened; equal boards, seeds and first cells give
equal games. With --no-guess it is a board on which every move from there can be proved to be safe
(see generate). ? explains a cell, o shows the odds, b goes to the safest cell, s shows the certain
cells, a plays on by itself; all of them know what you see, and nothing else. A line says what the
cursor is on. --keys FILE binds other keys: TOML, or JSON if its name ends with .json; --print-keys
writes those that are bound.

A game of rules or other cells than squares, made by --rules and --geometry or a FILE of game new,
opens what you open and nothing around it: it has no chords, and no --record and --proof.

The extra tui is needed. The exit code is 0 however a game ends.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from satsweeper.board.errors import LimitError
from satsweeper.cli.arguments import refuse_options, source_name
from satsweeper.cli.exit_codes import (
    DONE,
    LIMIT_REACHED,
    InputError,
    UsageError,
    input_errors,
    usage_errors,
)
from satsweeper.cli.files import check_proof, opened, output, require_writable
from satsweeper.cli.options import COLOR, FIRST_CLICKS, STRENGTHS, board_size, natural, option
from satsweeper.processes.standard_output import print_answer

if TYPE_CHECKING:
    from satsweeper.board.size import BoardSize
    from satsweeper.play.game import Game
    from satsweeper.play.proof import ProofOfLast
    from satsweeper.show.play.keys import Keys
    from satsweeper.show.play.session import BoardSession

EXAMPLE: Final = """\
examples:
  satsweeper play --size expert --no-guess
  satsweeper play --size 20x12/15% --seed 7 --ascii --color never
  satsweeper play --print-keys > keys.toml && satsweeper play --keys keys.toml
  satsweeper play --proof game.lidrup
  satsweeper game new game.txt --seed 1 && satsweeper play game.txt --record game.jsonl
  satsweeper play --rules C --size 8x8/20
  satsweeper generate 6x6/12 --rules 2H --style puzzle -o p.json && satsweeper play p.json
"""

_MOST: Final = 40_000
"""Largest number of cells of a board: each move of the record keeps all cells open before."""


OPTIONS: Final = (
    option("file FILE", "a game to go on with: a record, or a board in any format that tells where"
           " the mines are; it is only read", nargs="?"),
    [  # one of these
        option("--level N", "by its key: 0 beginner (9x9/10, this), 1 intermediate (16x16/40),"
               " 2 expert (30x16/99), 3 insane (78x21/450)"),
        option("--size BOARD", "by name, or any other, as 20x12/36 or 20x12/15%%", type=board_size),
    ],
    option("--rules LETTERS", "rules, as C, or 'C W'; satsweeper rules lists them"),
    option("--geometry NAME", "the cells: square (default), torus, hexagonal, triangular ..."),
    option("--first-click", "what is promised of the cell that is opened first: nothing; that it is"
           " safe; that its neighbours are too (default, where they fit); or as in Windows, where a"
           " mine there moves to the top left", choices=FIRST_CLICKS),
    option("--no-guess", "boards on which every move after the first can be proved to be safe"),
    option("--strength LOGIC", "what must suffice to prove it: single_clue, subset (of two clues),"
           " complete (this)", choices=STRENGTHS),
    option("--seed N", "the same games for the same number; by chance", type=natural()),
    option("--record FILE",
           "write the last game there when you leave, as a record of its moves (JSON lines)"),
    option("--proof FILE", "write the proof of the game there while it is played, move by move; of"
           " the last game if there are several (check FILE)"),
    option("--keys FILE", "other keys; TOML or JSON"),
    option("--print-keys", "print the keys as TOML, and do not play"),
    option("--hint-timeout TIME", "the limit of one search for a hint (10)", default=10.0),
    option("--strategy NAME", "who guesses where nothing is certain: safest (this), score_003,"
           " progress, second_safety, exact, random, or MODULE:NAME", default="safest"),
    option("--ascii", "draw in ASCII alone"),
    option("--no-mouse", "leave the mouse to the terminal, to select text"),
    option("--no-clock", "show no time, which some screen readers read out each second"),
    COLOR,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Play, and print the seed and the settings of the game."""
    from satsweeper.show.play.keys import Keys, read_keys

    _refuse_size(arguments.file)
    if not arguments.no_guess:
        refuse_options(arguments, ("strength",), "--no-guess")
    keys = Keys.default()
    if arguments.keys is not None:
        with opened(arguments.keys, source_name(arguments.keys)) as stream:
            data = stream.read()
        # Outside the block of `opened`, since errors of `read_keys` already name the file.
        keys = read_keys(data, arguments.keys)
    if arguments.print_keys:
        print_answer(keys.toml(), end="")
        return DONE
    from satsweeper.show.play.game_session import GameSession
    from satsweeper.show.play.run import require_terminal

    if arguments.strategy != "safest":
        from satsweeper.play.strategies.table import find_strategy

        with usage_errors():
            find_strategy(arguments.strategy)
    require_writable(arguments.record)
    check_proof(arguments.proof, arguments.file, arguments.record)
    from satsweeper.cli.play_puzzle import played_sentence, puzzle_session

    try:
        puzzle = puzzle_session(arguments)
    except LimitError as error:
        sys.stderr.write(f"{error}\n")
        return LIMIT_REACHED
    if puzzle is not None:
        require_terminal()
        _play(arguments, puzzle, keys)
        print_answer(played_sentence(puzzle.game))
        return DONE
    game = _game(arguments)
    require_terminal()
    with _proof(arguments.proof) as proof:
        strength = arguments.strength or "complete" if arguments.no_guess else None
        session = GameSession(game, None if proof is None else proof.follow, strength)
        _play(arguments, session, keys)
    game = session.game
    seed = "" if game.seed is None else f", --seed {game.seed}, game {game.number}"
    logic = f", --no-guess --strength {strength}" if strength else ""
    print_answer(f"{game.board}, first click: {game.first_click}{logic}{seed}: {game.status}")
    if proof is not None and proof.error is not None:
        raise InputError(f"{source_name(arguments.proof)}: no more is proved: {proof.error}")
    return DONE


def _play(arguments: argparse.Namespace, session: "BoardSession", keys: "Keys") -> None:
    from satsweeper.show.play.game_session import GameSession
    from satsweeper.show.play.run import play

    try:
        play(
            session,
            keys,
            ascii=arguments.ascii,
            color=arguments.color,
            mouse=not arguments.no_mouse,
            seconds=arguments.hint_timeout,
            strategy=arguments.strategy,
            clock=not arguments.no_clock,
        )
    finally:
        # The record is written even if playing ends by an exception.
        if arguments.record is not None and isinstance(session, GameSession):
            from satsweeper.play.record import write_game

            with output(arguments.record) as stream:
                stream.write(write_game(session.game))


@contextmanager
def _proof(name: str | None) -> "Iterator[ProofOfLast | None]":
    """Open the file ``name`` and yield the proof that is written to it; None without a name."""
    if name is None:
        yield None
        return
    from satsweeper.play.proof import ProofOfLast

    with input_errors(name), open(name, "wb") as stream:
        proof = ProofOfLast(stream)
        yield proof
        proof.close()


def _refuse_size(file: str | None) -> None:
    """Raise UsageError if ``file`` is no file but the size or the name of a board."""
    from satsweeper.play.presets import board_named

    if file is not None and not os.path.exists(file):
        with suppress(ValueError):
            board_named(file)
            raise UsageError(f"{file} is no file; did you mean --size {file}?")


def _game(arguments: argparse.Namespace) -> "Game":
    from satsweeper.cli.play_puzzle import FOR_NEW
    from satsweeper.play.game import Game
    from satsweeper.play.presets import PRESETS

    if arguments.file is not None:
        refuse_options(arguments, ("rules", *FOR_NEW), "a new game, without FILE")
        return _game_in(arguments.file)
    board = arguments.size or list(PRESETS.values())[arguments.level or 0]
    _check_size(board)
    promise = arguments.first_click
    if promise is None:
        with suppress(ValueError):
            return Game(board, "opening", arguments.seed)
    if promise is None or (arguments.no_guess and promise != "opening"):
        # No guess is needed, so the first cell has no mine, and nothing is moved from it.
        promise = "safe"
    try:
        return Game(board, promise, arguments.seed)
    except ValueError as error:
        raise UsageError(f"board {board}: {error}") from None


def _game_in(file: str) -> "Game":
    """Return the game in ``file``, with all cells open and flagged that are so in the file."""
    from satsweeper.board.geometry import Square
    from satsweeper.board.layout import Layout
    from satsweeper.board.planes import indices
    from satsweeper.board.size import BoardSize
    from satsweeper.notation.board_file import board_data
    from satsweeper.notation.formats import read_record
    from satsweeper.notation.solution import mines_of
    from satsweeper.play.game import Game
    from satsweeper.play.record import is_record, read_game

    data, source = board_data(file)
    if is_record(data):
        return read_game(data, source)
    record = read_record(data, source)
    if record.truth is None:
        raise InputError(f"{source_name(file)}: it does not tell where the mines are")
    _check_size(BoardSize(record.rows, record.columns, mines_of(record.truth).bit_count()))
    game = Game.on(Layout(Square(record.rows, record.columns), mines_of(record.truth)))
    planes = record.reading.planes
    for cells, act in ((planes.flags, game.flag), (planes.clues, game.open)):
        for index in indices(cells & ~game.opened, game.geometry.size):
            if not game.won:
                act(game.geometry.cell(index))
    return game


def _check_size(board: "BoardSize") -> None:
    from pbcnf.wording import counted

    cells = board.rows * board.columns
    if cells > _MOST:
        found = counted(cells, "cell")
        raise InputError(f"board {board}: {found}; play takes {_MOST} at the most")
