"""What a CNF and a proof are made of: plain tuples, as they stand in the files.

A literal is a non-zero integer, a clause a tuple of literals: repeated and opposite literals stay,
and so does their order, because the first literal of a lemma means something in DRAT.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Literals: TypeAlias = tuple[int, ...]


class Cnf(NamedTuple):
    """A formula; its clauses have the identifiers 1, 2, ... in this order."""

    num_vars: int
    clauses: tuple[Literals, ...]


class Addition(NamedTuple):
    """A step of a DRUP or DRAT proof: a lemma. `line`: see `pbcnf.proof.drat_reader`."""

    literals: Literals
    line: int = 0


class Deletion(NamedTuple):
    """A step of a DRUP or DRAT proof: a clause that is not used from here on."""

    literals: Literals
    line: int = 0


class LratAddition(NamedTuple):
    """A step of an LRAT proof: a lemma, and the clauses from which it follows, in order.

    A negative hint -i opens the hints for the resolvent with clause i.
    """

    identifier: int
    literals: Literals
    hints: tuple[int, ...]
    line: int = 0


class LratDeletion(NamedTuple):
    """A step of an LRAT proof: clauses that are not used from here on."""

    identifier: int
    deleted: tuple[int, ...]
    line: int = 0


DratStep: TypeAlias = Addition | Deletion
LratStep: TypeAlias = LratAddition | LratDeletion
