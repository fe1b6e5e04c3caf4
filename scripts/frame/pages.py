"""Sections of documents that scripts write, each between two comments that name it."""

import re
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path

from pbcnf.formats.writing import replacing


def with_section(text: str, name: str, made_by: str, content: str) -> str:
    """Return ``text`` with ``content`` and the command ``made_by`` in the section ``name``.

    Raises:
        ValueError: there is not one pair of markers.
    """
    begin, end = f"<!-- {name}: ", f"<!-- end of {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"one section between '{begin}COMMAND -->' and '{end}' is needed")
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    return pattern.sub(lambda _: f"{begin}{made_by} -->\n\n{content}\n\n{end}", text)


def add_update(parser: ArgumentParser) -> None:
    """Add the option --update."""
    parser.add_argument(
        "--update", metavar="FILE", type=Path, help="write the tables between the markers there"
    )


def require_section(page: Path | None, name: str) -> None:
    """Raise OSError or ValueError if a page, unless None, has no place for the section ``name``."""
    if page is not None:
        with_section(page.read_text("utf-8"), name, "", "")


def update(page: Path, made_by: str, sections: Mapping[str, str]) -> None:
    """Write the contents of ``sections``, by name, into ``page``, and the command ``made_by``."""
    text = page.read_text("utf-8")
    for name, content in sections.items():
        text = with_section(text, name, made_by, content)
    with replacing(page) as stream:
        stream.write(text.encode())


def command_of(script: str, argv: Sequence[str] | None) -> str:
    """Return the command line of ``script`` with ``argv``, by default the words of this process."""
    return f"python scripts/{script}.py {' '.join(sys.argv[1:] if argv is None else argv)}"
