"""``check FILE``: the proof of a game."""

import argparse
from typing import TYPE_CHECKING

from satsweeper.cli.exit_codes import DONE, INCONSISTENT
from satsweeper.cli.files import print_json
from satsweeper.cli.options import source_name
from satsweeper.cli.refused import refused
from satsweeper.processes.standard_output import print_answer
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
    except (WrongCertificateError, OSError) as error:
        where = source_name(arguments.folder)
        return refused(error, "satsweeper/check-game/1", where, as_json=arguments.json)
    if arguments.json:
        print_json(checked.as_json() | {"read_by": read_by})
    else:
        _print(checked, source_name(arguments.folder))
    return INCONSISTENT if checked.game.status == "inconsistent" else DONE


def _print(checked: "CheckedFile", name: str) -> None:
    from satsweeper.checker.wrong import counted

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
