"""The encoders of PBLib through pypblib. For equal weights its ``PB_`` choice has no effect."""

from functools import partial
from typing import TYPE_CHECKING

from satsweeper.peers.peer_protocol import inputs, numbered, require_in_range

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction

_AT_MOST_ONE = ("BDD", "BIMANDER", "BINARY", "COMMANDER", "KPRODUCT", "NESTED", "PAIRWISE")
_AT_MOST_K = ("BDD", "CARD", "BEST")


def encoders() -> dict[str, "EncodeFunction"]:
    """By PBLib's names in lower case: ``amo_`` at most one, ``amk_`` at most k."""
    from pypblib import pblib

    found: dict[str, EncodeFunction] = {
        f"amo_{name.lower()}": partial(_at_most_one, getattr(pblib, f"AMO_{name}"))
        for name in _AT_MOST_ONE
    }
    for name in _AT_MOST_K:
        found[f"amk_{name.lower()}"] = partial(_at_most_k, getattr(pblib, f"AMK_{name}"))
    return found


def _at_most_one(encoder: int, n: int, lower: int, upper: int) -> tuple[int, list[list[int]]]:
    if upper != 1:
        raise ValueError("at most one and exactly one only")
    return _encode("set_AMO_Encoder", encoder, n, lower, upper)


def _at_most_k(encoder: int, n: int, lower: int, upper: int) -> tuple[int, list[list[int]]]:
    return _encode("set_AMK_Encoder", encoder, n, lower, upper)


def _encode(
    choose: str, encoder: int, n: int, lower: int, upper: int
) -> tuple[int, list[list[int]]]:
    from pypblib import pblib

    require_in_range(n, lower, upper)
    if n == 0:
        raise ValueError("a sum of nothing")
    config = pblib.PBConfig()
    getattr(config, choose)(encoder)
    clauses: list[list[int]] = []
    pblib.Pb2cnf(config).encode_both([1] * n, list(inputs(n)), upper, lower, clauses, n + 1)
    return numbered(n, clauses)
