"""Counters in binary: their adders followed from one portion of inputs to the next.

That the inputs' sum is at most the sum of all weights says that no two bits of the highest place
are true. What is left of it, with the weights of further inputs, says that of the next adders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pbcnf.derivation.adders.clauses import AddersDerived
from pbcnf.derivation.adders.placed import bucket_adders
from pbcnf.derivation.ledger import Ledger, UnderivableError
from pbcnf.encoders.circuits.live_adder import AddedUp, BinarySum
from pbcnf.encoders.circuits.meanings import Meaning
from pbcnf.literals import Lit, Var


class LiveAdders:
    """The adders and bounds of one `BinarySum`, in a ledger."""

    def __init__(self, of: BinarySum, ledger: Ledger) -> None:
        """Follow a sum from its beginning."""
        self._of = of
        self._ledger = ledger
        self._steps = 0
        self._left: Counter[tuple[int, Lit]] = Counter()
        self._at_most: int | None = None
        self._at_least: int | None = None
        self._new: list[AddersDerived] = []
        # Of a bound's variable: that the bits it is about are at least the sum of the inputs.
        self._enough: dict[Var, int | None] = {}

    def meanings(self) -> list[Meaning]:
        """Introduce the outputs of adders that came since; return what bounds stand for, in bits.

        Raises UnderivableError where an adder gets a variable twice, or bits of a merged counter.
        """
        found = []
        for step in self._of.history[self._steps :]:
            if isinstance(step, AddedUp):
                self._add_up(step)
            else:
                bits = [(1 << place, bit) for place, bit in enumerate(step.bits) if bit is not None]
                found.append(Meaning(step.exceeds, step.bound + 1, bits))
        return found

    def owns(self, clause: Sequence[Lit]) -> bool:
        """Whether the clause may be one of an adder that came since."""
        return any(adders.owns(clause) for adders in self._new)

    def derive(self, clauses: Iterable[Sequence[Lit]]) -> list[int]:
        """Derive clauses of adders; return their numbers, in order."""
        return [
            next(adders.derive(clause) for adders in self._new if adders.owns(clause))
            for clause in clauses
        ]

    def close(self) -> None:
        """Say that all clauses so far are derived."""
        new = iter(self._new)
        for step in self._of.history[self._steps :]:
            if isinstance(step, AddedUp):
                self._at_least = next(new).at_least(self._at_least)
            else:
                self._enough[step.exceeds] = self._at_least
        self._new.clear()
        self._steps = len(self._of.history)

    def knows(self, exceeds: Var) -> bool:
        """Whether this is the variable of a bound."""
        return exceeds in self._enough

    def bound(self, exceeds: Var) -> int:
        """Return the number of the row on the inputs that holds if this variable is false."""
        number, enough = self._ledger.if_false[exceeds], self._enough[exceeds]
        return number if enough is None else self._ledger.add([(number, 1), (enough, 1)])

    def _add_up(self, step: AddedUp) -> None:
        bits = Counter((place, lit) for place, own in enumerate(step.buckets) for lit in own)
        if self._left - bits:
            raise UnderivableError("bits that were left are not added up")
        further = [(-lit, times << place) for (place, lit), times in (bits - self._left).items()]
        parts = [] if self._at_most is None else [(self._at_most, 1)]
        at_most = self._ledger.add(parts, further)
        adders = bucket_adders(step.buckets, step.first)
        for each in adders:
            if len({*map(abs, each.inputs)}) < len(each.inputs):
                raise UnderivableError(f"an adder has inputs {[*each.inputs]} of one variable")
        derived = AddersDerived(adders, at_most, self._ledger)
        self._new.append(derived)
        self._at_most = derived.at_most
        for each in adders:
            bits -= Counter((each.place, lit) for lit in each.inputs)
            bits[each.place, each.total] += 1
            if each.carry is not None:
                bits[each.place + 1, each.carry] += 1
        self._left = bits
