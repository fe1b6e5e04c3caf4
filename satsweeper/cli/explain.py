"""Why a cell is safe or a mine: the clues that force it. For an unknown cell: two layouts."""

import argparse
from typing import Final

from satsweeper.cli.arguments import read_board, source_name, take_over_time_left
from satsweeper.cli.exit_codes import DONE, LIMIT_REACHED, InputError, usage_errors
from satsweeper.cli.files import print_json
from satsweeper.cli.inconsistent import print_conflict
from satsweeper.cli.options import BOARD, COLOR, JSON, SOLVER, option, timeout
from satsweeper.notation.error import BoardError
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress

EXAMPLE = """example:
  satsweeper explain examples/wikipedia_corner.txt 2,2
"""

OPTIONS: Final = (
    *BOARD,
    option("cell ROW,COLUMN", "a covered cell, both numbers from 0"),
    SOLVER,
    timeout("stop then; what is proved by then is printed: a verdict, perhaps with a reason of"
            " which fewer clues may be enough (exit code 124)"),
    COLOR,
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation, or the conflict of an inconsistent board; return the exit code."""
    from satsweeper.solvers.table import line_up

    with usage_errors():
        line_up(arguments.solver)
    from satsweeper.answers.classification import Status, Verdict
    from satsweeper.search.session import explain_within

    try:
        with progress("explaining"):
            position = read_board(arguments)
            left = take_over_time_left(arguments, 2 * position.rows * position.columns)
            deadline = Deadline.after(left)
            result, explanation = explain_within(
                left, position, arguments.cell, arguments.solver, arguments.flags
            )
    except BoardError:
        raise
    except ValueError as error:
        raise InputError(f"{source_name(arguments.board)}: {error}") from None
    if explanation is not None and result is not None:
        partial = result.status is Status.UNDECIDED
        if arguments.json:
            print_json(explanation.as_json() | ({"status": "undecided"} if partial else {}))
        else:
            from satsweeper.show.answers import show_explanation
            from satsweeper.show.terminal import console_for

            show_explanation(explanation, result, console_for(arguments.color))
        late = deadline.passed()
        shortened = explanation.reason is not None and not explanation.reason.irreducible
        return LIMIT_REACHED if partial or (late and shortened) else DONE
    if result is not None and result.status is Status.INCONSISTENT:
        return print_conflict(arguments, result, {"cell": list(arguments.cell)})
    # The time was over before a reason was found: a verdict that is proved is printed alone.
    verdict = None if result is None else result.verdict.get(arguments.cell)
    proved = None if verdict in (None, Verdict.UNKNOWN) else str(verdict)
    if arguments.json:
        answer = {"schema": "satsweeper/explain/1", "cell": list(arguments.cell)}
        print_json(answer | {"status": "undecided", "verdict": proved})
    elif proved is None:
        print_answer(f"{arguments.cell}: no verdict within {arguments.time_limit:g} s")
    else:
        noun = "a mine" if verdict is Verdict.MINE else proved
        print_answer(f"{arguments.cell} is {noun}; no reason within {arguments.time_limit:g} s")
    return LIMIT_REACHED
