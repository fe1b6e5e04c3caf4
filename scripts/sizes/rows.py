"""Encoders beside their namesakes, their bounds, and the benefits of our larger encodings."""

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


SUMS: Final[dict[str, Sum]] = {
    "1 of 100": Sum((1,) * 100, 1),
    "10 of 1000": Sum((1,) * 1000, 10),
    "500 of 1000": Sum((1,) * 1000, 500),
    "20 weights to 100": _weights(20, 100),
    "40 weights to 1000": _weights(40, 1000),
    "200 weights to 1000": _weights(200, 1000),
}

_CHOSEN: Final = {
    "one": ("1 of 100",),
    "few": ("10 of 1000",),
    "counts": ("10 of 1000", "500 of 1000"),
    "small": ("20 weights to 100",),
    "weights": ("40 weights to 1000", "200 weights to 1000"),
}

_LIBRARIES: Final = ("PySAT", "pindakaas", "RustSAT", "PBLib")
_ROWS: Final = """\
pairwise one pairwise PAIRWISE Pairwise AMO_PAIRWISE
sequential one seqcounter SEQUENTIAL_COUNTER - -
ladder one ladder LADDER Ladder -
bitwise one bitwise BITWISE Bitwise AMO_BINARY
product one - PRODUCT - AMO_KPRODUCT
commander one - - Commander AMO_COMMANDER
bimander one - - Bimander AMO_BIMANDER
nested one - - - AMO_NESTED
totalizer counts totalizer TOTALIZER Totalizer -
sequential_counter counts seqcounter SEQUENTIAL_COUNTER - -
modulo_totalizer counts mtotalizer - - -
k_modulo_totalizer counts kmtotalizer - - -
cardinality_network counts cardnetwrk - - AMK_CARD
sorting_network counts sortnetwrk SORTING_NETWORK - -
decision_diagram few - DECISION_DIAGRAM - AMK_BDD
decision_diagram small pb_bdd DECISION_DIAGRAM - PB_BDD
sequential_weight_counter small pb_seqcounter SEQUENTIAL_COUNTER - PB_SWC
generalized_totalizer small pb_totalizer TOTALIZER GeneralizedTotalizer -
local_polynomial_watchdog small - WATCHDOG:local - -
binary_merge_gac small - - - -
global_polynomial_watchdog weights pb_watchdog WATCHDOG DynamicPolyWatchdog -
binary_merge weights pb_binmerge WATCHDOG:sorting_networks - PB_BINARY_MERGE
mixed_radix_sorter weights pb_mixedradix MIXED_RADIX - -
adder counts pb_adder ADDER BinaryAdder -
adder weights pb_adder ADDER BinaryAdder PB_ADDER
"""
"""Our encoder, the sums by a name of ``_CHOSEN``, and its name in each of ``_LIBRARIES``."""


def _row(line: str) -> Row:
    encoder, sums, *names = line.split()
    found = {each: name for each, name in zip(_LIBRARIES, names, strict=True) if name != "-"}
    return Row(encoder, _CHOSEN[sums], found)


ROWS: Final = tuple(map(_row, _ROWS.splitlines()))

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
