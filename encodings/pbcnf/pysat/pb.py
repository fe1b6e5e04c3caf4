"""`PBEnc` and `EncType` as in `pysat.pb`, without pindakaas or PBLib."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pbcnf.constraints.constraint import PseudoBoolean
from pbcnf.literals import Lit
from pbcnf.pysat.card import NoSuchEncodingError, encoder_named
from pbcnf.pysat.formulas import AtMost, Pool, encoded, native, top_of
from pbcnf.wording import counted

__all__ = ["EncType", "NoSuchEncodingError", "PBEnc"]


class EncType:
    """The numbers of PySAT's encodings; here the name of any of our encoders is one as well."""

    best: Final = 0
    bdd: Final = 1
    seqcounter: Final = 2
    sortnetwrk: Final = 3
    adder: Final = 4
    binmerge: Final = 5
    native: Final = 6
    watchdog: Final = 7
    totalizer: Final = 8
    mixedradix: Final = 9


_ENCODERS: Final = {
    EncType.best: None,
    EncType.bdd: "decision_diagram",
    EncType.seqcounter: "sequential_weight_counter",
    EncType.sortnetwrk: "mixed_radix_sorter",
    EncType.adder: "adder",
    EncType.binmerge: "binary_merge",
    EncType.watchdog: "global_polynomial_watchdog",
    EncType.totalizer: "generalized_totalizer",
    EncType.mixedradix: "mixed_radix_sorter",
}

Weighted = Lit | Sequence[int]
"""A literal, or a pair of a literal and its weight."""


class PBEnc:
    """Bounds on weighted sums of literals, as `pysat.formula.CNFPlus`."""

    @classmethod
    def leq(
        cls,
        lits: Iterable[Weighted],
        weights: Iterable[int] | None = None,
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int | str = EncType.best,
        conditionals: Sequence[Lit] | None = None,
    ) -> Any:
        """Return the clauses of ``sum of weight * lit <= bound``.

        `lits` are literals, or pairs of a literal and its weight if `weights` is not given; weights
        are any integers. All of `conditionals` together imply the constraint. Auxiliary variables
        are those above all literals and `top_id`, or such as `vpool` gives; `nv` is never below
        these. ``EncType.best`` chooses by size (`pbcnf.choose`), ``EncType.native`` makes `atmosts`
        instead of clauses.

        Raises ValueError for a bound below 0 where all weights are positive, for unequal numbers of
        literals and weights, and for both `top_id` and `vpool`; NoSuchEncodingError.

        >>> PBEnc.leq([1, 2, 3], weights=[1, 2, 3], bound=2, conditionals=[4]).clauses
        [[-4, -1, -2], [-4, -3]]
        """
        return _weighted("<", lits, weights, bound, top_id, vpool, encoding, conditionals)

    @classmethod
    def geq(
        cls,
        lits: Iterable[Weighted],
        weights: Iterable[int] | None = None,
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int | str = EncType.best,
        conditionals: Sequence[Lit] | None = None,
    ) -> Any:
        """Return the clauses of ``sum of weight * lit >= bound``, see `leq`."""
        return _weighted(">", lits, weights, bound, top_id, vpool, encoding, conditionals)

    @classmethod
    def equals(
        cls,
        lits: Iterable[Weighted],
        weights: Iterable[int] | None = None,
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int | str = EncType.best,
        conditionals: Sequence[Lit] | None = None,
    ) -> Any:
        """Return the clauses of ``sum of weight * lit = bound``, see `leq`."""
        return _weighted("=", lits, weights, bound, top_id, vpool, encoding, conditionals)

    atmost = leq
    atleast = geq


def _weighted(
    comparator: str,
    lits: Iterable[Weighted],
    weights: Iterable[int] | None,
    bound: int,
    top_id: int | None,
    vpool: Pool | None,
    encoding: int | str,
    conditionals: Sequence[Lit] | None,
) -> Any:
    terms = _terms(lits, weights)
    plain, heavy, when = [lit for lit, _ in terms], [w for _, w in terms], conditionals or ()
    if bound < 0 and min(heavy, default=0) >= 0:
        raise ValueError(f"Wrong bound: {bound}")
    top = top_of([*plain, *when], top_id, vpool)
    if encoding == EncType.native:
        if when:
            raise ValueError("native bounds cannot have conditionals")
        atmosts: list[AtMost] = [(plain, bound, heavy)] if comparator in "<=" else []
        if comparator in ">=":
            atmosts.append(([-lit for lit in plain], sum(heavy) - bound, heavy))
        return native(atmosts, top, vpool)
    least = sum(weight for weight in heavy if weight < 0)
    most = sum(weight for weight in heavy if weight > 0)
    lower, upper = (
        bound if comparator in ">=" else least,
        bound if comparator in "<=" else most,
    )
    constraint = PseudoBoolean(plain, heavy, lower, upper)
    return encoded(constraint, top, vpool, encoder_named(encoding, _ENCODERS), when)


def _terms(lits: Iterable[Weighted], weights: Iterable[int] | None) -> list[tuple[Lit, int]]:
    given = list(lits)
    if weights is not None:
        heavy = list(weights)
        if len(given) != len(heavy):
            raise ValueError(
                f"{counted(len(given), 'literal')} but {counted(len(heavy), 'weight')}"
            )
        if any(not isinstance(lit, int) for lit in given):
            raise ValueError("literals with weights of their own, and weights")
        return [
            (lit, weight) for lit, weight in zip(given, heavy, strict=True) if isinstance(lit, int)
        ]
    if all(isinstance(lit, int) for lit in given):
        return [(lit, 1) for lit in given if isinstance(lit, int)]
    pairs: list[tuple[Lit, int]] = []
    for pair in given:
        if isinstance(pair, int) or len(pair) != 2:
            raise ValueError(f"{pair!r}: pairs of a literal and a weight, or literals alone")
        pairs.append((pair[0], pair[1]))
    return pairs
