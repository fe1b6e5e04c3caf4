"""The encoders of pindakaas, with the options that change the encoding of a cardinality."""

from functools import partial
from typing import TYPE_CHECKING, Any

from satsweeper.peers.peer_protocol import Encoded, numbered, one_sided

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction

_PLAIN = (
    "ADDER", "BITWISE", "DECISION_DIAGRAM", "LADDER", "MIXED_RADIX", "PAIRWISE", "PRODUCT",
    "SEQUENTIAL_COUNTER", "TOTALIZER",
)  # fmt: skip
_MERGES = ("direct", "recursive", "mixed")
_ENCODERS: dict[str, tuple[str | None, dict[str, Any]]] = {
    "default": (None, {}),
    **{name.lower(): (name, {}) for name in _PLAIN},
    **{f"sorting_network_{way}": ("SORTING_NETWORK", {"strategy": way}) for way in _MERGES},
    "watchdog_global": ("WATCHDOG", {"local": False}),
    "watchdog_local": ("WATCHDOG", {"local": True}),
    "binary_merge": ("WATCHDOG", {"sorting_networks": True}),
}
"""Our name -> the name in pindakaas, and its options."""


def encoders() -> dict[str, "EncodeFunction"]:
    """Encoders by pindakaas' names in lower case, some with the value of an option behind."""
    import pindakaas  # noqa: F401  # if missing, an error here and not at the first bound

    return {name: partial(_encode, *how) for name, how in _ENCODERS.items()}


def _encode(name: str | None, options: dict[str, Any], n: int, lower: int, upper: int) -> Encoded:
    import pindakaas

    kind, bound = one_sided(n, lower, upper)
    if n == 0:
        raise ValueError("a sum of nothing")
    formula = pindakaas.CNF()
    first, *others = formula.new_vars(n)
    total = sum(others, 1 * first)
    relations = {"at most": total <= bound, "at least": total >= bound, "exactly": total == bound}
    constraint = relations[kind]
    encoder = None if name is None else getattr(pindakaas.Encoder, name)
    try:
        formula.add_encoding(constraint, encoder=encoder, **options)
    except pindakaas.InvalidEncoder:
        raise ValueError(f"no {kind} {bound} of {n}") from None
    return numbered(n, formula._clauses_as_int(), len(list(formula.variables())))
