"""The encoders of PBLib through pypblib. Its ``PB_`` encoders have no effect for equal weights."""

from functools import partial
from typing import TYPE_CHECKING

from satsweeper.peers.peer_protocol import Encoded, inputs, numbered, require_in_range

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction

_ENCODERS = {
    "AMO": ("BDD", "BIMANDER", "BINARY", "COMMANDER", "KPRODUCT", "NESTED", "PAIRWISE"),
    "AMK": ("BDD", "CARD", "BEST"),
}
"""PBLib's kinds (at most one, at most k) and the encoders of each."""


def encoders() -> dict[str, "EncodeFunction"]:
    """Encoders by PBLib's names in lower case: ``amo_`` at most one, ``amk_`` at most k."""
    from pypblib import pblib

    return {
        f"{kind}_{name}".lower(): partial(_encode, kind, getattr(pblib, f"{kind}_{name}"))
        for kind, names in _ENCODERS.items()
        for name in names
    }


def _encode(kind: str, encoder: int, n: int, lower: int, upper: int) -> Encoded:
    from pypblib import pblib

    if kind == "AMO" and upper != 1:
        raise ValueError("at most one and exactly one only")
    require_in_range(n, lower, upper)
    if n == 0:
        raise ValueError("a sum of nothing")
    config = pblib.PBConfig()
    getattr(config, f"set_{kind}_Encoder")(encoder)
    clauses: list[list[int]] = []
    pblib.Pb2cnf(config).encode_both([1] * n, list(inputs(n)), upper, lower, clauses, n + 1)
    return numbered(n, clauses)
