"""Derivations as text in the format of VeriPB, in which checkers read them.

Version 3.0 is what VeriPB reads from its release 3.0 on: a semicolon ends a step, and a step says
which constraints to propagate on, ``~`` being the negation of its own. In version 2.0, before that,
a line is a step, and a checker has to find those constraints. No text is both.

Reference: VeriPB proof format overview, veripb.org/overview.html; for 2.0 its repository's README.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Final

from pbcnf.derivation.derivation_state import (
    Combined,
    Deleted,
    Derivation,
    HalfDefinition,
    Propagated,
    Step,
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
    r"""Write a derivation as a proof; variable v is called ``xv``.

    The proof concludes nothing (NONE), or that the formula is unsatisfiable, as the constraint with
    the number ``contradiction`` is.

    Raises ValueError for an unknown version, before anything is written.

    >>> import io
    >>> from pbcnf import Cardinality
    >>> from pbcnf.derivation import BoundIds, DerivationState, derive_constraint
    >>> state, stream = DerivationState(Derivation(formula=1)), io.BytesIO()
    >>> derive_constraint(Cardinality([1, 2], 0, 1), "direct", BoundIds(upper=1), state, 3)
    ([[-1, -2]], [2])
    >>> write_proof(state.derivation, stream)
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
    steps = (step_text(step, version) for step in derivation.steps)
    lines = whole_proof(derivation.formula, steps, version, contradiction=contradiction)
    while chunk := list(islice(lines, 4096)):
        stream.write("".join(chunk).encode())


def whole_proof(
    formula: int,
    steps: Iterable[str],
    version: str = "3.0",
    *,
    contradiction: int | None = None,
    conclusion: str | None = None,
) -> Iterator[str]:
    """Yield the text of a proof: its head, the `steps` as `step_text` writes them, and its end.

    ``formula`` is the number of constraints before the first step; for ``contradiction`` see
    `write_proof`; ``conclusion``, another one.
    """
    end = " ;\n" if version == "3.0" else "\n"
    yield f"pseudo-Boolean proof version {version}\nf {formula}{end}"
    yield from steps
    concluded = conclusion or ("NONE" if contradiction is None else f"UNSAT : {contradiction}")
    for line in ("output NONE", f"conclusion {concluded}", "end pseudo-Boolean proof"):
        yield f"{line}{end}"


def literal_text(lit: Lit) -> str:
    """Return a literal as proofs and OPB files write it: ``x7``, or ``~x7`` if it is negated."""
    return f"x{lit}" if lit > 0 else f"~x{-lit}"


def step_text(
    step: Step | Deleted,
    version: str = "3.0",
    *,
    name: Callable[[Lit], str] = literal_text,
    number: Callable[[int], str] = str,
) -> str:
    """Return the line of one step.

    ``name`` writes a literal and ``number`` the number of a constraint; both are called in the
    order in which the line has them.

    >>> step_text(Propagated((1, -2), (7,)), number=lambda old: str(old + 100)).strip()
    'rup 1 x1 1 ~x2 >= 1 : ~ 107 ;'
    """
    hinted = version == "3.0"
    separator, end = (":", " ;\n") if hinted else (";", "\n")
    match step:
        case Propagated(clause, ids):
            terms = "".join([f"1 {name(lit)} " for lit in clause])
            hints = f" : ~ {' '.join([number(each) for each in ids])}" if hinted else " ;"
            return f"rup {terms}>= 1{hints}{' ;' if hinted else ''}\n"
        case Combined(constraints, axioms, divisor, saturated):
            summands = [_multiple(number(each), factor) for each, factor in constraints]
            summands += [_multiple(name(lit), factor) for lit, factor in axioms]
            divided = f" {divisor} d" if divisor > 1 else ""
            return f"pol {_added(summands)}{divided}{' s' if saturated else ''}{end}"
        case HalfDefinition(var, value, weight, lits, weights):
            own = f"{weight} {name(var if value else -var)} "
            if weights:
                pairs = zip(weights, lits, strict=True)
                terms = "".join([f"{each} {name(lit)} " for each, lit in pairs])
            else:
                terms = "".join([f"1 {name(lit)} " for lit in lits])
            return f"red {own}{terms}>= {weight} {separator} {name(var)} -> {int(value)}{end}"
        case Deleted(ids):
            return f"del id {' '.join([number(each) for each in ids])}{end}"


def _multiple(operand: str, factor: int) -> str:
    return operand if factor == 1 else f"{operand} {factor} *"


def _added(summands: Sequence[str]) -> str:
    """Return the sum as a balanced tree: a checker that copies sums then copies short ones."""
    while len(summands) > 1:
        pairs = [
            f"{one} {other} +" for one, other in zip(summands[::2], summands[1::2], strict=False)
        ]
        summands = [*pairs, *summands[len(pairs) * 2 :]]
    return summands[0]
