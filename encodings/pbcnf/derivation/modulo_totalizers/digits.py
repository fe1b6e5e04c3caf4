"""A digit in unary whose outputs are thresholds of a sum: their number is the sum.

Output t is true exactly if ``sum >= t``. Adding up what the outputs say one by one, always (t-1)
times the last sum and the next row, divided by t, gives ``outputs 1..t <= sum`` and, from the last
output on, ``outputs t..n >= sum - t + 1``: one step each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.literals import Lit


@dataclass(slots=True)
class Digit:
    """Outputs, and the numbers of "as many as the sum at most", "at least"; None for one output.

    A single output is its own number. ``meanings``: literal of an output -> the number of what
    holds of the outputs if it is false.
    """

    outputs: tuple[Lit, ...]
    at_most: int | None = None
    at_least: int | None = None
    meanings: dict[Lit, int] = field(default_factory=dict)

    def meaning(self, lit: Lit, state: DerivationState) -> int | None:
        """Return the number of what a false literal says about the number of true outputs.

        None if the literal says it as it is.
        """
        if lit not in self.meanings and len(self.outputs) > 1:
            of_sum = self.at_most if lit > 0 else self.at_least
            assert of_sum is not None
            self.meanings[lit] = state.add([(state.if_false[lit], 1), (of_sum, 1)])
        return self.meanings.get(lit)


def digit(
    outputs: Sequence[Lit], floor: int | None, cap: int | None, state: DerivationState
) -> Digit:
    """Return the digit of a sum that is between 0 and the number of outputs.

    ``floor`` and ``cap`` are the numbers of these bounds, None for one that no literals exceed.
    """
    at_most = _added_up([state.if_false[-lit] for lit in outputs], floor, state)
    at_least = _added_up([state.if_false[lit] for lit in reversed(outputs)], cap, state)
    return Digit(tuple(outputs), at_most, at_least)


def _added_up(numbers: Iterable[int], start: int | None, state: DerivationState) -> int | None:
    """Add up rows whose degrees rise by one from that of the start, or from 1."""
    for number in numbers:
        if start is None:
            start = number
            continue
        degree = state.rows[number].literal_degree
        start = state.add([(start, degree - 1), (number, 1)], divisor=degree)
    return start
