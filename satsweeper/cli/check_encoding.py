"""``check PROBLEM CNF PROOF``: an encoding and its proof."""

import argparse

from satsweeper.cli.exit_codes import DONE, UsageError
from satsweeper.cli.files import print_json
from satsweeper.cli.refused import refused
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress


def check_three(arguments: argparse.Namespace) -> int:
    """Check that the clauses lose no solution of the problem; an exit code."""
    from satsweeper.checker.encoding import check_files
    from satsweeper.checker.wrong import WrongCertificateError

    files = [arguments.folder, *arguments.files]
    if len(files) != 3:
        raise UsageError("an encoding is three files: PROBLEM, FORMULA and PROOF")
    for option in ("board", "require_board", "mines", "flags", "density"):
        if getattr(arguments, option) not in (None, False):
            name = option.replace("_", "-")
            raise UsageError(f"--{name} is for boards; these files are an encoding")
    try:
        with progress("checking"):
            checked = check_files(*files, external=not arguments.no_external)
    except (WrongCertificateError, OSError) as error:
        where = getattr(error, "file", arguments.folder)
        return refused(error, "satsweeper/check-encoding/1", where, as_json=arguments.json)
    if arguments.json:
        print_json(checked.as_json())
    else:
        print_answer(checked.sentence())
    return DONE
