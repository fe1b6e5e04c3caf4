"""Counters by a sorting network: its clauses, and its outputs as thresholds of the inputs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pbcnf.derivation.ledger import Ledger, UnderivableError
from pbcnf.derivation.networks.network import NetworkDerivation
from pbcnf.derivation.networks.values import Merged
from pbcnf.encoders.cardinality.sorting_network import SortedCount
from pbcnf.encoders.counter import Direction
from pbcnf.literals import Lit


class LiveSorter:
    """One `SortedCount` with variables, in a ledger."""

    def __init__(self, of: SortedCount, lits: Sequence[Lit], ledger: Ledger) -> None:
        """Introduce the values; ``if_false`` of an output is then about the inputs.

        Raises UnderivableError for inputs of which two are opposite.
        """
        assert of.first is not None
        if not {-lit for lit in lits}.isdisjoint(lits):
            raise UnderivableError("inputs of a sorting network are opposite")
        self._network = NetworkDerivation(of.network, lits, Direction.BOTH, of.first, ledger)
        outputs = self._network.values.sort(range(len(lits))).of
        self._last = of.first + self._network.variables - 1
        self._first = of.first
        self._falls = {frozenset((one, -other)) for one, other in pairwise(outputs.lits)}
        if isinstance(outputs, Merged):
            for count, lit in enumerate(outputs.lits, start=1):
                ledger.if_false[lit] = ledger.add(outputs.missed(count))
                ledger.if_false[-lit] = ledger.add(outputs.reached(count))

    def owns(self, clause: Sequence[Lit]) -> bool:
        """Whether the clause can be one of a comparator here."""
        last = max(map(abs, clause))
        return self._first <= last <= self._last and frozenset(clause) not in self._falls

    def derive(self, clauses: Iterable[Sequence[Lit]]) -> list[int]:
        """Derive clauses of comparators; return their numbers, in order."""
        return self._network.derive([*clause] for clause in clauses)
