"""In which order a constraint's literals enter its encoding; it can matter more than the encoding.

Reeves, Heule, Bryant, "The Impact of Literal Sorting on Cardinality Constraint Encodings", AAAI
2025.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

from pbcnf.constraints.constraint import Cardinality, Linear, PseudoBoolean
from satsweeper.compare.job.job import Order

Reorder = Callable[[Linear], Linear]


def reorder(order: Order, seed: int, constraints: Iterable[Linear]) -> Reorder:
    """What puts the literals of one constraint after the other into the order.

    ``occurrence``: by how many of ``constraints`` a literal is in, most first, else as given.
    ``random``: a shuffle of each constraint, in turn, drawn from the seed; the same everywhere.
    """
    if order is Order.REVERSED:
        return lambda constraint: _permuted(constraint, range(len(constraint.lits))[::-1])
    if order is Order.OCCURRENCE:
        times = Counter(lit for each in constraints for lit in set(each.lits))
        return lambda constraint: _permuted(
            constraint,
            sorted(range(len(constraint.lits)), key=lambda at: -times[constraint.lits[at]]),
        )
    if order is Order.RANDOM:
        random = Random(f"order of literals {seed}")
        return lambda constraint: _permuted(
            constraint, random.sample(range(len(constraint.lits)), len(constraint.lits))
        )
    return lambda constraint: constraint


def _permuted(constraint: Linear, places: Iterable[int]) -> Linear:
    places = list(places)
    lits = [constraint.lits[at] for at in places]
    if isinstance(constraint, Cardinality):
        return Cardinality(lits, constraint.lower, constraint.upper)
    weights = [constraint.weights[at] for at in places]
    return PseudoBoolean(lits, weights, constraint.lower, constraint.upper)
