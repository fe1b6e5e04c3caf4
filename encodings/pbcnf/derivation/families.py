"""The table of derivations: encoder -> modules for its clauses, and for its bounds from these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pbcnf.derivation.derivation_state import BoundIds, DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.wording import counted

if TYPE_CHECKING:
    from pbcnf.derivation.converse.clauses_left import ClausesLeft, Converse

Family = Callable[[EncodedSum, DerivationState], list[int]]
"""A function that derives the clauses of a sum and returns their numbers, in order."""

_MODULES: Final[Mapping[str, tuple[str, str | None]]] = MappingProxyType(
    {
        "direct": ("thresholds", "subsets"),
        "pairwise": ("thresholds", "subsets"),
        "sequential_counter": ("thresholds", "counters"),
        "knuth_counter": ("thresholds", "counters"),
        "totalizer": ("thresholds", "counters"),
        "sequential": ("at_most_one", "at_most_one"),
        "ladder": ("at_most_one", "at_most_one"),
        "bitwise": ("at_most_one", "at_most_one"),
        "product": ("at_most_one", "at_most_one"),
        "multipartite": ("at_most_one", "at_most_one"),
        "commander": ("at_most_one", "at_most_one"),
        "bimander": ("at_most_one", "at_most_one"),
        "nested": ("at_most_one", "at_most_one"),
        "global_polynomial_watchdog": ("watchdogs", "watchdogs"),
        "local_polynomial_watchdog": ("watchdogs", "watchdogs"),
        "parallel_counter": ("adders", "adders"),
        "adder": ("adders", "adders"),
        "grid_compression": ("grid_compression", "grid_compression"),
        "modulo_totalizer": ("modulo_totalizers", "modulo_totalizers"),
        "k_modulo_totalizer": ("modulo_totalizers", "modulo_totalizers"),
        "binary_merge": ("watchdogs", "watchdogs"),
        "binary_merge_gac": ("watchdogs", "watchdogs"),
        "sequential_weight_counter": ("weighted_totalizers", "counters"),
        "generalized_totalizer": ("weighted_totalizers", "counters"),
        "decision_diagram": ("decision_diagram", "decision_diagram"),
        "sorting_network": ("networks.cardinality", "networks"),
        "cardinality_network": ("networks.cardinality", "networks"),
        "pairwise_network": ("networks.selection", "networks"),
        "multiway_network": ("networks.selection", "networks"),
        "mixed_radix_sorter": ("networks.mixed_radix", "mixed_radix"),
    }
)
"""Encoder -> two modules whose ``derive`` is used: one of this package for the clauses, and one of
`pbcnf.derivation.converse` for the bounds, from the clauses; None if there is no second one."""

DERIVABLE: Final = tuple(_MODULES)
"""The encoders with derivations, for all bounds that these encoders express."""


def derive_sum(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive the clauses of an encoder; return their numbers, in order.

    Raises UnderivableError for an encoder that is not in the table, and if a clause does not
    follow.
    """
    name = of.encoder.name
    if name not in _MODULES:
        raise UnderivableError(f"the clauses of {name} cannot be derived")
    family: Family = import_module(f"pbcnf.derivation.{_MODULES[name][0]}").derive
    found = family(of, state)
    if len(found) != len(of.clauses):
        raise UnderivableError(f"derived are {len(found)} of {counted(len(of.clauses), 'clause')}")
    return found


def derive_bounds(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive the bounds of a sum from its clauses; return their numbers.

    Raises UnderivableError for an encoder without such a module, and if a bound does not follow.
    """
    name = left.of.encoder.name
    _, module = _MODULES.get(name, ("", None))
    if module is None:
        raise UnderivableError(f"there is no way back from the clauses of {name}")
    converse: Converse = import_module(f"pbcnf.derivation.converse.{module}").derive
    return converse(left, state)
