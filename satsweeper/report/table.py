"""A table as plain texts: drawn in a terminal, or on a page."""

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

from pbcnf.shown import Tabled


@dataclass(frozen=True, slots=True)
class Table(Tabled):
    """A caption, the heads of the columns, the rows.

    ``numbers``: the columns that hold numbers. ``spare``: the columns that are left out, in this
    order, if the table is too wide.
    """

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    spare: tuple[int, ...] = ()

    def without(self, columns: Collection[int]) -> "Table":
        """The table without ``columns``."""
        kept = [at for at in range(len(self.heads)) if at not in columns]
        return Table(
            self.caption,
            tuple(self.heads[at] for at in kept),
            tuple(tuple(row[at] for at in kept) for row in self.rows),
            frozenset(new for new, at in enumerate(kept) if at in self.numbers),
        )


# Rows as a file of comma-separated values, for spreadsheets and data frames.


def write_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], stream: IO[bytes]) -> None:
    """Write a header of `columns` and a line for each of `rows` in UTF-8; None is an empty cell.

    Raises ValueError for a row with a name that is not in `columns`.
    """
    text = io.TextIOWrapper(stream, "utf-8", newline="", write_through=True)
    try:
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        # Before Python 3.13 a carriage return is not quoted by itself, and would end the line.
        quoted = csv.DictWriter(text, columns, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writeheader()
        for row in rows:
            returns = any("\r" in cell for cell in row.values() if isinstance(cell, str))
            (quoted if returns else writer).writerow(row)
    finally:
        text.detach()


# Tables in Markdown.


def markdown_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int] = ()
) -> str:
    """Return a table without a line break at its end; columns `numbers` are aligned to the right.

    >>> print(markdown_table(["name", "size"], [["a", "1"]], numbers={1}))
    | name | size |
    | --- | ---: |
    | a | 1 |
    """
    head = f"| {' | '.join(heads)} |".replace("|  |", "| |")
    rule = ["---:" if at in numbers else "---" for at in range(len(heads))]
    return "\n".join([head, *(f"| {' | '.join(cells)} |" for cells in (rule, *rows))])


def padded_table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose heads are the first of `rows`, cells padded to the width of columns.

    >>> print(padded_table([["name", "n"], ["a", "10"]]))
    | name | n  |
    | ---- | -- |
    | a    | 10 |
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head, *rest = [[cell.ljust(n) for cell, n in zip(row, widths, strict=True)] for row in rows]
    lines = [head, ["-" * n for n in widths], *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# Texts and rows of tables in LaTeX.

_ESCAPES: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}
_PLAIN_FONT: Final = {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''"}
"""Characters that the fonts of plain LaTeX, without the package fontenc, do not have."""


def escape(text: str) -> str:
    r"""Return `text` with every character escaped that has a meaning in LaTeX.

    >>> escape("50 % of a_b & c")
    '50 \\% of a\\_b \\& c'
    """
    return "".join(_ESCAPES.get(ch, ch) for ch in text)


def escape_plain(text: str) -> str:
    r"""Return `text` as `escape` does, for the fonts of plain LaTeX.

    Characters outside ASCII, which a font may lack, become question marks.

    >>> escape_plain("a < b, é")
    'a \\textless{} b, ?'
    """
    known = _ESCAPES | _PLAIN_FONT
    return "".join(known.get(ch, ch if " " <= ch <= "~" else "?") for ch in text)


def table_row(cells: Sequence[str]) -> str:
    r"""Return a line of a ``tabular`` of cells in LaTeX, which are not escaped again."""
    return " & ".join(cells) + r" \\"
