"""``check PROBLEM CNF PROOF``: an encoding and its proof."""

import argparse

from satsweeper.cli.exit_codes import DONE, FAILED, InputError, UsageError
from satsweeper.cli.files import print_json
from satsweeper.show.progress import progress


def check_three(arguments: argparse.Namespace) -> int:
    """Check that the clauses lose no solution of the problem; an exit code."""
    from satsweeper.checker.encoding import check_files
    from satsweeper.checker.wrong import WrongCertificateError

    files = [arguments.folder, *arguments.files]
    if len(files) != 3:
        raise UsageError("an encoding is three files: PROBLEM, FORMULA and PROOF")
    for option in ("board", "mines", "flags", "density"):
        if getattr(arguments, option) is not None:
            raise UsageError(f"--{option} is for boards; these files are an encoding")
    try:
        with progress("checking"):
            checked = check_files(*files, external=not arguments.no_external)
    except WrongCertificateError as error:
        if arguments.json:
            wrong = {"schema": "satsweeper/check-encoding/1", "verified": False}
            print_json(wrong | {"file": error.file, "fault": error.fault})
            return FAILED
        raise InputError(str(error)) from None
    except OSError as error:
        raise InputError(f"{error.filename}: {error.strerror}") from None
    if arguments.json:
        print_json(checked.as_json())
    else:
        print(checked.sentence())
    return DONE
