"""The table of derivations: encoder -> the module that derives its clauses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.wording import counted

Family = Callable[[EncodedSum, DerivationState], list[int]]
"""A function that derives the clauses of a sum and returns their numbers, in order."""

_MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "direct": "thresholds",
        "pairwise": "thresholds",
        "sequential_counter": "thresholds",
        "knuth_counter": "thresholds",
        "totalizer": "thresholds",
        "sequential": "at_most_one",
        "ladder": "at_most_one",
        "bitwise": "at_most_one",
        "product": "at_most_one",
        "multipartite": "at_most_one",
        "commander": "at_most_one",
        "bimander": "at_most_one",
        "nested": "at_most_one",
        "global_polynomial_watchdog": "watchdogs",
        "local_polynomial_watchdog": "watchdogs",
        "parallel_counter": "adders",
        "adder": "adders",
        "grid_compression": "grid_compression",
        "modulo_totalizer": "modulo_totalizers",
        "k_modulo_totalizer": "modulo_totalizers",
        "binary_merge": "watchdogs",
        "binary_merge_gac": "watchdogs",
        "sequential_weight_counter": "weighted_totalizers",
        "generalized_totalizer": "weighted_totalizers",
        "decision_diagram": "decision_diagram",
        "sorting_network": "networks.cardinality",
        "cardinality_network": "networks.cardinality",
        "pairwise_network": "networks.selection",
        "multiway_network": "networks.selection",
        "mixed_radix_sorter": "networks.mixed_radix",
    }
)
"""Encoder -> the module of this package whose ``derive`` is used."""

DERIVABLE: Final = tuple(_MODULES)
"""The encoders with a derivation, for all bounds that these encoders express."""


def derive_sum(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive the clauses of an encoder; return their numbers, in order.

    Raises UnderivableError for an encoder that is not in the table, and if a clause does not
    follow.
    """
    module = _MODULES.get(of.encoder.name)
    if module is None:
        raise UnderivableError(f"the clauses of {of.encoder.name} cannot be derived")
    family: Family = import_module(f"pbcnf.derivation.{module}").derive
    found = family(of, state)
    if len(found) != len(of.clauses):
        raise UnderivableError(f"derived are {len(found)} of {counted(len(of.clauses), 'clause')}")
    return found
