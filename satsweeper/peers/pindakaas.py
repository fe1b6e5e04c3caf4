"""The encoders of pindakaas, with its options that change the encoding of a cardinality."""

from functools import partial
from typing import TYPE_CHECKING, Any

from satsweeper.peers.peer_protocol import numbered, one_sided

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction

_ENCODERS = (
    "ADDER",
    "BITWISE",
    "DECISION_DIAGRAM",
    "LADDER",
    "MIXED_RADIX",
    "PAIRWISE",
    "PRODUCT",
    "SEQUENTIAL_COUNTER",
    "TOTALIZER",
)
_MERGES = ("direct", "recursive", "mixed")


def encoders() -> dict[str, "EncodeFunction"]:
    """By pindakaas' names in lower case, with an option after them."""
    import pindakaas  # noqa: F401  # told here if it is missing, not at the first bound

    found: dict[str, EncodeFunction] = {"default": partial(_encode, None, {})}
    for name in _ENCODERS:
        found[name.lower()] = partial(_encode, name, {})
    for merge in _MERGES:
        options = {"strategy": merge}
        found[f"sorting_network_{merge}"] = partial(_encode, "SORTING_NETWORK", options)
    found["watchdog_global"] = partial(_encode, "WATCHDOG", {"local": False})
    found["watchdog_local"] = partial(_encode, "WATCHDOG", {"local": True})
    found["binary_merge"] = partial(_encode, "WATCHDOG", {"sorting_networks": True})
    return found


def _encode(
    name: str | None, options: dict[str, Any], n: int, lower: int, upper: int
) -> tuple[int, list[list[int]]]:
    import pindakaas

    kind, bound = one_sided(n, lower, upper)
    if n == 0:
        raise ValueError("a sum of nothing")
    formula = pindakaas.CNF()
    first, *others = formula.new_vars(n)
    total = sum(others, 1 * first)
    constraint = {
        "at most": total <= bound,
        "at least": total >= bound,
        "exactly": total == bound,
    }[kind]
    encoder = None if name is None else getattr(pindakaas.Encoder, name)
    try:
        formula.add_encoding(constraint, encoder=encoder, **options)
    except pindakaas.InvalidEncoder:
        raise ValueError(f"no {kind} {bound} of {n}") from None
    return numbered(n, formula._clauses_as_int(), len(list(formula.variables())))
