"""Decide a problem, or find its best solution, answering as solvers do in the competitions.

Read is what encode reads: OPB, WBO, WCNF, DIMACS CNF (with XOR lines), KNF, CNF+, LP, MPS and
SMT-LIB (Bools, and Ints between bounds), compressed or not. The constraints are encoded, each kind
by the encoder that is named or chosen by size, and a solver searches in a process of its own.

Standard output has comments (c), the value of the objective for each better solution as soon as it
is found (o), the claim (s: OPTIMUM FOUND, SATISFIABLE, UNSATISFIABLE or UNKNOWN) and the best
solution (v): of WCNF a digit a variable, of CNF literals, else names, with - where false. Every
solution is checked against the problem before it is printed. At the time limit, at SIGTERM and at
Ctrl-C the best one so far is printed, as SATISFIABLE.

Strategies: core-guided pays for sets of terms that cannot all be avoided, from below; linear asks
for something better than the last solution, from above; auto lets them take turns.

--proof writes a proof that there is no solution, or no better one, as DRUP: that is searched for
anew, on the clauses that --formula writes. That there is none is the solver's word otherwise.

The exit code is 30 for OPTIMUM FOUND, 10 for SATISFIABLE, 20 for UNSATISFIABLE and 0 for UNKNOWN;
the codes below that mean a failure are shared by all commands.
"""

import argparse
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Final

from pbcnf.wording import counted
from satsweeper.cli.encoders import add_encoders, choices_of
from satsweeper.cli.exit_codes import DONE, InputError, UsageError
from satsweeper.cli.files import STDOUT, check_files, output, print_json, refuse_board
from satsweeper.cli.options import add_timeout, time_left
from satsweeper.cli.problem_source import watched
from satsweeper.cli.time_limit import TimeIsUp, take_over
from satsweeper.show.progress import progress
from satsweeper.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbcnf.constraints.problem import Objective, Problem
    from satsweeper.optimisation.outcome import Outcome
    from satsweeper.optimisation.proof import Proof
    from satsweeper.optimisation.run import Settings

EXAMPLE: Final = """\
examples:
  satsweeper solve examples/packing.opb
  satsweeper solve examples/cover.wcnf --strategy linear --timeout 60
  satsweeper solve examples/committee.knf --solver external:minisat
  satsweeper solve examples/packing.opb --proof packing.drup --formula packing.cnf
"""

_CODES: Final = {"OPTIMUM FOUND": 30, "SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": DONE}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The problem, how to search, and the encoders."""
    parser.add_argument("problem", metavar="PROBLEM", help="a file; - is standard input")
    parser.add_argument(
        "--strategy", metavar="NAME", default="auto", help="auto, core-guided or linear (auto)"
    )
    parser.add_argument(
        "--solver",
        metavar="NAME",
        default="auto",
        help="a PySAT solver, or external:PROGRAM for one on PATH (auto: see docs/solving.md)",
    )
    parser.add_argument(
        "--counter",
        metavar="NAME",
        default="auto",
        help="of the objective, for linear: totalizer, generalized_totalizer, "
        "global_polynomial_watchdog or adder (by size)",
    )
    add_encoders(parser)
    add_timeout(parser, "then the best solution so far, or s UNKNOWN")
    parser.add_argument("--proof", metavar="FILE", help="the proof, in DRUP, if there is one")
    parser.add_argument("--formula", metavar="FILE", help="the CNF that the proof refutes")
    parser.add_argument("--strict", action="store_true", help="as in encode")
    parser.add_argument("--json", action="store_true", help="the answer as one JSON object")


class _Terminated(BaseException):
    """SIGTERM has come."""


@dataclass
class _Printer:
    """Prints as the answer comes, and the best so far when it is asked for."""

    arguments: argparse.Namespace
    format: str = ""
    names: list[str] = field(default_factory=list)
    integers: "Mapping[str, Objective]" = field(default_factory=dict)
    best: "Outcome | None" = None

    def comment(self, text: str) -> None:
        """One line of no account."""
        if not self.arguments.json:
            print(f"c {text.encode('ascii', 'backslashreplace').decode('ascii')}", flush=True)

    def better(self, outcome: "Outcome") -> None:
        """Note an outcome; print its value at once, if that is new."""
        new = self.best is None or self.best.value != outcome.value
        self.best = outcome
        if new and outcome.value is not None and not self.arguments.json:
            print(f"o {outcome.value}", flush=True)

    def answer(self, reason: str = "") -> int:
        """Print what is known, and return the exit code."""
        from satsweeper.optimisation.outcome import Outcome, Status
        from satsweeper.show.solution import solution_json, solution_lines

        outcome = self.best or Outcome(Status.UNKNOWN, reason=reason)
        if self.arguments.json:
            print_json(solution_json(outcome, self.names, self.integers))
        else:
            if outcome.status in (Status.SATISFIABLE, Status.UNKNOWN) and outcome.reason:
                self.comment(f"not done: {reason or outcome.reason}")
            lines = solution_lines(outcome, self.format, self.names, self.integers)
            print(*lines, sep="\n", flush=True)
        return _CODES[outcome.status]


def run(arguments: argparse.Namespace) -> int:
    """Solve and answer; the exit code says what came out."""
    printer = _Printer(arguments)
    with _terminable():
        try:
            unwritten = _solve(arguments, _settings(arguments), printer)
        except TimeIsUp:
            take_over()
            return printer.answer("time")
        except _Terminated:
            return printer.answer("terminated")
        except KeyboardInterrupt:
            if printer.best is not None:
                printer.answer("interrupted")
            raise
        # The answer is not to be cut off.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        code = printer.answer()
    if unwritten is not None:
        raise unwritten
    return code


@contextmanager
def _terminable() -> Iterator[None]:
    """Raise _Terminated at SIGTERM in the block, once."""

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise _Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _settings(arguments: argparse.Namespace) -> "Settings":
    from satsweeper.optimisation.run import Settings
    from satsweeper.solvers.protocol import SolverError
    from satsweeper.solvers.solve_formula import check_solver

    proof = arguments.proof
    if STDOUT in (proof, arguments.formula):
        raise UsageError("--proof and --formula need files: the answer goes to standard output")
    if arguments.formula is not None and proof is None:
        raise UsageError("--formula is for --proof: encode writes the clauses of a problem")
    try:
        check_solver(arguments.solver, proof is not None)
        settings = Settings(
            *(arguments.strategy, arguments.solver, arguments.counter),
            *(choices_of(arguments), arguments.max_clauses),
        )
    except SolverError as error:
        raise UsageError(str(error)) from None
    if proof is not None:
        if proof == arguments.formula:
            raise UsageError(f"--proof and --formula both name {proof}")
        check_files(arguments.problem, proof, arguments.formula, "problem")
    return settings


def _solve(
    arguments: argparse.Namespace, settings: "Settings", printer: _Printer
) -> InputError | None:
    """Print the answer up to its last lines; return why a proof could not be written, if so."""
    from pbcnf.formats.error import FormatError, printable
    from satsweeper.optimisation.child import solve_apart

    shown = printable("<stdin>" if arguments.problem == STDOUT else arguments.problem)
    try:
        problem = _read(arguments, shown, printer)
        size = (
            counted(problem.num_vars, "variable"),
            counted(len(problem.constraints), "constraint"),
        )
        printer.comment(f"satsweeper {__version__}, solver {settings.solver_of(problem)}")
        printer.comment(f"{shown}: {', '.join(size)}")
        wanted = arguments.proof is not None
        with progress("solving"):
            outcome, proof = solve_apart(
                problem, settings, time_left(arguments), printer.better, wanted
            )
    except (FormatError, ImportError) as error:
        refuse_board(arguments.problem, shown, "opb")
        raise InputError(str(error)) from None
    except ValueError as error:
        # As in encode: another encoder could, or a larger --max-clauses.
        raise UsageError(f"{shown}: {error}") from None
    except MemoryError:
        raise InputError(f"{shown}: not enough memory") from None
    printer.better(outcome)
    if outcome.questions:
        asked = (
            f"{counted(outcome.questions, 'question')}, {counted(outcome.conflicts, 'conflict')}"
        )
        printer.comment(asked if outcome.bound is None else f"{asked}; bound {outcome.bound}")
    if not wanted:
        return None
    if proof is None:
        printer.comment("no proof: there is nothing to prove, or the time was over")
        return None
    return _write(arguments, proof)


def _read(arguments: argparse.Namespace, shown: str, printer: _Printer) -> "Problem":
    from pbcnf.formats.problems import open_problem, read_whole
    from satsweeper.export.problem import own_names

    with ExitStack() as files:
        opened = watched(arguments.problem, shown, files, "reading")
        file = files.enter_context(open_problem(opened, shown, strict=arguments.strict))
        problem = read_whole(file)
        printer.format = file.format
        printer.names, printer.integers = own_names(file)[: file.own], file.integers
    for note in file.notes:
        printer.comment(f"{note} (--strict refuses it)")
    return problem


def _write(arguments: argparse.Namespace, proof: "Proof") -> InputError | None:
    from pbcnf.formats.write.dimacs import write_dimacs

    try:
        with output(arguments.proof) as stream:
            stream.writelines(line.encode("ascii") + b"\n" for line in proof.lines)
        if arguments.formula is not None:
            with output(arguments.formula) as stream:
                write_dimacs(proof.formula, stream)
    except InputError as error:
        return error
    return None
