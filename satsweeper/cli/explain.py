"""Why a cell is safe or a mine: the clues that force it. For an unknown cell: two layouts."""

import argparse

from satsweeper.cli.exit_codes import DONE, INCONSISTENT, InputError
from satsweeper.cli.files import print_json
from satsweeper.cli.options import add_board, add_solver, cell, check_names, read_board, source_name

EXAMPLE = """example:
  satsweeper explain examples/wikipedia_corner.txt 2,2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of ``explain``."""
    add_board(parser)
    parser.add_argument(
        "cell", metavar="ROW,COLUMN", type=cell, help="a covered cell, both numbers from 0"
    )
    add_solver(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(encoding="direct", total_encoding="totalizer")


def run(arguments: argparse.Namespace) -> int:
    """Explain and print; an inconsistent board is shown as ``classify`` shows it."""
    check_names(arguments)
    position = read_board(arguments)
    from satsweeper.answers.classification import Status
    from satsweeper.search.session import Session

    with Session(position, solver=arguments.solver, flags=arguments.flags) as session:
        result = session.classify()
        if result.status is Status.INCONSISTENT:
            answer = result.as_json()
        else:
            try:
                explanation = session.explain(arguments.cell)
            except ValueError as error:
                raise InputError(f"{source_name(arguments.board)}: {error}") from None
            answer = explanation.as_json()
    if arguments.json:
        print_json(answer)
    elif result.status is Status.INCONSISTENT:
        from satsweeper.show.terminal import show_classification

        show_classification(result)
    else:
        from satsweeper.show.explanation import show_explanation

        show_explanation(explanation, result)
    return INCONSISTENT if result.status is Status.INCONSISTENT else DONE
