"""Read what another solver answered to an exported board or an encoded problem, and check it there.

OUTPUT is what the solver wrote: a competition's s and v lines (of SAT or pseudo-Boolean solvers),
MiniSat's result file, or only literals. MAP is what export --map or encode --map wrote with the
formula, and says itself which of both.

A board: the map's total and flags are taken, not those of the board file. A right model is printed
as a board: M a mine, S no mine, ? a cell that no clue and no total counts and that the model leaves
open; values of auxiliary variables do not matter. A wrong one ends in exit code 1 with the first
clue that it breaks, or the total.

A problem: a right model is printed as the values of the problem's variables by their own names, and
the value of the objective, if there is one. A wrong one ends in exit code 1 with the first
constraint that it breaks, as it stands in the problem.

If the solver claims that there is no layout or model, our own search is asked too: if it finds one,
the claim is wrong (exit code 1), else the exit code is 20. s UNKNOWN ends in exit code 124.

--json prints {"schema": "satsweeper/decode/1", "rows", "columns", "mines", "claim", "judgement":
"right", "wrong", "unconfirmed" or "unknown"}; with "grid" and "free" (cells left open) for a right
model, and for a wrong answer "wrong": {"clue", "shown", "counted"}, {"total", "counted"} or
{"claim"}. For a problem {"schema": "satsweeper/decode-problem/1", "variables", "constraints",
"claim", "judgement"}; with "values", "free" and "objective" ({"value", "maximise"} or null) for a
right model, and for a wrong answer "wrong": {"constraint", "text", "sum"} or {"claim"}.
"""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from satsweeper.cli.exit_codes import (
    DONE,
    FAILED,
    INCONSISTENT,
    LIMIT_REACHED,
    InputError,
    UsageError,
)
from satsweeper.cli.files import is_board, opened, print_json
from satsweeper.cli.options import add_timeout, source_name, time_left
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.export.decode import Decoded
    from satsweeper.export.decode_problem import DecodedProblem
    from satsweeper.export.name_map import NameMap, ProblemMap
    from satsweeper.solvers.output import Output

    Found = tuple[Decoded | DecodedProblem, dict[str, Any], Callable[[], None]]
    """What was found, the same as JSON, and what prints it."""

EXAMPLE: Final = """\
examples:
  satsweeper export examples/expert.txt -o expert.cnf --map expert.json
  satsweeper sat expert.cnf > expert.out
  satsweeper decode examples/expert.txt --map expert.json expert.out
  satsweeper encode examples/knapsack.opb -o knapsack.cnf --map knapsack.json
  satsweeper sat knapsack.cnf > knapsack.out
  satsweeper decode examples/knapsack.opb --map knapsack.json knapsack.out
"""

_SEARCH: Final = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The board or the problem, the map, and the output to decode."""
    parser.add_argument(
        "source", metavar="BOARD|PROBLEM", help="the file that was exported or encoded"
    )
    parser.add_argument(
        "--map", metavar="MAP", required=True, help="what export --map or encode --map wrote"
    )
    parser.add_argument("output", metavar="OUTPUT", help="the solver's; - is standard input")
    add_timeout(parser, "give up then (exit code 124); our own search alone ends after 10 s")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Decode, print, and say by the exit code what came out."""
    from pbcnf.formats.compressed import decompressed_chunks, decompressed_lines
    from satsweeper.export.decode import MapMismatchError
    from satsweeper.export.name_map import NameMap, read_any_map
    from satsweeper.solvers.output import read_output

    if [arguments.source, arguments.map, arguments.output].count("-") > 1:
        raise UsageError("only one of BOARD (or PROBLEM), MAP and OUTPUT can be standard input")
    where = source_name(arguments.output)
    with progress("decoding"):
        with opened(arguments.map, source_name(arguments.map)) as stream:
            names = read_any_map(b"".join(decompressed_chunks(stream)), source_name(arguments.map))
        if isinstance(names, NameMap):
            judge = _on_board(arguments, names)
        else:
            judge = _on_problem(arguments, names)
        with opened(arguments.output, where) as stream:
            output = read_output(decompressed_lines(stream), where, names.variables)
        try:
            decoded, as_json, show = judge(output)
        except MapMismatchError as error:
            raise InputError(f"{where}: {error}") from None
    wrong = decoded.judgement == "wrong"
    if arguments.json:
        print_json(as_json)
    elif not wrong:
        show()
    if wrong:
        if sys.stderr is not None:
            sys.stderr.write(f"{where}: {decoded.sentence}\n")
        return FAILED
    return {"SATISFIABLE": DONE, "UNSATISFIABLE": INCONSISTENT}.get(decoded.claim, LIMIT_REACHED)


def _search_time(arguments: argparse.Namespace) -> float:
    """Seconds for our own search, where the claim is that there is no layout or model."""
    left = time_left(arguments)
    return _SEARCH if left is None else left


def _on_board(arguments: argparse.Namespace, names: "NameMap") -> "Callable[[Output], Found]":
    """What judges an output on the board, which is read now."""
    from satsweeper.export.decode import confirm, decode, flags_mode
    from satsweeper.notation.error import BoardError
    from satsweeper.position import Position

    try:
        position = Position.read(arguments.source, mines=names.mines)
    except BoardError as error:
        raise InputError(f"{error} (the map is of a board)") from None

    def judge(output: "Output") -> "Found":
        decoded = decode(position, names, output)
        if decoded.claim == "UNSATISFIABLE":
            from satsweeper.answers.options import Options
            from satsweeper.engines.asking.classify import classify_within

            options = Options(flags=flags_mode(position, names))
            result = classify_within(_search_time(arguments), position, options)
            decoded = confirm(decoded, result.status)
        return decoded, decoded.as_json(names), partial(_show_layout, decoded)

    return judge


def _on_problem(arguments: argparse.Namespace, names: "ProblemMap") -> "Callable[[Output], Found]":
    """What judges an output on the problem, which is read now."""
    from pbcnf.formats.error import FormatError
    from pbcnf.formats.problems import read_problem
    from satsweeper.export.decode_problem import confirm_problem, decode_problem

    shown = source_name(arguments.source)
    try:
        with opened(arguments.source, shown) as stream:
            problem = read_problem(stream, shown)
    except (FormatError, ImportError) as error:
        if is_board(arguments.source):
            raise InputError(f"{shown}: this is a board, and the map is of a problem") from None
        raise InputError(str(error)) from None

    def judge(output: "Output") -> "Found":
        decoded = decode_problem(problem, names, output)
        if decoded.claim == "UNSATISFIABLE":
            decoded = confirm_problem(decoded, problem, _search_time(arguments))
        return decoded, decoded.as_json(problem), partial(_show_values, decoded)

    return judge


def _show_layout(decoded: "Decoded") -> None:
    from satsweeper.show.terminal import show_layout

    if decoded.layout is None:
        print(decoded.sentence)
    else:
        show_layout(decoded.layout.grid(), decoded.sentence)


def _show_values(decoded: "DecodedProblem") -> None:
    for name, value in decoded.values.items():
        print(f"{name} = {value}")
    print(decoded.sentence)
