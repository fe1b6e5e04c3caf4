"""Boards to play: drawn as they come, or so that no move is a guess, with the proof of that.

BOARD is COLUMNSxROWS/MINES, the mines also as a share of the cells (30x16/20%), or beginner
(9x9/10), intermediate (16x16/40), expert (30x16/99), insane (78x21/450). The first click promises
that its neighbours have no mines either (opening), that its cell has none (safe, windows), or
nothing (none); with --no-guess its cell never has one.

Without --no-guess all layouts that the first click allows are equally likely, except for windows:
they are those that simulate plays for the same seed. With --no-guess a layout is changed wherever
a player would have to guess, with as many mines as before, and played again from the start, until
every move is proved. So these layouts are not equally likely: mines drift to where they can be
told apart. Nothing is written unless all boards are found within --budget and --timeout (exit
code 124).

The proof is a list of moves. Each names the cells that it opens, the clues that force all of them
(every covered cell taken for unknown), and whether the total is needed, too; a 0 opens its
neighbours, as ever. The total is asked only where nothing follows without it. --certify also
writes certificates: DIR/001 is one of the position after the first click (see certify), the next
one of that with all cells open that the one before proves to be safe, and so on to the end;
DIR/chain.json lists them. check DIR/001 checks one. --proof writes the proof of all of it as one
file: the game is played from the first click, and check FILE finds every cell proved to be safe
before it is opened.

--rules or --geometry draws a board with rules of its own, as "C" or "2H W", or on other cells, as
hexagonal. A 0 opens no neighbours then, but they are certain; each move has the "rules" that it
needs. --style puzzle opens no cell first: so few clues are open that none can be left out, or
--given N of them, and every move from there is certain. -o FILE.json is a game for game process,
any other FILE the board as a player first sees it. Layouts that a rule makes rare are found by a
solver from random draws, and are not equally likely ("uniform").

--json prints {"schema": "satsweeper/generate/1", "board", "rows", "columns", "mines",
"first_click", "start": [R, C], "seed", "number", "layout": [ROW] (* is a mine), "moves": [{"cells":
[[R, C]], "clues": [[R, C]], "total", "logic", "irreducible"}] (null without --no-guess),
"attempts", "changes", "uniform"}, a line for each board; with --clicks also "clicks": {"3bv",
"openings", "zini", "human_zini"}. "logic" is the least that sufficed, of
single_clue, subset (two clues) and complete; "irreducible": no clue can be left out. Boards with
rules have "rules", "geometry", "style", "given", "grid" (open at first) and "solution", too, and
moves "rules", "flags" and no "logic".
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from satsweeper.cli.arguments import refuse_options
from satsweeper.cli.exit_codes import (
    DONE,
    LIMIT_REACHED,
    InputError,
    UsageError,
    input_errors,
    usage_errors,
)
from satsweeper.cli.files import (
    STDOUT,
    check_proof,
    output,
    print_json,
    require_folder_for,
    require_writable,
)
from satsweeper.cli.lifetime import compiled_work
from satsweeper.cli.options import STRENGTHS, natural, option, timeout
from satsweeper.processes.standard_output import print_answer

if TYPE_CHECKING:
    from satsweeper.play.efficiency import BoardClicks
    from satsweeper.play.generation.board import GeneratedBoard

EXAMPLE: Final = """\
examples:
  satsweeper generate 9x9/10 --no-guess --seed 7
  satsweeper generate expert --no-guess --start 8,15 -o expert.mine
  satsweeper generate 9x9/20% --no-guess --strength subset --no-total --json
  satsweeper generate 9x9/10 --no-guess --proof game.lidrup && satsweeper check game.lidrup
  satsweeper generate 9x9/10 --count 3 -o 'game{}.tatham'
  satsweeper generate expert --seed 5 --clicks
  satsweeper generate 8x8/20 --rules C --no-guess --seed 3 -o game.json
  satsweeper generate 6x6/12 --rules "2H W" --style puzzle
  satsweeper generate 8x7/10 --geometry hexagonal --no-guess --json
"""

PLACE: Final = "{}"
"""Placeholder for the number of a board in the name of a file."""


OPTIONS: Final = (
    option("board BOARD", "as 30x16/99, 30x16/20%% or expert"),
    option("--rules LETTERS", "rules, as C, or 'C W'; satsweeper rules lists them"),
    option("--geometry NAME", "the cells: square (this), torus, hexagonal, triangular ..."),
    option("--style NAME", "with rules: click (this), or puzzle: some clues are open at first"),
    option("--given N", "style puzzle: this many clues are open at first", type=natural()),
    option("--first-click NAME", "opening (this), safe, none, windows"),
    option("--start R,C", "the first click (0,0; opening: 2,2, expert 3,3)"),
    option("--seed S", "the same boards for the same (1)", type=natural(), default=1),
    option("--count N", "how many boards (1)", type=natural(least=1), default=1),
    option("--no-guess", "every move can be proved to be safe"),
    option("--strength LOGIC",
           "what must suffice to prove it: single_clue, subset (of two clues), complete (this)"),
    option("--no-total", "nor does a player ever need the number of mines"),
    option("--budget N", "layouts to try for each board (100)", type=natural(least=1)),
    option("-o --output FILE", "the board; {} in the name is its number, from 0"),
    option("--to FORMAT", "of FILE, as in convert (as FILE is named)"),
    option("--certify DIR", "a certificate of every position: a new or empty folder"),
    option("--proof FILE", "the proof of the whole game, from its first click"),
    timeout(),
    option("--clicks", "how many clicks each board needs: 3BV, ZiNi"),
    option("--json", "print an object a board, with the proof"),
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Generate all boards, then write them."""
    if any(getattr(arguments, name) is not None for name in ("rules", "geometry", "style")):
        from satsweeper.cli.generate_puzzle import generate_puzzles

        return generate_puzzles(arguments)
    refuse_options(arguments, ("given",), "--style puzzle")
    if arguments.first_click is None:
        arguments.first_click = "opening"
    format = _check(arguments)
    from satsweeper.notation.error import CannotHoldError
    from satsweeper.notation.formats import write_record
    from satsweeper.play.generation.run import BudgetError
    from satsweeper.show.sentences import generated_lines, generated_sentence

    try:
        boards = _boards(arguments)
    except BudgetError as error:
        sys.stderr.write(f"{error} (--budget); nothing is written\n")
        return LIMIT_REACHED
    written = []
    if format is not None:
        try:
            for board in boards:
                name = arguments.output.replace(PLACE, str(board.number))
                written.append((name, write_record(board.record(format), format)))
        except CannotHoldError as error:
            raise InputError(f"{arguments.output}: {error}") from None
    board, total = boards[0], not arguments.no_total
    if arguments.certify is not None:
        from satsweeper.play.generation.chain import certify_board

        with input_errors(arguments.certify):
            with compiled_work(arguments, "certifying"):
                chain = certify_board(board, total=total)
            chain.write(Path(arguments.certify))
    if arguments.proof is not None:
        from satsweeper.play.proof import ProvedGame

        with output(arguments.proof) as stream, compiled_work(arguments, "proving"):
            game = ProvedGame(board.layout, stream, total=total)
            game.follow(board.opened().opened)
            game.follow(board.layout.free, guess=False)
            game.close()
    for name, data in written:
        with output(name) as stream:
            stream.write(data)
    clicks = _clicks(boards) if arguments.clicks else [None] * len(boards)
    for board, more in zip(boards, clicks, strict=True):
        if arguments.json:
            print_json(board.as_json() | ({"clicks": more.as_json()} if more else {}))
            continue
        lines = [generated_sentence(board)]
        if more is not None:
            lines.append(more.sentence())
        if arguments.output == STDOUT:
            sys.stderr.write("".join(f"{line}\n" for line in lines))
        else:
            print_answer(*lines, *([] if written else generated_lines(board)[1:]))
    return DONE


def _clicks(boards: "list[GeneratedBoard]") -> "list[BoardClicks | None]":
    """Return the clicks that each board needs, all of them counted."""
    from pbcnf.proof.gc_pause import gc_paused
    from satsweeper.play.efficiency import BoardClicks
    from satsweeper.show.progress import progress

    found: list[BoardClicks | None] = []
    with gc_paused(), progress("counting clicks", 3 * len(boards)) as reach:
        for board in boards:
            clicks = BoardClicks(board.layout)
            found.append(clicks)
            # Counted now, while the progress is shown, and kept.
            for left, count in ((2, "bbbv"), (1, "zini"), (0, "human_zini")):
                getattr(clicks, count)
                reach(3 * len(found) - left)
    return found


def _check(arguments: argparse.Namespace) -> str | None:
    """Refuse contradictory options; return the format of the file to write, if any."""
    if arguments.strength not in (None, *STRENGTHS):
        from pbcnf.wording import unknown_name

        raise UsageError(unknown_name("strength", arguments.strength, STRENGTHS))
    if not arguments.no_guess:
        of_proved = ("strength", "budget", "certify", "proof", "no_total")
        refuse_options(arguments, of_proved, "--no-guess")
    if arguments.count > 1:
        refuse_options(arguments, ("certify", "proof"), "one board: --count 1")
    check_proof(arguments.proof, arguments.output)
    if arguments.certify is not None:
        from satsweeper.play.generation.chain import refuse_taken

        require_folder_for(arguments.certify)
        with input_errors(arguments.certify):
            refuse_taken(Path(arguments.certify))
    if arguments.output is None:
        if arguments.to is not None:
            raise UsageError("--to needs -o FILE")
        return None
    if arguments.output == STDOUT:
        if arguments.json:
            raise UsageError("--json and -o - would both be standard output")
        if arguments.count > 1:
            raise UsageError("-o - takes one board: --count 1")
    elif arguments.count > 1 and PLACE not in arguments.output:
        raise UsageError(f"-o {arguments.output}: {PLACE} is needed in the name of many files")
    from satsweeper.cli.convert import board_format
    from satsweeper.notation.formats import formats_holding

    able = formats_holding("layout")
    format = board_format(arguments.output, arguments.to, able)
    if format not in able:
        named = arguments.to is None and arguments.output != STDOUT
        instead = f"-o {Path(arguments.output).with_suffix('.mine')}" if named else "--to mine"
        what = "does not hold the layout (which covered cells are mines)"
        raise UsageError(f"{format} {what}; {', '.join(able)} do: {instead}")
    require_writable(arguments.output)
    return format


def _boards(arguments: argparse.Namespace) -> "list[GeneratedBoard]":
    from satsweeper.play.draw import FirstClick, room, usual_start
    from satsweeper.play.presets import board_named
    from satsweeper.play.simulation.plan import first_click_named

    # Impossible settings are refused before any work that takes time.
    with usage_errors():
        board = board_named(arguments.board)
        first_click = first_click_named(arguments.first_click)
        start = arguments.start or usual_start(board, first_click)
        none = first_click is FirstClick.NONE
        room(board, start, FirstClick.SAFE if none and arguments.no_guess else first_click)
    from satsweeper.play.generation.run import BUDGET, generate

    boards = []
    with compiled_work(arguments, "generating", arguments.count) as reach:
        for number in range(arguments.count):
            reach(number)
            boards.append(
                generate(
                    board,
                    first_click=first_click,
                    start=start,
                    seed=arguments.seed,
                    number=number,
                    no_guess=arguments.no_guess,
                    strength=arguments.strength or "complete",
                    total=not arguments.no_total,
                    budget=arguments.budget or BUDGET,
                )
            )
    return boards
