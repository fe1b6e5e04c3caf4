"""Ranges of the outputs that bounds need of a unary count, and counts that several share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


class Asked(NamedTuple):
    """The outputs that a count must have, by the direction of their clauses.

    An output stands for "at least t inputs are true". Clauses of a rising output go from the inputs
    to the output, those of a falling output from the output to the inputs: `rising` are the counts
    t whose output is implied by t true inputs, as upper bounds need; `falling` are the counts t
    whose output implies that t inputs are true, as lower bounds need. At most 1 of 3 needs
    ``rising == range(2, 3)``.
    """

    rising: range
    falling: range


class CountStructure(Protocol):
    """The variables and clauses behind a count of some inputs."""

    def grow(self, asked: Asked, sink: ClauseSink) -> Sequence[Lit]:
        """Emit the missing clauses for the outputs of `asked`; return these outputs in order.

        Each range of `asked` contains that of the call before in the same direction. Both ranges
        are equal, unless one is empty.
        """
        ...


class SharedCount:
    """A count of `inputs` literals with several users: it has every output that a user asked for.

    `parts` are the counts that a sum adds; parts grow before the sum.
    """

    def __init__(
        self,
        structure: CountStructure,
        inputs: int,
        parts: Sequence[SharedCount] = (),
    ) -> None:
        self.inputs = inputs
        self._structure = structure
        self._parts = parts
        self._built = Asked(range(0), range(0))
        self._outputs: Sequence[Lit] = ()

    def grow(self, asked: Asked, sink: ClauseSink) -> Sequence[Lit]:
        """Emit the missing clauses for `asked`; return these outputs in order."""
        # No recursion: a counter that got its inputs one by one is deeper than Python's limit.
        pending = [(self, asked, False)]
        while pending:
            count, more, parts_are_ready = pending.pop()
            whole = count._with(more)
            if parts_are_ready:
                count._outputs = count._structure.grow(whole, sink)
                count._built = whole
            elif whole != count._built:
                pending.append((count, whole, True))
                for part in count._parts:
                    below = asked_below(whole, part.inputs, count.inputs - part.inputs)
                    pending.append((part, below, False))
        return self.outputs(asked)

    def outputs(self, asked: Asked) -> Sequence[Lit]:
        """Return outputs that were emitted before."""
        wanted, first = outputs_of(asked), outputs_of(self._built).start
        return self._outputs[wanted.start - first : wanted.stop - first] if wanted else ()

    def _with(self, asked: Asked) -> Asked:
        """Return the built outputs extended by `asked`: one range for every direction in use."""
        every = outputs_of(Asked(*map(_hull, asked, self._built)))
        parts = zip(asked, self._built, strict=True)
        return Asked(*(every if more or built else range(0) for more, built in parts))


def asked_below(asked: Asked, inputs: int, outside: int) -> Asked:
    """Return the outputs needed of a node with `inputs` inputs below and `outside` elsewhere."""
    return Asked(
        _reachable(asked.rising, inputs, outside), _reachable(asked.falling, inputs, outside)
    )


def outputs_of(asked: Asked) -> range:
    """Return the outputs of either direction of `asked`: one range without a gap."""
    return _hull(*asked) or range(1, 1)


def _hull(left: range, right: range) -> range:
    if not (left and right):
        return left or right
    return range(min(left.start, right.start), max(left.stop, right.stop))


def _reachable(asked: range, inputs: int, outside: int) -> range:
    if not asked:
        return range(0)
    # t inputs in all are at least t - outside, and at most t, of the inputs of the node.
    return range(max(1, asked.start - outside), min(inputs, asked.stop - 1) + 1)
