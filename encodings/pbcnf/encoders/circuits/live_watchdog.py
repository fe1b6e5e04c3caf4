"""A dynamic polynomial watchdog: the tare is assumed, so that a circuit serves every bound."""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


class Watchdog:
    """Buckets by bit of the weight, counted in unary with the carry from below; see `UpperBounds`.

    The tare, one input more in each bucket but the last, is of fresh variables. A bound assumes
    those that move it to the next multiple of the last bucket's weight, and that the last bucket
    does not reach the count there. Further inputs join the counts of their buckets; the carries
    are then counted anew, with a tare of their own.
    """

    def __init__(self) -> None:
        self.total = 0
        self._inputs: list[_Count | None] = []
        """Per bucket the count of its inputs."""
        self._last: _Count | None = None
        """The count of the last bucket, its carry included, as long as no inputs are added."""
        self._tare: list[Lit] = []

    def add(self, lits: Sequence[Lit], weights: Sequence[int]) -> None:
        """Add inputs."""
        for place in range(max(weights, default=0).bit_length()):
            chosen = [lit for lit, weight in zip(lits, weights, strict=True) if weight >> place & 1]
            if chosen:
                self._put(place, _balanced([_Input(lit) for lit in chosen]))
        self.total += sum(weights)

    def merge(self, other: Watchdog, sink: ClauseSink) -> None:
        """Add the buckets of another watchdog."""
        for place, count in enumerate(list(other._inputs)):
            if count is not None:
                self._put(place, count)
        self.total += other.total

    def at_most(self, bound: int, sink: ClauseSink) -> list[Lit]:
        """Emit what is missing for this bound; return the literals to assume."""
        last = self._last or self._stack(sink)
        places = len(self._tare)
        # As in `buckets_of`, but the tare's bits are inputs: a bound assumes its own to be true;
        # the others, left open, can be false.
        reached = (bound >> places) + 1
        tare = (reached << places) - bound - 1
        _demand(last, reached, sink)
        chosen = [lit for place, lit in enumerate(self._tare) if tare >> place & 1]
        return [-last.lits[reached], *chosen]

    def _put(self, place: int, count: _Count) -> None:
        self._inputs += [None] * (place + 1 - len(self._inputs))
        here = self._inputs[place]
        self._inputs[place] = _LiveSum(here, count) if here else count
        self._last = None

    def _stack(self, sink: ClauseSink) -> _Count:
        """Connect each bucket to the carry of the bucket below; return the last bucket."""
        carry: _Count | None = None
        first = sink.new_vars(len(self._inputs) - 1)
        self._tare = list(range(first, first + len(self._inputs) - 1))
        for place, inputs in enumerate(self._inputs):
            tare = _Input(self._tare[place]) if place < len(self._tare) else None
            parts = [part for part in (inputs, tare, carry) if part]
            total = parts[0]
            for part in parts[1:]:
                total = _LiveSum(total, part)
            # A count of one at the most never carries.
            carry = _Half(total) if total.most > 1 else None
        self._last = total
        return total


class _Input:
    """A literal, counted: "at least 1" is itself."""

    def __init__(self, lit: Lit) -> None:
        self.most = 1
        self.lits = {1: lit}

    def needs(self, count: int) -> list[tuple[_Count, int]]:
        """Return nothing: the literal of a leaf exists already."""
        return []

    def emit(self, count: int, sink: ClauseSink) -> None:
        """Emit nothing."""


class _Half:
    """Half of a count, rounded down: every second output of the count."""

    def __init__(self, whole: _Count) -> None:
        self.most: int = whole.most // 2
        self.lits: dict[int, Lit] = {}
        self.parts: Sequence[_Count] = (whole,)

    def needs(self, count: int) -> list[tuple[_Count, int]]:
        """Return the count that is twice as much."""
        return [(self.parts[0], 2 * count)]

    def emit(self, count: int, sink: ClauseSink) -> None:
        """Take the output."""
        self.lits[count] = self.parts[0].lits[2 * count]


class _LiveSum:
    """The sum of two counts; ``lits[t]`` is implied by "at least t", for each t that is asked."""

    def __init__(self, left: _Count, right: _Count) -> None:
        self.most: int = left.most + right.most
        self.lits: dict[int, Lit] = {}
        self.parts: Sequence[_Count] = (left, right)

    def needs(self, count: int) -> list[tuple[_Count, int]]:
        """Return the counts of the parts that a total count can consist of."""
        return [
            (part, share)
            for part in self.parts
            for share in range(max(1, count - (self.most - part.most)), min(part.most, count) + 1)
        ]

    def emit(self, count: int, sink: ClauseSink) -> None:
        """Emit a clause for each pair of counts whose sum is the count."""
        left, right = self.parts
        self.lits[count] = lit = sink.new_var()
        for share in range(max(0, count - right.most), min(left.most, count) + 1):
            premise = [-left.lits[share]] if share else []
            premise += [-right.lits[count - share]] if share < count else []
            sink.add_clause([*premise, lit])


_Count = _Input | _Half | _LiveSum


def _balanced(counts: Sequence[_Count]) -> _Count:
    if len(counts) == 1:
        return counts[0]
    half = len(counts) // 2
    return _LiveSum(_balanced(counts[:half]), _balanced(counts[half:]))


def _demand(count: _Count, least: int, sink: ClauseSink) -> None:
    """Emit an output and the outputs below that it needs."""
    # Recursion would be too deep where inputs came one by one.
    pending = [(count, least)]
    while pending:
        here, asked = pending[-1]
        missing = [(part, share) for part, share in here.needs(asked) if share not in part.lits]
        if asked in here.lits:
            pending.pop()
        elif missing:
            pending += missing
        else:
            here.emit(asked, sink)
