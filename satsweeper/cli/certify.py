"""The verdicts of a board, with all that somebody who does not trust them needs to check them.

The folder then holds: board.txt; clues.opb, what the board says; formula.cnf (map.json names its
variables) and derivation.pbp, which derives every clause from that (VeriPB's format, version 3.0);
refutation.cnf, the formula and "some certain verdict is wrong", refuted by refutation.drat and
refutation.lrat; layouts.json, boards that show every unknown cell as a mine and as safe;
manifest.json with the verdicts and the hashes of all files. proof.opb (the board, and "some certain
verdict is wrong") and proof.pbp prove all of it once more, as one pseudo-Boolean proof that VeriPB
checks by itself. An inconsistent board (exit code 20) is refuted itself. --cell adds a short proof
of one certain cell, from the clues that explain it.
Verdicts that search does not find soon, and those of a large total, are proved by sums of clues
(sums.pbp) where sums do it; the formula and its refutation then are left out. On boards of more
than 10,000 clues beside covered cells, sums prove what one or two clues decide, and clauses only
the rest; --clauses proves all by clauses there, as on smaller boards.

A board of another geometry or under rules has board.txt (or board.json: graphs, cubes, Hexcells,
regions, weights, masks, several mines in a cell), layouts.json, proof.opb and proof.pbp: the rows
of proof.opb are what each rule, clue and region says, and separations ("cuts") where a rule
connects cells. Rules of your own have no certificate: a checker has no reading of them but yours.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pbcnf.errors import printable
from pbcnf.wording import counted
from satsweeper.board.errors import CellError
from satsweeper.cli.arguments import (
    read_board_or_puzzle,
    source_name,
    take_over_time_left,
    values_of,
)
from satsweeper.cli.exit_codes import (
    DONE,
    INCONSISTENT,
    LIMIT_REACHED,
    InputError,
    UsageError,
    input_errors,
)
from satsweeper.cli.files import print_json
from satsweeper.cli.options import BOARD, cell, encodings, option, timeout
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.puzzle.puzzle import Puzzle

EXAMPLE = """examples:
  satsweeper certify examples/expert.txt -o certificate && satsweeper check certificate
  satsweeper certify examples/wikipedia_corner.txt --cell 2,2 -o cell
  drat-trim certificate/refutation.cnf certificate/refutation.drat
  satsweeper certify examples/rules/C.txt -o connected && satsweeper check connected
  satsweeper certify examples/rules/graph.json -o graph && satsweeper check graph
"""


_ALL: Final = "all"
"""The value of ``--cell`` that names all certain cells."""
_HOW: Final = ("flags", "encoding", "total_encoding", "solver", "clauses")
"""Options, as attributes of the arguments, that `certify_within` takes as parameters."""


def _cell(text: str) -> tuple[int, int] | str:
    return text if text == _ALL else cell(text)


OPTIONS: Final = (
    *BOARD,
    option("-o --output DIR", "the folder; an older certificate goes", required=True),
    *encodings(),
    option("--solver NAME", "a PySAT solver whose proofs hold: it is tried, its proof is checked"
           " (glucose4)", default="glucose4"),
    option("--cell ROW,COLUMN", "also prove this certain cell by itself; may be repeated; 'all' for"
           " all of them", type=_cell, action="append", default=[]),
    option("--clauses", "prove all verdicts by clauses on boards of more than 10,000 clues, too"),
    timeout(),
    option("--json", "print the manifest, and the clues that clash"),
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Certify, write the folder, and print a summary; return the exit code."""
    from satsweeper.certificate.certify import certify_within
    from satsweeper.certificate.folder import FolderTakenError, refuse_taken
    from satsweeper.position import Position
    from satsweeper.solvers.protocol import SolverFailedError

    folder = Path(arguments.output)
    name = printable(arguments.output)
    with input_errors(name):
        refuse_taken(folder)
    position = read_board_or_puzzle(arguments)
    if not isinstance(position, Position):
        return _certify_puzzle(arguments, position, folder)
    try:
        with progress("certifying"):
            certificate = certify_within(
                take_over_time_left(arguments),
                position,
                cells=_ALL if _ALL in arguments.cell else arguments.cell,
                **values_of(arguments, *_HOW),
            )
        if certificate is None:
            return _too_late(arguments, name)
        with input_errors(name):
            manifest = certificate.write(folder)
    except (FolderTakenError, SolverFailedError):
        raise
    except CellError as error:
        raise InputError(f"{source_name(arguments.board)}: {error}") from None
    except ValueError as error:
        raise UsageError(printable(str(error))) from None
    found = certificate.found
    if arguments.json:
        clash = {} if found.conflict is None else {"conflict": found.conflict.as_json()}
        print_json({**manifest, **clash})
    elif found.conflict is None:
        print_answer(_summary(name, found.counts))
    else:
        from satsweeper.show.sentences import clash_sentence

        print_answer(clash_sentence(found))
        print_answer(f"{name}: the board is inconsistent, and that is proved")
    return DONE if found.conflict is None else INCONSISTENT


def _certify_puzzle(arguments: argparse.Namespace, puzzle: "Puzzle", folder: Path) -> int:
    """Certify a board of another geometry or under rules; return the exit code."""
    from satsweeper.certificate.puzzle.certify import certify_puzzle_within
    from satsweeper.puzzle.errors import RuleError

    name = printable(arguments.output)
    plain = {"cell": [], "clauses": False, "encoding": "direct", "total_encoding": "totalizer"}
    for what, default in plain.items():
        if getattr(arguments, what) != default:
            flag = what.replace("_", "-")
            raise UsageError(f"--{flag} is for boards of squares without rules")
    try:
        with progress("certifying"):
            certificate = certify_puzzle_within(
                take_over_time_left(arguments), puzzle, arguments.flags, arguments.solver
            )
    except RuleError as error:
        raise InputError(f"{source_name(arguments.board)}: {error}") from None
    if certificate is None:
        return _too_late(arguments, name)
    with input_errors(name):
        manifest = certificate.write(folder)
    found = certificate.found
    if arguments.json:
        clash = {} if found.conflict is None else {"conflict": found.conflict}
        print_json({**manifest, **clash})
    elif found.conflict is None:
        print_answer(_summary(name, found.counts))
    else:
        print_answer(found.sentence)
        print_answer(f"{name}: the board is inconsistent, and that is proved")
    return DONE if found.conflict is None else INCONSISTENT


def _summary(name: str, counts: Mapping[str, int]) -> str:
    return (
        f"{name}: {counts['safe']} safe and {counted(counts['mine'], 'mine')} proved,"
        f" {counted(counts['unknown'], 'unknown cell')} witnessed"
    )


def _too_late(arguments: argparse.Namespace, name: str) -> int:
    """Say that there is no certificate in time; return the exit code."""
    took = f"{arguments.time_limit:g} s"
    print(f"{name}: no certificate within {took}, nothing is written", file=sys.stderr)
    return LIMIT_REACHED
