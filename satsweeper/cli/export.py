"""Write a board as a file for other solvers.

The problem has one variable a covered cell, row by row, true for a mine; its models are exactly
the layouts of the board. Comments of the file name every variable, and so does the JSON of --map.
A board without a layout gives an unsatisfiable file. Clauses that two clues share are written once
(in files of up to a million clauses). The name of the file says the format, unless
--format does, and how to compress it: .gz, .bz2 or .xz. Nothing is left behind when writing fails.

Formats of clauses: cnf (DIMACS), icnf (with the question for every cell and value as assumptions),
pmc (projected model counting: as many as layouts, whatever the encoding), wcnf (all clauses hard).
Formats of counting constraints, not encoded: knf, cnf+, opb, wbo, lp, mps,
smt2 (QF_LIA).

A board under rules, or of another shape, has auxiliary variables as well, each of which has one
value in a layout: what a connection reaches step by step, conjunctions, cases. The map and the
comments name them. Only under the rules 2I and 2L a layout can be several models; pmc counts
layouts there, too. knf and cnf+ hold no weights: weighted sums are clauses there.

--order is the order in which the cells of a clue or of the total enter their encoding, which can
matter more than the encoding: bandwidth puts cells of the same clues near one another, proximity
those of at-most-one clues and clauses, occurrence takes cells of many clues first.

--competition writes an entry to the SAT Competition: without unused variables and repeated
clauses, named by family, parameters and seed, with the map and all that is known beside it; the
folder is made if there is none.
"""

import argparse
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Final

from pbcnf.formats.table import FORMATS
from pbcnf.wording import counted
from satsweeper.cli.arguments import (
    read_board_or_puzzle,
    source_name,
    values_of,
)
from satsweeper.cli.exit_codes import DONE, InputError, UsageError, usage_errors
from satsweeper.cli.files import (
    STDOUT,
    check_written,
    format_named,
    output,
    outputs,
    require_folder,
)
from satsweeper.cli.options import BOARD, ORDER, encodings, option, timeout
from satsweeper.cli.problem_source import progress_beside
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any

    from satsweeper.export.formula import BoardProblem, Export
    from satsweeper.export.puzzle import PuzzleProblem
    from satsweeper.position import Position

EXAMPLE: Final = """\
examples:
  satsweeper export examples/expert.txt --format cnf -o expert.cnf.xz --map expert.json
  satsweeper export examples/expert.txt --format opb -o expert.opb
  satsweeper export examples/rules/C.txt --format pmc -o connected.cnf --map connected.json
  satsweeper export examples/expert.txt --competition -o entries
"""

_PATIENCE: Final = 60.0
"""Limit in seconds of our own session, which decides whether an entry is satisfiable."""


def _word(text: str) -> str:
    """Return ``text`` if it may be a part of an entry's name; else raise ArgumentTypeError."""
    if text and all(c in "abcdefghijklmnopqrstuvwxyz0123456789.+-" for c in text):
        return text
    raise argparse.ArgumentTypeError(f"{text!r}: lower-case letters, digits, '.', '+' and '-' only")


OPTIONS: Final = (
    *BOARD,
    *encodings("auto"),
    ORDER,
    option("--format", "see above (as FILE is named; cnf for -)", choices=tuple(FORMATS)),
    option("-o --output FILE", "- is standard output (default); with --competition the folder (.)"),
    option("--map FILE", "also write, as JSON, which variable is which cell"),
    timeout(),
    option("--competition", "an entry: FAMILY_PARAMETERS_SEED.cnf.xz"),
    option("--family FAMILY", "the family of an entry (minesweeper)", type=_word),
    option("--seed SEED", "what the board was drawn with (the start of its hash)", type=_word),
)


def run(arguments: argparse.Namespace) -> int:
    """Write the problem, and the name map if --map is given; if one fails, neither is written."""
    if arguments.competition:
        return _enter(arguments)
    if arguments.family is not None or arguments.seed is not None:
        raise UsageError("--family and --seed belong to --competition")
    arguments.output = STDOUT if arguments.output is None else arguments.output
    check_written(arguments.board, {"-o": arguments.output, "--map": arguments.map})
    format = format_named(arguments)
    try:
        with progress_beside(arguments.output, "exporting"):
            exported, write = _exported(arguments, format.name, format.holds == "clauses")
            with outputs(arguments.output, arguments.map) as (stream, names):
                if names is not None:
                    exported.write_map(names)
                write(stream)
    except ImportError as error:
        # The ImportError of a missing extra has one line, with the command that installs the extra.
        raise InputError(str(error)) from None
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"{arguments.output}: {exported.size}\n")
    return DONE


def _enter(arguments: argparse.Namespace) -> int:
    """Write the three files of an entry: formula, name map, metadata.

    Files appear under their names in the reverse order of opening, so the metadata appears last.
    """
    from pbcnf.formats.writing import write_json
    from satsweeper.export.competition import entry_of, status_of
    from satsweeper.puzzle.puzzle import Puzzle

    if arguments.format not in (None, "cnf") or arguments.map is not None:
        raise UsageError("--competition writes cnf, and the map beside it")
    folder = arguments.output or "."
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder} is no folder: -o names the folder of an entry")
    with progress("exporting"):
        _require_encoders(arguments)
        position = read_board_or_puzzle(arguments)
        if isinstance(position, Puzzle):
            what = "--competition is for boards of squares without rules"
            raise InputError(f"{source_name(arguments.board)}: {what}")
        # The folder is made once the board has been read.
        require_folder(folder)
        try:
            export = _formula(arguments, position)
        except MemoryError:
            raise InputError(f"{arguments.board}: not enough memory for the formula") from None
        entry = entry_of(export, arguments.family or "minesweeper", arguments.seed)
        status = status_of(export.position, arguments.flags, _PATIENCE)
        path = os.path.join(folder, entry.stem)
        with (
            output(f"{path}.json") as about,
            output(f"{path}.map.json") as names,
            output(f"{path}.cnf.xz") as stream,
        ):
            hashes = entry.write_cnf(stream)
            write_json(entry.name_map(), names)
            write_json(entry.metadata(hashes, status), about)
    variables = counted(entry.formula.num_vars, "variable")
    clauses = counted(entry.formula.num_clauses, "clause")
    print_answer(
        f"{path}.cnf.xz: {variables}, {clauses}, {status}",
        "Ordinary boards are far too easy for the competition (MiniSat must need over a minute):"
        f" measure it by\n  satsweeper lint --hardness {path}.cnf.xz",
    )
    return DONE


def _exported(
    arguments: argparse.Namespace, format: str, clauses: bool
) -> "tuple[BoardProblem | PuzzleProblem, Callable[[IO[bytes]], None]]":
    """Return the board as it is to be exported, and the function that writes its file.

    ``format``: the name of the format; ``clauses``: whether it holds clauses.
    """
    from satsweeper.position import Position

    if clauses:
        _require_encoders(arguments)
    board = read_board_or_puzzle(arguments)
    try:
        if isinstance(board, Position):
            from satsweeper.export.formula import BoardProblem

            of_board = (
                _formula(arguments, board) if clauses else BoardProblem.of(board, arguments.flags)
            )
            return of_board, partial(of_board.write, format=format)
        from satsweeper.export.puzzle import PuzzleProblem
        from satsweeper.puzzle.errors import RuleError

        how = _how(arguments)
        try:
            of_puzzle = PuzzleProblem.of(board, format=format, **how)
        except RuleError as error:
            raise InputError(f"{source_name(arguments.board)}: {error}") from None
        with usage_errors():
            _ = of_puzzle.size
        return of_puzzle, of_puzzle.write
    except MemoryError:
        raise InputError(f"{arguments.board}: not enough memory for the formula") from None


def _require_encoders(arguments: argparse.Namespace) -> None:
    from pbcnf.encoders.table import find_encoder

    with usage_errors():
        find_encoder(arguments.encoding)
        if arguments.total_encoding != "auto":
            find_encoder(arguments.total_encoding)


def _formula(arguments: argparse.Namespace, position: "Position") -> "Export":
    from satsweeper.export.formula import formula_of

    with usage_errors():
        return formula_of(position, **_how(arguments))


def _how(arguments: argparse.Namespace) -> "dict[str, Any]":
    """Return the encoders, the order and the reading of flags by the names of parameters."""
    from pbcnf.constraints.order import LiteralOrder

    order = LiteralOrder(arguments.order)
    return values_of(arguments, "encoding", "total_encoding", "flags") | {"order": order}
