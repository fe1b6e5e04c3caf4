"""The normal form of a parity, and a parity as a linear equation with slack variables.

Nothing here depends on an encoder. Both forms have the models of the parity, the equation one for
each of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.constraints.constraint import Parity, PseudoBoolean
from pbcnf.literals import Var


def parity_normal_form(constraint: Parity) -> tuple[list[Var], bool]:
    """Return distinct variables, in the order in which they come first, and whether they are odd.

    A literal that is there twice cancels out; a negated one changes the parity, so that x and not x
    together are 1. Without variables the parity is 0: it always holds, or, if it is odd, never.

    >>> parity_normal_form(Parity([4, -2, 3, 3, 1, -1], odd=True))
    ([4, 2], True)
    """
    odd, often = constraint.odd, dict[Var, bool]()
    for lit in constraint.lits:
        odd ^= lit < 0
        often[abs(lit)] = not often.get(abs(lit), False)
    return [var for var, once in often.items() if once], odd


def slack_bits(n: int, odd: bool) -> int:
    """Return how many binary digits half of the largest odd (or even) number up to n has.

    >>> [slack_bits(n, odd=False) for n in range(9)]
    [0, 0, 1, 1, 2, 2, 2, 2, 3]
    """
    return (max(0, n - odd) // 2).bit_length()


def parity_equation(variables: Sequence[Var], odd: bool, first_slack: Var) -> PseudoBoolean:
    """Return ``sum of variables - 2*s0 - 4*s1 - 8*s2 ... = odd``, 0 or 1 on the right.

    The variables are distinct, their sum is twice a number, plus 1 if it is odd, and that number is
    ``s0 + 2*s1 + 4*s2 ...``: `slack_bits` variables from `first_slack` on. As its binary digits are
    unique, every model of the parity extends to exactly one of the equation.

    >>> parity_equation([1, 2, 3, 4], odd=False, first_slack=9)
    PseudoBoolean(lits=(1, 2, 3, 4, 9, 10), weights=(1, 1, 1, 1, -2, -4), lower=0, upper=0)
    """
    n = len(variables)
    bits = range(slack_bits(n, odd))
    lits = [*variables, *(first_slack + bit for bit in bits)]
    weights = [1] * n + [-2 << bit for bit in bits]
    return PseudoBoolean(lits, weights, int(odd), int(odd))
