"""Base class of encoders that count the inputs once for both bounds."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pbcnf.constraints.normal_form import size_of
from pbcnf.encoders.counter import Uncounted
from pbcnf.formula import EncodingSize


class TwoSided(Uncounted, ABC):
    """An encoder whose auxiliary variables are determined by the inputs if there are two bounds."""

    __slots__ = ()

    @abstractmethod
    def nontrivial_size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size for ``0 <= lower <= upper <= n`` that are not trivial."""

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Whether models extend uniquely: with two bounds, and where no auxiliary is needed."""
        return (lower > 0 and upper < n) or self.size(n, lower, upper).variables == 0

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the exact size for any bounds."""
        return size_of(n, lower, upper, self.nontrivial_size)
