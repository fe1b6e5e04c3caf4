"""Exclusive or in SMT-LIB, written as text: pysmt has no such term."""

from collections.abc import Sequence
from typing import TypeGuard

from pbcnf.constraints.constraint import Constraint, Parity
from pbcnf.constraints.parity_normal_form import parity_normal_form


def is_long(constraint: Constraint) -> TypeGuard[Parity]:
    """Whether it is a parity of at least two variables that do not cancel out."""
    return isinstance(constraint, Parity) and len(parity_normal_form(constraint)[0]) > 1


def xor_term(parity: Parity, names: Sequence[str], logic: str) -> str:
    """Return a term that is true if and only if the parity holds, variable i being ``names[i-1]``.

    A balanced tree: programs that read it need not go deeper than the logarithm of its length.

    >>> xor_term(Parity([1, 2, -3], True), ["a", "b", "c"], "QF_UF")
    '(not (xor a (xor b c)))'
    """
    variables, odd = parity_normal_form(parity)
    parts = [names[var - 1] for var in variables]
    if logic == "QF_LIA":
        parts = [f"(= {part} 1)" for part in parts]
    while len(parts) > 1:
        first = parts[: len(parts) % 2]
        pairs = zip(parts[len(first) :: 2], parts[len(first) + 1 :: 2], strict=True)
        parts = [*first, *(f"(xor {left} {right})" for left, right in pairs)]
    return parts[0] if odd else f"(not {parts[0]})"
