"""The k-modulo totalizer."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import ClassVar

from pbcnf.encoders.circuits.modulo_sum import ModuloSum
from pbcnf.encoders.protocol import Propagation


@dataclass(frozen=True, slots=True)
class KModuloTotalizer(ModuloSum):
    """A modulo totalizer whose modulus follows the bound instead of the number of inputs.

    Idea: as `ModuloTotalizer`, but no count beyond h, the larger bound of the constraint or of
    its mirror image, matters: so p is sqrt(h+1) rounded up, and h+1 (no quotients: a totalizer) if
    h is at most 4.

    Auxiliary variables: as in `ModuloTotalizer`, with this p.

    Size: by recurrence, the sum over the nodes: O(p^2 + (c/p)^2) clauses each for a node that
    counts up to c <= h, O(n sqrt(h)) in all. Exactly 10 of 20: 57 auxiliaries, 284 clauses; 4 of
    8: 16 and 64.

    Propagation: none claimed; what is true of `ModuloTotalizer` is true here: arc-consistent where
    h <= 4, and conflicts are missed from 9 inputs on, first with 1 to 5 of 9 and at most 5 of 10.
    Parsimonious with two bounds, not with one.

    Reference: Morgado, Ignatiev, Marques-Silva: MSCG: robust core-guided MaxSAT solving, JSAT
    2015, for the upper bound. The additions are those of `ModuloTotalizer`.

    >>> from pbcnf import Cardinality, Formula, encode
    >>> f = Formula(num_vars=20)
    >>> encode(Cardinality(range(1, 21), lower=10, upper=10), f, encoder=KModuloTotalizer())
    >>> f.num_vars - 20, f.num_clauses
    (57, 284)
    """

    name: ClassVar[str] = "k_modulo_totalizer"
    propagation: ClassVar[Propagation] = Propagation.NONE

    @staticmethod
    def modulus(n: int, high: int) -> int:
        """Return the square root of high + 1, rounded up."""
        return isqrt(high) + 1
