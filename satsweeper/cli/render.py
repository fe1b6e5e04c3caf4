"""A board or a game as a picture: SVG, HTML, PNG; a game moves, also as GIF or WebP.

BOARD is drawn with its verdicts, or with its odds, or with the reason for a verdict, or as it is:
squares, hexagons, triangles, layers of cubes or a graph, with its rules below. On an inconsistent
board the clues that clash are marked. GAME is a record (satsweeper play
--record): each move is judged by what the player could see. --play BOARD shows a game that a
strategy plays: all that is certain is opened at once, and a guess is called one, with its chance.

Verdicts differ in letter, shape and lightness, not in colour alone. The same input gives the same
bytes on every machine; no font is needed. PNG, GIF and WebP need the extra render; WebP is the
smallest.
"""

import argparse
import sys
from typing import TYPE_CHECKING, Final

from satsweeper.board.errors import LimitError
from satsweeper.cli.arguments import (
    cell_named,
    refuse_options,
    replaced,
    source_name,
    take_over_time_left,
)
from satsweeper.cli.exit_codes import DONE, INCONSISTENT, LIMIT_REACHED, InputError, UsageError
from satsweeper.cli.files import STDOUT, check_written, output, require_writable
from satsweeper.cli.lifetime import REPEAT, raise_after
from satsweeper.cli.options import FIRST_CLICKS, FLAGS, board_size, natural, option, timeout
from satsweeper.processes.standard_output import stdout_is_terminal
from satsweeper.show.picture.scene import LARGEST_CELL, LEAST_CELL
from satsweeper.show.picture.write import ENDINGS

if TYPE_CHECKING:
    from satsweeper.position import Position
    from satsweeper.puzzle.puzzle import Puzzle
    from satsweeper.show.picture.scene import Film, Scene

EXAMPLE: Final = """\
examples:
  satsweeper render examples/expert.txt -o board.svg
  satsweeper render examples/expert.txt --odds --theme dark -o odds.html
  satsweeper render examples/lp_5x5.txt --explain 1,3 --cell 40 -o why.svg
  satsweeper render --play 9x9/10 --seed 4 -o game.svg
  satsweeper render examples/expert.txt -o - > board.svg
"""
_SIDES: Final = f"{LEAST_CELL} to {LARGEST_CELL}"
_OF_BOARDS: Final = ("odds", "explain", "plain", "verdicts")
_OF_PLAY: Final = ("strategy", "first_click", "start", "seed", "go_on")


def _side(text: str) -> int:
    """Parse the side of a cell in pixels; raise ArgumentTypeError if out of range."""
    side = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    if LEAST_CELL <= side <= LARGEST_CELL:
        return side
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of pixels, {_SIDES}")


OPTIONS: Final = (
    option("board FILE", "a board or the record of a game; - is standard input", nargs="?"),
    option("-o --output FILE", "the picture: .svg, .html, .png; of a game also .gif, .webp; - is"
           " standard output", required=True),
    option("--format", "the kind of picture, where -o does not say it (of -o -: svg)",
           choices=tuple(ENDINGS)),
    [  # one of these
        option("--verdicts", "every covered cell's verdict (default)"),
        option("--odds", "every covered cell's chance of a mine"),
        option("--explain CELL", "why a cell has its verdict: R,C, or its name"),
        option("--plain", "the board as it is"),
        option("--play BOARD", "a game, as 30x16/99", type=board_size),
    ],
    option("--mines N", "the total, or 'unknown'; overrides the file"),
    FLAGS,
    option("--strategy NAME", "who guesses in --play (safest)"),
    option("--first-click", "what --play promises of it (safe)", choices=FIRST_CLICKS),
    option("--start R,C", "the first click of --play"),
    option("--seed N", "draws the layout of --play (1)", type=natural()),
    option("--go-on", "--play goes on after a mine, which it marks", default=None),
    option("--delay MS", "of a certain move (500)", type=natural("number of milliseconds", 20)),
    option("--cell PIXELS", f"the side of a cell, {_SIDES}", type=_side),
    option("--theme", "colours (light); auto: of .svg, as the page is that shows it",
           choices=("light", "dark", "auto"), default="light"),
    timeout("give up then; verdicts that are proved by then are drawn (exit code 124)"),
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Draw, and write the file."""
    from satsweeper.show.notebook.boards import both_themes
    from satsweeper.show.palette import THEMES
    from satsweeper.show.picture.pixels import check_pictures
    from satsweeper.show.picture.write import PIXELS, picture
    from satsweeper.show.progress import progress

    if (arguments.board is None) == (arguments.play is None):
        raise UsageError("a board or a record is needed, or --play BOARD, and not both")
    if arguments.board is None:
        require_writable(arguments.output)
    else:
        check_written(arguments.board, {"-o": arguments.output})
    ending = _ending(arguments)
    if arguments.theme == "auto" and ending != "svg":
        raise UsageError(f"--theme auto is for .svg: a picture in .{ending} is light or dark")
    if ending in PIXELS:
        check_pictures(f".{ending}")
    left = take_over_time_left(arguments)
    try:
        with raise_after(left, REPEAT), progress("drawing") as reach:
            film, title, code = _film(arguments, ending, left)
            if arguments.theme == "auto":
                data = both_themes(film, arguments.cell, title).encode()
            else:
                palette = THEMES[arguments.theme]
                data = picture(film, ending, palette, arguments.cell, title, reach)
    except LimitError as error:
        # The odds of a position are too hard to count: `LimitError` says why.
        print(error, file=sys.stderr)
        return LIMIT_REACHED
    with output(arguments.output) as stream:
        stream.write(data)
    return code


def _ending(arguments: argparse.Namespace) -> str:
    """Return the kind of picture, as the ending of its file without the dot."""
    from satsweeper.show.picture.write import PIXELS, ending_of

    to_stdout = arguments.output == STDOUT
    try:
        ending = ending_of(arguments.output, arguments.format or ("svg" if to_stdout else None))
    except ValueError as error:
        raise UsageError(f"-o {error}") from None
    if ending in PIXELS and to_stdout and stdout_is_terminal():
        raise UsageError(f"{ending} is binary and not for a terminal: -o FILE")
    return ending


def _film(
    arguments: argparse.Namespace, ending: str, left: float | None
) -> tuple["Film", str, int]:
    """Return the film to be drawn, its title, and the exit code; ``left`` seconds are left."""
    from satsweeper.notation.board_file import board_data
    from satsweeper.play.narration import narrate_record
    from satsweeper.play.record import is_record, read_game
    from satsweeper.position import Position
    from satsweeper.puzzle.errors import RuleError
    from satsweeper.puzzle.puzzle import parse_board_or_puzzle
    from satsweeper.show.picture.boards import CERTAIN, game_film
    from satsweeper.show.picture.scene import Film

    if arguments.play is not None:
        return _played(arguments)
    refuse_options(arguments, _OF_PLAY, "--play BOARD")
    data, source = board_data(arguments.board)
    if is_record(data):
        refuse_options(arguments, _OF_BOARDS, "a board, and this is a game")
        game = read_game(data, source)
        _check_size(arguments, game.board.rows, game.board.columns)
        what = f"{game.board}" + ("" if game.seed is None else f", seed {game.seed}")
        try:
            return game_film(narrate_record(game), what, arguments.delay or CERTAIN), what, DONE
        except ValueError as error:
            raise InputError(f"{source_name(arguments.board)}: {error}") from None
    refuse_options(arguments, ("delay",), "a game")
    if ENDINGS[ending] == "a game":
        raise UsageError(f"-o {arguments.output}: a board does not move; .svg, .html or .png")
    board = parse_board_or_puzzle(data, source, replaced(arguments.mines))
    _check_size(arguments, board.rows, board.columns)
    if isinstance(board, Position):
        scene, code = _scene(arguments, board, left)
    else:
        try:
            scene, code = _puzzle_scene(arguments, board, left)
        except RuleError as error:
            raise InputError(f"{source_name(arguments.board)}: {error}") from None
        _check_pixels(arguments, scene)
    return Film((scene,), (0,)), f"board {source_name(arguments.board)}", code


def _scene(
    arguments: argparse.Namespace, position: "Position", left: float | None
) -> tuple["Scene", int]:
    from satsweeper.answers.classification import Status
    from satsweeper.answers.options import Options
    from satsweeper.engines.classify import classify_within
    from satsweeper.show.picture import boards

    if arguments.plain:
        return boards.plain_scene(position), DONE
    # A fifth of the time is left for drawing.
    left = None if left is None else 0.8 * left
    if arguments.odds:
        from satsweeper.count.odds import NoLayoutError, odds

        try:
            return boards.odds_scene(odds(position, flags=arguments.flags)), DONE
        except NoLayoutError:
            pass
    if arguments.explain is not None:
        from satsweeper.search.session import explain_within

        asked = cell_named(position, arguments.explain, "--explain")
        try:
            found, reason = explain_within(left, position, asked, "auto", arguments.flags)
        except ValueError as error:
            raise InputError(f"{source_name(arguments.board)}: {error}") from None
        if reason is not None and found is not None:
            return boards.explanation_scene(reason, found), DONE
    result = classify_within(left, position, Options(flags=arguments.flags))
    code = {Status.INCONSISTENT: INCONSISTENT, Status.UNDECIDED: LIMIT_REACHED}
    return boards.verdict_scene(result), code.get(result.status, DONE)


def _puzzle_scene(
    arguments: argparse.Namespace, puzzle: "Puzzle", left: float | None
) -> tuple["Scene", int]:
    """Return the scene of a board with rules, or of other cells than squares, and the exit code."""
    from satsweeper.answers.classification import Status
    from satsweeper.puzzle.session import PuzzleSession
    from satsweeper.show.picture import puzzles

    if arguments.plain:
        return puzzles.draw_puzzle(puzzle), DONE
    if arguments.odds:
        from satsweeper.count.odds import NoLayoutError
        from satsweeper.puzzle.odds.odds import odds_of_puzzle

        limit = None if left is None else 0.8 * left
        try:
            odds = odds_of_puzzle(puzzle, flags=arguments.flags, timeout=limit)
            return puzzles.odds_scene(odds), DONE
        except NoLayoutError:
            pass
    with PuzzleSession(puzzle, flags=arguments.flags) as session:
        result = session.classify(None if left is None else 0.8 * left)
        if arguments.explain is not None and result.status is not Status.INCONSISTENT:
            reason = session.explain(cell_named(puzzle, arguments.explain))
            return puzzles.explanation_scene(reason, result.by_cell), DONE
    code = {Status.INCONSISTENT: INCONSISTENT, Status.UNDECIDED: LIMIT_REACHED}
    return puzzles.classification_scene(result), code.get(result.status, DONE)


def _played(arguments: argparse.Namespace) -> tuple["Film", str, int]:
    from satsweeper.play.draw import FirstClick, usual_start
    from satsweeper.play.narration import SAFEST, narrate_strategy
    from satsweeper.show.picture.boards import CERTAIN, game_film

    refuse_options(arguments, _OF_BOARDS, "a board in a file")
    board = arguments.play
    _check_size(arguments, board.rows, board.columns)
    first_click = FirstClick(arguments.first_click or "safe")
    strategy, seed = arguments.strategy or SAFEST, 1 if arguments.seed is None else arguments.seed
    start = arguments.start or usual_start(board, first_click)
    try:
        moments = narrate_strategy(
            board,
            strategy,
            first_click=first_click,
            start=start,
            seed=seed,
            go_on=bool(arguments.go_on),
        )
    except ValueError as error:
        raise UsageError(f"--play {board}: {error}") from None
    what = f"{board}, seed {seed}, {strategy}"
    return game_film(moments, what, arguments.delay or CERTAIN), what, DONE


def _check_size(arguments: argparse.Namespace, rows: int, columns: int) -> None:
    from satsweeper.show.picture.write import check_size

    try:
        check_size(rows, columns, arguments.cell)
    except ValueError as error:
        where = "--play" if arguments.board is None else source_name(arguments.board)
        raise InputError(f"{where}: {error}") from None


def _check_pixels(arguments: argparse.Namespace, scene: "Scene") -> None:
    from satsweeper.show.picture.write import check_pixels

    try:
        check_pixels(scene, arguments.cell)
    except ValueError as error:
        raise InputError(f"{source_name(arguments.board)}: {error}") from None
