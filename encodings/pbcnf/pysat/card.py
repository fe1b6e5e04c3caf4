"""`CardEnc`, `ITotalizer` and `EncType` as in `pysat.card`, with the names that come along there.

Programs write ``from pysat.card import *`` and have `CNF`, `CNFPlus` and `IDPool` as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pbcnf.constraints.constraint import Cardinality
from pbcnf.errors import EncodingError
from pbcnf.literals import Lit
from pbcnf.pysat.formulas import (
    CNF,
    NATIVE,
    CNFPlus,
    IDPool,
    NoSuchEncodingError,
    Number,
    Pool,
    encoded,
    encoder_of,
    native,
    top_of,
)
from pbcnf.pysat.itotalizer import ITotalizer

__all__ = [
    "CNF",
    "CNFPlus",
    "CardEnc",
    "EncType",
    "IDPool",
    "ITotalizer",
    "NoSuchEncodingError",
    "UnsupportedBound",
]


class UnsupportedBound(EncodingError):  # noqa: N818 (PySAT's name)
    """The encoding is of at most one, and the bound is another."""


class EncType:
    """The numbers of PySAT's encodings; here the name of any of our encoders is one as well."""

    pairwise: Final = Number(0, "pairwise")
    seqcounter: Final = Number(1, "sequential_counter")
    sortnetwrk: Final = Number(2, "sorting_network")
    cardnetwrk: Final = Number(3, "cardinality_network")
    bitwise: Final = Number(4, "bitwise")
    ladder: Final = Number(5, "ladder")
    totalizer: Final = Number(6, "totalizer")
    mtotalizer: Final = Number(7, "modulo_totalizer")
    kmtotalizer: Final = Number(8, "k_modulo_totalizer")
    native: Final = Number(9, NATIVE)


_ONE_ONLY: Final = ("pairwise", "bitwise", "ladder")


class CardEnc:
    """Bounds on the number of true literals, as `pysat.formula.CNFPlus`."""

    @classmethod
    def atmost(
        cls,
        lits: Iterable[Lit],
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int | str = EncType.seqcounter,
    ) -> Any:
        """Return the clauses of ``sum of lits <= bound``, see `equals`."""
        return _card(lits, None, bound, top_id, vpool, encoding)

    @classmethod
    def atleast(
        cls,
        lits: Iterable[Lit],
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int | str = EncType.seqcounter,
    ) -> Any:
        """Return the clauses of ``sum of lits >= bound``, see `equals`."""
        return _card(lits, bound, None, top_id, vpool, encoding)

    @classmethod
    def equals(
        cls,
        lits: Iterable[Lit],
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int | str = EncType.seqcounter,
    ) -> Any:
        """Return the clauses of ``sum of lits = bound``.

        Auxiliary variables are those above all of `lits` and `top_id`, or such as `vpool` gives.
        `nv` is never below any of these. ``EncType.native`` makes `atmosts` instead of clauses.

        Raises ValueError for a bound that no assignment meets, and for both `top_id` and `vpool`;
        NoSuchEncodingError; UnsupportedBound for an encoding of at most one and another bound.

        >>> CardEnc.equals([1, 2, 3], bound=0, top_id=10).nv
        10
        """
        return _card(lits, bound, bound, top_id, vpool, encoding)


def _card(
    inputs: Iterable[Lit],
    lower: int | None,
    upper: int | None,
    top_id: int | None,
    vpool: Pool | None,
    encoding: int | str,
) -> Any:
    lits, bound = list(inputs), upper if lower is None else lower
    if (upper is not None and upper < 0) or (lower is not None and lower > len(lits)):
        raise ValueError(f"Wrong bound: {bound}")
    top = top_of(lits, top_id, vpool)
    encoder = encoder_of(encoding, EncType)
    if encoder in _ONE_ONLY and bound is not None and 1 < bound < len(lits) - 1:
        raise UnsupportedBound(f"{encoder} is of at most one, not {bound} of {len(lits)}")
    if encoder == NATIVE:
        atmosts = [(lits, upper)] if upper is not None else []
        negated = [-lit for lit in lits]
        atmosts += [(negated, len(lits) - lower)] if lower is not None else []
        return native([*atmosts], top, vpool)
    return encoded(Cardinality(lits, lower or 0, upper), top, vpool, encoder, ())
