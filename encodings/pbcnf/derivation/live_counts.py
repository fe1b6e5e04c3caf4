"""Counters that are asked while solving: their clauses derived as they come, and their bounds.

The clauses of a counter say nothing about any bound: each follows from what its variables mean.
These are thresholds of inputs, sums and carries of adders (`pbcnf.derivation.adders.live`), or
values of a sorting network (`pbcnf.derivation.networks.live`). That the literals which a counter
returns for a bound imply the bound is half of such a definition, or what the definition says of the
last bits and what the adders say of these, added up.

Steps: two for a variable, two for a clause, one for a bound; of adders and networks those of
`pbcnf.derivation.adders.binary_sum` and `pbcnf.derivation.networks.network`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from pbcnf.derivation.adders.live import LiveAdders
from pbcnf.derivation.ledger import Ledger, UnderivableError
from pbcnf.derivation.networks.live import LiveSorter
from pbcnf.derivation.rows import row
from pbcnf.encoders.cardinality.sorting_network import SortedCount
from pbcnf.encoders.circuits.live_adder import BinarySum
from pbcnf.encoders.circuits.meanings import Explained, Meaning
from pbcnf.encoders.counter import UnaryCount
from pbcnf.encoders.weighted_count import ExplainedBounds, WeightedCount
from pbcnf.literals import Lit


class LiveCount:
    """A counter, followed by a ledger.

    >>> from pbcnf import Formula, find_encoder
    >>> from pbcnf.derivation.steps import Derivation
    >>> f, ledger = Formula(num_vars=2), Ledger(Derivation(formula=0))
    >>> total = find_encoder("totalizer").count([1, 2], upto=1, sink=f)
    >>> followed = LiveCount(total, ledger)
    >>> len(followed.follow(f.clauses()))
    7
    >>> ledger.rows[followed.bound(total.at_most(1))].terms()
    [(1, 5), (1, -1), (1, -2)]
    """

    def __init__(self, count: UnaryCount | WeightedCount, ledger: Ledger) -> None:
        """Follow a counter from its beginning."""
        self._ledger = ledger
        self._count = count
        self._adders: dict[BinarySum, LiveAdders] = {}
        self._sorters: dict[SortedCount, LiveSorter] = {}

    def follow(self, clauses: Iterable[Sequence[Lit]]) -> list[int]:
        """Derive the clauses emitted since the last time, in order; return their numbers.

        To be called before inputs are added to a weighted counter that was asked for bounds.

        Raises UnderivableError for adders of a merged counter, for adders with a variable twice and
        sorting networks with opposite inputs, and for clauses that do not follow.
        """
        if -self._count.false not in self._ledger.if_false:
            self._ledger.if_false[-self._count.false] = self._ledger.fix(-self._count.false)
        for meaning in self._meanings():
            if not {meaning.var, -meaning.var} & self._ledger.if_false.keys():
                _define(meaning, self._ledger)
        found: list[int] = []
        for owner, group in groupby(clauses, self._owner):
            some = [*group]
            found += owner.derive(some) if owner else map(self._derived, some)
        for adders in self._adders.values():
            adders.close()
        return found

    def bound(self, assumed: Sequence[Lit]) -> int | None:
        """Return the number of a row on the inputs: a bound, if all these literals are true.

        ``assumed``: as the counter has returned them. The row holds their negations as well, and
        may hold literals that only make the bound stronger. None where there is nothing to say: the
        bound always holds, or the one literal is an input.
        """
        if not assumed or -assumed[0] not in self._ledger.if_false:
            return None
        for adders in self._adders.values():
            if adders.knows(-assumed[0]):
                return adders.bound(-assumed[0])
        return self._ledger.if_false[-assumed[0]]

    def _meanings(self) -> Iterator[Meaning]:
        """Yield what variables stand for; those of adders and of networks are introduced."""
        count, ledger = self._count, self._ledger
        if isinstance(count, UnaryCount):
            for structure, lits in count.structures():
                if isinstance(structure, Explained):
                    yield from structure.meanings(lits)
                elif not isinstance(structure, SortedCount):
                    raise UnderivableError("it is not known what the counter is made of")
                elif structure.first and structure not in self._sorters and len(lits) > 1:
                    self._sorters[structure] = LiveSorter(structure, lits, ledger)
            return
        for side in count.sides:
            if isinstance(side, BinarySum):
                if side not in self._adders:
                    self._adders[side] = LiveAdders(side, ledger)
                yield from self._adders[side].meanings()
            elif isinstance(side, ExplainedBounds):
                yield from side.meanings()
            else:
                raise UnderivableError("it is not known what the counter is made of")

    def _owner(self, clause: Sequence[Lit]) -> LiveAdders | LiveSorter | None:
        owners: list[LiveAdders | LiveSorter] = [*self._adders.values(), *self._sorters.values()]
        return next((owner for owner in owners if owner.owns(clause)), None)

    def _derived(self, clause: Sequence[Lit]) -> int:
        """Derive a clause with a literal that is constant, or by what all mean."""
        ledger = self._ledger
        for lit in clause:
            number = ledger.if_false.get(lit)
            if number is not None and ledger.rows[number].refutes(clause):
                return ledger.propagate(clause, [number])
        return ledger.derive(clause)


def _define(meaning: Meaning, ledger: Ledger) -> None:
    """Introduce a variable. It may be constant if inputs repeat or are opposite."""
    var, of = meaning.var, row(meaning.terms, meaning.least)
    if of.refutes(()):
        ledger.if_false[-var] = ledger.fix(-var)
    elif of.of_literals <= 0:
        ledger.if_false[var] = ledger.fix(var)
    else:
        ledger.define(var, of.terms(), of.of_literals)
