"""Read what another solver answered to an exported board or an encoded problem, and check it there.

OUTPUT is what the solver wrote: a competition's s and v lines (of SAT or pseudo-Boolean solvers),
MiniSat's result file, or only literals. MAP is what export --map or encode --map wrote with the
formula, and says itself which of both. Without it OUTPUT is of PROBLEM as it stands, by its own
names, as solve prints it: names and -names, values of integers, digits of WCNF, literals of CNF.

A board: the map's total and flags are taken, not those of the board file. A right model is printed
as a board: M a mine, S no mine, ? a cell that no clue and no total counts and that the model leaves
open; values of auxiliary variables do not matter. A wrong one ends in exit code 1 with the first
rule or clue that it breaks, or the total. Boards under rules are judged by the rules themselves.

A problem: a right model is printed as the values of the problem's variables by their own names, and
the value of the objective, if there is one. A wrong one ends in exit code 1 with the first
constraint that it breaks, as it stands in the problem.

If the solver claims that there is no layout or model, our own search is asked too: if it finds one,
the claim is wrong (exit code 1), else the exit code is 20. s UNKNOWN ends in exit code 124.

--json prints {"schema": "satsweeper/decode/1", "rows", "columns", "mines", "claim", "judgement":
"right", "wrong", "unconfirmed" or "unknown"}; with "grid" and "free" (cells left open) for a right
model, and for a wrong answer "wrong": {"clue", "shown", "counted"}, {"total", "counted"} or
{"claim"}; a board under rules has "rules" and "geometry" too, and {"rule"} or {"region"} may be
what is wrong. For a problem {"schema": "satsweeper/decode-problem/1", "variables", "constraints",
"claim", "judgement"}; with "values", "free" and "objective" ({"value", "maximise"} or null) for a
right model, and for a wrong answer "wrong": {"constraint", "text", "sum"} or {"claim"}.
"""

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING, Final

from satsweeper.cli.arguments import source_name, take_over_time_left
from satsweeper.cli.exit_codes import (
    DONE,
    FAILED,
    INCONSISTENT,
    LIMIT_REACHED,
    InputError,
    UsageError,
)
from satsweeper.cli.files import is_board, opened, print_json
from satsweeper.cli.options import JSON, option, timeout
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pbcnf.constraints.constraint import Constraint
    from pbcnf.constraints.problem import Problem
    from pbcnf.formats.problem_file import ProblemFile
    from satsweeper.answers.classification import Status
    from satsweeper.export.decode import BoardDecoder, Decoder
    from satsweeper.export.decode_puzzle import PuzzleDecoder
    from satsweeper.position import Position
    from satsweeper.puzzle.puzzle import Puzzle
    from satsweeper.solvers.output import Claim, Output

    Search = Callable[[], Claim]
    """A search of our own, for a claim that there is no layout or model."""

EXAMPLE: Final = """\
examples:
  satsweeper export examples/expert.txt -o expert.cnf --map expert.json
  satsweeper sat expert.cnf > expert.out
  satsweeper decode examples/expert.txt --map expert.json expert.out
  satsweeper export examples/rules/T_W.txt -o runs.opb --map runs.json
  satsweeper solve runs.opb > runs.out
  satsweeper decode examples/rules/T_W.txt --map runs.json runs.out
  satsweeper encode examples/knapsack.opb -o knapsack.cnf --map knapsack.json
  satsweeper sat knapsack.cnf > knapsack.out
  satsweeper decode examples/knapsack.opb --map knapsack.json knapsack.out
  satsweeper solve examples/cover.wcnf > cover.out
  satsweeper decode examples/cover.wcnf cover.out
"""

_SEARCH: Final = 10.0
"""Limit in seconds of a search of our own without --timeout."""


OPTIONS: Final = (
    option("source BOARD|PROBLEM", "the file that was exported or encoded"),
    option("--map MAP",
           "what export --map or encode --map wrote; none: a problem by its own names"),
    option("output OUTPUT", "the solver's; - is standard input"),
    timeout("give up then (exit code 124); our own search alone ends after 10 s"),
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Decode and print; the exit code tells the claim and its judgement."""
    from satsweeper.export.decode import MapMismatchError

    if [arguments.source, arguments.map, arguments.output].count("-") > 1:
        raise UsageError("only one of BOARD (or PROBLEM), MAP and OUTPUT can be standard input")
    where = source_name(arguments.output)
    with progress("decoding"):
        decoder, search, output = (_by_own_names if arguments.map is None else _by_map)(arguments)
        try:
            decoded = decoder.decode(output, search)
        except MapMismatchError as error:
            raise InputError(f"{where}: {error}") from None
    wrong = decoded.judgement == "wrong"
    if arguments.json:
        print_json(decoder.as_json(decoded))
    elif not wrong and decoded.layout is not None:
        from satsweeper.answers.classification import Classification

        if isinstance(decoded.layout, Classification):
            from satsweeper.show.terminal import show_layout

            show_layout(decoded.layout.grid(), decoded.sentence)
        else:
            from satsweeper.show.puzzles import show_puzzle_layout

            show_puzzle_layout(decoded.layout, decoded.sentence)
    elif not wrong:
        values = [f"{name} = {value}" for name, value in decoded.values.items()]
        print_answer(*values, decoded.sentence)
    if wrong:
        if sys.stderr is not None:
            sys.stderr.write(f"{where}: {decoded.sentence}\n")
        return FAILED
    return {"SATISFIABLE": DONE, "UNSATISFIABLE": INCONSISTENT}.get(decoded.claim, LIMIT_REACHED)


def _by_map(arguments: argparse.Namespace) -> "tuple[Decoder, Search, Output]":
    """Read the map, the board or problem, and an output in the variable numbers of the map.

    Returns the decoder, the search that judges a claim of no model, and the output.
    """
    from pbcnf.formats.compressed import decompressed_chunks, decompressed_lines
    from satsweeper.export.decode import BoardDecoder
    from satsweeper.export.name_map import NameMap, PuzzleMap, read_any_map
    from satsweeper.notation.error import BoardError
    from satsweeper.position import Position
    from satsweeper.solvers.output import read_output

    where = source_name(arguments.output)
    with opened(arguments.map, source_name(arguments.map)) as stream:
        names = read_any_map(b"".join(decompressed_chunks(stream)), source_name(arguments.map))
    decoder: Decoder
    if isinstance(names, NameMap):
        try:
            position = Position.read(arguments.source, mines=names.mines)
        except BoardError as error:
            raise InputError(f"{error} (the map is of a board)") from None
        decoder = board = BoardDecoder(position, names)
        search = partial(_search_board, arguments, position, board)
    elif isinstance(names, PuzzleMap):
        from satsweeper.export.decode_puzzle import PuzzleDecoder
        from satsweeper.puzzle.puzzle import Puzzle

        try:
            puzzle = Puzzle.read(arguments.source, mines=names.mines)
        except BoardError as error:
            raise InputError(f"{error} (the map is of a board)") from None
        decoder = of_puzzle = PuzzleDecoder(puzzle, names)
        search = partial(_search_puzzle, arguments, puzzle, of_puzzle)
    else:
        from satsweeper.export.decode_problem import ProblemDecoder, search_problem

        _, problem = _problem(arguments)
        decoder = ProblemDecoder(problem, names)
        search = partial(search_problem, problem, partial(_search_time, arguments))
    with opened(arguments.output, where) as stream:
        output = read_output(decompressed_lines(stream), where, names.variables)
    return decoder, search, output


def _by_own_names(arguments: argparse.Namespace) -> "tuple[Decoder, Search, Output]":
    """Read a problem, and an output in which variables have the problem's own names.

    Returns the decoder, the search that judges a claim of no model, and the output.
    """
    from pbcnf.formats.compressed import decompressed_lines
    from satsweeper.export.decode_problem import (
        SolutionDecoder,
        Vocabulary,
        numbered,
        search_problem,
    )
    from satsweeper.export.problem import own_names, spelled_names
    from satsweeper.show.solution import CLAUSES, SYMBOLS, symbol
    from satsweeper.solvers.output import read_output

    where = source_name(arguments.output)
    file, problem = _problem(arguments)
    spelled = spelled_names(file)[: file.own]
    words = Vocabulary(
        [symbol(name) for name in spelled] if file.format in SYMBOLS else spelled,
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
    seconds = partial(_search_time, arguments)
    decoder = SolutionDecoder(problem, words, fixed, seconds)
    return decoder, partial(search_problem, problem, seconds), output


def _search_time(arguments: argparse.Namespace) -> float:
    """Return the seconds that are left for a search of our own."""
    left = take_over_time_left(arguments)
    return _SEARCH if left is None else left


def _search_board(
    arguments: argparse.Namespace, position: "Position", decoder: "BoardDecoder"
) -> "Claim":
    """Decide whether the board has a layout, with flags trusted or ignored as in the map."""
    from satsweeper.answers.options import Options
    from satsweeper.engines.classify import classify_within

    options = Options(flags=decoder.flags_mode())
    return _claim_of(classify_within(_search_time(arguments), position, options).status)


def _search_puzzle(
    arguments: argparse.Namespace, puzzle: "Puzzle", decoder: "PuzzleDecoder"
) -> "Claim":
    """Decide as `_search_board` does whether a board of any shape has a layout."""
    from satsweeper.puzzle.session import classify_puzzle

    seconds = _search_time(arguments)
    return _claim_of(classify_puzzle(puzzle, flags=decoder.flags_mode(), timeout=seconds).status)


def _claim_of(status: "Status") -> "Claim":
    from satsweeper.answers.classification import Status
    from satsweeper.solvers.output import Claim

    found = {Status.CONSISTENT: Claim.SATISFIABLE, Status.INCONSISTENT: Claim.UNSATISFIABLE}
    return found.get(status, Claim.UNKNOWN)


def _problem(arguments: argparse.Namespace) -> "tuple[ProblemFile, Problem]":
    from pbcnf.formats.error import FormatError
    from pbcnf.formats.problems import open_problem, read_whole

    shown = source_name(arguments.source)
    try:
        with (
            opened(arguments.source, shown) as stream,
            open_problem(stream, shown, path=arguments.source) as file,
        ):
            # Names in comments are known only after all constraints are read; they are copied
            # before the file is closed.
            problem = read_whole(file)
            file.names, file.spelled = dict(file.names()).copy, dict(file.spelled()).copy
            return file, problem
    except (FormatError, ImportError) as error:
        if is_board(arguments.source):
            if arguments.map is None:
                raise UsageError(f"{shown} is a board: --map is needed") from None
            raise InputError(f"{shown}: this is a board, and the map is of a problem") from None
        raise InputError(str(error)) from None
