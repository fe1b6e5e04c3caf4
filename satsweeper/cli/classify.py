"""Every covered cell of a board: safe in every layout, a mine in every layout, or unknown.

--engine NAME asks another way (satsweeper engines lists them). What an incomplete engine is certain
of is certain; if it does not settle the board the status is undecided, and the exit code 124.
"""

import argparse
import sys
from typing import TYPE_CHECKING, Final

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
    usage_errors,
)
from satsweeper.cli.files import print_json
from satsweeper.cli.inconsistent import print_verdicts
from satsweeper.cli.options import BOARD, COLOR, JSON, SOLVER, encodings, natural, option, timeout
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.answers.classification import Classification
    from satsweeper.puzzle.answers import PuzzleClassification

EXAMPLE = """examples:
  satsweeper classify examples/expert.txt
  satsweeper classify --geometry torus examples/expert.txt
  satsweeper classify --json --mines unknown examples/expert.txt
"""


OPTIONS: Final = (
    *BOARD,
    *encodings(),
    SOLVER,
    option("--engine NAME", "how; satsweeper engines lists them (portfolio)", default="portfolio"),
    option("--cap CELLS", "engine enumeration: leave regions of more cells alone",
           type=natural("number of cells")),
    timeout("stop then; what is proved until then is certain (exit code 124)"),
    option("--plain", "no reductions: two questions a cell; slow, an oracle"),
    COLOR,
    option("--stats", "also print what it cost"),
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Classify and print; return the exit code, which tells the status."""
    with usage_errors():
        # Unknown names are refused before any work is done.
        if arguments.solver != "auto":
            from satsweeper.solvers.table import line_up

            line_up(arguments.solver)
        if (arguments.encoding, arguments.total_encoding) != ("direct", "totalizer"):
            from satsweeper.search.frontier import check_encodings

            check_encodings(arguments.encoding, arguments.total_encoding)
    from satsweeper.answers.options import Options
    from satsweeper.engines.table import check_options, find_engine

    names = ("engine", "encoding", "total_encoding", "solver", "flags", "plain", "cap")
    options = Options(**values_of(arguments, *names))
    with usage_errors():
        check_options(options, "--")
    from satsweeper.answers.classification import Status
    from satsweeper.engines.classify import classify_within
    from satsweeper.engines.protocol import EngineRefusedError
    from satsweeper.puzzle.errors import RuleError

    with progress("classifying"):
        board = read_board_or_puzzle(arguments)
        left = take_over_time_left(arguments, board.rows * board.columns)
        try:
            result: Classification | PuzzleClassification
            result = classify_within(left, board, options)
        except EngineRefusedError:
            raise
        except RuleError as error:
            raise InputError(f"{source_name(arguments.board)}: {error}") from None
        except ValueError as error:
            raise UsageError(str(error)) from None
    engine = find_engine(options.engine)
    if result.status is Status.UNDECIDED and not engine.complete:
        note = f"{engine.name} is incomplete; it finds: {engine.promise}"
        result = result.replaced(notes=(*result.notes, note))
    for note in result.notes:
        print(f"note: {note}", file=sys.stderr)
    if arguments.json:
        print_json(result.as_json())
    else:
        print_verdicts(result, arguments.color, stats=arguments.stats)
    return {Status.INCONSISTENT: INCONSISTENT, Status.UNDECIDED: LIMIT_REACHED}.get(
        result.status, DONE
    )
