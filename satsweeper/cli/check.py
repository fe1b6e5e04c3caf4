"""Check a certificate from the board up; the first thing that is wrong ends it.

Exit codes: 0 verified, what is printed is proved; 20 verified, and the board (of a game: the last
position) is proved to have no layout, or PROBLEM no solution; 1 refused, or not to be read; 2 wrong
usage, --require-board without --board among it; 124 --timeout was reached. "consistent" is said
where a layout is shown and fits the board; of a game that is not at its end yet, neither may be
shown: "not shown", 0.

The checker uses no encoder, no session, no solver, and no reader of boards but its own. It reads
the board, compares clues.opb with it, follows the derivation of every clause of the formula, tests
every clause once more by assignments of the cells, replays both proofs that "some certain verdict
is wrong" contradicts the formula, and evaluates every layout of an unknown cell. Verdicts that sums
of clues prove (sums.pbp) are read off the sums, which are added up again. Last comes proof.pbp, if
it is there: proof.opb must be the board and "some verdict is wrong", the proof must end in a
contradiction. Checkers of others that are on PATH (drat-trim, cake_lpr, veripb) are asked as well.

What it shares with certify is pbcnf.proof: the readers of proofs, and the replay of DRAT, with
which certify shortens what a solver wrote. LRAT proofs and clauses are checked by other code.

Files are regular ones of at most 2 GiB, with lines of at most 64 MiB; links to them may be named.

Without --board this says that some board has some verdicts; it prints which. With it, rows, total
and flags must be those of BOARD, which is read as all commands read it: the total that it states,
or --mines; flags are mines, or --flags ignore. A board in the plain notation is read by the
checker; one in another notation is not, and the output says so.

A certificate of a board of another geometry or under rules is checked by code of its own, which
reads text and JSON: each rule as a plain reading of a layout, and as inequalities that proof.opb
must state. BOARD must agree in every field: neighbours, regions, weights, dyed cells and the rest.

A certificate of odds (odds --certify) is checked from the board up as well: that each circuit has
exactly the layouts of its region; these are counted anew by their number of mines, the total is put
over all, and what comes out must be what is claimed, cell by cell. With --board, all layouts must
be equally likely, unless --density says otherwise.

Of a file, the proof of a game (play, game and generate write it with --proof), each step is
checked: clauses by the board, verdicts by the clauses, layouts by both; and lidrup-check is asked.
So are proofs that still grow. BOARD is then the last position. A guess is a cell that was opened
though nothing before it showed that it is safe; the first click is one. There are at least as many
as is said: as few clicks as open what is open, since the file may name cells in any order.

PROBLEM FORMULA PROOF are what encode PROBLEM -o FORMULA --proof PROOF has read and written: each
clause must be derived from the rows of PROBLEM, and what the proof leaves must be the clauses of
FORMULA, all of them, in their order. Then no solution of the problem is lost. If the proof derives
the rows from these clauses again, both are equivalent: no model is added either. Which of the two
is shown is said.

PROBLEM may be a statements file: then what a model of FORMULA says of each Boolean and integer is
what is proved. How integers are decoded, --json says.

PROBLEM PROOF are what solve PROBLEM --proof PROOF.pbp has read and written: each step is checked,
and what the proof concludes: that a solution of PROBLEM has the least value of its objective, that
there is no solution (exit code 20), or that there is one.

--json prints {"schema": "satsweeper/check/1", "verified": true, "board": {"rows", "columns",
"mines", "flags"}, "status", "grid", "sha256", "proved", "proof", "by_sums", "witnessed", "cells",
"clauses", "lemmas", "layouts", "external", "one_proof", "read_by"} (of a board under rules also
"rules", "geometry", "names", "constraints", "cuts"), or {"verified": false, "file", "fault"}; of
odds {"schema": "satsweeper/check-odds/1", "verified": true, "board", "density", "sha256",
"solutions", "cells", "interior", "regions", "boxes", "nodes", "pairs", "recounted", "read_by"}; of
a game {"schema": "satsweeper/check-game/1", "verified", "board", "rows", "grid", "status",
"opened", "guesses" (at least), "classified", "complete", "proved", "queries", "lemmas", "sha256",
"external", "read_by"}; of an encoding {"schema": "satsweeper/check-encoding/1", "verified",
"shown" ("equivalent" or "no solution lost"), "constraints", "inputs", "variables", "clauses",
"steps", "sha256", "external"}; of statements {"schema": "satsweeper/check-statements/1",
"verified", "shown", "statements", "booleans", "integers", "rows", "variables", "clauses", "steps",
"sha256"}; of an answer {"schema": "satsweeper/check-answer/1", "verified",
"status", "lower", "upper", "constraints", "variables", "steps", "sha256", "external",
"checkers"}.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from satsweeper.cli.arguments import refuse_options, source_name
from satsweeper.cli.exit_codes import DONE, FAILED, INCONSISTENT, InputError, UsageError
from satsweeper.cli.files import print_json
from satsweeper.cli.options import JSON, option, timeout
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.checker.errors import WrongCertificateError
    from satsweeper.checker.game.check import CheckedFile

EXAMPLE = """examples:
  satsweeper check certificate
  satsweeper check certificate --board examples/expert.txt
  satsweeper check examples/knapsack.opb knapsack.cnf knapsack.pbp
  satsweeper check examples/seats.json seats.cnf seats.pbp
  satsweeper check examples/packing.opb packing.pbp
"""
_OTHERS = "satsweeper.notation"
"""Value of "read_by" for a board that was not read by the checker's own reader."""


OPTIONS: Final = (
    option("folder DIR",
           "what certify or odds --certify wrote; or FILE, the proof of a game; or PROBLEM"),
    option("files FILE", "behind PROBLEM: the CNF and the proof that encode --proof wrote, or the"
           " proof that solve --proof wrote", nargs="*"),
    option("--board BOARD",
           "it must be about this board, its total and its flags; - is standard input"),
    option("--require-board",
           "refuse to run without --board (exit code 2), whatever the certificate says"),
    option("--mines N",
           "it must be about this total, flags included, or 'unknown'; overrides that of BOARD"),
    option("--flags", "it must take flags for mines (default if there is a BOARD), or for covered"
           " cells", choices=("trust", "ignore")),
    option("--density P",
           "odds: they must take each cell for a mine with this chance (default: there is none)"),
    option("--no-external", "do not ask the checkers of others"),
    option("--jobs N", "verdicts: processes for parts that do not depend on each other (1)",
           default=1),
    timeout("give up then: neither verified nor refused (exit code 124)"),
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Check, and print the proved verdicts or the first fault; return the exit code."""
    from satsweeper.checker.errors import WrongCertificateError
    from satsweeper.checker.odds.check import check_odds, is_about_odds
    from satsweeper.checker.puzzle.check import check_puzzle

    if "-" in (arguments.folder, *arguments.files):
        raise UsageError("-: only BOARD may be standard input; the rest is read by its name")
    if arguments.files:
        return _check_files(arguments)
    if arguments.require_board and arguments.board is None:
        raise UsageError("--require-board: there is no --board BOARD to compare with")
    folder = Path(arguments.folder)
    board, read_by = None, None
    where = f"the board in {source_name(arguments.folder)}"
    of_puzzle = _is_about_puzzle(folder)
    if arguments.board is not None:
        board, read_by = (_puzzle if of_puzzle else _board)(arguments.board)
        where = f"the board of {source_name(arguments.board)}"
    of_game = folder.exists() and not folder.is_dir()
    asked = {"board": board, "mines": arguments.mines, "flags": arguments.flags}
    external = not arguments.no_external
    checked: Any
    try:
        with progress("checking"):
            # Raises OSError if no file or folder has the name.
            folder.stat()
            if of_game:
                from satsweeper.checker.game.check import check_game

                checked = check_game(arguments.folder, external=external, **asked)
            elif is_about_odds(folder):
                checked = check_odds(folder, density=arguments.density, **asked)
            elif arguments.density is not None:
                what = "certificates of odds; this one is of verdicts"
                raise UsageError(f"--density is for {what}")
            elif of_puzzle:
                checked = check_puzzle(folder, external=external, **asked)
            else:
                from satsweeper.checker.check import check

                checked = check(folder, external=external, jobs=arguments.jobs, **asked)
    except (WrongCertificateError, OSError) as error:
        where = source_name(arguments.folder)
        if isinstance(error, WrongCertificateError) and not of_game:
            where += f": {error.file}"
        schema = "satsweeper/check-game/1" if of_game else "satsweeper/check/1"
        return _refused(error, schema, where, as_json=arguments.json)
    about = checked.as_json()
    if arguments.json:
        print_json(about | {"read_by": read_by})
    elif of_game:
        _print_game(checked, source_name(arguments.folder))
    else:
        print_answer(checked.sentence())
        print_answer(_about(about, where, read_by))
        print_answer(*checked.answers())
    return INCONSISTENT if about.get("status") == "inconsistent" else DONE


def _board(path: str) -> tuple[str, str]:
    """Return the board of the file ``path`` in the plain notation, and the name of its reader.

    The reader is "checker" if the file is in the plain notation, else `_OTHERS`. Raises BoardError
    for a file that holds no board.
    """
    from satsweeper.checker.expected_board import plain_board
    from satsweeper.notation.board_file import board_data

    if path != "-" and Path(path).exists() and not Path(path).is_file():
        raise InputError(f"{source_name(path)}: no regular file")
    data, source = board_data(path)
    if plain_board(data) is not None:
        return data if isinstance(data, str) else data.decode("utf-8"), "checker"
    from satsweeper.position import Position
    from satsweeper.puzzle.puzzle import parse_board_or_puzzle

    found = parse_board_or_puzzle(data, source)
    if not isinstance(found, Position):
        raise InputError(f"{source}: a board under rules; the certificate is about one without")
    return found.text(), _OTHERS


def _is_about_puzzle(folder: Path) -> bool:
    """Whether a folder has a certificate of a board under rules; what is none is refused later."""
    from satsweeper.checker.errors import WrongCertificateError
    from satsweeper.checker.puzzle.check import is_about_puzzle

    try:
        return folder.is_dir() and is_about_puzzle(folder)
    except (WrongCertificateError, OSError):
        return False


def _puzzle(path: str) -> tuple[str, str]:
    """Return the text of the board of the file ``path`` with rules, and the name of its reader.

    Text and JSON are left to the checker to read; a level of Hexcells, a game, and a board in a
    format without rules, are read as certify reads them.
    """
    from satsweeper.notation.board_file import board_data
    from satsweeper.notation.detect import unwrapped
    from satsweeper.notation.text import decoded
    from satsweeper.puzzle.headers import format_of, is_game, may_hold_rules

    data, source = board_data(path)
    text = decoded(unwrapped(data, source), source)
    known = format_of(text) == "json" and may_hold_rules(text) and not is_game(text)
    if known or format_of(text) == "text":
        return text, "checker"
    from satsweeper.certificate.puzzle.text import board_file
    from satsweeper.puzzle.puzzle import Puzzle

    return board_file(Puzzle.parse(data, source=source))[1], _OTHERS


def _about(about: Mapping[str, Any], where: str, read_by: str | None) -> str:
    """Return the lines that say which board was checked: ``about`` is the JSON of the check."""
    from satsweeper.checker.errors import counted

    board = about["board"]
    mines = "unknown" if board["mines"] is None else board["mines"]
    size = f"{counted(board['columns'], 'column')}, {counted(board['rows'], 'row')}"
    if "names" in about:
        size = counted(len(about["names"]), "cell")
    found = (
        f"about {where} (sha256 {about['sha256']}): {size}, total {mines}, flags: {board['flags']}"
    )
    if "rules" in about:
        rules = f"rules {' '.join(about['rules'])}" if about["rules"] else "rule V"
        found += f", {about['geometry']}, {rules}"
    if about.get("density") is not None:
        found += f", density {about['density']}"
    if read_by == _OTHERS:
        found += (
            "\nBOARD is not in the plain notation: it was read as certify reads it, not by the"
            "\nchecker; compare what follows with it"
        )
    return found


def _print_game(checked: "CheckedFile", name: str) -> None:
    from satsweeper.checker.errors import counted

    game = checked.game
    print_answer(
        f"verified: {counted(game.opened, 'opened cell')}, at least {game.guesses} of them by a"
        f" guess; {counted(game.classified, 'position')} with all verdicts"
        f" ({counted(game.queries, 'question')},"
        f" {counted(game.lemmas, 'lemma')})"
    )
    if game.status == "inconsistent":
        print_answer("verified: the last position is inconsistent")
    elif game.status == "not shown":
        print_answer("not shown: that the last position has a layout, or that it has none")
    elif not game.complete:
        print_answer("of the last position, not every cell has its verdict")
    if checked.external:
        print_answer(f"accepted by {', '.join(checked.external)}")
    mines = "unknown" if game.mines is None else game.mines
    flags = sum(row.count("F") for row in game.rows)
    given = f", {counted(flags, 'flag')} taken for mines" if flags else ""
    size = f"{counted(len(game.grid[0]), 'column')}, {counted(len(game.grid), 'row')}"
    print_answer(
        f"about the game in {name} (sha256 {checked.sha256}): {size}, total {mines}{given}"
    )
    print_answer(*(game.rows if game.status == "inconsistent" else game.grid))


def _check_files(arguments: argparse.Namespace) -> int:
    """Check an encoding, of which no solution may be lost, or an answer; return the exit code."""
    from satsweeper.checker.answer import CheckedAnswer, check_answer
    from satsweeper.checker.encoding import CheckedFiles, check_files
    from satsweeper.checker.errors import WrongCertificateError
    from satsweeper.checker.statements.check import CheckedStatedFiles

    files = [arguments.folder, *arguments.files]
    if len(files) > 3:
        raise UsageError("an encoding is PROBLEM, FORMULA and PROOF; an answer, PROBLEM and PROOF")
    what = "encoding" if len(files) == 3 else "answer"
    of_boards = ("board", "require_board", "mines", "flags", "density")
    refuse_options(arguments, of_boards, f"boards; these files are an {what}")
    external = not arguments.no_external
    checked: CheckedFiles | CheckedStatedFiles | CheckedAnswer
    try:
        with progress("checking"):
            if what == "encoding":
                checked = check_files(*files, external=external)
            else:
                checked = check_answer(*files, external=external)
    except (WrongCertificateError, OSError) as error:
        where = getattr(error, "file", arguments.folder)
        return _refused(error, f"satsweeper/check-{what}/1", where, as_json=arguments.json)
    about = checked.as_json()
    if arguments.json:
        print_json(about)
    else:
        print_answer(checked.sentence())
    return INCONSISTENT if about.get("status") == "UNSATISFIABLE" else DONE


def _refused(
    error: "WrongCertificateError | OSError", schema: str, where: str, *, as_json: bool
) -> int:
    """Print one JSON object and return the exit code, or raise InputError for one line of text.

    Args:
        error: the fault of the certificate, or the error of reading its files.
        schema: the schema of the JSON object.
        where: the beginning of the line, unless ``error`` names the file that cannot be read.
        as_json: whether to print JSON.
    """
    if isinstance(error, OSError):
        file, fault = source_name(str(error.filename or where)), error.strerror or str(error)
        line = f"{file}: {fault}"
    else:
        file, fault = error.file, error.fault
        line = f"{where}: {fault}"
    if as_json:
        print_json({"schema": schema, "verified": False, "file": file, "fault": fault})
        return FAILED
    raise InputError(line) from None
