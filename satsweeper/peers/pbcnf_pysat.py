"""Encoders of ours under PySAT's names: `pbcnf.pysat`, audited by the contract of our encoders.

Two names are no encodings of PySAT. ``itotalizer_grown`` is an iterative totalizer that gets a
third of its inputs first, a third by `extend`, a third by `merge_with`, and its bound by
`increase`. ``pb_conditionals`` is a bound that holds under two conditions, which units make true.
"""

from typing import TYPE_CHECKING

from pbcnf.pysat import card, pb
from satsweeper.peers.peer_protocol import Encoded, inputs, numbered, one_sided
from satsweeper.peers.pysat import METHODS, encoders_of

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction


def encoders() -> dict[str, "EncodeFunction"]:
    """Encoders by PySAT's names, with ``pb_`` before names of ``PBEnc``."""
    return encoders_of(card, pb) | {"itotalizer_grown": _grown, "pb_conditionals": _conditional}


def _grown(n: int, lower: int, upper: int) -> Encoded:
    kind, bound = one_sided(n, lower, upper)
    if kind != "at most":
        raise ValueError("at most only")
    lits = inputs(n)
    totalizer = card.ITotalizer(lits[0::3], ubound=0, top_id=n)
    totalizer.extend(lits[1::3], top_id=n)
    another = card.ITotalizer(lits[2::3], ubound=0, top_id=max(n, totalizer.top_id))
    totalizer.merge_with(another)
    for each in range(1, bound + 1):
        totalizer.increase(each)
    units = [[-totalizer.rhs[bound]]] if bound < n else []
    return numbered(n, [*totalizer.cnf.clauses, *units], totalizer.top_id)


def _conditional(n: int, lower: int, upper: int) -> Encoded:
    kind, bound = one_sided(n, lower, upper)
    conditions = [n + 1, -n - 2]
    found = getattr(pb.PBEnc, METHODS[kind])(inputs(n), bound=bound, conditionals=conditions)
    return numbered(n, [*found.clauses, *([lit] for lit in conditions)], found.nv)
