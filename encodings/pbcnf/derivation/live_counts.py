"""Counters that are asked while solving: their clauses derived as they come, and their bounds.

The clauses of a counter say nothing about any bound: each follows from what its variables mean.
These are thresholds of inputs, or sums and carries of adders (`pbcnf.derivation.adders.live`). That
the literals which a counter returns for a bound imply the bound is half of such a definition, or
what the definition says of the last bits and what the adders say of these, added up.

Steps: two for a variable, two for a clause, one for a bound; of adders those of
`pbcnf.derivation.adders.binary_sum`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbcnf.derivation.adders.live import LiveAdders
from pbcnf.derivation.ledger import Ledger, UnderivableError
from pbcnf.derivation.rows import row
from pbcnf.encoders.circuits.live_adder import BinarySum
from pbcnf.encoders.circuits.meanings import Meaning
from pbcnf.encoders.counter import UnaryCount
from pbcnf.encoders.weighted_count import ExplainedBounds, UpperBounds, WeightedCount
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
        """Follow a counter from its beginning.

        Raises UnderivableError for one whose variables are neither thresholds nor of adders.
        """
        self._ledger = ledger
        self._false = count.false
        self._parts: list[UnaryCount | ExplainedBounds | LiveAdders] = []
        if isinstance(count, UnaryCount):
            self._parts.append(count)
        else:
            self._parts += [_side(side, ledger) for side in count.sides]

    def follow(self, clauses: Iterable[Sequence[Lit]]) -> list[int]:
        """Derive the clauses emitted since the last time, in order; return their numbers.

        To be called before inputs are added to a weighted counter that was asked for bounds.

        Raises EncodingError for a counter whose variables are not explained, as those of sorting
        networks and of merged adders, and for clauses that do not follow.
        """
        if -self._false not in self._ledger.if_false:
            self._ledger.if_false[-self._false] = self._ledger.fix(-self._false)
        for part in self._parts:
            for meaning in part.meanings():
                if not {meaning.var, -meaning.var} & self._ledger.if_false.keys():
                    _define(meaning, self._ledger)
        found = [self._derived(clause) for clause in clauses]
        for adders in self._adders():
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
        for adders in self._adders():
            if adders.knows(-assumed[0]):
                return adders.bound(-assumed[0])
        return self._ledger.if_false[-assumed[0]]

    def _adders(self) -> Iterator[LiveAdders]:
        return (part for part in self._parts if isinstance(part, LiveAdders))

    def _derived(self, clause: Sequence[Lit]) -> int:
        """Derive a clause: of an adder, with a literal that is constant, or by what all mean."""
        ledger = self._ledger
        for adders in self._adders():
            number = adders.derive(clause)
            if number is not None:
                return number
        for lit in clause:
            number = ledger.if_false.get(lit)
            if number is not None and ledger.rows[number].refutes(clause):
                return ledger.propagate(clause, [number])
        return ledger.derive(clause)


def _side(side: UpperBounds, ledger: Ledger) -> ExplainedBounds | LiveAdders:
    if isinstance(side, BinarySum):
        return LiveAdders(side, ledger)
    if isinstance(side, ExplainedBounds):
        return side
    raise UnderivableError("variables of this counter are no thresholds of inputs")


def _define(meaning: Meaning, ledger: Ledger) -> None:
    """Introduce a variable. It may be constant if inputs repeat or are opposite."""
    var, of = meaning.var, row(meaning.terms, meaning.least)
    if of.refutes(()):
        ledger.if_false[-var] = ledger.fix(-var)
    elif of.of_literals <= 0:
        ledger.if_false[var] = ledger.fix(var)
    else:
        ledger.define(var, of.terms(), of.of_literals)
