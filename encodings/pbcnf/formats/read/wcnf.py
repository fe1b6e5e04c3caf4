r"""WCNF, hard clauses and weighted soft ones, of the MaxSAT Evaluations: the reader.

::

    c a comment
    h 1 -2 0
    7 2 0

is the form since 2022: ``h`` begins a hard clause, a weight a soft one. The older form, ``p wcnf
VARIABLES CLAUSES TOP``, is read as well: there clauses of weight TOP or more are hard, and without
TOP all are soft. Weights are whole numbers above 0, together below 2**63. Reference: rules of the
MaxSAT Evaluations 2022 and 2020.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import IO, Final

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Objective
from pbcnf.formats.compressed import MOST_BYTES
from pbcnf.formats.error import FormatError
from pbcnf.formats.problem_file import FileLines, ProblemFile, text_lines
from pbcnf.formats.rows import given_up
from pbcnf.formats.statements import Grammar, Statements
from pbcnf.formula import Formula
from pbcnf.literals import MAX_VAR, Lit
from pbcnf.wording import counted

MOST_WEIGHT: Final = 2**63 - 1
"""The largest total weight of all soft clauses."""

_WEIGHT: Final = rb"0{0,99}[1-9][0-9]{0,18}"
_GRAMMAR: Final = Grammar(
    header=rb"p[ \t]+wcnf[ \t]+([0-9]{1,18})[ \t]+([0-9]{1,18})(?:[ \t]+(" + _WEIGHT + rb"))?",
    header_form="p wcnf VARIABLES CLAUSES TOP",
    header_needed=False,
    lead=rb"h|" + _WEIGHT,
    lead_with_header=_WEIGHT,
    lead_form="weight: a whole number above 0, or h without a header, must come first",
    lead_needed=True,
)


@dataclass(frozen=True, slots=True)
class WcnfFile:
    """The content of a WCNF file: the hard clauses, and weight and literals of each soft clause.

    The formula has the declared variables; in the form of 2022, which declares none, the variables
    up to the largest in any clause.
    """

    hard: Formula = field(repr=False)
    soft: tuple[tuple[int, tuple[Lit, ...]], ...] = field(repr=False, default=())
    comments: tuple[str, ...] = field(repr=False, default=())
    notes: tuple[str, ...] = ()


def open_wcnf(lines: FileLines) -> ProblemFile:
    """Open a file as a problem whose objective is the weight of the soft clauses given up.

    A soft clause of one literal is a term of the objective; any other soft clause gets a relaxation
    variable, numbered after the variables of the file, as its term. All clauses are read at once.
    Raises as `read_wcnf` does, and FormatError for more variables than literals can name.
    """
    with closing(lines.opened()) as stream:
        file = read_wcnf(stream, lines.source)
    own = file.hard.num_vars
    soft = [(weight, lits) for weight, lits in file.soft if len(lits) > 1]
    units = [(weight, lits[0]) for weight, lits in file.soft if len(lits) == 1]
    if own + len(soft) > MAX_VAR:
        message = f"{own + len(soft)} variables with soft clauses: at most {MAX_VAR} can be named"
        raise FormatError(lines.source, None, None, message)

    def constraints() -> Iterator[Cardinality]:
        for clause in file.hard.clauses():
            yield Cardinality(clause, lower=1)
        for var, (_, lits) in enumerate(soft, start=own + 1):
            yield Cardinality((*lits, var), lower=1)

    problem = ProblemFile("wcnf", own + len(soft), file.hard.num_clauses + len(soft), constraints())
    names = {own + place: given_up(place) for place in range(1, len(soft) + 1)}
    problem.own, problem.names = own, lambda: names
    problem.notes += file.notes
    if file.soft:
        terms = [(-lit, weight) for weight, lit in units]
        terms += [(var, weight) for var, (weight, _) in enumerate(soft, start=own + 1)]
        constant = sum(weight for weight, lits in file.soft if not lits)
        lits, weights = zip(*terms, strict=True) if terms else ((), ())
        problem.objective = counted(len(file.soft), "soft clause")
        problem.parsed_objective = Objective(lits, weights, constant)
    return problem


def read_wcnf(stream: IO[bytes], source: str, *, limit: int = MOST_BYTES) -> WcnfFile:
    """Read a binary stream, compressed or not; `source` names it in errors.

    `limit`: see `pbcnf.formats.compressed`. The stream stays open. Raises FormatError with line and
    column for any violation of the format, and OSError. A file without any clause or header is
    refused.
    """
    statements = Statements(_GRAMMAR, source)
    flat: list[Lit] = []
    soft: list[tuple[int, tuple[Lit, ...]]] = []
    total = 0
    for line in text_lines(stream, source, limit):
        for lead, lits, number in statements.take(line):
            top = None if statements.header is None else statements.header.third
            weight = None if lead is None or lead == b"h" else int(lead)
            if weight is None or (top is not None and weight >= top):
                flat += lits
                flat.append(0)
                continue
            total += weight
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
