"""Decide a problem, or find its best solution, answering as solvers do in the competitions.

Read is what encode reads: OPB, WBO, WCNF, DIMACS CNF (with XOR lines), KNF, CNF+, LP, MPS and
SMT-LIB (Bools, and Ints between bounds), and statements files of the language, compressed or not.
The constraints are encoded, each kind by the encoder that is named or chosen by size, and a solver
searches in a process of its own.

Standard output has comments (c), the value of the objective for each better solution as soon as it
is found (o), the claim (s: OPTIMUM FOUND, SATISFIABLE, UNSATISFIABLE or UNKNOWN) and the best
solution (v): of WCNF a digit a variable, of CNF literals, else names, with - where false. Every
solution is checked against the problem before it is printed. At the time limit, at Ctrl-C, SIGTERM,
SIGHUP and SIGXCPU the best one so far is printed, as SATISFIABLE, or UNKNOWN if there is none. What
comes without notice leaves the file of --best: what would be printed if the search ended now.

Strategies: core-guided pays for sets of terms that cannot all be avoided, from below; linear asks
for something better than the last solution, from above; branching decides variables by a linear
relaxation, which needs HiGHS (the extra ilp); auto lets them take turns.

--proof FILE.pbp writes one pseudo-Boolean proof (VeriPB 3.0) of the answer, from the rows of the
problem: that there is no solution, or none better than the one that it holds; checked before it is
called written, and again by check PROBLEM FILE.pbp. A PROBLEM that is no plain OPB is written as
such beside it, FILE.pbp.opb, or where --formula says. Other names, or --proof-format drup: the
proof is DRUP, on the clauses that --formula writes. It is searched for anew; --timeout covers both.
If there is an answer and no proof of it, a comment says so, and the exit code is 124. Without a
proof, that there is nothing better is the solver's word.
"""

import argparse
import os
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbcnf.errors import printable
from pbcnf.wording import counted
from satsweeper.cli.arguments import source_name, take_over_time_left
from satsweeper.cli.competition_output import BestSoFarFile, Printer, answered
from satsweeper.cli.exit_codes import InputError, UsageError, usage_errors
from satsweeper.cli.files import STDOUT, check_written, output, refuse_board
from satsweeper.cli.options import option, timeout
from satsweeper.cli.problem_source import ENCODERS, choices_of, watched_problem
from satsweeper.show.progress import progress
from satsweeper.version import __version__

if TYPE_CHECKING:
    from pbcnf.constraints.problem import Problem
    from satsweeper.certificate.answer import AnswerProof
    from satsweeper.optimisation.run import DrupProof, Prover, Settings

EXAMPLE: Final = """\
examples:
  satsweeper solve examples/packing.opb
  satsweeper solve examples/cover.wcnf --strategy linear --timeout 60 --best cover.out
  satsweeper solve examples/committee.knf --solver external:minisat
  satsweeper solve examples/packing.opb --proof packing.pbp
  satsweeper solve examples/packing.opb --proof packing.drup --formula packing.cnf
"""
EXIT_CODES: Final = """\
exit codes: 30 OPTIMUM FOUND; 10 SATISFIABLE; 20 UNSATISFIABLE; 0 UNKNOWN; 1 bad input or a failed
check; 2 wrong usage; 124 with --proof: answered, but the proof is not done; 130 interrupted, with
the answer so far"""


OPTIONS: Final = (
    option("problem PROBLEM", "a file; - is standard input"),
    option("--strategy NAME", "auto, core-guided, branching or linear (auto)", default="auto"),
    option("--solver NAME", "a PySAT solver, or external:PROGRAM for one on PATH (auto: see"
           " docs/solving.md)", default="auto"),
    option("--counter NAME", "of the objective, for linear: totalizer, generalized_totalizer,"
           " global_polynomial_watchdog or adder (by size)", default="auto"),
    *ENCODERS,
    timeout("then the best solution so far, or s UNKNOWN"),
    option("--best FILE", "the best solution so far, in this file as it is found"),
    option("--proof FILE", "the proof of the answer, if there is one"),
    option("--proof-format NAME", "pbp or drup (pbp if FILE ends in .pbp)",
           choices=("pbp", "drup")),
    option("--formula FILE", "the CNF that a proof in DRUP refutes; the OPB that pbp begins with"),
    option("--strict", "as in encode"),
    option("--json", "the answer as one JSON object"),
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Solve and print the answer; return the exit code of the competitions."""
    unwritten = None

    def work() -> int:
        nonlocal unwritten
        unwritten = _solve(arguments, _settings(arguments), printer)
        return printer.answer()

    with BestSoFarFile(arguments.best) as kept:
        printer = Printer(arguments, kept)
        code = answered(work, printer.answer)
    unwritten = unwritten or kept.error
    if unwritten is not None:
        raise unwritten
    return code


def _settings(arguments: argparse.Namespace) -> "Settings":
    from satsweeper.optimisation.run import Settings
    from satsweeper.solvers.protocol import SolverError
    from satsweeper.solvers.solve_formula import check_solver

    proof = arguments.proof
    written = {f"--{name}": getattr(arguments, name) for name in ("best", "proof", "formula")}
    for flag, name in written.items():
        if name == STDOUT:
            raise UsageError(f"{flag} needs a file: the answer goes to standard output")
    if arguments.formula is not None and proof is None:
        raise UsageError("--formula is for --proof: encode writes the clauses of a problem")
    if arguments.proof_format is not None and proof is None:
        raise UsageError("--proof-format is for --proof")
    with usage_errors(SolverError):
        check_solver(arguments.solver, proof is not None)
        settings = Settings(
            *(arguments.strategy, arguments.solver, arguments.counter),
            *(choices_of(arguments), arguments.max_clauses),
        )
    check_written(arguments.problem, written, "problem")
    best = arguments.best
    # The --best file is replaced again and again, which is impossible for a device or a pipe.
    if best is not None and os.path.exists(best) and not os.path.isfile(best):
        raise UsageError(f"{printable(best)} is no file that can be replaced")
    return settings


def _solve(
    arguments: argparse.Namespace, settings: "Settings", printer: Printer
) -> InputError | None:
    """Search, print comments and better values; the last lines are left to ``printer.answer``.

    Returns the error of writing the proof or its formula, or None.
    """
    from pbcnf.formats.error import FormatError
    from satsweeper.optimisation.run import solve_apart, worker_for

    shown = source_name(arguments.problem)
    plain, prover = None, None
    try:
        problem = _read(arguments, shown, printer)
        if problem.objective is not None:
            printer.scale = problem.objective.scale
        variables = counted(problem.num_vars, "variable")
        constraints = counted(len(problem.constraints), "constraint")
        printer.comment(f"satsweeper {__version__}, solver {settings.solver_of(problem)}")
        printer.comment(f"{shown}: {variables}, {constraints}")
        wanted = arguments.proof is not None
        if _is_pbp(arguments):
            as_read = printer.format == "opb" and os.path.isfile(arguments.problem)
            file = arguments.problem if as_read else None
            problem, plain, prover = _to_be_proved(file, problem, settings)
        with worker_for(problem, settings) as worker:
            worker.start()
            with progress(printer.so_far):
                left = take_over_time_left(arguments)
                outcome, proof = solve_apart(worker, left, printer.better, wanted, prover)
    except (FormatError, ImportError) as error:
        refuse_board(arguments.problem, shown, "opb")
        raise InputError(str(error)) from None
    except ValueError as error:
        # Another encoder or a larger --max-clauses may be possible: wrong usage, as in ``encode``.
        raise UsageError(f"{shown}: {error}") from None
    except MemoryError:
        raise InputError(f"{shown}: not enough memory") from None
    printer.better(outcome)
    if outcome.questions:
        questions = counted(outcome.questions, "question")
        bound = "" if outcome.bound is None else f"; bound {printer.shown(outcome.bound)}"
        printer.comment(f"{questions}, {counted(outcome.conflicts, 'conflict')}{bound}")
    if proof is None:
        return None
    try:
        _write(arguments, proof, plain, shown, printer)
    except InputError as error:
        return error
    return None


def _is_pbp(arguments: argparse.Namespace) -> bool:
    """Return whether the proof is a pseudo-Boolean one."""
    named = "pbp" if str(arguments.proof).endswith(".pbp") else "drup"
    return (arguments.proof_format or named) == "pbp"


def _to_be_proved(
    file: str | None, problem: "Problem", settings: "Settings"
) -> tuple["Problem", bytes | None, "Prover"]:
    """Return the problem as its proof has it, and what makes the proof of an answer.

    In between stands the problem as plain OPB; None if ``file`` is that. ``file``: None if it is of
    another format, or cannot be read twice.
    """
    import io
    from functools import partial

    from pbcnf.formats.problems import read_problem, write_problem
    from pbcnf.proof.cutting_planes.error import ProofError
    from pbcnf.proof.cutting_planes.formula import read_formula
    from satsweeper.certificate.answer import answer_proof

    plain = None
    try:
        if file is None:
            raise OSError
        with open(file, "rb") as stream:
            raw = stream.read()
        if len(read_formula(raw, objective=True).rows) != len(problem.constraints):
            raise ProofError(file, 1, "the rows are not the constraints")
    except (OSError, ProofError):
        text = io.BytesIO()
        write_problem(problem, text, "opb", comments=(f"satsweeper {__version__}",))
        raw = plain = text.getvalue()
        # The same variables, and those that parities need; values are shown as of the file.
        as_read = read_problem(io.BytesIO(raw))
        problem = replace(problem, num_vars=as_read.num_vars, constraints=as_read.constraints)
    return problem, plain, partial(answer_proof, raw, settings)


def _write(
    arguments: argparse.Namespace,
    proof: "AnswerProof | DrupProof",
    plain: bytes | None,
    shown: str,
    printer: Printer,
) -> None:
    """Write the proof, and the formula that it begins with if that is asked or not PROBLEM."""
    from pbcnf.formats.write.dimacs import write_dimacs
    from satsweeper.optimisation.run import DrupProof

    if isinstance(proof, DrupProof):
        lines = [line.encode("ascii") + b"\n" for line in proof.lines]
        steps = len(lines)
    else:
        lines, steps = [proof.text], proof.steps
    with output(arguments.proof) as stream:
        stream.writelines(lines)
    begins, formula = shown, arguments.formula
    if isinstance(proof, DrupProof):
        begins = "the clauses" if formula is None else source_name(formula)
        if formula is not None:
            with output(formula) as stream:
                write_dimacs(proof.formula, stream)
    elif plain is not None or formula is not None:
        formula = formula or f"{arguments.proof}.opb"
        begins = f"{source_name(formula)}, {shown} as plain OPB"
        if plain is None:
            with open(arguments.problem, "rb") as file:
                plain = file.read()
        with output(formula) as stream:
            stream.write(plain)
    checked, proved = ("", None) if isinstance(proof, DrupProof) else (", checked", proof.bound)
    if not isinstance(proof, DrupProof) and not proof.closed:
        # The optimum, as the file with the rows has it, is not below this.
        checked += f", of the bound {proved} on what is minimised"
    printer.comment(f"proof: {counted(steps, 'step')}{checked}; it begins with {begins}")
    printer.proved = {"file": arguments.proof, "formula": formula, "steps": steps, "bound": proved}


def _read(arguments: argparse.Namespace, shown: str, printer: Printer) -> "Problem":
    from pbcnf.constraints.problem import Objective
    from pbcnf.formats.problems import read_whole
    from satsweeper.export.problem import own_names, spelled_names

    with ExitStack() as files:
        file = watched_problem(arguments.problem, shown, files, "reading", strict=arguments.strict)
        problem = read_whole(file)
        if file.format == "wcnf" and problem.objective is None:
            # All clauses are hard: a model costs 0, which solvers of MaxSAT report as an optimum.
            problem = replace(problem, objective=Objective((), ()))
        printer.format = file.format
        printer.called, printer.integers = own_names(file)[: file.own], file.integers
        printer.names = spelled_names(file)[: file.own]
    for note in file.notes:
        printer.comment(f"{note} (--strict refuses it)")
    if problem.objective is not None and problem.objective.scale != 1:
        printer.comment(f"the objective here is {problem.objective.scale} times that of the file")
    return problem
