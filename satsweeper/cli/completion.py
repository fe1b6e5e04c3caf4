"""Print a script by which a shell completes commands, options, names and files.

It is printed once and kept: completing starts no Python. Names of encoders, solvers and engines
are those of this version; print it again after an update. bash reads it by `source`, or from
~/.local/share/bash-completion/completions/satsweeper; zsh from a folder of $fpath, as _satsweeper;
fish from ~/.config/fish/completions.
"""

import argparse
from typing import TYPE_CHECKING, Final

from satsweeper.cli.exit_codes import DONE
from satsweeper.cli.options import option
from satsweeper.processes.standard_output import print_answer

if TYPE_CHECKING:
    from collections.abc import Iterable

EXAMPLE: Final = """\
examples:
  satsweeper completion bash > satsweeper.bash
  satsweeper completion zsh > _satsweeper
  satsweeper completion fish > satsweeper.fish
"""

SHELLS: Final = ("bash", "zsh", "fish")
_FILES: Final = {"BOARD", "FILE", "INSTANCE", "MAP", "OUTPUT", "PROBLEM"}
"""Metavars of arguments that are completed with names of files."""
_FOLDERS: Final = {"DIR"}
"""Metavars of arguments that are completed with names of folders."""
OPTIONS: Final = (option("shell SHELL", ", ".join(SHELLS), choices=SHELLS),)


def run(arguments: argparse.Namespace) -> int:
    """Print the completion script; return the exit code."""
    import shtab

    from satsweeper.cli.main import COMMANDS, parser_of

    parser, commands = parser_of(COMMANDS)
    names = _names()
    for command in commands.values():
        for action in command._actions:
            metavar = action.metavar if isinstance(action.metavar, str) else ""
            if metavar in _FILES | _FOLDERS:
                # shtab reads this attribute; argparse has no parameter for it.
                vars(action)["complete"] = shtab.FILE if metavar in _FILES else shtab.DIRECTORY
            elif action.choices is None:
                action.choices = names.get(action.dest)
    print_answer(shtab.complete(parser, arguments.shell))
    return DONE


def _names() -> "dict[str, Iterable[str]]":
    """Return the names that may follow an option, by the option's attribute in the arguments."""
    from pbcnf.audit import TRANSFORMATIONS
    from pbcnf.constraints.order import LiteralOrder
    from pbcnf.encoders.table import ENCODERS, PARITY_ENCODERS
    from satsweeper.compare.job.job import Task
    from satsweeper.engines.table import ENGINES
    from satsweeper.families.table import FAMILIES
    from satsweeper.peers import PEERS
    from satsweeper.play.draw import FirstClick
    from satsweeper.play.presets import PRESETS
    from satsweeper.play.strategies.table import STRATEGIES
    from satsweeper.puzzle.geometry.table import GRIDS
    from satsweeper.puzzle.rules.table import CLUES, LAYOUTS, OWN_LETTERS
    from satsweeper.solvers.table import AUTO, SOLVERS

    encoders, solvers = list(ENCODERS), list(SOLVERS)
    rules = [*LAYOUTS, *CLUES, OWN_LETTERS]
    return {
        **dict.fromkeys(("encoding", "total_encoding", "encodings", "total_encodings"), encoders),
        **dict.fromkeys(("at_most_one", "cardinality", "pseudo_boolean"), encoders),
        "parity": list(PARITY_ENCODERS),
        "encoders": list(dict.fromkeys((*ENCODERS, *PARITY_ENCODERS, *TRANSFORMATIONS))),
        "solver": [AUTO, *solvers],
        "solvers": solvers,
        "engine": list(ENGINES),
        "rules": rules,
        "letters": rules,
        "geometry": list(GRIDS),
        "family_name": list(FAMILIES),
        "against": list(PEERS),
        "orders": [order.value for order in LiteralOrder],
        "tasks": [task.value for task in Task],
        "boards": list(PRESETS),
        "strategy": list(STRATEGIES),
        "first_click": [str(each) for each in FirstClick],
    }
