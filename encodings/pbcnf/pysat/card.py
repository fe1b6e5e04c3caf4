"""`CardEnc`, `ITotalizer` and `EncType` as in `pysat.card`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pbcnf.constraints.constraint import Cardinality
from pbcnf.errors import EncodingError
from pbcnf.literals import Lit
from pbcnf.pysat.formulas import Pool, encoded, native, top_of
from pbcnf.pysat.itotalizer import ITotalizer

__all__ = ["CardEnc", "EncType", "ITotalizer", "NoSuchEncodingError", "UnsupportedBound"]


class NoSuchEncodingError(EncodingError):
    """The encoding has no such number or name."""


class UnsupportedBound(EncodingError):  # noqa: N818 (PySAT's name)
    """The encoding is of at most one, and the bound is another."""


class EncType:
    """The numbers of PySAT's encodings; here the name of any of our encoders is one as well."""

    pairwise: Final = 0
    seqcounter: Final = 1
    sortnetwrk: Final = 2
    cardnetwrk: Final = 3
    bitwise: Final = 4
    ladder: Final = 5
    totalizer: Final = 6
    mtotalizer: Final = 7
    kmtotalizer: Final = 8
    native: Final = 9


_ENCODERS: Final = {
    EncType.pairwise: "pairwise",
    EncType.seqcounter: "sequential_counter",
    EncType.sortnetwrk: "sorting_network",
    EncType.cardnetwrk: "cardinality_network",
    EncType.bitwise: "bitwise",
    EncType.ladder: "ladder",
    EncType.totalizer: "totalizer",
    EncType.mtotalizer: "modulo_totalizer",
    EncType.kmtotalizer: "k_modulo_totalizer",
}
_ONE_ONLY: Final = (EncType.pairwise, EncType.bitwise, EncType.ladder)


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
        lits = list(lits)
        _refuse_bound(bound < 0, bound)
        return _card(lits, None, bound, top_of(lits, top_id, vpool), vpool, encoding)

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
        lits = list(lits)
        _refuse_bound(bound > len(lits), bound)
        return _card(lits, bound, None, top_of(lits, top_id, vpool), vpool, encoding)

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
        lits = list(lits)
        _refuse_bound(not 0 <= bound <= len(lits), bound)
        return _card(lits, bound, bound, top_of(lits, top_id, vpool), vpool, encoding)


def _card(
    lits: list[Lit],
    lower: int | None,
    upper: int | None,
    top: int,
    vpool: Pool | None,
    encoding: int | str,
) -> Any:
    bounds = [bound for bound in (lower, upper) if bound is not None]
    if encoding in _ONE_ONLY and 1 < bounds[0] < len(lits) - 1:
        raise UnsupportedBound(encoding, bounds[0])
    if encoding == EncType.native:
        atmosts = [(lits, upper)] if upper is not None else []
        negated = [-lit for lit in lits]
        atmosts += [(negated, len(lits) - lower)] if lower is not None else []
        return native([*atmosts], top, vpool)
    return encoded(Cardinality(lits, lower or 0, upper), top, vpool, encoder_named(encoding), ())


def encoder_named(encoding: int | str, numbered: dict[int, Any] = _ENCODERS) -> str | None:
    """Return the name of our encoder. Raises NoSuchEncodingError."""
    from pbcnf.encoders.table import ENCODERS

    if encoding in ENCODERS:
        return str(encoding)
    if encoding not in numbered:
        raise NoSuchEncodingError(encoding)
    name: str | None = numbered[int(encoding)]
    return name


def _refuse_bound(wrong: bool, bound: int) -> None:
    if wrong:
        raise ValueError(f"Wrong bound: {bound}")
