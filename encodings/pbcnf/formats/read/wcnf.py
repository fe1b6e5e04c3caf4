r"""WCNF, hard clauses and weighted soft ones, of the MaxSAT Evaluations: the reader.

::

    c a comment
    h 1 -2 0
    7 2 0

is the form since 2022: ``h`` begins a hard clause, a weight a soft one. The older form, ``p wcnf
VARIABLES CLAUSES TOP``, is read as well: there TOP is the weight of hard clauses, and without TOP
all are soft. Weights are whole numbers above 0, together below 2**63. Reference: rules of the
MaxSAT Evaluations 2022 and 2020.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO, Final

from pbcnf.formats.compressed import MOST_BYTES
from pbcnf.formats.error import FormatError
from pbcnf.formats.reading import text_lines
from pbcnf.formats.statements import Grammar, Statements
from pbcnf.formula import Formula
from pbcnf.literals import Lit

MOST_WEIGHT: Final = 2**63 - 1
"""The most that all soft clauses may weigh together."""

_WEIGHT: Final = rb"[1-9][0-9]{0,18}"
_GRAMMAR: Final = Grammar(
    header=rb"p[ \t]+wcnf[ \t]+([0-9]{1,18})[ \t]+([0-9]{1,18})(?:[ \t]+([1-9][0-9]{0,18}))?",
    header_form="p wcnf VARIABLES CLAUSES TOP",
    header_needed=False,
    lead=rb"h|" + _WEIGHT,
    lead_with_header=_WEIGHT,
    lead_form="weight: a whole number above 0, or h without a header, must come first",
    lead_needed=True,
)


@dataclass(frozen=True, slots=True)
class WcnfFile:
    """What a WCNF file holds: the hard clauses, and weight and literals of each soft clause.

    The formula has the declared variables; in the form of 2022, which declares none, those up to
    the largest that occurs in any clause.
    """

    hard: Formula = field(repr=False)
    soft: tuple[tuple[int, tuple[Lit, ...]], ...] = field(repr=False, default=())
    comments: tuple[str, ...] = field(repr=False, default=())
    notes: tuple[str, ...] = ()


def read_wcnf(stream: IO[bytes], source: str, *, limit: int = MOST_BYTES) -> WcnfFile:
    """Read a binary stream, compressed or not; `source` names it in errors.

    `limit`: see `pbcnf.formats.compressed`. The stream stays open. Raises FormatError with line and
    column for whatever is not of the format, and OSError. A file without any clause or header is
    refused: it says nothing.
    """
    statements = Statements(_GRAMMAR, source)
    flat: list[Lit] = []
    soft: list[tuple[int, tuple[Lit, ...]]] = []
    total = 0
    for line in text_lines(stream, source, limit):
        for lead, lits, number in statements.take(line):
            top = None if statements.header is None else statements.header.third
            weight = None if lead is None or lead == b"h" else int(lead)
            if weight is None or weight == top:
                flat += lits
                flat.append(0)
                continue
            total += weight
            if (top is not None and weight > top) or total > MOST_WEIGHT:
                why = f"more than {top}, the weight of hard clauses"
                if total > MOST_WEIGHT:
                    why = f"the soft clauses weigh more than {MOST_WEIGHT} together"
                raise FormatError(source, number, 1, f"weight {weight}: {why}")
            soft.append((weight, tuple(lits)))
        if statements.stopped:
            break
    statements.finish()
    if statements.header is None and not statements.count:
        raise FormatError(source, None, None, "no clause and no header: a WCNF file is needed")
    declared = None if statements.header is None else statements.header.variables
    hard = Formula(statements.largest if declared is None else declared)
    hard.add_terminated(flat, statements.count - len(soft))
    comments = tuple(comment.text for comment in statements.comments)
    return WcnfFile(hard, tuple(soft), comments, tuple(statements.notes))
