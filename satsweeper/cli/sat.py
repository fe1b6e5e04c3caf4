"""Solve a formula in DIMACS CNF, answering as solvers do in the SAT competitions.

Standard output has comments (c), the claim (s: SATISFIABLE, UNSATISFIABLE, or UNKNOWN where the
time limit, Ctrl-C, SIGTERM, SIGHUP or SIGXCPU came first) and, for a model, every declared
variable's value (v). A model is checked against every clause before it is printed. --proof writes
the proof of an unsatisfiable formula, as DRUP; for another formula no file is touched. The answer
is printed even if the proof cannot be written. That there is no model is the solver's word, unless
the proof is checked.
"""

import argparse
import io
from itertools import chain
from typing import TYPE_CHECKING, Final

from pbcnf.wording import counted
from satsweeper.cli.arguments import source_name, take_over_time_left
from satsweeper.cli.competition_output import CODES, Answer, answered
from satsweeper.cli.exit_codes import DONE, InputError, UsageError, usage_errors
from satsweeper.cli.files import STDOUT, check_written, opened, output, refuse_board
from satsweeper.cli.options import option, timeout
from satsweeper.cli.problem_source import refuse_problem
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from pbcnf.formats.read.dimacs import DimacsFile

EXAMPLE: Final = """\
examples:
  satsweeper export examples/expert.txt -o expert.cnf.xz
  satsweeper sat expert.cnf.xz
  satsweeper export examples/contradiction.txt -o contradiction.cnf
  satsweeper sat --solver glucose4 --proof contradiction.drup --timeout 60 contradiction.cnf
  satsweeper sat --solver external:minisat - < contradiction.cnf
"""
EXIT_CODES: Final = """\
exit codes: 10 SATISFIABLE; 20 UNSATISFIABLE; 0 UNKNOWN; 1 bad input or a failed check; 2 wrong
usage; 130 interrupted, and UNKNOWN"""

_PEEK: Final = 2**16
"""Bytes of standard input that are kept to tell, after an error, whether it was a board."""


OPTIONS: Final = (
    option("formula FILE", "- is standard input (default)", nargs="?", default=STDOUT),
    option("--solver NAME", "a PySAT solver, or external:PROGRAM for one on PATH; auto is"
           " cadical195 (auto)", default="auto"),
    timeout("then s UNKNOWN"),
    option("--proof FILE", "the proof, in DRUP, if there is no model"),
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Solve and print the answer; return the exit code of the competitions."""
    answer = Answer()
    return answered(
        lambda: _solve(arguments, answer),
        lambda reason: answer.give([f"c no answer: {reason}", "s UNKNOWN"], DONE),
    )


def _solve(arguments: argparse.Namespace, answer: Answer) -> int:
    from pbcnf.formats.error import FormatError
    from satsweeper.solvers.output import Claim
    from satsweeper.solvers.protocol import SolverError
    from satsweeper.solvers.solve_formula import check_solver, solve_formula, value_lines
    from satsweeper.version import __version__

    proof, shown = arguments.proof, source_name(arguments.formula)
    if proof == STDOUT:
        raise UsageError("--proof needs a file: the answer goes to standard output")
    with usage_errors(SolverError):
        solver = check_solver(arguments.solver, proof is not None)
    if proof is not None:
        check_written(arguments.formula, {"--proof": proof}, "formula")
    try:
        with progress("solving"):
            file = _read(arguments.formula, shown)
            left = take_over_time_left(arguments)
            solved = solve_formula(file.formula, solver, left, proof=proof is not None, apart=True)
    except FormatError:
        raise
    except ValueError as error:
        raise InputError(f"{shown}: {error}") from None
    except MemoryError:
        raise InputError(f"{shown}: not enough memory") from None
    unwritten = None
    if proof is not None and solved.claim is Claim.UNSATISFIABLE:
        try:
            with output(proof) as stream:
                stream.writelines(line.encode("ascii") + b"\n" for line in solved.proof)
        except InputError as error:
            unwritten = error
    variables = counted(file.formula.num_vars, "variable")
    size = f"{variables}, {counted(file.formula.num_clauses, 'clause')}"
    lines = [
        f"c satsweeper {__version__}, solver {solver}",
        f"c {shown.encode('ascii', 'backslashreplace').decode('ascii')}: {size}",
        *([f"c no answer: {solved.reason}"] if solved.reason else []),
        f"s {solved.claim}",
    ]
    values = value_lines(solved.model) if solved.claim is Claim.SATISFIABLE else ()
    code = answer.give(chain(lines, values), CODES[solved.claim])
    if unwritten is not None:
        raise unwritten
    return code


def _read(formula: str, shown: str) -> "DimacsFile":
    from pbcnf.formats.error import FormatError
    from pbcnf.formats.read.dimacs import read_dimacs

    with opened(formula, shown) as stream:
        begins = stream.peek(_PEEK) if isinstance(stream, io.BufferedReader) else b""
        try:
            return read_dimacs(stream, shown)
        except FormatError as error:
            refuse_board(formula, shown, "cnf", begins)
            refuse_problem(formula, shown, begins)
            if "XOR" in error.message:
                raise InputError(f"{error}; satsweeper encode makes clauses of it") from None
            raise
