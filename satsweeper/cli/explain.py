"""Why a cell is safe or a mine: the clues that force it. For an unknown cell: two layouts."""

import argparse
from typing import TYPE_CHECKING, Any, Final

from satsweeper.cli.arguments import (
    cell_named,
    read_board_or_puzzle,
    source_name,
    take_over_time_left,
)
from satsweeper.cli.exit_codes import DONE, LIMIT_REACHED, InputError, usage_errors
from satsweeper.cli.files import print_json
from satsweeper.cli.inconsistent import print_conflict
from satsweeper.cli.options import BOARD, COLOR, JSON, SOLVER, option, timeout
from satsweeper.notation.error import BoardError
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.show.terminal import Color

EXAMPLE = """examples:
  satsweeper explain examples/wikipedia_corner.txt 2,2
  satsweeper explain --rules Q examples/wikipedia_corner.txt 2,2
"""

OPTIONS: Final = (
    *BOARD,
    option("cell CELL", "a covered cell: ROW,COLUMN, both numbers from 0; LAYER,ROW,COLUMN of"
           " cubes; the name of a graph's node"),
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
    from satsweeper.engines.session import explain_within

    try:
        with progress("explaining"):
            board = read_board_or_puzzle(arguments)
            asked = cell_named(board, arguments.cell)
            left = take_over_time_left(arguments, 2 * board.rows * board.columns)
            deadline = Deadline.after(left)
            result, explanation = explain_within(
                left, board, asked, arguments.solver, arguments.flags
            )
    except BoardError:
        raise
    except ValueError as error:
        raise InputError(f"{source_name(arguments.board)}: {error}") from None
    named = list(asked) if isinstance(asked, tuple) else asked
    if explanation is not None:
        partial = result is not None and result.status is Status.UNDECIDED
        if arguments.json:
            print_json(explanation.as_json() | ({"status": "undecided"} if partial else {}))
        else:
            _show(explanation, result, arguments.color)
        late = deadline.passed()
        shortened = explanation.reason is not None and not explanation.reason.irreducible
        return LIMIT_REACHED if partial or (late and shortened) else DONE
    if result is not None and result.status is Status.INCONSISTENT:
        return print_conflict(arguments, result, {"cell": named})
    # The time was over before a reason was found: a verdict that is proved is printed alone.
    verdict = None if result is None else result.verdict.get(asked)
    proved = None if verdict in (None, Verdict.UNKNOWN) else str(verdict)
    if arguments.json:
        answer = {"schema": "satsweeper/explain/1", "cell": named}
        print_json(answer | {"status": "undecided", "verdict": proved})
    elif proved is None:
        print_answer(f"{asked}: no verdict within {arguments.time_limit:g} s")
    else:
        noun = "a mine" if verdict is Verdict.MINE else proved
        print_answer(f"{asked} is {noun}; no reason within {arguments.time_limit:g} s")
    return LIMIT_REACHED


def _show(explanation: Any, result: Any, color: "Color") -> None:
    """Print an explanation; ``result``: the verdicts of squares with plain clues."""
    from satsweeper.answers.classification import Explanation
    from satsweeper.show.terminal import console_for, output_for

    if isinstance(explanation, Explanation):
        from satsweeper.show.answers import show_explanation

        show_explanation(explanation, result, output_for(color))
    else:
        from satsweeper.show.puzzles import show_puzzle

        show_puzzle(explanation, console_for(color))
