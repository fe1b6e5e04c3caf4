"""DIMACS CNF for model counters, of the Model Counting Competitions: the writer.

Reference: see `pbcnf.formats.read.counting`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import IO, Final, TypeAlias

from pbcnf.formats.read.counting import DIRECTIVE, MOST_DIGITS
from pbcnf.formats.write.dimacs import body, byte_writer, comment_block, head
from pbcnf.formula import Formula
from pbcnf.literals import IntLike, Lit, literal
from pbcnf.wording import counted

Weight: TypeAlias = int | Fraction | Decimal


_PER_LINE: Final = 1000


_MOST_PLACES: Final = 40


def write_counting(
    formula: Formula,
    stream: IO[bytes] | IO[str],
    show: Iterable[IntLike] | None = None,
    weights: Mapping[Lit, Weight] | None = None,
    comments: Iterable[str] = (),
) -> None:
    r"""Write `formula` with its kind, the variables to project on, and the weights of literals.

    An empty `show` asks whether there is a model at all. Raises TypeError or ValueError, before
    anything is written, for a variable that the formula does not have, a weight that is not exact
    (float) or not finite, a comment that counters would read as an instruction, and comments as
    `pbcnf.formats.write.dimacs` does.

    >>> import sys
    >>> f = Formula(num_vars=2)
    >>> f.add_clause([1, -2])
    >>> write_counting(f, sys.stdout, show=[1], weights={1: Fraction(1, 4), -1: Fraction(1, 3)})
    c t pwmc
    p cnf 2 1
    c p show 1 0
    c p weight 1 0.25 0
    c p weight -1 1/3 0
    1 -2 0
    """
    kind = ("" if show is None else "p") + ("" if weights is None else "w") + "mc"
    texts = list(comments)
    for line in (line for text in texts for line in text.splitlines()):
        if DIRECTIVE.match(line):
            raise ValueError(f"a comment must not read as an instruction: {line!r}")
    lines = []
    if show is not None:
        listed = list(dict.fromkeys(_checked(var, formula, "shown") for var in show))
        if any(var < 0 for var in listed):
            raise ValueError(f"variable {min(listed)} cannot be shown")
        for start in range(0, len(listed) or 1, _PER_LINE):
            named = map(str, listed[start : start + _PER_LINE])
            lines.append(" ".join(["c p show", *named, "0\n"]))
    for lit, weight in ({} if weights is None else weights).items():
        number = _checked(lit, formula, "weighted")
        lines.append(f"c p weight {number} {_weight_text(weight)} 0\n")
    first = comment_block(texts)
    write = byte_writer(stream)
    write(f"c t {kind}\n".encode("ascii") + first)
    write(head(formula.num_vars, formula.num_clauses))
    write("".join(lines).encode("ascii"))
    for piece in body(formula):
        write(piece)


def write_clauses(
    formula: Formula, inputs: int, stream: IO[bytes], comments: Iterable[str] = ()
) -> None:
    """Write the formula of a problem, to be counted on its own variables 1 .. `inputs`."""
    write_counting(formula, stream, range(1, inputs + 1), comments=comments)


def _checked(value: IntLike, formula: Formula, what: str) -> Lit:
    lit = literal(value)
    if abs(lit) > formula.num_vars:
        raise ValueError(
            f"{lit} is {what}, but the formula has {counted(formula.num_vars, 'variable')}"
        )
    return lit


def _weight_text(weight: Weight) -> str:
    """Return a decimal if there is a short one that is equal, and a fraction otherwise."""
    if isinstance(weight, bool) or not isinstance(weight, int | Fraction | Decimal):
        raise TypeError(f"a weight must be an int, a Fraction or a Decimal, not {weight!r}")
    if isinstance(weight, Decimal) and not weight.is_finite():
        raise ValueError(f"weight {weight} is not finite")
    exact = Fraction(weight)
    text = str(exact)
    places = next((n for n in range(_MOST_PLACES) if 10**n % exact.denominator == 0), 0)
    if places:
        digits = str(abs(exact.numerator) * 10**places // exact.denominator).zfill(places + 1)
        text = f"{'-' * (exact < 0)}{digits[:-places]}.{digits[-places:]}"
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a weight of {len(text)} characters: at most {MOST_DIGITS}")
    return text
