"""Exclusive or in SMT-LIB: written as text, as pysmt has no such term, and read from its own."""

from collections.abc import Sequence
from typing import Any, TypeGuard

from pbcnf.constraints.constraint import Constraint, Parity
from pbcnf.constraints.parity_normal_form import parity_normal_form
from pbcnf.errors import Error


class UnreadableError(Error, ValueError):
    """A term that is no clause, no parity and no linear (in)equality."""


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


def is_parity(term: Any) -> bool:
    """Whether a term of pysmt is an equality of Boolean terms, or the negation of one.

    That is what pysmt makes of ``xor``.
    """
    while term.is_not():
        term = term.arg(0)
    return bool(term.is_iff())


def read_parity(term: Any, variables: dict[Any, int]) -> Parity:
    """Return what such a term says. Raises UnreadableError for a part that is no literal."""
    odd, lits, waiting = True, list[int](), [term]
    while waiting:
        part = waiting.pop()
        if part.is_not():
            odd = not odd
            waiting.append(part.arg(0))
        elif part.is_iff():
            odd = not odd
            waiting += reversed(part.args())
        elif part.is_bool_constant():
            odd ^= bool(part.constant_value())
        elif part.is_symbol() and part.symbol_type().is_bool_type():
            lits.append(variables[part])
        else:
            lits.append(_of_integer(part, variables))
    return Parity(lits, odd)


def _of_integer(part: Any, variables: dict[Any, int]) -> int:
    """Return the literal that ``(= x 1)`` or ``(= x 0)`` is."""
    sides = list(part.args()) if part.is_equals() else []
    constants = [int(side.constant_value()) for side in sides if side.is_int_constant()]
    symbols = [side for side in sides if side.is_symbol()]
    if len(symbols) != 1 or constants not in ([0], [1]):
        raise UnreadableError("an xor is read of Boolean variables, (= x 1) and (= x 0) only")
    return variables[symbols[0]] if constants == [1] else -variables[symbols[0]]
