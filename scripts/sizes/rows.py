"""Which encoders stand beside which, on which bounds, and what ours buy where they are larger."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple


class Sum(NamedTuple):
    """Weights of the inputs, and what their sum is at most."""

    weights: tuple[int, ...]
    bound: int


@dataclass(frozen=True, slots=True)
class Row:
    """Our encoder, the bounds by their titles, and library -> its name there."""

    encoder: str
    sums: tuple[str, ...]
    namesakes: Mapping[str, str] = field(default_factory=dict)


def _weights(n: int, most: int) -> Sum:
    draw = random.Random(1)
    weights = tuple(draw.randint(1, most) for _ in range(n))
    return Sum(weights, sum(weights) // 2)


_ONE, _SMALL, _LARGE = ("1 of 100",), ("20 weights to 100",), ("40 weights to 1000",)
_COUNTS = ("10 of 1000", "500 of 1000")
_WEIGHTS = ("40 weights to 1000", "200 weights to 1000")

SUMS: Final[dict[str, Sum]] = {
    "1 of 100": Sum((1,) * 100, 1),
    "10 of 1000": Sum((1,) * 1000, 10),
    "500 of 1000": Sum((1,) * 1000, 500),
    "20 weights to 100": _weights(20, 100),
    "40 weights to 1000": _weights(40, 1000),
    "200 weights to 1000": _weights(200, 1000),
}

ROWS: Final = (
    Row(
        "pairwise",
        _ONE,
        {
            "PySAT": "pairwise",
            "pindakaas": "PAIRWISE",
            "RustSAT": "Pairwise",
            "PBLib": "AMO_PAIRWISE",
        },
    ),
    Row("sequential", _ONE, {"PySAT": "seqcounter", "pindakaas": "SEQUENTIAL_COUNTER"}),
    Row("ladder", _ONE, {"PySAT": "ladder", "pindakaas": "LADDER", "RustSAT": "Ladder"}),
    Row(
        "bitwise",
        _ONE,
        {"PySAT": "bitwise", "pindakaas": "BITWISE", "RustSAT": "Bitwise", "PBLib": "AMO_BINARY"},
    ),
    Row("product", _ONE, {"pindakaas": "PRODUCT", "PBLib": "AMO_KPRODUCT"}),
    Row("commander", _ONE, {"RustSAT": "Commander", "PBLib": "AMO_COMMANDER"}),
    Row("bimander", _ONE, {"RustSAT": "Bimander", "PBLib": "AMO_BIMANDER"}),
    Row("nested", _ONE, {"PBLib": "AMO_NESTED"}),
    Row(
        "totalizer",
        _COUNTS,
        {"PySAT": "totalizer", "pindakaas": "TOTALIZER", "RustSAT": "Totalizer"},
    ),
    Row("sequential_counter", _COUNTS, {"PySAT": "seqcounter", "pindakaas": "SEQUENTIAL_COUNTER"}),
    Row("modulo_totalizer", _COUNTS, {"PySAT": "mtotalizer"}),
    Row("k_modulo_totalizer", _COUNTS, {"PySAT": "kmtotalizer"}),
    Row("cardinality_network", _COUNTS, {"PySAT": "cardnetwrk", "PBLib": "AMK_CARD"}),
    Row("sorting_network", _COUNTS, {"PySAT": "sortnetwrk", "pindakaas": "SORTING_NETWORK"}),
    Row("decision_diagram", ("10 of 1000",), {"pindakaas": "DECISION_DIAGRAM", "PBLib": "AMK_BDD"}),
    Row(
        "decision_diagram",
        _SMALL,
        {"PySAT": "pb_bdd", "pindakaas": "DECISION_DIAGRAM", "PBLib": "PB_BDD"},
    ),
    Row(
        "sequential_weight_counter",
        _SMALL,
        {"PySAT": "pb_seqcounter", "pindakaas": "SEQUENTIAL_COUNTER", "PBLib": "PB_SWC"},
    ),
    Row(
        "generalized_totalizer",
        _SMALL,
        {"PySAT": "pb_totalizer", "pindakaas": "TOTALIZER", "RustSAT": "GeneralizedTotalizer"},
    ),
    Row("local_polynomial_watchdog", _SMALL, {"pindakaas": "WATCHDOG:local"}),
    Row("binary_merge_gac", _SMALL),
    Row(
        "global_polynomial_watchdog",
        _WEIGHTS,
        {"PySAT": "pb_watchdog", "pindakaas": "WATCHDOG", "RustSAT": "DynamicPolyWatchdog"},
    ),
    Row(
        "binary_merge",
        _WEIGHTS,
        {
            "PySAT": "pb_binmerge",
            "pindakaas": "WATCHDOG:sorting_networks",
            "PBLib": "PB_BINARY_MERGE",
        },
    ),
    Row("mixed_radix_sorter", _WEIGHTS, {"PySAT": "pb_mixedradix", "pindakaas": "MIXED_RADIX"}),
    Row("adder", _COUNTS, {"PySAT": "pb_adder", "pindakaas": "ADDER", "RustSAT": "BinaryAdder"}),
    Row(
        "adder",
        _WEIGHTS,
        {"PySAT": "pb_adder", "pindakaas": "ADDER", "RustSAT": "BinaryAdder", "PBLib": "PB_ADDER"},
    ),
)

BUYS: Final[dict[str, str]] = {
    "commander": (
        "the clauses more than PBLib's keep the number of models for at most one, too; groups "
        "of three take more variables than RustSAT's of four, and fewer clauses."
    ),
    "bimander": "one variable more, and fewer clauses: pairs instead of larger groups.",
    "totalizer": "3 % more variables than pindakaas' at the bound 10 save 17 % of the clauses.",
    "modulo_totalizer": "a few clauses more, in the thousandths, for fewer variables.",
    "k_modulo_totalizer": "2 % more variables at the bound 10, and fewer clauses.",
    "cardinality_network": (
        "variables at the bound 10: PBLib counts small pieces directly; ours has fewer clauses at "
        "both bounds."
    ),
    "sorting_network": (
        "at the bound 500 half the clauses of pindakaas', which counts small pieces directly; "
        "for a small bound nothing, since all inputs are sorted: `cardinality_network` cuts "
        "at the bound, and the live counter of this encoder needs the whole."
    ),
    "decision_diagram": (
        "1 % more variables than pindakaas' and PySAT's, and a third fewer clauses."
    ),
    "global_polynomial_watchdog": (
        "nothing, at 200 weights: 2 % more clauses than RustSAT's, at 40 weights fewer. "
        "`binary_merge` has half of either's."
    ),
    "binary_merge": (
        "more variables than PySAT's and pindakaas' at 40 weights and at 200, and 35 to 48 % fewer "
        "clauses: comparators instead of counting directly; smaller than PBLib's at 200 weights, "
        "and with fewer clauses at 40."
    ),
    "mixed_radix_sorter": (
        "more variables, and half the clauses, for the same reason; unlike theirs it also finds "
        "every conflict."
    ),
    "adder": "one variable more at 200 weights, and half the clauses.",
}
"""Our encoder -> what its clauses or variables buy where it is larger than a namesake."""
