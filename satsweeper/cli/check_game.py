"""``check FILE``: the proof of a game."""

import argparse
from typing import TYPE_CHECKING

from satsweeper.cli.exit_codes import DONE, FAILED, INCONSISTENT, InputError
from satsweeper.cli.files import print_json
from satsweeper.cli.options import source_name
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.checker.game.check import CheckedFile


def check_file(arguments: argparse.Namespace, board: str | None, read_by: str | None) -> int:
    """Check the proof of a game, and say what it proves; an exit code."""
    from satsweeper.checker.game.check import check_game
    from satsweeper.checker.wrong import WrongCertificateError

    try:
        with progress("checking"):
            checked = check_game(
                arguments.folder,
                board=board,
                mines=arguments.mines,
                flags=arguments.flags,
                external=not arguments.no_external,
            )
    except WrongCertificateError as error:
        if arguments.json:
            wrong = {"schema": "satsweeper/check-game/1", "verified": False}
            print_json(wrong | {"file": error.file, "fault": error.fault})
            return FAILED
        raise InputError(f"{source_name(arguments.folder)}: {error.fault}") from None
    except OSError as error:
        raise InputError(f"{error.filename or arguments.folder}: {error.strerror}") from None
    if arguments.json:
        print_json(checked.as_json() | {"read_by": read_by})
    else:
        _print(checked, source_name(arguments.folder))
    return INCONSISTENT if checked.game.status == "inconsistent" else DONE


def _print(checked: "CheckedFile", name: str) -> None:
    from satsweeper.checker.wrong import counted

    game = checked.game
    print(
        f"verified: {counted(game.opened, 'opened cell')}, at least {game.guesses} of them by a"
        f" guess; {counted(game.classified, 'position')} with all verdicts"
        f" ({counted(game.queries, 'question')},"
        f" {counted(game.lemmas, 'lemma')})"
    )
    if game.status == "inconsistent":
        print("verified: the last position is inconsistent")
    elif game.status == "not shown":
        print("not shown: that the last position has a layout, or that it has none")
    elif not game.complete:
        print("of the last position, not every cell has its verdict")
    if checked.external:
        print(f"accepted by {', '.join(checked.external)}")
    mines = "unknown" if game.mines is None else game.mines
    flags = sum(row.count("F") for row in game.rows)
    given = f", {counted(flags, 'flag')} taken for mines" if flags else ""
    size = f"{counted(len(game.grid[0]), 'column')}, {counted(len(game.grid), 'row')}"
    print(f"about the game in {name} (sha256 {checked.sha256}): {size}, total {mines}{given}")
    print("\n".join(game.rows if game.status == "inconsistent" else game.grid))
