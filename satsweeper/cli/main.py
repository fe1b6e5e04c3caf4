"""``satsweeper COMMAND ...``: the parser; one command is run, and every end has its exit code."""

import argparse
import os
import re
import sys
from collections.abc import Container, Sequence
from importlib import import_module
from itertools import takewhile
from time import monotonic
from types import ModuleType
from typing import Any, Final, NoReturn

from satsweeper.board.errors import Error
from satsweeper.cli.exit_codes import DONE, FAILED, LIMIT_REACHED, USAGE, UsageError, complain
from satsweeper.cli.lifetime import (
    TimeIsUp,
    alarm,
    due_to_time,
    interrupted,
    leave,
    raise_interrupts,
)
from satsweeper.processes.standard_output import abandon_stdout, flush_stdout, print_answer
from satsweeper.version import __version__

# The parser of the command line: the table of commands, and messages about wrong usage.
# Commands import their modules when they run, so that ``--help`` answers at once.

_GROUPS: Final[dict[str, dict[str, str]]] = {
    "a board": {
        "classify": "every covered cell: safe, mine or unknown",
        "explain": "the clues that force one cell's verdict, or two layouts that differ there",
        "odds": "how likely every covered cell is a mine, as exact fractions",
        "rules": "the rules that boards can have, and the geometries; or one rule",
        "engines": "the ways to classify, what each promises; and compared on boards",
        "convert": "a board in another format: JSMinesweeper, ms_toollib, game IDs, JSON ...",
        "render": "a board or a game as a picture: SVG, HTML, PNG, GIF, WebP",
    },
    "a game": {
        "play": "Minesweeper in the terminal, with hints that see no more than you do",
        "advise": "certain moves in a position, or the best guess and the chance to win",
        "game": "a game in a text file: edit it, process it, have it solved",
        "generate": "boards to play, also such that no move is a guess, with the proof",
        "simulate": "games played by strategies: how many each wins, with intervals, and who wins"
        " more",
        "page": "the page for browsers, served to those of this machine",
    },
    "a problem or a formula": {
        "export": "a board as a file for other solvers",
        "encode": "a problem as clauses, or in another format",
        "decode": "the answer of another solver back on the board, checked there",
        "solve": "decide or optimise a problem, answering as in the competitions",
        "sat": "solve a DIMACS CNF file, answering as in the SAT competitions",
        "lint": "a CNF file against the rules of the SAT Competition",
        "family": "a board or problem whose answer is known by an argument, of any size; lists"
        " them",
        "families": "the families of such boards and problems, and the arguments",
        "competition": "an entry ready to submit: hard instances chosen by measuring, described",
    },
    "proofs": {
        "certify": "the verdicts with a proof and layouts, for others to check",
        "check": "check a certificate without trusting what wrote it",
    },
    "comparing": {
        "compare": "encodings and solvers beside one another: every contender on every instance",
        "report": "what a sweep found: tables, one page of HTML, CSV, LaTeX, mkplot",
        "audit": "what every encoder promises, computed; and other libraries beside them",
    },
    "about the program": {
        "doctor": "what works here: versions, extras and how to install them, solvers",
        "completion": "a script that completes commands, options and names in your shell",
    },
}
"""Title of a group -> command name -> one line of help, in the order of ``--help``."""

COMMANDS: Final[dict[str, str]] = {
    name: summary for group in _GROUPS.values() for name, summary in group.items()
}
"""Command name -> one line of help. The command is ``satsweeper/cli/NAME.py``."""

_OTHER_NAMES: Final = {"families": "family"}
"""A second name of a command -> the name of its module."""


def module_of(command: str) -> ModuleType:
    """Return the module of ``command``, with its options, examples and ``run``."""
    return import_module(f"satsweeper.cli.{_OTHER_NAMES.get(command, command)}")


# `sat` and `solve` have the exit codes of solvers instead, EXIT_CODES of their modules.
_CODES: Final = """\
exit codes: 0 done; 20 the board is inconsistent; 1 bad input or a failed check; 2 wrong
usage; 124 a limit was reached and a partial answer printed; 130 interrupted"""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Keeps the layout of examples, and lists commands under the titles of their groups."""

    def _format_action(self, action: argparse.Action) -> str:
        if not isinstance(action, argparse._SubParsersAction):
            return super()._format_action(action)
        listed = {each.dest: each for each in action._get_subactions()}
        parts = []
        for title, names in _GROUPS.items():
            parts.append(f"{' ' * self._current_indent}{title}:\n")
            self._indent()
            parts += [super(_Help, self)._format_action(listed[name]) for name in names]
            self._dedent()
        return self._join_parts(parts)


class _OfAnyWidth(_Help):
    """Formats where the width does not matter."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=80)


class Parser(argparse.ArgumentParser):
    """Argument parser that reports wrong usage in two lines: the usage, and the fault."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Help, **options)
        # No option is a number, so a word that begins like a negative number, as the cell -1,0,
        # is an argument, which the parser of its type refuses.
        self._negative_number_matcher = re.compile(r"-\.?[0-9]")

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        """Add an argument as argparse does, with a width known beforehand.

        argparse formats each new argument to check it, and would import shutil for the width.
        """
        self.formatter_class = _OfAnyWidth
        try:
            return super().add_argument(*names, **options)
        finally:
            self.formatter_class = _Help

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str], namespace: argparse.Namespace
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse ``args``; end with wrong usage if any word is left over."""
        # Unknown options are reported before missing arguments: a mistyped option may be the reason
        # why an argument is missing.
        self._refuse_unknown_options(args)
        found, strange = super().parse_known_args(args, namespace)
        if self._subparsers and found.command is None:
            known = ", ".join(COMMANDS)
            self.error(f"a command is needed: {known}; {self.prog} --help says what each does")
        if strange:
            what = "unknown option" if strange[0].startswith("-") else "one argument too many:"
            self.error(f"{what} {strange[0]!r}")
        return found, strange

    def error(self, message: str) -> NoReturn:
        """End with the exit code of wrong usage."""
        self.exit(USAGE, self.complaint(message))

    def complaint(self, message: str) -> str:
        """Return two lines: the usage, reduced to required arguments, and ``message``."""
        needed = [each for each in self._actions if each.required or not each.option_strings]
        formatter = argparse.HelpFormatter(f"{self.prog} [options]", width=10_000)
        formatter.add_usage(None, needed, [])
        return f"{formatter.format_help().strip()}\n{self.prog}: {message}\n"

    def _print_message(self, message: str, file: Any = None) -> None:
        if file in (None, sys.stderr):
            super()._print_message(message, file)
        else:
            # argparse ignores errors of writing help and versions; `print_answer` raises them.
            print_answer(message, end="")

    def _refuse_unknown_options(self, args: Sequence[str]) -> None:
        options = [name for each in self._actions for name in each.option_strings]
        # The main parser checks only the options before the command's name.
        words = takewhile(lambda word: word.startswith("-"), args) if self._subparsers else args
        for word in takewhile(lambda word: word != "--", words):
            name = word.partition("=")[0]
            # As in argparse, the beginning of an option's name is enough, and a word with a blank
            # is no option.
            option = name.startswith("--") and " " not in word
            if option and not any(known.startswith(name) for known in options):
                from pbcnf.wording import did_you_mean

                hint = did_you_mean(name, options) or f"; {self.prog} --help names them"
                self.error(f"unknown option {name!r}{hint}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            from pbcnf.wording import unknown_name

            if action.dest == "command":
                self.error(unknown_name("command", value, COMMANDS))
            raise argparse.ArgumentError(action, unknown_name("value", value, action.choices))


def parser_of(wanted: Container[str], *, alone: bool = False) -> tuple[Parser, dict[str, Parser]]:
    """Return the parser of the command line, and complete parsers of the ``wanted`` commands.

    Args:
        wanted: names of commands.
        alone: whether the other commands are left out: making all parsers takes longer than a small
            board.
    """
    parser = Parser(
        prog="satsweeper",
        description="Minesweeper as satisfiability: verdicts, reasons, encodings, exports.",
        epilog=f"example: satsweeper classify examples/expert.txt\n{_CODES}\n(sat and solve: as"
        " solvers, see their help)",
    )
    parser.add_argument("--version", action="version", version=f"satsweeper {__version__}")
    # With ``prog`` given, argparse formats no usage, for which it would import shutil.
    commands = parser.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", prog=parser.prog
    )
    whole = {}
    for name, summary in COMMANDS.items():
        if name not in wanted:
            if not alone:
                commands.add_parser(name, help=summary)
            continue
        from satsweeper.cli.options import add_options

        module = module_of(name)
        epilog = f"{module.EXAMPLE}\n{getattr(module, 'EXIT_CODES', _CODES)}"
        whole[name] = commands.add_parser(
            name, help=summary, description=module.__doc__, epilog=epilog
        )
        add_options(whole[name], module.OPTIONS)
        whole[name].set_defaults(run=module.run)
    return parser, whole


# numpy starts threads to multiply matrices, which no command does; starting them takes longer than
# a small board.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        try:
            return _run(list(sys.argv[1:] if argv is None else argv))
        finally:
            # Help is printed just before argparse raises SystemExit: flushed here as well.
            flush_stdout()
    except KeyboardInterrupt:
        leave()
    except BrokenPipeError:
        # The reader of the output, for example `head`, has ended: no error of this command.
        abandon_stdout()
        return DONE
    except SystemExit as ended:
        # rich raises SystemExit at a broken pipe.
        if isinstance(ended.__context__, BrokenPipeError):
            return DONE
        raise
    except OSError as error:
        abandon_stdout()
        complain(f"{error.filename or 'satsweeper'}: {error.strerror or error}")
        return FAILED


def _run(argv: list[str]) -> int:
    started = monotonic()
    chosen = [word for word in argv if not word.startswith("-")][:1]
    # The first word names the command, so that no other can be meant and no list is printed.
    parser, commands = parser_of(
        chosen, alone=bool(argv[:1] == chosen and COMMANDS.keys() & chosen)
    )
    arguments = parser.parse_args(argv, argparse.Namespace(started=started, time_limit=None))
    raise_interrupts()
    if "SATSWEEPER_SETUP" in os.environ:
        from satsweeper.cli.extras import provide

        if provide(arguments):
            started = arguments.started = monotonic()
    try:
        with alarm(arguments.time_limit, started):
            code: int = arguments.run(arguments)
        return code
    except TimeIsUp:
        return _out_of_time(arguments)
    except Exception as error:
        if interrupted():
            # An interrupted import may raise another error than KeyboardInterrupt.
            raise KeyboardInterrupt from None
        if isinstance(error, UsageError):
            complain(commands[arguments.command].complaint(str(error)))
            return USAGE
        if isinstance(error, Error):
            complain(str(error))
            return FAILED
        if arguments.time_limit is not None and due_to_time(error):
            # An import during which the alarm came may raise another error than TimeIsUp.
            return _out_of_time(arguments)
        if isinstance(error, MemoryError) or "failed to map segment" in str(error):
            complain(f"satsweeper {arguments.command}: not enough memory")
            return FAILED
        raise


def _out_of_time(arguments: argparse.Namespace) -> int:
    """Report that the command did not end within its time limit; return the exit code."""
    complain(f"satsweeper {arguments.command}: not done within {arguments.time_limit:g} s")
    return LIMIT_REACHED
