"""Read what another solver answered to an exported board or an encoded problem, and check it there.

OUTPUT is what the solver wrote: a competition's s and v lines (of SAT or pseudo-Boolean solvers),
MiniSat's result file, or only literals. MAP is what export --map or encode --map wrote with the
formula, and says itself which of both. Without it OUTPUT is of PROBLEM as it stands, by its own
names, as solve prints it: names and -names, values of integers, digits of WCNF, literals of CNF.

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
from satsweeper.cli.options import add_timeout, source_name, take_over_time_left
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbcnf.constraints.constraint import Constraint
    from pbcnf.constraints.problem import Problem
    from pbcnf.formats.problem_file import ProblemFile
    from satsweeper.export.decode import Decoded
    from satsweeper.export.decode_problem import DecodedProblem
    from satsweeper.export.name_map import NameMap, ProblemMap
    from satsweeper.solvers.output import Output

    Found = tuple[Decoded | DecodedProblem, dict[str, Any], Callable[[], None]]
    """What was found, the same as JSON, and what prints it."""
    Judge = Callable[[Output], Found]

EXAMPLE: Final = """\
examples:
  satsweeper export examples/expert.txt -o expert.cnf --map expert.json
  satsweeper sat expert.cnf > expert.out
  satsweeper decode examples/expert.txt --map expert.json expert.out
  satsweeper encode examples/knapsack.opb -o knapsack.cnf --map knapsack.json
  satsweeper sat knapsack.cnf > knapsack.out
  satsweeper decode examples/knapsack.opb --map knapsack.json knapsack.out
  satsweeper solve examples/cover.wcnf > cover.out
  satsweeper decode examples/cover.wcnf cover.out
"""

_SEARCH: Final = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The board or the problem, the map, and the output to decode."""
    parser.add_argument(
        "source", metavar="BOARD|PROBLEM", help="the file that was exported or encoded"
    )
    parser.add_argument(
        "--map",
        metavar="MAP",
        help="what export --map or encode --map wrote; none: a problem by its own names",
    )
    parser.add_argument("output", metavar="OUTPUT", help="the solver's; - is standard input")
    add_timeout(parser, "give up then (exit code 124); our own search alone ends after 10 s")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Decode, print, and say by the exit code what came out."""
    from satsweeper.export.decode import MapMismatchError

    if [arguments.source, arguments.map, arguments.output].count("-") > 1:
        raise UsageError("only one of BOARD (or PROBLEM), MAP and OUTPUT can be standard input")
    where = source_name(arguments.output)
    with progress("decoding"):
        judge, output = (_as_it_stands if arguments.map is None else _mapped)(arguments)
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


def _mapped(arguments: argparse.Namespace) -> "tuple[Judge, Output]":
    """What judges the output, and the output, whose variables the map names."""
    from pbcnf.formats.compressed import decompressed_chunks, decompressed_lines
    from satsweeper.export.name_map import NameMap, read_any_map
    from satsweeper.solvers.output import read_output

    where = source_name(arguments.output)
    with opened(arguments.map, source_name(arguments.map)) as stream:
        names = read_any_map(b"".join(decompressed_chunks(stream)), source_name(arguments.map))
    if isinstance(names, NameMap):
        judge = _on_board(arguments, names)
    else:
        judge = _on_problem(arguments, names)
    with opened(arguments.output, where) as stream:
        return judge, read_output(decompressed_lines(stream), where, names.variables)


def _as_it_stands(arguments: argparse.Namespace) -> "tuple[Judge, Output]":
    """The same, of a problem whose own names the output has."""
    from pbcnf.formats.compressed import decompressed_lines
    from satsweeper.export.decode_problem import confirm_problem
    from satsweeper.export.decode_solution import Vocabulary, decode_solution, numbered
    from satsweeper.export.problem import own_names, spelled_names
    from satsweeper.show.solution import CLAUSES, symbol
    from satsweeper.solvers.output import read_output

    where = source_name(arguments.output)
    file, problem = _problem(arguments)
    smt, own = file.format == "smt2", spelled_names(file)[: file.own]
    words = Vocabulary(
        [symbol(name) for name in own] if smt else own,
        own_names(file),
        {symbol(name): each for name, each in file.integers.items()},
        file.format == "wcnf",
    )
    fixed: list[Constraint] = []
    with opened(arguments.output, where) as stream:
        lines: Iterable[bytes] = decompressed_lines(stream)
        named = file.format not in CLAUSES
        if named:
            lines = numbered(lines, where, words, fixed)
        output = read_output(lines, where, problem.num_vars, named=named)

    def judge(output: "Output") -> "Found":
        decoded = decode_solution(problem, words, output, fixed, _search_time(arguments))
        if decoded.claim == "UNSATISFIABLE":
            decoded = confirm_problem(decoded, problem, _search_time(arguments))
        return decoded, decoded.as_json(problem), partial(_show_values, decoded)

    return judge, output


def _search_time(arguments: argparse.Namespace) -> float:
    """Seconds for our own search, where the claim is that there is no layout or model."""
    left = take_over_time_left(arguments)
    return _SEARCH if left is None else left


def _on_board(arguments: argparse.Namespace, names: "NameMap") -> "Judge":
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
            from satsweeper.engines.classify import classify_within

            options = Options(flags=flags_mode(position, names))
            result = classify_within(_search_time(arguments), position, options)
            decoded = confirm(decoded, result.status)
        return decoded, decoded.as_json(names), partial(_show_layout, decoded)

    return judge


def _on_problem(arguments: argparse.Namespace, names: "ProblemMap") -> "Judge":
    """What judges an output on the problem, which is read now."""
    from satsweeper.export.decode_problem import confirm_problem, decode_problem

    _, problem = _problem(arguments)

    def judge(output: "Output") -> "Found":
        decoded = decode_problem(problem, names, output)
        if decoded.claim == "UNSATISFIABLE":
            decoded = confirm_problem(decoded, problem, _search_time(arguments))
        return decoded, decoded.as_json(problem), partial(_show_values, decoded)

    return judge


def _problem(arguments: argparse.Namespace) -> "tuple[ProblemFile, Problem]":
    from pbcnf.formats.error import FormatError
    from pbcnf.formats.problems import open_problem, read_whole

    shown = source_name(arguments.source)
    try:
        with (
            opened(arguments.source, shown) as stream,
            open_problem(stream, shown, path=arguments.source) as file,
        ):
            # The names that comments give are read after the constraints.
            problem = read_whole(file)
            file.names, file.spelled = dict(file.names()).copy, dict(file.spelled()).copy
            return file, problem
    except (FormatError, ImportError) as error:
        if is_board(arguments.source):
            if arguments.map is None:
                raise UsageError(f"{shown} is a board: --map is needed") from None
            raise InputError(f"{shown}: this is a board, and the map is of a problem") from None
        raise InputError(str(error)) from None


def _show_layout(decoded: "Decoded") -> None:
    from satsweeper.show.terminal import show_layout

    if decoded.layout is None:
        print_answer(decoded.sentence)
    else:
        show_layout(decoded.layout.grid(), decoded.sentence)


def _show_values(decoded: "DecodedProblem") -> None:
    for name, value in decoded.values.items():
        print_answer(f"{name} = {value}")
    print_answer(decoded.sentence)
