"""The encoding contract in a terminal: a table, and below a counterexample for each "no"."""

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from pbcnf.audit import Contract
from pbcnf.show.contracts import HEADS, cells, claims, counter_examples, shown_rows
from satsweeper.peers.audit import Subject
from satsweeper.show.terminal import console_for, print_lines

_STYLES: Final = {"yes": "green", "no": "bold red", "-": "dim"}


def show_contracts(
    audited: Sequence[tuple[Subject, Contract]], console: Console | None = None
) -> None:
    """Print the table, a line for every "no", and whether the judged encoders keep their claims."""
    console = console or console_for()
    rows = [(subject.label, row) for subject, found in audited for row in shown_rows(found)]
    lines = [HEADS, *(cells(label, row) for label, row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for place, line in enumerate(lines):
        # A wrapped line would break the columns, so rows of the table are never wrapped.
        text = Text(no_wrap=True)
        for cell, width in zip(line, widths, strict=True):
            style = _STYLES.get(cell.partition(" ")[0]) if place else "bold"
            text.append(f"{cell:{width}}  ", style)
        text.rstrip()
        print_lines(console, text)
    for label, row in rows:
        print_lines(console, *counter_examples(label, row))
    for subject, found in audited:
        if subject.judged:
            print_lines(console, *claims(found))
