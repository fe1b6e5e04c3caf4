"""Command lines of scripts: parsers, kinds of arguments, exit codes; sections of documents.

A section is text that a script writes into a document, between two comments with its name.
"""

import argparse
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, Final, TypeAlias

INTERRUPTED: Final = 130


def parser_of(description: str | None, **options: Any) -> ArgumentParser:
    """Return a parser whose help shows ``description`` and an epilog line by line as written."""
    as_written = argparse.RawDescriptionHelpFormatter
    return ArgumentParser(description=description, formatter_class=as_written, **options)


def names(text: str) -> list[str]:
    """Split names with commas between them."""
    return [name for name in text.split(",") if name]


def at_least(least: int) -> Callable[[str], int]:
    """Return a reader of integers that are ``least`` or more."""

    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{least} at least")
        return value

    return number


def positive(text: str) -> int:
    """Read an integer above 0; argparse.ArgumentTypeError or ValueError for anything else."""
    return at_least(1)(text)


def sizes(text: str) -> list[int]:
    """Read numbers of inputs, 8 at least, with commas between them."""
    return [at_least(8)(part) for part in names(text)]


def above_zero(text: str) -> float:
    """Read a finite number above 0."""
    value = float(text)
    if not 0 < value < inf:
        raise argparse.ArgumentTypeError("more than 0")
    return value


def names_of(known: Collection[str]) -> Callable[[str], list[str]]:
    """Return a reader of names with commas between them, which puts them in the order of ``known``.

    The reader raises argparse.ArgumentTypeError for a name that is not known.
    """

    def chosen(text: str) -> list[str]:
        wanted = names(text)
        for name in wanted:
            if name not in known:
                raise argparse.ArgumentTypeError(f"no {name!r} (there are {', '.join(known)})")
        return [name for name in known if name in wanted]

    return chosen


def ended(
    script: str,
    work: Callable[[], int],
    errors: tuple[type[Exception], ...] = (OSError, ValueError),
    hint: str = "",
) -> int:
    """Return the exit code of ``work``: 1 and a line for one of ``errors``, 130 for Ctrl-C.

    Args:
        script: the name that begins the line of an error.
        work: returns an exit code.
        errors: exceptions for bad input, or for failures that need no traceback.
        hint: text that follows "interrupted".
    """
    try:
        return work()
    except errors as error:
        sys.stderr.write(f"{script}: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write(f"interrupted{hint}\n")
        return INTERRUPTED


def with_section(text: str, name: str, made_by: str, content: str) -> str:
    """Return ``text`` with ``content`` and the command ``made_by`` in the section ``name``.

    Raises:
        ValueError: ``text`` does not have exactly one pair of markers of the section.
    """
    begin, end = f"<!-- {name}: ", f"<!-- end of {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"one section between '{begin}COMMAND -->' and '{end}' is needed")
    before, after = text[: text.index(begin)], text[text.index(end) :]
    return f"{before}{begin}{made_by} -->\n\n{content}\n\n{after}"


def add_update(parser: ArgumentParser) -> None:
    """Add the option --update."""
    parser.add_argument("--update", metavar="FILE", type=Path,
                        help="write the tables between the markers there")  # fmt: skip


def require_section(page: Path | None, name: str) -> None:
    """Raise OSError or ValueError if ``page`` has no section ``name``; nothing for None."""
    if page is not None:
        with_section(page.read_text("utf-8"), name, "", "")


def update(page: Path, made_by: str, sections: Mapping[str, str], *, check: bool = False) -> bool:
    """Write the contents of ``sections``, by name, into ``page``, and the command ``made_by``.

    With ``check`` nothing is written, and a page that is not as it would be is called stale in a
    line on standard error. Returns whether the page is now up to date.
    """
    # Imported late: scripts that write no page run without the packages.
    from pbcnf.formats.writing import replacing

    old = text = page.read_text("utf-8")
    for name, content in sections.items():
        text = with_section(text, name, made_by, content)
    if check and text != old:
        sys.stderr.write(f"{page.name} is stale: run {made_by}\n")
        return False
    if not check:
        with replacing(page) as stream:
            stream.write(text.encode())
    return True


def write_tables(
    parser: ArgumentParser,
    page: Path,
    made_by: str,
    made: Callable[[argparse.Namespace], Mapping[str, str]],
    argv: Sequence[str] | None = None,
    errors: tuple[type[Exception], ...] = (OSError, ValueError),
) -> int:
    """Write the tables of a script into a page, or with --check only compare; return the exit code.

    Args:
        parser: the parser of the script's other options.
        page: the page, unless the command line names another one.
        made_by: the command ``python scripts/NAME.py`` that stands beside each table.
        made: returns the tables by the names of their sections.
        argv: the words of the command line.
        errors: see `ended`.
    """
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if a table is stale")
    parser.add_argument("file", nargs="?", type=Path, default=page,
                        help=f"({page.parent.name}/{page.name})")  # fmt: skip
    arguments = parser.parse_args(argv)

    def work() -> int:
        return int(not update(arguments.file, made_by, made(arguments), check=arguments.check))

    return ended(Path(made_by).stem, work, errors)


def command_of(script: str, argv: Sequence[str] | None) -> str:
    """Return the command line of ``script`` with ``argv``, by default the words of this process."""
    return f"python scripts/{script}.py {' '.join(sys.argv[1:] if argv is None else argv)}"


Ran: TypeAlias = "subprocess.CompletedProcess[str]"


def ran(words: Sequence[str | Path], **options: Any) -> Ran:
    """Run a program to its end without input; return its output, with any exit code."""
    options |= {"stdin": subprocess.DEVNULL, "capture_output": True, "encoding": "utf-8"}
    return subprocess.run(list(map(str, words)), check=False, **options)
