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

from pbcnf.derivation.steps import Defined, Derivation, Propagated, Step, Sum
from pbcnf.literals import Lit

VERSIONS: Final = ("3.0", "2.0")
"""The versions of the format that can be written."""


def write_proof(derivation: Derivation, stream: IO[bytes], version: str = "3.0") -> None:
    r"""Write a derivation; variable v is called ``xv``. The proof concludes nothing (NONE).

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
    for line in ("output NONE", "conclusion NONE", "end pseudo-Boolean proof"):
        stream.write(f"{line}{end}".encode())


def _lines(steps: Iterable[Step], hinted: bool) -> Iterator[str]:
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
            case Defined(var, value, weight, lits):
                own = var if value else -var
                yield (
                    f"red {_sum([own], weight)}{_sum(lits)}>= {weight}"
                    f" {separator} x{var} -> {int(value)}{end}"
                )


def _sum(lits: Sequence[Lit], weight: int = 1) -> str:
    return "".join([f"{weight} x{lit} " if lit > 0 else f"{weight} ~x{-lit} " for lit in lits])
