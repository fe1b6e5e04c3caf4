"""The odds of every covered cell to be a mine: exact fractions, counted in integers.

A map shows the chances in percent. Of a board of more than 10,000 cells it would be longer than
anybody reads: instead how many cells have each chance is printed, or where there are more than 12
chances how many lie in each tenth. --all draws the map all the same and lists every cell; --json
always has them all.

--certify DIR also writes a certificate, which satsweeper check reads: board.txt; circuits.txt, for
each region a deterministic decomposable circuit of its layouts, from which the checker counts again
by itself; odds.json, what is claimed; manifest.json with the hashes. --json then has an entry
"certificate": {"folder", "sha256" of the manifest}.

Boards of other cells than squares, and boards under rules, are counted as well, exactly or not at
all; --certify and --max-width are not for them. A board that is no grid has a list of its cells.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from satsweeper.cli.arguments import (
    read_board_or_puzzle,
    refuse_options,
    source_name,
    take_over_time_left,
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
from satsweeper.cli.inconsistent import find_conflict, print_conflict
from satsweeper.cli.options import BOARD, COLOR, JSON, natural, option, timeout
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.count.odds import Odds
    from satsweeper.position import Position
    from satsweeper.puzzle.puzzle import Puzzle

EXAMPLE = """examples:
  satsweeper odds examples/expert.txt
  satsweeper odds --all examples/wikipedia_corner.txt
  satsweeper odds --json --mines unknown --density 0.2 examples/expert.txt
  printf 'rules: C W\\nmines: 4\\n? ? 2\\n? ? ?\\n1 ? ?\\n' | satsweeper odds -
  satsweeper odds --certify certified examples/expert.txt && satsweeper check certified
"""


OPTIONS: Final = (
    *BOARD,
    option("--density P",
           "each covered cell is a mine with this chance (0.2, 1/5); the total must be unknown"),
    timeout("give up then (exit code 124)"),
    option("--max-width N", "refuse regions with more clues open at once (40; exit code 124)",
           type=natural("number of clues", 1)),
    option("--certify DIR", "write a certificate there, for check; an older one goes"),
    option("--all", "draw the map whatever its size, and list every cell"),
    COLOR,
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Print the odds, or the clues of an inconsistent board that clash; return the exit code."""
    if arguments.certify is not None:
        from satsweeper.certificate.folder import refuse_taken

        # Checked before the board is read, so that no work is lost.
        with input_errors(source_name(arguments.certify)):
            refuse_taken(Path(arguments.certify))
    position = read_board_or_puzzle(arguments)
    if arguments.density is not None and position.mines is not None:
        raise UsageError("--density excludes a known total; add --mines unknown")
    from satsweeper.count.budget import OddsLimitError
    from satsweeper.position import Position

    try:
        if isinstance(position, Position):
            return _of_position(arguments, position)
        return _of_puzzle(arguments, position)
    except OddsLimitError as error:
        print(f"{source_name(arguments.board)}: {error}", file=sys.stderr)
        return LIMIT_REACHED


def _of_position(arguments: argparse.Namespace, position: "Position") -> int:
    from satsweeper.count.odds import NoLayoutError

    try:
        with progress("counting"):
            result, certificate = _counted(arguments, position)
    except NoLayoutError:
        if arguments.certify is not None:
            name = source_name(arguments.certify)
            print(f"{name}: nothing written: there are no odds; certify proves it", file=sys.stderr)
        return print_conflict(arguments, find_conflict(arguments, position))
    if arguments.json:
        print_json(result.as_json() | certificate)
    else:
        from satsweeper.show.answers import show_odds
        from satsweeper.show.terminal import output_for

        show_odds(result, output_for(arguments.color), every=arguments.all)
        if certificate:
            about = certificate["certificate"]
            print_answer(f"{about['folder']}: certified (sha256 {about['sha256']})")
    return DONE


def _of_puzzle(arguments: argparse.Namespace, puzzle: "Puzzle") -> int:
    refuse_options(arguments, ("certify", "max_width"), "boards of squares under rule V alone")
    if arguments.density is not None and any(most > 1 for most in puzzle.capacity.values()):
        raise UsageError("--density is for boards whose cells hold one mine at most")
    from satsweeper.count.odds import NoLayoutError
    from satsweeper.puzzle.errors import RuleError
    from satsweeper.puzzle.odds.odds import odds_of_puzzle

    try:
        with progress("counting"):
            result = odds_of_puzzle(puzzle, flags=arguments.flags, density=arguments.density)
    except RuleError as error:
        raise InputError(f"{source_name(arguments.board)}: {error}") from None
    except NoLayoutError:
        return _print_conflict_of_puzzle(arguments, puzzle)
    if arguments.json:
        print_json(result.as_json())
    else:
        from satsweeper.show.puzzle_odds import show_puzzle_odds
        from satsweeper.show.terminal import console_for

        show_puzzle_odds(result, console_for(arguments.color), every=arguments.all)
    return DONE


def _print_conflict_of_puzzle(arguments: argparse.Namespace, puzzle: "Puzzle") -> int:
    """Print the parts of ``puzzle``, which is known to have no layout, that clash."""
    from satsweeper.answers.classification import Status
    from satsweeper.puzzle.answers import PuzzleConflict
    from satsweeper.puzzle.sentences import conflict_sentence
    from satsweeper.puzzle.session import classify_puzzle

    left = take_over_time_left(arguments, len(puzzle.geometry))
    found = classify_puzzle(puzzle, flags=arguments.flags, timeout=left)
    # Counting has proved the status, even if the time was over before the parts were found.
    result = found.replaced(status=Status.INCONSISTENT)
    if arguments.json:
        print_json({**result.as_json(), "schema": "satsweeper/odds/1"})
    else:
        print_answer(conflict_sentence(puzzle, result.conflict or PuzzleConflict((), (), False)))
    return INCONSISTENT


def _counted(arguments: argparse.Namespace, position: "Position") -> "tuple[Odds, dict[str, Any]]":
    """Return the odds, and the entry of the JSON object about the certificate.

    With --certify the certificate is written here; otherwise the entry is empty.
    """
    from satsweeper.count.budget import MAX_WIDTH

    width = arguments.max_width or MAX_WIDTH
    options = {"flags": arguments.flags, "density": arguments.density, "max_width": width}
    if arguments.certify is None:
        from satsweeper.count.odds import odds

        # No time limit is passed on: the alarm of the whole command ends the count.
        return odds(position, **options), {}
    import hashlib

    from satsweeper.certificate.folder import manifest_bytes
    from satsweeper.certificate.odds import certify_odds

    certified = certify_odds(position, **options)
    name = source_name(arguments.certify)
    with input_errors(name):
        manifest = certified.write(arguments.certify)
    sha256 = hashlib.sha256(manifest_bytes(manifest)).hexdigest()
    return certified.found, {"certificate": {"folder": name, "sha256": sha256}}
