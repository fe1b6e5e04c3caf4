"""The one table of encoders."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.encoders.at_most_one.bitwise import Bitwise
from pbcnf.encoders.at_most_one.commander import Commander
from pbcnf.encoders.at_most_one.ladder import Ladder
from pbcnf.encoders.at_most_one.nested import Nested
from pbcnf.encoders.at_most_one.pairwise import Pairwise
from pbcnf.encoders.at_most_one.product import Product
from pbcnf.encoders.at_most_one.sequential import Sequential
from pbcnf.encoders.cardinality.cardinality_network import CardinalityNetwork
from pbcnf.encoders.cardinality.direct import Direct
from pbcnf.encoders.cardinality.k_modulo_totalizer import KModuloTotalizer
from pbcnf.encoders.cardinality.knuth_counter import KnuthCounter
from pbcnf.encoders.cardinality.modulo_totalizer import ModuloTotalizer
from pbcnf.encoders.cardinality.parallel_counter import ParallelCounter
from pbcnf.encoders.cardinality.sequential_counter import SequentialCounter
from pbcnf.encoders.cardinality.sorting_network import SortingNetwork
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.pseudo_boolean.binary_merge import BinaryMerge
from pbcnf.encoders.pseudo_boolean.decision_diagram import DecisionDiagram
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import GeneralizedTotalizer
from pbcnf.encoders.pseudo_boolean.global_polynomial_watchdog import GlobalPolynomialWatchdog
from pbcnf.encoders.pseudo_boolean.local_polynomial_watchdog import LocalPolynomialWatchdog
from pbcnf.encoders.pseudo_boolean.mixed_radix_sorter import MixedRadixSorter
from pbcnf.encoders.pseudo_boolean.sequential_weight_counter import SequentialWeightCounter
from pbcnf.errors import EncodingError
from pbcnf.wording import unknown_name

_EVERY: tuple[Encoder, ...] = (
    Direct(),
    # at most one
    Pairwise(),
    Sequential(),
    Ladder(),
    Bitwise(),
    Product(),
    Commander(),
    Bimander(),
    Nested(),
    # any cardinality
    SequentialCounter(),
    KnuthCounter(),
    Totalizer(),
    ModuloTotalizer(),
    KModuloTotalizer(),
    CardinalityNetwork(),
    SortingNetwork(),
    ParallelCounter(),
    # weighted sums
    DecisionDiagram(),
    SequentialWeightCounter(),
    GeneralizedTotalizer(),
    GlobalPolynomialWatchdog(),
    LocalPolynomialWatchdog(),
    BinaryMerge(),
    MixedRadixSorter(),
    Adder(),
)

ENCODERS: Mapping[str, Encoder] = MappingProxyType({encoder.name: encoder for encoder in _EVERY})
"""Name -> encoder: those of at most one, of any cardinality, and of weighted sums."""


def find_encoder(encoder: str | Encoder) -> Encoder:
    """Return the encoder of that name; an encoder is returned as it is.

    Raises ValueError for an unknown name, with the known ones and the nearest of them.
    """
    if not isinstance(encoder, str):
        return encoder
    if encoder in ENCODERS:
        return ENCODERS[encoder]
    raise EncodingError(unknown_name("encoder", encoder, ENCODERS))


def expresses(encoder: str | Encoder, n: int, lower: int, upper: int) -> bool:
    """Whether the encoder has clauses for these bounds of n inputs.

    >>> expresses("pairwise", 5, 0, 1), expresses("pairwise", 5, 0, 2)
    (True, False)
    """
    chosen = find_encoder(encoder)
    try:
        chosen.size(n, lower, upper)
    except ValueError:
        return False
    return True
