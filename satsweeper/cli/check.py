"""Check a certificate from the board up; the first thing that is wrong ends it (exit code 1).

The checker uses no encoder, no session, no solver, and no reader of boards but its own. It reads
the board, compares clues.opb with it, follows the derivation of every clause of the formula,
replays both proofs that "some certain verdict is wrong" contradicts the formula, and evaluates
every layout of an unknown cell. Checkers of others that are on PATH (drat-trim, lrat-check,
cake_lpr, veripb) are asked as well.

--json prints {"schema": "satsweeper/check/1", "verified", "status", "proved", "witnessed",
"cells", "clauses", "lemmas", "layouts", "external"}, or {"verified": false, "file", "fault"}.
"""

import argparse
from pathlib import Path

from satsweeper.cli.exit_codes import DONE, FAILED, InputError
from satsweeper.cli.files import print_json
from satsweeper.cli.options import source_name

EXAMPLE = """examples:
  satsweeper check certificate
  satsweeper check certificate --board examples/expert.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder, and whose board it should be about."""
    parser.add_argument("folder", metavar="DIR", help="what certify wrote")
    parser.add_argument("--board", metavar="BOARD", help="it must be about this board")
    parser.add_argument(
        "--no-external", action="store_true", help="do not ask the checkers of others"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Check, and say what is proved or what is wrong."""
    from satsweeper.checker.check import check
    from satsweeper.checker.wrong import WrongCertificateError

    folder = Path(arguments.folder)
    board = None if arguments.board is None else _cells(arguments.board)
    try:
        checked = check(folder, board=board, external=not arguments.no_external)
    except WrongCertificateError as error:
        if arguments.json:
            wrong = {"schema": "satsweeper/check/1", "verified": False}
            print_json(wrong | {"file": error.file, "fault": error.fault})
            return FAILED
        raise InputError(f"{source_name(arguments.folder)}: {error}") from None
    except OSError as error:
        raise InputError(f"{error.filename or folder}: {error.strerror or error}") from None
    if arguments.json:
        print_json(checked.as_json())
        return DONE
    if checked.status == "inconsistent":
        print(f"verified: the board is inconsistent ({checked.lemmas} lemmas)")
    else:
        print(
            f"verified: {checked.proved} certain verdicts proved ({checked.lemmas} lemmas),"
            f" {checked.witnessed} unknown cells witnessed by {checked.layouts} layouts"
        )
    if checked.cells:
        print(f"verified: {checked.cells} cells by proofs of their own")
    if checked.external:
        print(f"accepted by {', '.join(checked.external)}")
    return DONE


def _cells(path: str) -> tuple[str, ...]:
    from satsweeper.position import Position

    return tuple(Position.read(path).text().splitlines()[1:])
