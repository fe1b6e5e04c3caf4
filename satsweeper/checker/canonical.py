"""The one way in which the files of a certificate are written.

Other checkers read these formats more or less strictly: a clause over two lines, a comment among
hints, a literal twice. So that a certificate is accepted or refused by all of them alike, it has
nothing of that: a clause or a step a line, single blanks, no comments, no zeros in front, and no
variable twice in a clause.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from satsweeper.checker.errors import WrongCertificateError, wrong_at

MOST_IN_LINE: Final = 2**26
"""Bytes of a line; the longest of a board of 1000 x 1000 cells had ten million."""

_NUMBER: Final = rb"(?:0|[1-9][0-9]{0,17})"
_LITERALS: Final = rb"(?:-?[1-9][0-9]{0,9} )*+0"
_SUMMAND: Final = rb"[+-]" + _NUMBER + rb" ~?x[1-9][0-9]{0,9} "


class _Form(NamedTuple):
    """Patterns of the first line and of all others, with line ends, and descriptions of both."""

    first: bytes
    other: bytes
    first_form: str
    other_form: str


_CNF: Final = _Form(
    rb"p cnf " + _NUMBER + b" " + _NUMBER + rb"\n",
    _LITERALS + rb"\n",
    "p cnf VARIABLES CLAUSES",
    "LITERALS 0",
)
_PROOF: Final = _Form(
    rb"pseudo-Boolean proof version 3\.0\n",
    # No word has a % or a semicolon.
    rb"(?:[!-$&-:<-~]{1,40} )++;\n",
    "pseudo-Boolean proof version 3.0",
    "a step and a semicolon, a blank between words",
)
_OPB: Final = _Form(
    rb"\* #variable= N #constraint= N #equal= N intsize= N\n".replace(b"N", _NUMBER),
    rb"(?:" + _SUMMAND + rb")*+(?:=|[<>]=) -?" + _NUMBER + rb" ;\n",
    "* #variable= N #constraint= N #equal= N intsize= N",
    "+WEIGHT xVARIABLE ... = NUMBER ;",
)
_FORMS: Final[Mapping[str, _Form]] = {
    "formula.cnf": _CNF,
    "refutation.cnf": _CNF,
    "refutation.drat": _Form(b"", rb"(?:d )?+" + _LITERALS + rb"\n", "", "LITERALS 0"),
    "refutation.lrat": _Form(
        b"",
        rb"[1-9][0-9]{0,9} (?:d (?:[1-9][0-9]{0,9} )*+0|" + _LITERALS + b" " + _LITERALS + rb")\n",
        "",
        "ID LITERALS 0 HINTS 0, or ID d IDS 0",
    ),
    "clues.opb": _OPB,
    "proof.opb": _OPB,
    "derivation.pbp": _PROOF,
    "sums.pbp": _PROOF,
    "circuits.txt": _Form(
        rb"satsweeper circuits 1\n",
        rb"(?:region|box|join|node)(?: (?:0|[1-9][0-9]{0,8}))++\n",
        "satsweeper circuits 1",
        "region, box, join or node, and numbers",
    ),
    "proof.pbp": _PROOF,
}  # fmt: skip


def check_form(name: str, content: bytes) -> None:
    """Refuse a file of one of these formats that is written otherwise.

    Raises:
        WrongCertificateError: the first line that is.
    """
    form = _FORMS.get(name.rpartition("/")[2])
    if form is None:
        return
    if re.fullmatch(form.first + b"(?:" + form.other + b")*+", content) and (
        len(content) <= MOST_IN_LINE or max(map(len, content.split(b"\n"))) <= MOST_IN_LINE
    ):
        return
    for number, line in enumerate(content.splitlines(keepends=True) or [b""], start=1):
        first = number == 1 and form.first
        if len(line) > MOST_IN_LINE:
            raise wrong_at(name, number, f"longer than {MOST_IN_LINE} bytes")
        if not re.fullmatch(form.first if first else form.other, line):
            wanted = form.first_form if first else form.other_form
            raise wrong_at(name, number, f"not as certificates are written: {wanted}")
    raise WrongCertificateError(name, "not as certificates are written")


def check_distinct(name: str, clauses: Iterable[Sequence[int]], what: str = "clause") -> None:
    """Refuse clauses that have a variable twice.

    Raises:
        WrongCertificateError: the first clause that has.
    """
    for number, clause in enumerate(clauses, start=1):
        if len(set(map(abs, clause))) < len(clause):
            raise WrongCertificateError(name, f"{what} {number}: a variable is there twice")
