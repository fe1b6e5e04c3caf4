"""Jobs of a sweep: a task on an instance, by an encoding, a solver and an order of literals.

The order in which literals enter an encoding can matter more than the encoding: Reeves, Heule,
Bryant, "The Impact of Literal Sorting on Cardinality Constraint Encodings", AAAI 2025.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from random import Random

from pbcnf.constraints.constraint import Cardinality, Linear, PseudoBoolean


class Task(StrEnum):
    """The measurement that a job makes.

    ``classify``: the verdict of every covered cell, in one live solver. ``consistent``: one call,
    is there a layout. ``total``: the constraint on the number of mines alone, one call. ``solve``:
    one call on a problem (OPB, KNF) or a CNF from anyone.
    """

    CLASSIFY = "classify"
    CONSISTENT = "consistent"
    TOTAL = "total"
    SOLVE = "solve"


class LiteralOrder(StrEnum):
    """In which order a constraint's literals enter its encoding."""

    GIVEN = "given"
    REVERSED = "reversed"
    OCCURRENCE = "occurrence"
    RANDOM = "random"


@dataclass(frozen=True)
class Job:
    """A job of a sweep; equal jobs have equal ids, on every machine.

    ``instance`` is the digest of the instance's content, ``name`` what people call it. An empty
    ``encoding`` or ``total_encoding``: the task has no use for it. ``seed`` 0 leaves variables and
    clauses as they come; any other scrambles them (and draws the order ``random``).
    """

    instance: str
    name: str
    task: Task
    encoding: str
    total_encoding: str
    solver: str
    order: LiteralOrder
    seed: int

    @cached_property
    def id(self) -> str:
        """16 hexadecimal digits that depend on nothing but the job."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


Reorder = Callable[[Linear], Linear]


def reorder(order: LiteralOrder, seed: int, constraints: Iterable[Linear]) -> Reorder:
    """Return a function that puts the literals of one constraint after the other into ``order``.

    ``occurrence``: by how many of ``constraints`` a literal is in, most first, else as given.
    ``random``: a shuffle of each constraint, in turn, drawn from the seed; the same everywhere.
    """
    if order is LiteralOrder.REVERSED:
        return lambda constraint: _permuted(constraint, range(len(constraint.lits))[::-1])
    if order is LiteralOrder.OCCURRENCE:
        times = Counter(lit for each in constraints for lit in set(each.lits))
        return lambda constraint: _permuted(
            constraint,
            sorted(range(len(constraint.lits)), key=lambda at: -times[constraint.lits[at]]),
        )
    if order is LiteralOrder.RANDOM:
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
