"""Texts and rows of tables in LaTeX."""

from collections.abc import Sequence
from typing import Final

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
    r"""Return `text` with every character written out that LaTeX would act upon.

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
