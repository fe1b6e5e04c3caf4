"""Write a board or a problem of a family: its answer is known by an argument, at every size.

Without NAME, and as families, it lists them: what the size counts and which there are, whether the
seed draws anything, the answer and why, what always suffices to refute it or to prove its certain
cells or optimum, and how it grows with the size, which is n there. A board is written as text, in
another notation of convert that needs no layout (json, minesweepr; with a total only if it can hold
one), or as its counting constraints in a format of encode (opb, knf, smt2 ...), for clauses (cnf
...) by the direct encoding, with a total by the default ones. What is no board is a problem and
written as OPB, or in another format of encode, as encode does: one with an objective as wbo, too,
which has soft constraints. The name of the file says the format, unless --to does, and how to
compress it. Comments and notes tell the answer.

--json prints {"schema": "satsweeper/family/1", "family", "size", "seed", "of" (board or problem),
"status" (consistent or inconsistent, of a problem satisfiable or unsatisfiable), "satisfiable",
"why", "decided_by": [what always refutes it or proves the cells], "optimum" (null: not known, or
nothing to optimise), "safe": [[R, C]], "mines": [[R, C]] (cells that the argument decides; there
may be more), and "rows", "columns", "covered", "clues" of a board or "variables", "constraints" of
a problem}; only -o writes a file then. Of the list it prints {"schema": "satsweeper/families/1",
"families": [{"name", "of", "status", "satisfiable", "goal" (decide, optimise or soft), "why",
"decided_by", "grows", "size": {"counts", "least", "most", "step", "small": [N]}, "seeded"}]}.
"""

import argparse
from typing import TYPE_CHECKING, Any, Final

from satsweeper.cli.exit_codes import DONE, InputError, UsageError, usage_errors
from satsweeper.cli.files import STDOUT, output, print_json, require_writable
from satsweeper.cli.options import natural, option, timeout
from satsweeper.cli.problem_source import progress_beside
from satsweeper.processes.standard_output import print_answer

if TYPE_CHECKING:
    from pbcnf.constraints.problem import Problem
    from satsweeper.families.table import Family
    from satsweeper.position import Position

EXAMPLE: Final = """\
examples:
  satsweeper families
  satsweeper family ones --size 8
  satsweeper family safehole --size 10 --seed 3 -o safehole.txt
  satsweeper family torus --size 7 -o torus.cnf.xz
  satsweeper family bump --size 20 --seed 1 --to json -o bump.json --json
"""


OPTIONS: Final = (
    option("family_name NAME", "a family; without one they are listed", nargs="?"),
    option("--size N", "how large: what it counts is in the list", type=natural()),
    option("--seed S", "draws what is drawn (0)", type=natural(), default=0),
    option("-o --output FILE", "- is standard output (default, unless --json)"),
    option("--to FORMAT", "as FILE is named, or text; for problems opb"),
    timeout(),
    option("--json", "print what is known of it as an object"),
)


def run(arguments: argparse.Namespace) -> int:
    """Make the instance, write it, and print a summary; return the exit code."""
    from satsweeper.families.table import FAMILIES

    if arguments.family_name is None:
        return _list(arguments)
    family = FAMILIES.get(arguments.family_name)
    if family is None:
        from pbcnf.wording import unknown_name

        raise UsageError(unknown_name("family", arguments.family_name, FAMILIES))
    if arguments.size is None:
        raise UsageError(f"--size N is needed: {family.size}, {family.sizes_in_words}")
    if arguments.json and arguments.output == STDOUT:
        raise UsageError("--json and -o - would both be standard output")
    name = arguments.output or STDOUT
    format = _format(family, name, arguments.to)
    require_writable(name)
    with progress_beside(name, "making"):
        with usage_errors():
            made = family.instance(arguments.size, arguments.seed)
        if arguments.output is not None or not arguments.json:
            _write(made, name, format, _notes(family, arguments))
    if arguments.json:
        print_json(_as_json(family, arguments, made))
    elif name != STDOUT:
        head = f"{family.name}, size {arguments.size}, seed {arguments.seed}"
        print_answer(f"{head}: {family.of}, {_extent(made)}, {family.status}")
    return DONE


def _list(arguments: argparse.Namespace) -> int:
    """Print the table of families; return the exit code."""
    from satsweeper.families.table import FAMILIES

    if (arguments.size, arguments.output, arguments.to) != (None, None, None):
        raise UsageError("NAME is needed; families lists them")
    if arguments.json:
        rows = [family.as_json() for family in FAMILIES.values()]
        print_json({"schema": "satsweeper/families/1", "families": rows})
    else:
        from satsweeper.show.sentences import families_lines

        print_answer(*families_lines(FAMILIES.values()))
    return DONE


def _format(family: "Family", name: str, given: str | None) -> str:
    """Return the format ``given``, or by default the format of the ending of ``name``.

    Without a known ending a board is written as text, and a problem as opb.

    Raises UsageError for an unknown format and for two formats that differ.
    """
    from pbcnf.errors import EncodingError
    from pbcnf.formats.table import FORMATS, ending, is_unnamed
    from pbcnf.wording import unknown_name
    from satsweeper.cli.convert import FORMATS as NOTATIONS

    known = (*(NOTATIONS if family.of == "board" else ()), *FORMATS)
    if given is not None and given not in known:
        what = f"{family.name} is no board: " if given in NOTATIONS else ""
        raise UsageError(what + unknown_name("format", given, known))
    try:
        suffix = ending(name)
    except EncodingError as error:
        raise UsageError(f"-o {error}") from None
    if given is not None:
        # Files of projected model counting are named .cnf.
        if suffix in known and suffix != given and (given, suffix) != ("pmc", "cnf"):
            raise UsageError(f"-o {name}: the name says {suffix}, and the format is to be {given}")
        return given
    if suffix in known:
        return suffix
    usual = "text" if family.of == "board" else "opb"
    if is_unnamed(name) or (suffix == "txt" and usual == "text"):
        return usual
    what = unknown_name("format", suffix, known)
    if not suffix:
        what = f"the name says no format; known: {', '.join(known)}"
    raise UsageError(f"-o {name}: {what}; --to names one")


def _notes(family: "Family", arguments: argparse.Namespace) -> dict[str, str]:
    """Return the comments of the file: family, size, seed, answer and argument."""
    cells = family.certain(arguments.size, arguments.seed)
    words = {False: "safe", True: "mines"}
    certain = [
        f"; {word}: {', '.join(str(cell) for cell, mine in cells.items() if mine is verdict)}"
        for verdict, word in words.items()
        if verdict in cells.values()
    ]
    optimum = family.optimum(arguments.size, arguments.seed)
    status = family.status if optimum is None else f"optimum {optimum}"
    return {
        "family": f"{family.name}, size {arguments.size}, seed {arguments.seed}",
        "answer": f"{status}: {family.why}{''.join(certain)}",
    }


def _write(made: "Position | Problem", name: str, format: str, notes: dict[str, str]) -> None:
    from pbcnf.emission.whole_problems import Choices, suited
    from pbcnf.formats.problems import write_problem
    from satsweeper.export.formula import BoardProblem
    from satsweeper.notation.error import CannotHoldError
    from satsweeper.notation.formats import FORMATS as NOTATIONS
    from satsweeper.notation.formats import write_record
    from satsweeper.notation.record import Record
    from satsweeper.position import Position
    from satsweeper.version import __version__

    if isinstance(made, Position) and format in NOTATIONS:
        kept = tuple(notes.items()) if "notes" in NOTATIONS[format].holds else ()
        try:
            record = Record(made.padded, made.columns, made.mines, notes=kept)
            data = write_record(record, format)
        except CannotHoldError as error:
            # The part of the message after the colon is advice for ``convert``.
            what = str(error).partition(":")[0]
            raise InputError(f"{what}, and a family tells none: text and json do without") from None
        lines = [f"; {key}: {note}\n" for key, note in notes.items()] if format == "text" else []
        with output(name) as stream:
            stream.write("".join(lines).encode() + data)
        return
    comments = [f"satsweeper {__version__}", *(f"{key}: {note}" for key, note in notes.items())]
    try:
        problem = BoardProblem.of(made).problem if isinstance(made, Position) else made
        # The clauses of a board are those of ``export``, with the direct encoding, but for a total:
        # its direct encoding would be too large.
        direct = isinstance(made, Position) and made.mines is None
        choices = Choices(**suited("direct")) if direct else None
        with output(name) as stream:
            write_problem(problem, stream, format, comments=comments, choices=choices)
    except ImportError as error:
        # The ImportError of a missing extra has one line, with the command that installs the extra.
        raise InputError(str(error)) from None
    except MemoryError:
        raise InputError(f"{name}: not enough memory for the problem") from None


def _as_json(
    family: "Family", arguments: argparse.Namespace, made: "Position | Problem"
) -> dict[str, Any]:
    from satsweeper.position import Position

    certain = family.certain(arguments.size, arguments.seed)
    if isinstance(made, Position):
        covered, clues = len(made.covered_cells()), len(made.clue_cells())
        shape = {"rows": made.rows, "columns": made.columns, "covered": covered, "clues": clues}
    else:
        shape = {"variables": made.num_vars, "constraints": len(made.constraints)}
    about = family.as_json()
    return {
        "schema": "satsweeper/family/1",
        "family": family.name,
        "size": arguments.size,
        "seed": arguments.seed,
        **{key: about[key] for key in ("of", "status", "satisfiable", "why", "decided_by")},
        "optimum": family.optimum(arguments.size, arguments.seed),
        "safe": [list(cell) for cell, mine in certain.items() if not mine],
        "mines": [list(cell) for cell, mine in certain.items() if mine],
        **shape,
    }


def _extent(made: "Position | Problem") -> str:
    """Return the size of the instance ``made`` in words."""
    from pbcnf.wording import counted
    from satsweeper.board.size import size_text
    from satsweeper.position import Position

    if isinstance(made, Position):
        return size_text(made.rows, made.columns)
    return counted(made.num_vars, "variable")
