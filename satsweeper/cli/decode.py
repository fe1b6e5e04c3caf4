"""Read what another solver answered to an exported board, and check it on the board.

OUTPUT is what the solver wrote: a competition's s and v lines, MiniSat's result file, or only
literals. MAP is what export --map wrote with the formula; its total and flags are taken, not those
of the board file. A right model is printed as a board: M a mine, S no mine, ? a cell that no clue
and no total counts and that the model leaves open; values of auxiliary variables do not matter. A
wrong one ends in exit code 1 with the first clue that it breaks, or the total.

If the solver claims that there is no layout, our own search is asked too: if it finds one, the
claim is wrong (exit code 1), else the exit code is 20. s UNKNOWN ends in exit code 124.

--json prints {"schema": "satsweeper/decode/1", "rows", "columns", "mines", "claim", "judgement":
"right", "wrong", "unconfirmed" or "unknown"}; with "grid" and "free" (cells left open) for a right
model, and for a wrong answer "wrong": {"clue", "shown", "counted"}, {"total", "counted"} or
{"claim"}.
"""

import argparse
import sys
from typing import Final

from satsweeper.cli.exit_codes import (
    DONE,
    FAILED,
    INCONSISTENT,
    LIMIT_REACHED,
    InputError,
    UsageError,
)
from satsweeper.cli.files import opened, print_json
from satsweeper.cli.options import add_timeout, source_name, time_left

EXAMPLE: Final = """\
example:
  satsweeper export examples/expert.txt -o expert.cnf --map expert.json
  cadical expert.cnf > expert.out
  satsweeper decode examples/expert.txt --map expert.json expert.out
"""

_SEARCH: Final = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The board, the map, and the output to decode."""
    parser.add_argument("board", metavar="BOARD", help="the board file that was exported")
    parser.add_argument("--map", metavar="MAP", required=True, help="what export --map wrote")
    parser.add_argument("output", metavar="OUTPUT", help="the solver's; - is standard input")
    add_timeout(parser, "give up then (exit code 124); our own search alone ends after 10 s")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Decode, print, and say by the exit code what came out."""
    from pbcnf.formats.compressed import decompressed_chunks, decompressed_lines
    from satsweeper.export.decode import Judgement, MapMismatchError, confirm, decode, flags_mode
    from satsweeper.export.name_map import read_map
    from satsweeper.position import Position
    from satsweeper.solvers.output import Claim, read_output

    if [arguments.board, arguments.map, arguments.output].count("-") > 1:
        raise UsageError("only one of BOARD, MAP and OUTPUT can be standard input")
    where = source_name(arguments.output)
    with opened(arguments.map, source_name(arguments.map)) as stream:
        names = read_map(b"".join(decompressed_chunks(stream)), source_name(arguments.map))
    position = Position.read(arguments.board, mines=names.mines)
    with opened(arguments.output, where) as stream:
        output = read_output(decompressed_lines(stream), where, names.variables)
    try:
        decoded = decode(position, names, output)
    except MapMismatchError as error:
        raise InputError(f"{where}: {error}") from None
    if decoded.claim is Claim.UNSATISFIABLE:
        from satsweeper.answers.options import Options
        from satsweeper.engines.asking.classify import classify_within

        options = Options(flags=flags_mode(position, names))
        result = classify_within(_search_time(arguments), position, options)
        decoded = confirm(decoded, result.status)
    if arguments.json:
        print_json(decoded.as_json(names))
    elif decoded.judgement is not Judgement.WRONG:
        rows = decoded.layout.grid() if decoded.layout is not None else []
        print(*rows, decoded.sentence, sep="\n")
    if decoded.judgement is Judgement.WRONG:
        if sys.stderr is not None:
            sys.stderr.write(f"{where}: {decoded.sentence}\n")
        return FAILED
    return {Claim.SATISFIABLE: DONE, Claim.UNSATISFIABLE: INCONSISTENT}.get(
        decoded.claim, LIMIT_REACHED
    )


def _search_time(arguments: argparse.Namespace) -> float:
    """Seconds for our own search, where the claim is that there is no layout."""
    left = time_left(arguments)
    return _SEARCH if left is None else left
