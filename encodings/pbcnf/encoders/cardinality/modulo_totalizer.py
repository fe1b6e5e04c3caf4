"""The modulo totalizer."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import ClassVar

from pbcnf.encoders.circuits.modulo_sum import ModuloSum
from pbcnf.encoders.protocol import Propagation


@dataclass(frozen=True, slots=True)
class ModuloTotalizer(ModuloSum):
    """A totalizer that keeps every count as quotient and remainder by a fixed p.

    Idea: the counts of two halves of the inputs (the left one rounded down) are added like numbers
    of two digits in unary, the remainder below p and the quotient, with a carry between them: p
    near sqrt(n) makes both digits short. Of a constraint and its mirror image (negated inputs,
    bounds n-upper and n-lower) the one with the bounds nearer to 0 is encoded. Let h be its
    larger bound: then no node counts beyond h, and the root's digits are constants where the
    bounds fix them. p is sqrt(n) rounded up, but h+1 (no quotients: a totalizer) if h is at most 4
    or at most that. One bound needs the clauses of one direction; both share all auxiliaries.

    Auxiliary variables: for every inner node v but the root, with m inputs and c = min(m, h):
    Q[v][t], 1 <= t <= c // p, "at least t*p of the inputs below v are true"; R[v][t],
    1 <= t <= min(c, p-1), "their number modulo p is at least t"; and C[v] if a child counts to p
    or more, "the remainders of its children sum to p or more" (if both count to less than p <= c,
    that is Q[v][1]). The root, with l the smaller bound (l = h for a single one): C if h >= p,
    unless l // p = h // p and no remainders sum to l % p + p; if l // p < h // p, also
    Q[l // p + 1] and R[l % p] where l % p > 0, Q[h // p] and R[h % p + 1] where h % p < p-1. With
    one bound their meanings only hold in one direction; at least one is a clause without any.

    Size: by recurrence, the sum over the nodes: O(p^2 + (c/p)^2) clauses each, O(n sqrt(n)) in
    all. Exactly 10 of 20: 63 auxiliaries, 330 clauses; 4 of 8: 16 and 64.

    Propagation: none claimed. It is arc-consistent where there are no quotients, and finds every
    conflict up to n = 8; beyond, "at least t" is no function of the two digits while the carry is
    open, and conflicts are missed, first with 1 to 5 of 9 and at most 5 of 10. With two bounds the
    inputs determine every auxiliary by unit propagation; with one, even a total assignment may need
    search to be refuted. Parsimonious with two bounds, not with one.

    Reference: Ogawa, Liu, Hasegawa, Koshimura, Fujita: Modulo based CNF encoding of cardinality
    constraints and its application to MaxSAT solvers, ICTAI 2013, for the upper bound. The caps,
    the mirror image, the constants at the root, the undivided small counts and the clauses of the
    other direction are additions.

    >>> from pbcnf import Cardinality, Formula, encode
    >>> f = Formula(num_vars=20)
    >>> encode(Cardinality(range(1, 21), lower=10, upper=10), f, encoder=ModuloTotalizer())
    >>> f.num_vars - 20, f.num_clauses
    (63, 330)
    """

    name: ClassVar[str] = "modulo_totalizer"
    propagation: ClassVar[Propagation] = Propagation.NONE

    @staticmethod
    def modulus(n: int, high: int) -> int:
        """Return the square root of n, rounded up."""
        return isqrt(n - 1) + 1
