"""`PBEnc` and `EncType` as in `pysat.pb`, without pindakaas or PBLib.

``from pysat.pb import *`` also imports `CardEnc` and `CNFPlus`; so does ``*`` of this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pbcnf.constraints.constraint import PseudoBoolean
from pbcnf.literals import Lit
from pbcnf.pysat.card import CardEnc
from pbcnf.pysat.formulas import (
    NATIVE,
    AtMost,
    CNFPlus,
    NoSuchEncodingError,
    Number,
    Pool,
    encoded,
    encoder_of,
    native,
    top_of,
)
from pbcnf.wording import counted

__all__ = ["CNFPlus", "CardEnc", "EncType", "NoSuchEncodingError", "PBEnc"]


class EncType:
    """The numbers of PySAT's encodings; here the name of any of our encoders is one as well."""

    best: Final = Number(0, None)
    bdd: Final = Number(1, "decision_diagram")
    seqcounter: Final = Number(2, "sequential_weight_counter")
    sortnetwrk: Final = Number(3, "mixed_radix_sorter")
    adder: Final = Number(4, "adder")
    binmerge: Final = Number(5, "binary_merge")
    native: Final = Number(6, NATIVE)
    watchdog: Final = Number(7, "global_polynomial_watchdog")
    totalizer: Final = Number(8, "generalized_totalizer")
    mixedradix: Final = Number(9, "mixed_radix_sorter")


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
        are numbered above all literals and `top_id`, or by `vpool`; `nv` of the result is never
        below any of these variables. ``EncType.best`` chooses by size (`pbcnf.choose`),
        ``EncType.native`` makes `atmosts` instead of clauses.

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
    encoder = encoder_of(encoding, EncType)
    if encoder == NATIVE:
        atmosts: list[AtMost] = []
        if comparator in "<=":
            atmosts.append(_at_most(plain, bound, heavy, when))
        if comparator in ">=":
            # A lower bound is an upper bound of the negated literals.
            negated = [-lit for lit in plain]
            atmosts.append(_at_most(negated, sum(heavy) - bound, heavy, when))
        return native(atmosts, top, vpool)
    least = sum(weight for weight in heavy if weight < 0)
    most = sum(weight for weight in heavy if weight > 0)
    lower, upper = (
        bound if comparator in ">=" else least,
        bound if comparator in "<=" else most,
    )
    constraint = PseudoBoolean(plain, heavy, lower, upper)
    return encoded(constraint, top, vpool, encoder, when)


def _at_most(lits: list[Lit], bound: int, weights: list[int], when: Sequence[Lit]) -> AtMost:
    """Return a bound that binds if all of `when` are true, and is trivial otherwise."""
    # `excess` is the most by which the sum can exceed the bound. Each literal of `when` gets this
    # weight and raises the bound by it: the bound is as before while all of `when` are true, and
    # trivial as soon as one of these literals is false.
    excess = max(0, sum(weight for weight in weights if weight > 0) - bound)
    lifted = [excess] * len(when) if excess else []
    return [*lits, *when[: len(lifted)]], bound + sum(lifted), [*weights, *lifted]


def _terms(lits: Iterable[Weighted], weights: Iterable[int] | None) -> list[tuple[Lit, int]]:
    given: list[Any] = list(lits)
    plain = [isinstance(lit, int) for lit in given]
    if weights is not None:
        heavy = list(weights)
        if len(given) != len(heavy):
            raise ValueError(
                f"{counted(len(given), 'literal')} but {counted(len(heavy), 'weight')}"
            )
        if not all(plain):
            raise ValueError("literals with weights of their own, and weights")
        return list(zip(given, heavy, strict=True))
    if all(plain):
        return [(lit, 1) for lit in given]
    for pair, is_literal in zip(given, plain, strict=True):
        if is_literal or len(pair) != 2:
            raise ValueError(f"{pair!r}: pairs of a literal and a weight, or literals alone")
    return [(lit, weight) for lit, weight in given]
