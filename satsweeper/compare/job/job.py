"""One measurement of a sweep: what is to be done to which instance, and how."""

import hashlib
import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property


class Task(StrEnum):
    """What is measured.

    ``classify``: the verdict of every covered cell, in one live solver. ``consistent``: one call,
    is there a layout. ``total``: the constraint on the number of mines alone, one call. ``solve``:
    one call on a problem (OPB, KNF) or a CNF from anyone.
    """

    CLASSIFY = "classify"
    CONSISTENT = "consistent"
    TOTAL = "total"
    SOLVE = "solve"


class Order(StrEnum):
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
    order: Order
    seed: int

    @cached_property
    def id(self) -> str:
        """16 hexadecimal digits that depend on nothing but the job."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]
