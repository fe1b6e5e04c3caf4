"""Check a certificate from the board up; the first thing that is wrong ends it (exit code 1).

The checker uses no encoder, no session, no solver, and no reader of boards but its own. It reads
the board, compares clues.opb with it, follows the derivation of every clause of the formula, tests
every clause once more by assignments of the cells, replays both proofs that "some certain verdict
is wrong" contradicts the formula, and evaluates every layout of an unknown cell. Verdicts that sums
of clues prove (sums.pbp) are read off the sums, which are added up again. Checkers of others that
are on PATH (drat-trim, lrat-check, cake_lpr, veripb) are asked as well.

What it shares with certify is pbcnf.proof: the readers of proofs, and the replay of DRAT, with
which certify shortens what a solver wrote. LRAT proofs and clauses are checked by other code.

Without --board this says that some board has some verdicts; it prints which. With it, rows, total
and flags must be those of BOARD, which is read as all commands read it: the total that it states,
or --mines; flags are mines, or --flags ignore. A board in the plain notation is read by the
checker; one in another notation is not, and the output says so.

--json prints {"schema": "satsweeper/check/1", "verified": true, "board": {"rows", "columns",
"mines", "flags"}, "status", "grid", "sha256", "proved", "proof", "by_sums", "witnessed", "cells",
"clauses", "lemmas", "layouts", "external", "read_by"}, or {"verified": false, "file", "fault"}.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from satsweeper.cli.exit_codes import DONE, FAILED, INCONSISTENT, InputError
from satsweeper.cli.files import print_json
from satsweeper.cli.options import add_timeout, source_name, total
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.checker.check import Checked

EXAMPLE = """examples:
  satsweeper check certificate
  satsweeper check certificate --board examples/expert.txt
"""
_OTHERS = "satsweeper.notation"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder, and whose board it should be about."""
    parser.add_argument("folder", metavar="DIR", help="what certify wrote")
    parser.add_argument(
        "--board",
        metavar="BOARD",
        help="it must be about this board, its total and its flags; - is standard input",
    )
    parser.add_argument(
        "--mines",
        metavar="N",
        type=total,
        help="it must be about this total, flags included, or 'unknown'; overrides that of BOARD",
    )
    parser.add_argument(
        "--flags",
        choices=("trust", "ignore"),
        help="it must take flags for mines (default if there is a BOARD), or for covered cells",
    )
    parser.add_argument(
        "--no-external", action="store_true", help="do not ask the checkers of others"
    )
    add_timeout(parser, "give up then: neither verified nor refused (exit code 124)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Check, and say what is proved or what is wrong."""
    from satsweeper.checker.check import check
    from satsweeper.checker.wrong import WrongCertificateError

    folder = Path(arguments.folder)
    board, read_by = (None, None) if arguments.board is None else _board(arguments.board)
    try:
        with progress("checking"):
            checked = check(
                folder,
                board=board,
                mines=arguments.mines,
                flags=arguments.flags,
                external=not arguments.no_external,
            )
    except WrongCertificateError as error:
        if arguments.json:
            wrong = {"schema": "satsweeper/check/1", "verified": False}
            print_json(wrong | {"file": error.file, "fault": error.fault})
            return FAILED
        raise InputError(f"{source_name(arguments.folder)}: {error}") from None
    except OSError as error:
        raise InputError(f"{error.filename or folder}: {error.strerror or error}") from None
    if arguments.json:
        print_json(checked.as_json() | {"read_by": read_by})
    else:
        where = f"the board in {source_name(arguments.folder)}"
        if arguments.board is not None:
            where = f"the board of {source_name(arguments.board)}"
        _print(checked, where, read_by)
    return DONE if checked.status == "consistent" else INCONSISTENT


def _board(path: str) -> tuple[str, str]:
    """The board in the plain notation, and who has read it; raises BoardError."""
    from satsweeper.checker.given import plain_board
    from satsweeper.notation.board_file import board_data

    data, source = board_data(path)
    if plain_board(data) is not None:
        return data if isinstance(data, str) else data.decode("utf-8"), "checker"
    from satsweeper.position import Position

    return Position.parse(data, source=source).text(), _OTHERS


def _print(checked: "Checked", where: str, read_by: str | None) -> None:
    from satsweeper.checker.wrong import counted

    how = counted(checked.lemmas, "lemma")
    if checked.proof != "clauses":
        sums = "by sums of clues"
        if checked.by_sums:
            sums = f"{checked.by_sums} {sums}"
        how = sums if checked.proof == "sums" else f"{sums}; {how}"
    if checked.status == "inconsistent":
        print(f"verified: the board is inconsistent ({how})")
    else:
        print(
            f"verified: {counted(checked.proved, 'certain verdict')} proved ({how}),"
            f" {counted(checked.witnessed, 'unknown cell')} witnessed by"
            f" {counted(checked.layouts, 'layout')}"
        )
    if checked.cells:
        proofs = "a proof of its own" if checked.cells == 1 else "proofs of their own"
        print(f"verified: {counted(checked.cells, 'cell')} by {proofs}")
    if checked.external:
        print(f"accepted by {', '.join(checked.external)}")
    about = checked.as_json()["board"]
    mines = "unknown" if checked.mines is None else checked.mines
    print(
        f"about {where} (sha256 {checked.sha256}): {counted(about['columns'], 'column')},"
        f" {counted(about['rows'], 'row')}, total {mines}, flags: {checked.flags}"
    )
    if read_by == _OTHERS:
        print("BOARD is not in the plain notation: it was read as certify reads it, not by the")
        print("checker; compare what follows with it")
    print("\n".join(checked.rows if checked.grid is None else checked.grid))
