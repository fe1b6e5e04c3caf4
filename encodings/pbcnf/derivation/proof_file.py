"""Derivations as text in the format of VeriPB, in which checkers read them.

Version 3.0 is what VeriPB reads from its release 3.0 on: a semicolon ends a step, and a step says
which constraints to propagate on, ``~`` being the negation of its own. In version 2.0, before that,
a line is a step, and a checker has to find those constraints. No text is both.

Reference: VeriPB proof format overview, veripb.org/overview.html; for 2.0 its repository's README.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Final

from pbcnf.derivation.steps import (
    Combined,
    Defined,
    Deleted,
    Derivation,
    Propagated,
    Step,
    Sum,
)
from pbcnf.literals import Lit

VERSIONS: Final = ("3.0", "2.0")
"""The versions of the format that can be written."""


def write_proof(
    derivation: Derivation,
    stream: IO[bytes],
    version: str = "3.0",
    *,
    contradiction: int | None = None,
) -> None:
    r"""Write a derivation; variable v is called ``xv``.

    The proof concludes nothing (NONE), or that the formula is unsatisfiable, as the constraint with
    the number ``contradiction`` is.

    Raises ValueError for an unknown version, before anything is written.

    >>> import io
    >>> from pbcnf.derivation import Cardinality, Given, derive
    >>> steps, stream = Derivation(formula=1), io.BytesIO()
    >>> derive(Cardinality([1, 2], 0, 1), "direct", Given(upper=1), steps, first_auxiliary=3)
    [2]
    >>> write_proof(steps, stream)
    >>> print(stream.getvalue().decode(), end="")
    pseudo-Boolean proof version 3.0
    f 1 ;
    rup 1 ~x1 1 ~x2 >= 1 : ~ 1 ;
    output NONE ;
    conclusion NONE ;
    end pseudo-Boolean proof ;
    """
    if version not in VERSIONS:
        raise ValueError(f"there is no version {version}, only {' and '.join(VERSIONS)}")
    hinted = version == "3.0"
    end = " ;\n" if hinted else "\n"
    stream.write(f"pseudo-Boolean proof version {version}\nf {derivation.formula}{end}".encode())
    lines = _lines(derivation.steps, hinted)
    while chunk := list(islice(lines, 4096)):
        stream.write("".join(chunk).encode())
    concluded = "NONE" if contradiction is None else f"UNSAT : {contradiction}"
    for line in ("output NONE", f"conclusion {concluded}", "end pseudo-Boolean proof"):
        stream.write(f"{line}{end}".encode())


def _lines(steps: Iterable[Step | Deleted], hinted: bool) -> Iterator[str]:
    separator, end = (":", " ;\n") if hinted else (";", "\n")
    for step in steps:
        match step:
            case Propagated(clause, ids):
                hints = f" : ~ {' '.join(map(str, ids))} ;\n" if hinted else " ;\n"
                yield f"rup {_sum(clause)}>= 1{hints}"
            case Sum(ids, weakened):
                first, *others = ids
                words = [str(first), *(f"{number} +" for number in others)]
                words += [f"x{var} w" for var in weakened]
                yield f"pol {' '.join(words)}{end}"
            case Combined(constraints, axioms, divisor, saturated):
                summands = [_multiple(str(number), factor) for number, factor in constraints]
                summands += [_multiple(_name(lit), factor) for lit, factor in axioms]
                divided = f" {divisor} d" if divisor > 1 else ""
                most = " s" if saturated else ""
                yield f"pol {_added(summands)}{divided}{most}{end}"
            case Defined(var, value, weight, lits, weights):
                own = var if value else -var
                terms = _sum(lits) if not weights else _weighted(weights, lits)
                yield (
                    f"red {_sum([own], weight)}{terms}>= {weight}"
                    f" {separator} x{var} -> {int(value)}{end}"
                )
            case Deleted(ids):
                yield f"del id {' '.join(map(str, ids))}{end}"


def _multiple(operand: str, factor: int) -> str:
    return operand if factor == 1 else f"{operand} {factor} *"


def _added(summands: Sequence[str]) -> str:
    """Their sum, neighbours first: a checker that copies sums then copies short ones mostly."""
    while len(summands) > 1:
        pairs = [
            f"{one} {other} +" for one, other in zip(summands[::2], summands[1::2], strict=False)
        ]
        summands = [*pairs, *summands[len(pairs) * 2 :]]
    return summands[0]


def _name(lit: Lit) -> str:
    return f"x{lit}" if lit > 0 else f"~x{-lit}"


def _sum(lits: Sequence[Lit], weight: int = 1) -> str:
    return "".join([f"{weight} {_name(lit)} " for lit in lits])


def _weighted(weights: Sequence[int], lits: Sequence[Lit]) -> str:
    return "".join([f"{w} {_name(lit)} " for w, lit in zip(weights, lits, strict=True)])
