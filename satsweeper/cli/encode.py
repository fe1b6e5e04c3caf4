"""Encode a problem of somebody's as clauses, constraint by constraint, each kind by its encoder.

Read are OPB of 1995 to 2024 (names, products of literals, an objective anywhere),
WBO, WCNF (of 2022 and older), KNF, CNF+ (of PySAT), DIMACS CNF (with CryptoMiniSat's XOR lines,
x1 2 -3 0 or x 1 2 -3 0), LP and MPS (0/1 problems), SMT-LIB (Bools, and Ints between bounds),
compressed or not. Formats of clauses:
cnf, xcnf (parities stay XOR lines), icnf, pmc (projected model counting on the problem's
variables), wcnf (hard, and soft clauses for the objective). knf, cnf+, opb, wbo, lp, mps and smt2
hold the constraints as they are: nothing is encoded then; a parity is an equation with slack
variables in opb, wbo, lp and mps, and xor in smt2. The name of the file says the format, unless
--format does, and how to compress it.

Encoders that are not named are chosen by size: at most one is pairwise up to 6 literals, then
product; other counts are direct up to 8 literals, then the first of totalizer, k_modulo_totalizer
and parallel_counter that is not too large, adder beyond 20,000 literals; weighted sums are the
smallest of those that propagate most and are not too large, else adder; parities are direct up to
4 literals, else cut_4. Too large is what has more than three times the clauses of the smallest
(pbcnf.choose says more). --choose time takes encoders of sums from decision trees that were learned
from measured times; they have not been shown to be better on problems of a new sort.

--groups find gathers literals of which at most one is true, from the problem's at-most-one
constraints and clauses of two literals. decision_diagram, generalized_totalizer,
global_polynomial_watchdog, mixed_radix_sorter and adder encode a sum over such groups with fewer
clauses, which are right because the problem enforces the groups: as the named encoder of its kind,
or where that is smaller than what is chosen by size. Other encoders use none. The constraints are
in memory then. With --proof clauses follow from the row of the sum and those of its groups.

Variables keep their numbers (x7 is 7), auxiliary variables follow. Other names of OPB get the
numbers behind the largest of these, then each product of literals and each soft constraint of WBO
its own; the map names them all. An OPB header that is wrong about the file makes a warning on
standard error; --strict refuses it. decode takes what a solver says back to the problem by the
map. The problem is read, encoded and written piece by piece.

Decimals of OPB, LP and MPS are taken exactly: a constraint is read times what makes them integers,
and an objective, which is said.

An objective does not touch what is a model; wcnf, opb, wbo, lp and mps keep it, elsewhere it
is left out, and said so. Soft constraints become one: each may be given up for its weight, by a
variable of its own unless it is a single literal; wbo has them as they were.

--order puts the literals of each constraint into another order before they are encoded, which can
matter more than the encoder: occurrence takes literals of many constraints first, proximity puts
variables of the same at-most-one constraints and clauses near one another, bandwidth those of the
same short constraints. The whole problem is in memory then.

Read are statements files, too (schema satsweeper/statements/1, docs/language.md), as they are
written by pbcnf.language.write_statements, and by solve and decode as well: with --proof every
clause follows from what is stated.

--proof FILE writes beside the CNF of an OPB file a proof in cutting planes, in VeriPB's format,
that every clause follows from the rows of the file, and that every row follows from the clauses: no
solution is lost, and no model added. check PROBLEM FORMULA PROOF follows it. The file must be OPB
as checkers read it (+1 x1 -2 ~x2 >= 1 ;); another becomes that by encode PROBLEM -o FILE.opb. The
whole problem is in memory then.

Statistics (constraints, variables, clauses and literals of every kind of constraint, and what
encoded them) go to standard output, or to standard error if the formula goes to standard output.
"""

import argparse
import json
import shlex
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from pbcnf.formats.table import FORMATS, Format
from pbcnf.wording import counted
from satsweeper.cli.arguments import source_name
from satsweeper.cli.exit_codes import DONE, InputError, UsageError
from satsweeper.cli.files import (
    STDOUT,
    check_written,
    format_named,
    output,
    outputs,
    print_json,
    refuse_board,
)
from satsweeper.cli.options import ORDER, option, timeout
from satsweeper.cli.problem_source import (
    ENCODERS,
    KINDS,
    choices_of,
    format_on_disk,
    on_disk,
    watched_problem,
)
from satsweeper.processes.standard_output import answer_stream, print_answer
from satsweeper.version import __version__

if TYPE_CHECKING:
    from pbcnf.emission.whole_problems import Choices
    from pbcnf.formats.problem_file import ProblemFile
    from satsweeper.export.problem import ProblemReport

EXAMPLE: Final = """\
examples:
  satsweeper encode examples/knapsack.opb -o knapsack.cnf --map knapsack.json
  satsweeper encode examples/knapsack.opb --pseudo-boolean decision_diagram -o knapsack.cnf.xz
  satsweeper encode examples/committee.knf -o committee.opb
  satsweeper encode examples/parity.cnf --parity cut_5 -o parity.cnf.gz
  satsweeper encode examples/parity.cnf -o parity.xcnf
  satsweeper encode examples/knapsack.opb --groups find -o knapsack.cnf
  satsweeper encode examples/knapsack.opb --explain-choice --choose time
  satsweeper encode examples/knapsack.opb -o knapsack.cnf --proof knapsack.pbp
  satsweeper encode examples/seats.json -o seats.cnf --proof seats.pbp
"""


OPTIONS: Final = (
    option("problem PROBLEM", "a file; - is standard input"),
    *ENCODERS,
    ORDER,
    option(
        "--groups",
        "literals of which at most one is true: find uses them (no)",
        choices=("no", "find"),
    ),
    option("--format", "see above (as FILE is named; cnf for -)", choices=tuple(FORMATS)),
    option("-o --output FILE", "- is standard output (default)", default=STDOUT),
    option("--map FILE", "also write, as JSON, what every variable stands for"),
    option("--proof FILE", "of OPB or statements as cnf: also write why both are equivalent"),
    option("--strict", "refuse an OPB file whose header declares other numbers than there are"),
    option("--explain-choice", "say which encoders are chosen, and why; nothing is encoded"),
    timeout(),
    option("--json", "statistics as one JSON object"),
)


def run(arguments: argparse.Namespace) -> int:
    """Encode; formula and map appear whole or not at all."""
    from pbcnf.errors import EncodingError
    from pbcnf.formats.error import FormatError

    choices = choices_of(arguments)
    if arguments.explain_choice:
        named = ["encoding", *KINDS, "groups", "map", "format", "proof"]
        given = [name for name in named if getattr(arguments, name) is not None]
        if given or arguments.output != STDOUT:
            flag = given[0].replace("_", "-") if given else "output"
            raise UsageError(f"--explain-choice takes no --{flag}: nothing is encoded")
    written = {"-o": arguments.output, "--map": arguments.map, "--proof": arguments.proof}
    check_written(arguments.problem, written, "problem")
    format = format_named(arguments)
    if format.holds == "constraints" and arguments.map is not None:
        raise UsageError(f"--map is for clauses: {format.name} keeps the variables")
    if arguments.proof is not None and (format.name != "cnf" or arguments.proof == STDOUT):
        raise UsageError("--proof is for cnf, and names a file of its own")
    grouped = arguments.groups == "find"
    if grouped and format.holds == "constraints":
        raise UsageError(
            f"--groups find cannot be had in --format {format.name}: nothing is encoded"
        )
    shown = source_name(arguments.problem)
    try:
        if arguments.explain_choice:
            return _explain(arguments, shown)
        if format.holds == "constraints":
            return _translate(arguments, format, shown)
        try:
            report = _encode(arguments, format, choices, shown)
        except EncodingError as error:
            # Another encoder may express the constraint: the named encoder is wrong usage.
            raise UsageError(f"{shown}: {error}") from None
    except (FormatError, ImportError) as error:
        # A board may be taken for SMT-LIB, and then the import of the extra's reader fails.
        refuse_board(arguments.problem, shown, "opb")
        raise InputError(str(error)) from None
    except ValueError as error:
        raise InputError(f"{shown}: {error}") from None
    except MemoryError:
        raise InputError(f"{shown}: not enough memory for one constraint") from None
    table = sys.stderr if arguments.output == STDOUT else answer_stream()
    more = [_groups_line(report, choices)] if grouped else []
    if table is not None:
        table.write(
            json.dumps(report.as_json()) + "\n" if arguments.json else _table(report, *more)
        )
    return DONE


def _explain(arguments: argparse.Namespace, shown: str) -> int:
    """Print the encoders chosen for the problem ``shown``, equal choices counted together."""
    from satsweeper.export.problem import chosen

    with ExitStack() as files:
        problem = watched_problem(arguments.problem, shown, files, strict=arguments.strict)
        found = chosen(problem.constraints, arguments.choose)
    _warn(problem)
    if arguments.json:
        choices = [choice.as_json() for choice in found]
        print_json({"schema": "satsweeper/choices/1", "choices": choices})
    else:
        print_answer(*(map(str, found) if found else ["No constraints."]))
    return DONE


def _encode(
    arguments: argparse.Namespace, format: Format, choices: "Choices", shown: str
) -> "ProblemReport":
    from pbcnf.constraints.order import LiteralOrder
    from pbcnf.proof.cutting_planes.error import ProofError
    from satsweeper.export.problem import encode_certified, encode_file

    encoded = 0

    def work() -> str:
        # Constraints in memory are encoded when the whole file has been read.
        return f"encoding, {counted(encoded, 'constraint')}" if encoded else "encoding"

    def count(number: int) -> None:
        nonlocal encoded
        encoded = number

    with ExitStack() as files:
        path = arguments.problem
        if arguments.proof is not None:
            path = on_disk(path, files)
            # A proof of statements is made from the file, not from the problem that is read.
            if format_on_disk(path, shown) == "statements":
                return _encode_stated(arguments, path, shown, choices, files)
        problem = watched_problem(path, shown, files, work, strict=arguments.strict)
        if arguments.proof is not None and problem.format != "opb":
            raise UsageError(f"--proof is for OPB and statements files; this is {problem.format}")
        stream, names = files.enter_context(outputs(arguments.output, arguments.map))
        most, order = arguments.max_clauses, LiteralOrder(arguments.order)
        grouped = arguments.groups == "find"
        if arguments.proof is None:
            report = encode_file(
                problem,
                stream,
                format.name,
                choices,
                most,
                names,
                order,
                groups=grouped,
                reach=count,
            )
        else:
            proof = files.enter_context(output(arguments.proof))
            try:
                report = encode_certified(
                    problem, shown, stream, proof, choices, most, names, order, groups=grouped
                )
            except ProofError as error:
                # Checkers read only plain OPB, which the command in the message writes.
                to = f"satsweeper encode {shlex.quote(arguments.problem)} -o FILE.opb"
                raise InputError(f"{error} (--proof needs plain OPB: {to} writes it)") from None
    _warn(problem)
    return report


def _encode_stated(
    arguments: argparse.Namespace, path: str, shown: str, choices: "Choices", files: ExitStack
) -> "ProblemReport":
    """Encode the statements file ``path`` with its proof."""
    from pbcnf.formats.compressed import DamagedError, TooLargeError, decompressed_chunks
    from satsweeper.export.statements import encode_statements

    taken = {"groups": (None, "no"), "map": (None,), "order": ("given",)}
    for name, values in taken.items():
        if getattr(arguments, name) not in values:
            raise UsageError(f"--{name} is not for a proof of a statements file")
    try:
        with open(path, "rb") as file:
            raw = b"".join(decompressed_chunks(file))
    except (DamagedError, TooLargeError) as error:
        raise InputError(f"{shown}: {error}") from None
    stream = files.enter_context(output(arguments.output))
    proof = files.enter_context(output(arguments.proof))
    try:
        return encode_statements(raw, shown, stream, proof, choices, arguments.max_clauses)
    except ValueError as error:
        text = str(error)
        raise InputError(text if text.startswith(shown) else f"{shown}: {text}") from None


def _translate(arguments: argparse.Namespace, format: Format, shown: str) -> int:
    """Write the constraints in a format of constraints, without encoding them."""
    from pbcnf.formats.problems import read_whole, write_problem

    with ExitStack() as files:
        file = watched_problem(arguments.problem, shown, files, strict=arguments.strict)
        problem = read_whole(file)
        stream = files.enter_context(output(arguments.output))
        write_problem(problem, stream, format.name, comments=(f"satsweeper {__version__}",))
    _warn(file)
    size = {"variables": problem.num_vars, "constraints": len(problem.constraints)}
    table = sys.stderr if arguments.output == STDOUT else answer_stream()
    if table is not None:
        line = ", ".join([counted(n, what[:-1]) for what, n in size.items()])
        answer = {"schema": "satsweeper/encode/1", "format": format.name, **size}
        table.write(f"{json.dumps(answer) if arguments.json else line}\n")
    return DONE


def _warn(file: "ProblemFile") -> None:
    if sys.stderr is not None:
        for note in file.notes:
            sys.stderr.write(f"warning: {note} (--strict refuses it)\n")


def _groups_line(report: "ProblemReport", choices: "Choices") -> str:
    """Return the line about groups of a report of clauses that could use them."""
    from pbcnf.encoders.protocol import takes_groups
    from pbcnf.encoders.table import ENCODERS

    groups = sum(tally.groups for tally in report.tallies.values())
    if groups:
        return f"groups: {groups} of literals of which at most one is true"
    named = dict.fromkeys((choices.cardinality, choices.pseudo_boolean))
    without = [name for name in named if name in ENCODERS and not takes_groups(ENCODERS[name])]
    why = f"; {' and '.join(without)} cannot use them" if without else ""
    return f"groups: none is used{why}"


def _table(report: "ProblemReport", *more: str) -> str:
    row = "{:15} {:>11} {:>12} {:>12} {:>13}  {}"
    lines = [row.format("kind", "constraints", "auxiliaries", "clauses", "literals", "encoders")]
    for kind, tally in report.tallies.items():
        if tally.constraints:
            # An encoder is followed by its number of constraints, unless it has encoded all
            # constraints of the kind.
            counts = sorted(tally.encoders.items(), key=lambda item: (-item[1], item[0]))
            alone = len(counts) == 1 and counts[0][1] == tally.constraints
            names = ", ".join(name if alone else f"{name} {times}" for name, times in counts)
            size = tally.size
            sizes = (size.variables, size.clauses, size.literals)
            lines.append(row.format(kind.value, tally.constraints, *sizes, names).rstrip())
    total, every = report.total, sum(tally.constraints for tally in report.tallies.values())
    sizes = (total.variables - report.inputs, total.clauses, total.literals)
    lines.append(row.format("all", every, *sizes, "").rstrip())
    lines += more
    if report.xor_lines:
        lines.append(f"XOR lines: {report.xor_lines}")
    lines.append(f"variables: {report.inputs} of the problem, {total.variables} in all")
    if report.steps is not None:
        why = "" if report.one_way is None else f" ({report.one_way})"
        lines.append(f"proof: {counted(report.steps, 'step')}, {report.shown}{why}")
    if report.objective_kept:
        times = "" if report.objective_scale == 1 else f", times {report.objective_scale:,}"
        lines.append(f"the objective is kept: as soft clauses{times}")
    elif report.objective is not None:
        lines.append("the objective is left out: CNF has none")
    return "\n".join(lines) + "\n"
