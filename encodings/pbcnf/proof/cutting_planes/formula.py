"""The formula a proof starts from: OPB, constraints of integers without an objective."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pbcnf.proof.cutting_planes.error import ProofError, RefusedError
from pbcnf.proof.cutting_planes.inequality import Inequality, normalised
from pbcnf.proof.cutting_planes.known import Equalities
from pbcnf.proof.cutting_planes.statements import integer, terms, text_of

_DECLARED: Final = re.compile(r"#variable=\s*([0-9]{1,18})(?![0-9])")
_PADDED: Final = re.compile(r">=|<=|=")


class PbFormula(NamedTuple):
    """The constraints in order, an equality as two, and the largest variable, used or declared.

    ``rows``: of each constraint of the file, how many of ``constraints`` it became.
    """

    constraints: list[Inequality] | Equalities
    variables: int
    rows: tuple[int, ...] = ()


def read_formula(raw: bytes, source: str = "formula.opb", *, objective: bool = False) -> PbFormula:
    """Read an OPB file: ``+1 x1 -2 ~x2 >= 1 ;``, with ``>=``, ``<=`` or ``=``.

    An equality becomes two constraints, first ``>=``, then ``<=``, as VeriPB counts them. The
    number of variables that the first comment declares is kept: they are inputs, used or not.
    An `objective` in front is read over, if that is allowed: it excludes no model. Raises
    ProofError for anything else.
    """
    text = text_of(raw, source)
    constraints: list[Inequality] = []
    largest, begin = 0, 0
    rows: list[int] = []
    pending: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("*"):
            declared = _DECLARED.search(line)
            if declared and not constraints and not pending:
                largest = max(largest, int(declared[1]))
            continue
        *ended, rest = _PADDED.sub(r" \g<0> ", line).split(";")
        for part in ended:
            words = [*pending, *part.split()]
            try:
                if words[:1] == ["min:"] and objective and not constraints:
                    largest = max([largest, *(abs(lit) for _, lit in terms(words[1:]))])
                else:
                    new = _constraint(words)
                    constraints += new
                    rows.append(len(new))
            except RefusedError as refusal:
                raise ProofError(source, begin or number, str(refusal)) from None
            pending, begin = [], 0
        pending += rest.split()
        begin = begin or (number if pending else 0)
    if pending:
        raise ProofError(source, begin, "the last constraint has no ';' at its end")
    for constraint in constraints:
        largest = max([largest, *map(abs, constraint.terms)])
    return PbFormula(constraints, largest, tuple(rows))


def _constraint(words: list[str]) -> list[Inequality]:
    if words[:1] in (["min:"], ["max:"]):
        raise RefusedError("a formula with an objective is not read")
    if len(words) < 2 or words[-2] not in (">=", "<=", "="):
        raise RefusedError("a constraint ends with '>=', '<=' or '=', a number and ';'")
    summands, relation, degree = terms(words[:-2]), words[-2], integer(words[-1])
    opposite = [(-weight, lit) for weight, lit in summands]
    at_least, at_most = normalised(summands, degree), normalised(opposite, -degree)
    return {">=": [at_least], "<=": [at_most], "=": [at_least, at_most]}[relation]
