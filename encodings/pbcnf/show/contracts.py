"""The contract of an encoder: a row for each kind of bounds, and what each "no" is about."""

from html import escape

from pbcnf.audit.bounds import BoundKind
from pbcnf.audit.contract import Contract, Row
from pbcnf.audit.examination import Property
from pbcnf.show.table import html_table
from pbcnf.wording import counted

HEADS = ("encoder", "bounds", "cases", *(prop.value for prop in Property))
"""The heads of the columns of `cells`."""

_SHOWN = {
    BoundKind.OUT_OF_RANGE: set(Property) - {Property.PARSIMONIOUS},
    BoundKind.TRIVIAL: set(Property),
}
"""Kind of bounds -> properties; a row of the kind is shown only if one of the properties fails.

PARSIMONIOUS is left out for bounds out of range: most are equivalent to a bound in range, and are
as parsimonious as this bound.
"""


def html(found: Contract) -> str:
    """Return a table, and below it a line for every "no" and whether claims are kept."""
    rows = [cells(found.name, row) for row in shown_rows(found)]
    lines = "".join(f"<li>{escape(line)}</li>" for line in _lines(found))
    table = html_table(f"{found.name}, up to {counted(found.upto, 'input')}", HEADS, rows)
    return f"{table}\n<ul>{lines}</ul>"


def text(found: Contract) -> str:
    """Return the rows as columns of plain text."""
    rows = [HEADS, *(cells(found.name, row) for row in shown_rows(found))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, *_lines(found)])


def shown_rows(found: Contract) -> list[Row]:
    """Return the rows to show: a row of a kind in `_SHOWN` needs a failing property."""
    return [
        row
        for row in found.rows()
        if row.kind not in _SHOWN or any(row.failing(prop) for prop in _SHOWN[row.kind])
    ]


def cells(label: str, row: Row) -> list[str]:
    """Return a row as plain texts."""
    refused = f" ({row.refused} refused)" if row.refused else ""
    answers = []
    for prop in Property:
        holds = row.holds(prop)
        answers.append("-" if holds is None else "yes" if holds else f"no {len(row.failing(prop))}")
    return [label, row.kind.value, f"{len(row.cases)}{refused}", *answers]


def counter_examples(label: str, row: Row) -> list[str]:
    """Return a line for every property that some case lacks."""
    lines = []
    for prop in Property:
        if failing := row.failing(prop):
            case, why = failing[0]
            lines.append(
                f"{label}, {row.kind.value}, {prop.value}: no in {len(failing)} of "
                f"{counted(len(row.cases), 'case')}; {case.bound}, {why}"
            )
    return lines


def claims(found: Contract) -> list[str]:
    """Return lines on broken claims of the encoder, and on properties beyond its claims."""
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


def _lines(found: Contract) -> list[str]:
    lines = [line for row in shown_rows(found) for line in counter_examples(found.name, row)]
    return [*lines, *claims(found)]
