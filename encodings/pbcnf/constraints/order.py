"""Orders of the literals of constraints, which can matter to solvers more than the encoder does.

An encoder puts literals that follow one another into one subtree, one counter or one path: an order
in which related variables are near gives auxiliary variables that say something about few of them.
No order adds or loses a literal: the encoding of each constraint has the same size under all.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from random import Random
from typing import Final, Protocol, TypeVar, cast

from pbcnf.constraints.constraint import Cardinality, Constraint, Parity, PseudoBoolean
from pbcnf.literals import Var


class LiteralOrder(StrEnum):
    """The order in which the literals of a constraint enter its encoding.

    ``given``: as they stand. ``reversed``: the last one first. ``occurrence``: literals of many
    constraints first. ``proximity``: variables that share at-most-one constraints and clauses with
    those before, of Reeves, Filipe, Hsu, Martins and Heule, "The Impact of Literal Sorting on
    Cardinality Constraint Encodings", AAAI 2025. ``bandwidth``: reverse Cuthill-McKee on the graph
    of variables that share a constraint of at most 32 literals (Cuthill and McKee, "Reducing the
    bandwidth of sparse symmetric matrices", 1969), which is this project's own idea for one long
    sum over short constraints, and so is ``occurrence``; measured to help on graphs, not on boards
    (docs/encodings.md). ``random``: drawn from a seed.
    """

    GIVEN = "given"
    REVERSED = "reversed"
    OCCURRENCE = "occurrence"
    PROXIMITY = "proximity"
    BANDWIDTH = "bandwidth"
    RANDOM = "random"


_MOST_UPDATES: Final = 1000
"""The longest constraint each of whose variables raises the scores of all others.

Of a longer one only the first does, so that the work stays linear in its length: not in the paper.
"""
_UNIT: Final = 720720
"""The integer that stands for a score of 1, a multiple of the numbers up to 16.

Sums of 1 / n are sums of integers then, which doubles hold exactly: equal scores are equal in any
order of addition.
"""
_SHORT: Final = 32
"""The longest constraint whose variables are neighbours for ``bandwidth``."""

C = TypeVar("C", bound=Constraint)


class Reorder(Protocol):
    """A function that puts the literals of a constraint into another order."""

    def __call__(self, constraint: C, /) -> C:
        """Return a constraint with the literals of ``constraint`` in another order."""


def literal_order(order: LiteralOrder, seed: int, constraints: Iterable[Constraint]) -> Reorder:
    """Return a function that puts the literals of one constraint after the other into an order.

    The function keeps the meaning and the class of a constraint, and the order of literals that
    ``order`` does not tell apart.

    Args:
        order: one of `LiteralOrder`.
        seed: draws ``random``, a shuffle of each constraint in turn, equal on every machine.
        constraints: all constraints of the problem, on which the other orders depend.

    >>> problem = [Cardinality([1, 2, 3], 1), Cardinality([1, 3, 4], upper=1)]
    >>> literal_order(LiteralOrder.OCCURRENCE, 0, problem)(problem[0]).lits
    (1, 3, 2)
    """
    if order is LiteralOrder.GIVEN:
        return lambda constraint: constraint
    random, every = Random(f"order of literals {seed}"), [*constraints]
    place: dict[int, int] = {}
    if order is LiteralOrder.PROXIMITY:
        place = {var: at for at, var in enumerate(_by_proximity(every))}
    elif order is LiteralOrder.BANDWIDTH:
        place = {var: at for at, var in enumerate(_by_bandwidth(every))}
    times = Counter(lit for each in every for lit in set(each.lits))

    def permuted(constraint: C, /) -> C:
        lits = constraint.lits
        places = list(range(len(lits)))
        match order:
            case LiteralOrder.REVERSED:
                places.reverse()
            case LiteralOrder.OCCURRENCE:
                places.sort(key=lambda at: -times[lits[at]])
            case LiteralOrder.RANDOM:
                places = random.sample(places, len(places))
            case _:
                places.sort(key=lambda at: place.get(abs(lits[at]), len(place)))
        return cast(C, _with_places(constraint, places))

    return permuted


def _with_places(constraint: Constraint, places: Sequence[int]) -> Constraint:
    lits = [constraint.lits[at] for at in places]
    match constraint:
        case Cardinality():
            return Cardinality(lits, constraint.lower, constraint.upper)
        case PseudoBoolean():
            weights = [constraint.weights[at] for at in places]
            return PseudoBoolean(lits, weights, constraint.lower, constraint.upper)
        case Parity():
            return Parity(lits, constraint.odd)


def _variables(constraint: Constraint) -> list[Var]:
    return [*dict.fromkeys(map(abs, constraint.lits))]


def _by_proximity(constraints: Sequence[Constraint]) -> list[Var]:
    """Return all variables, each next one near to those before.

    A variable's score rises whenever another variable of its at-most-one constraint with n literals
    is taken, by n * n, and of its clause, by 1 / n; two literals count as at-most-one. The highest
    score is next, without one the most frequent variable. The order is one of the whole problem,
    and each constraint takes it.
    """
    times = Counter(var for each in constraints for var in _variables(each))
    weighted: list[tuple[list[Var], float]] = []
    of_var: dict[Var, list[int]] = {var: [] for var in times}
    for each in constraints:
        if not isinstance(each, Cardinality):
            continue
        found, n = _variables(each), len(each.lits)
        # "At most one false" is as good as "at most one true"; the latter of two literals, and the
        # former, are clauses of two.
        if each.upper == 1 or each.lower == n - 1:
            weight = float(n * n * _UNIT)
        elif each.lower == 1:
            weight = float(round(_UNIT / n))
        else:
            continue
        for var in found:
            of_var[var].append(len(weighted))
        weighted.append((found, weight))
    # Variables are numbered such that the first of equal scores is next: the most frequent one, of
    # these the smallest.
    import numpy as np

    by_rank = sorted(times, key=lambda var: (-times[var], var))
    rank = {var: at for at, var in enumerate(by_rank)}
    ranked = [
        (np.array(sorted(rank[var] for var in members)), weight) for members, weight in weighted
    ]
    score = np.zeros(len(by_rank))
    # The best of all variables with a score is the best one of the constraint that raised it last:
    # a better one there would be waiting, or its turn would have raised that constraint again. So
    # one entry a raise will do. An entry with an old score is passed over.
    waiting = [(0.0, at) for at in range(len(by_rank))]
    order: list[Var] = []
    raised = [0] * len(ranked)
    while waiting:
        lowest, at = heapq.heappop(waiting)
        if -lowest != score[at]:
            continue
        order.append(by_rank[at])
        score[at] = -np.inf  # it stays, whatever is added
        for number in of_var[by_rank[at]]:
            members, weight = ranked[number]
            raised[number] += 1
            if len(members) > _MOST_UPDATES:
                if raised[number] == 1:
                    score[members] += weight
                    for other in members[score[members] > 0].tolist():
                        heapq.heappush(waiting, (-float(score[other]), other))
                continue
            raised_scores = score[members] + weight
            score[members] = raised_scores
            best = int(raised_scores.argmax())
            if raised_scores[best] > 0:
                heapq.heappush(waiting, (-float(raised_scores[best]), int(members[best])))
    return order


def _by_bandwidth(constraints: Sequence[Constraint]) -> list[Var]:
    """Return the variables of short constraints by reverse Cuthill-McKee, then all others."""
    near: dict[Var, set[Var]] = {}
    for each in constraints:
        found = _variables(each)
        for var in found:
            near.setdefault(var, set())
            if len(found) <= _SHORT:
                near[var].update(found)
    order: dict[Var, None] = {}
    # From each part's variable with the fewest neighbours, breadth first, neighbours with few
    # neighbours first.
    by_degree = {var: (len(others), var) for var, others in near.items()}
    for start in sorted((var for var in near if near[var]), key=by_degree.__getitem__):
        waiting = [start] if start not in order else []
        order.update(dict.fromkeys(waiting))
        for var in waiting:
            new = sorted(near[var].difference(order), key=by_degree.__getitem__)
            order.update(dict.fromkeys(new))
            waiting += new
    return [*reversed(order)]
