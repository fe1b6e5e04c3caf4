"""The pigeonhole principle: the first formulas that were proved to be hard for resolution.

A. Haken, The intractability of resolution, Theoretical Computer Science 39 (1985) 297-308. Adding
up the constraints is a refutation: W. Cook, C. Coullard, G. Turan, On the complexity of
cutting-plane proofs, Discrete Applied Mathematics 18 (1987) 25-38.
"""

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem


def pigeonhole(pigeons: int, holes: int, capacity: int = 1) -> Problem:
    """Return the problem: each pigeon is in a hole, at most ``capacity`` pigeons in each hole.

    Variable ``p * holes + h + 1``: pigeon p sits in hole h, both from 0. There is a solution if and
    only if pigeons <= holes * capacity. The constraints of the holes, "at most ``capacity`` of
    ``pigeons``", need an encoding; those of the pigeons are clauses.

    Raises:
        ValueError: an argument is below 1.

    >>> problem = pigeonhole(3, 2)
    >>> problem.num_vars, len(problem.constraints)
    (6, 5)
    """
    if min(pigeons, holes, capacity) < 1:
        raise ValueError(f"{pigeons} pigeons, {holes} holes of {capacity}: at least 1 each")
    sits = [[p * holes + h + 1 for h in range(holes)] for p in range(pigeons)]
    names = {var: f"p{p}h{h}" for p, row in enumerate(sits) for h, var in enumerate(row)}
    constraints = [Cardinality(row, lower=1) for row in sits]
    constraints += [Cardinality(column, upper=capacity) for column in zip(*sits, strict=True)]
    return Problem(pigeons * holes, tuple(constraints), names)
