"""PySAT's cardinality encodings, and its pseudo-Boolean ones where pindakaas is installed.

`encoders_of` takes two modules with the names of ``pysat.card`` and ``pysat.pb``, and works around
three properties of PySAT:

* ``CardEnc`` returns ``nv`` 0 for a bound that always holds: the inputs are counted here.
* ``UnsupportedBound`` is no ValueError: a ValueError is raised in its place.
* ``ITotalizer`` has upper bounds only, and leaves its bound open: a unit clause is added.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

from satsweeper.peers.peer_protocol import Encoded, inputs, numbered, one_sided

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction

_CARDINALITY = (
    "pairwise", "seqcounter", "sortnetwrk", "cardnetwrk", "bitwise", "ladder", "totalizer",
    "mtotalizer", "kmtotalizer",
)  # fmt: skip
_PSEUDO_BOOLEAN = (
    "best", "bdd", "seqcounter", "sortnetwrk", "adder", "binmerge", "watchdog", "totalizer",
    "mixedradix",
)  # fmt: skip
METHODS = {"at most": "atmost", "at least": "atleast", "exactly": "equals"}


def encoders_of(card: Any, pb: Any) -> dict[str, "EncodeFunction"]:
    """Encoders by PySAT's names, with ``pb_`` before names of ``PBEnc``, none if `pb` is None."""
    found: dict[str, EncodeFunction] = {
        name: partial(_cardinality, card, getattr(card.EncType, name)) for name in _CARDINALITY
    }
    found["itotalizer"] = partial(_iterative_totalizer, card)
    for name in () if pb is None else _PSEUDO_BOOLEAN:
        found[f"pb_{name}"] = partial(_pseudo_boolean, pb.PBEnc, getattr(pb.EncType, name))
    return found


def _cardinality(card: Any, encoding: int, n: int, lower: int, upper: int) -> Encoded:
    kind, bound = one_sided(n, lower, upper)
    method = getattr(card.CardEnc, METHODS[kind])
    try:
        found = method(lits=inputs(n), bound=bound, top_id=n, encoding=encoding)
    except card.UnsupportedBound:
        raise ValueError(f"no {kind} {bound} of {n}") from None
    return numbered(n, found.clauses, found.nv)


def _pseudo_boolean(methods: Any, encoding: int, n: int, lower: int, upper: int) -> Encoded:
    kind, bound = one_sided(n, lower, upper)
    method = getattr(methods, METHODS[kind])
    found = method(lits=inputs(n), weights=[1] * n, bound=bound, top_id=n, encoding=encoding)
    return numbered(n, found.clauses, found.nv)


def _iterative_totalizer(card: Any, n: int, lower: int, upper: int) -> Encoded:
    kind, bound = one_sided(n, lower, upper)
    if kind != "at most" or n == 0:
        raise ValueError("at most only")
    with card.ITotalizer(lits=inputs(n), ubound=bound, top_id=n) as totalizer:
        units = [[-totalizer.rhs[bound]]] if bound < n else []
        return numbered(n, [*totalizer.cnf.clauses, *units], totalizer.top_id)


def encoders() -> dict[str, "EncodeFunction"]:
    """Encoders by PySAT's names, with ``pb_`` before names of ``PBEnc``."""
    from pysat import card

    try:
        # Without pindakaas an assertion in ``pysat.pb`` fails.
        from pysat import pb
    except (AssertionError, ImportError):
        return encoders_of(card, None)
    return encoders_of(card, pb if pb.pindakaas_present else None)
