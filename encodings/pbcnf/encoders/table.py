"""The tables of encoders: one of sums, one of parities."""

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
from pbcnf.encoders.parities import ParityEncoder
from pbcnf.encoders.parity.cut import CutParity
from pbcnf.encoders.parity.direct import DirectParity
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.pseudo_boolean.binary_merge import BinaryMerge
from pbcnf.encoders.pseudo_boolean.binary_merge_gac import BinaryMergeGac
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
    BinaryMergeGac(),
    MixedRadixSorter(),
    Adder(),
)

ENCODERS: Mapping[str, Encoder] = MappingProxyType({encoder.name: encoder for encoder in _EVERY})
"""Name -> encoder: those of at most one, of any cardinality, and of weighted sums."""


_EVERY_PARITY: tuple[ParityEncoder, ...] = (
    DirectParity(),
    *(CutParity(width) for width in range(3, 9)),
)

PARITY_ENCODERS: Mapping[str, ParityEncoder] = MappingProxyType(
    {encoder.name: encoder for encoder in _EVERY_PARITY}
)
"""Name -> encoder of parities; `CutParity` takes other widths than those that have a name."""


def find_encoder(encoder: str | Encoder | ParityEncoder) -> Encoder:
    """Return the encoder of sums of that name; an encoder is returned as it is.

    Raises ValueError for an unknown name, with the known ones and the nearest of them, and for an
    encoder of parities.
    """
    if not isinstance(encoder, str):
        # A look at the protocol itself would cost more than all the rest of this.
        if hasattr(encoder, "encode_parity"):
            raise EncodingError(f"{encoder.name} encodes parities, not sums")
        return encoder
    if encoder in ENCODERS:
        return ENCODERS[encoder]
    if encoder in PARITY_ENCODERS:
        raise EncodingError(f"{encoder} encodes parities, not sums")
    raise EncodingError(unknown_name("encoder", encoder, ENCODERS))


def find_parity_encoder(encoder: str | ParityEncoder | Encoder) -> ParityEncoder:
    """Return the encoder of parities of that name; an encoder is returned as it is.

    Raises ValueError for an unknown name, with the known ones and the nearest of them, and for an
    encoder of sums.

    >>> find_parity_encoder("cut_5")
    CutParity(width=5)
    """
    if isinstance(encoder, ParityEncoder):
        return encoder
    name = encoder if isinstance(encoder, str) else encoder.name
    if isinstance(encoder, str) and name in PARITY_ENCODERS:
        return PARITY_ENCODERS[name]
    if name in ENCODERS:
        raise EncodingError(
            f"{name} encodes sums, not parities; what does: {', '.join(PARITY_ENCODERS)}"
        )
    raise EncodingError(unknown_name("encoder of parities", name, PARITY_ENCODERS))


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
