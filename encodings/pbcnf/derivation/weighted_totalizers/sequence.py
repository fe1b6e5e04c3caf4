"""The sequential weight counter: the inputs one after the other, each a part of its own.

Meaning: s[i][j] is true exactly if the first i inputs weigh at least j. With one bound every clause
is one sum of these and of the bound. With two, that a count rises only with its input needs that no
sum lies in between the attainable ones, see `gaps`.

Size: with one bound at most two steps a clause and two a variable, see `gaps` for two bounds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum, by_decreasing_weight, is_clause
from pbcnf.derivation.weighted_totalizers.gaps import close_gaps
from pbcnf.derivation.weighted_totalizers.partial_sums import Joint, PartialSum
from pbcnf.literals import Var


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the counts row by row, then derive the clauses."""
    of = by_decreasing_weight(of)
    if is_clause(of):
        return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
    row, rest = PartialSum([], [0], []), sum(of.weights)
    joints: list[Joint] = []
    last: dict[Var, int] = {abs(lit): place for place, lit in enumerate(of.lits)}
    fresh = of.first
    for place, (weight, x) in enumerate(of.terms):
        joint = Joint(row, PartialSum.of_input(weight, x), of, state)
        joints.append(joint)
        rest -= weight
        sums = _sums(row.sums, weight, of, rest)
        if not sums or not rest:
            break
        kept = dict(zip(row.sums[1:], row.outputs, strict=True))
        outputs: list[Var] = []
        for count in sums[1:]:
            same = bisect_left(row.sums, count) == bisect_left(row.sums, count - weight)
            if not same:
                state.define(fresh, of.terms[: place + 1], count)
                last[fresh] = place
                fresh += 1
            outputs.append(kept[count] if same else fresh - 1)
        row = PartialSum(of.terms[: place + 1], sums, outputs)
        close_gaps(row, joint)
    return [
        joints[max([last.get(abs(lit), 0) for lit in clause], default=0)].derive(clause)
        for clause in of.clauses
    ]


def _sums(before: Sequence[int], weight: int, of: EncodedSum, rest: int) -> list[int]:
    """Return the sums that are told apart after an input, with `rest` to come."""
    every = sorted({*before, *(count + weight for count in before)})
    two = of.at_least is not None
    least = max(of.lower - rest, 0) if two else max(of.upper - rest, 0) + 1
    some = every[bisect_left(every, least) : bisect_right(every, of.upper)]
    return some if two else [0, *some]
