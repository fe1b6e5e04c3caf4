"""The table of ways back: encoder -> the module that derives its bounds from its clauses."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from pbcnf.derivation.converse.clauses_left import ClausesLeft, Way
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, UnderivableError

_MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "direct": "subsets",
        "pairwise": "subsets",
        "sequential_counter": "counters",
        "knuth_counter": "counters",
        "totalizer": "counters",
        "sequential": "at_most_one",
        "ladder": "at_most_one",
        "bitwise": "at_most_one",
        "product": "at_most_one",
        "multipartite": "at_most_one",
        "commander": "at_most_one",
        "bimander": "at_most_one",
        "nested": "at_most_one",
        "decision_diagram": "decision_diagram",
        "grid_compression": "grid_compression",
        "sequential_weight_counter": "counters",
        "generalized_totalizer": "counters",
        "adder": "adders",
        "modulo_totalizer": "modulo_totalizers",
        "k_modulo_totalizer": "modulo_totalizers",
        "mixed_radix_sorter": "mixed_radix",
        "parallel_counter": "adders",
        "sorting_network": "networks",
        "cardinality_network": "networks",
        "pairwise_network": "networks",
        "multiway_network": "networks",
        "global_polynomial_watchdog": "watchdogs",
        "local_polynomial_watchdog": "watchdogs",
        "binary_merge": "watchdogs",
        "binary_merge_gac": "watchdogs",
    }
)
"""Encoder -> the module of this package whose ``derive`` is used."""

REVERSIBLE: Final = tuple(_MODULES)
"""The encoders whose clauses lead back to the bounds."""


def derive_bounds(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive the bounds of a sum from its clauses; return their numbers.

    Raises UnderivableError for an encoder that is not in the table, and if a bound does not follow.
    """
    way: Way = import_module(f"pbcnf.derivation.converse.{module_of(left.of.encoder.name)}").derive
    return way(left, state)


def module_of(encoder: str) -> str:
    """Return the name of the module for an encoder. Raises UnderivableError if there is none."""
    if encoder not in _MODULES:
        raise UnderivableError(f"there is no way back from the clauses of {encoder}")
    return _MODULES[encoder]
