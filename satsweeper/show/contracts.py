"""The encoding contract in a terminal: a table, and below it what each "no" is about."""

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from pbcnf.audit import Contract, Kind, Property, Row
from pbcnf.wording import counted
from satsweeper.peers.audit import Subject
from satsweeper.show.console import console_for

_STYLES: Final = {"yes": "green", "no": "bold red", "-": "dim"}
_SHOWN: Final = {
    Kind.OUT_OF_RANGE: set(Property) - {Property.PARSIMONIOUS},
    Kind.TRIVIAL: set(Property),
}
"""Kinds that are shown only where one of these properties fails.

Most bounds out of range amount to others in range, and are as parsimonious as those.
"""


def show_contracts(
    audited: Sequence[tuple[Subject, Contract]], console: Console | None = None
) -> None:
    """Print the table, a line for every "no", and whether our encoders keep what they claim."""
    console = console or console_for()
    rows = [(subject, row) for subject, found in audited for row in found.rows() if _shown(row)]
    cells = [["encoder", "bounds", "cases", *(prop.value for prop in Property)]]
    cells += [_cells(subject, row) for subject, row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for place, line in enumerate(cells):
        text = Text()
        for cell, width in zip(line, widths, strict=True):
            style = _STYLES.get(cell.partition(" ")[0]) if place else "bold"
            text.append(f"{cell:{width}}  ", style)
        text.rstrip()
        _print(console, text)
    for subject, row in rows:
        _print(console, *_counter_examples(subject, row))
    for subject, found in audited:
        if subject.judged:
            _print(console, *_claims(found))


def _shown(row: Row) -> bool:
    return row.kind not in _SHOWN or any(row.failing(prop) for prop in _SHOWN[row.kind])


def _cells(subject: Subject, row: Row) -> list[str]:
    refused = f" ({row.refused} refused)" if row.refused else ""
    answers = []
    for prop in Property:
        holds = row.holds(prop)
        failing = len(row.failing(prop))
        answers.append("-" if holds is None else "yes" if holds else f"no {failing}")
    return [subject.label, row.kind.value, f"{len(row.cases)}{refused}", *answers]


def _counter_examples(subject: Subject, row: Row) -> list[str]:
    lines = []
    for prop in Property:
        if failing := row.failing(prop):
            case, why = failing[0]
            lines.append(
                f"{subject.label}, {row.kind.value}, {prop.value}: no in {len(failing)} of "
                f"{counted(len(row.cases), 'case')}; {case.bound}, {why}"
            )
    return lines


def _claims(found: Contract) -> list[str]:
    line = f"{found.name} keeps what it claims."
    if breaches := found.breaches():
        case, prop, why = breaches[0]
        line = (
            f"{found.name} does not keep what it claims in {counted(len(breaches), 'case')}: "
            f"{prop.value}, {case.bound}, {why}"
        )
    more = [
        f"{found.name} has more than it claims, up to "
        f"{counted(found.upto, 'input')}: {prop.value} in "
        f"{counted(len(cases), 'case')}, the first {cases[0].bound}"
        for prop, cases in found.stronger().items()
    ]
    return [line, *more]


def _print(console: Console, *lines: Text | str) -> None:
    for line in lines:
        # Columns stand in line only if nothing is folded; sentences may be, in a terminal.
        text = line if isinstance(line, Text) else Text(line)
        console.print(text, soft_wrap=isinstance(line, Text) or not console.is_terminal)
