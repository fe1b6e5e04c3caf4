"""CNF clauses and proof steps as plain tuples, and the result of a check.

A literal is a non-zero integer, a clause a tuple of literals: repeated and opposite literals stay,
and so does their order, because the first literal of a lemma means something in DRAT.
"""

from __future__ import annotations

from dataclasses import dataclass
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
"""A step of a DRUP or DRAT proof."""
LratStep: TypeAlias = LratAddition | LratDeletion
"""A step of an LRAT proof."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer of a checker; true if and only if the proof proves what it should.

    `reason` is one line: what was proved, or the first thing wrong. `step` (from 0), `line` (0 if
    unknown) and `clause` say where, and are None if no single step is wrong. `lemmas` were checked,
    `rat` of them were not implied and needed the RAT check. `ignored` deletions were those of unit
    clauses and of reasons, `missing` those of clauses that were not there. Known after an LRAT
    check and after a DRAT check backwards only, `core`: the original clauses that the proof uses,
    by identifier. After the latter only, `needed`: the steps (from 0) that prove it from these.
    """

    verified: bool
    reason: str
    step: int | None = None
    line: int | None = None
    clause: Literals | None = None
    lemmas: int = 0
    rat: int = 0
    ignored: int = 0
    missing: int = 0
    core: tuple[int, ...] = ()
    needed: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self.verified


def written(clause: Literals) -> str:
    """Return a clause as it stands in a message."""
    return f"clause '{' '.join(map(str, clause))}'" if clause else "empty clause"


def place(step: int, line: int) -> str:
    """Return a place as it stands in a message."""
    return f"line {line}" if line else f"step {step}"


def refusal(where: str, lemma: Literals, may_be_rat: bool) -> str:
    """Return why a lemma of a DRAT proof is refused, as it stands in a message."""
    if may_be_rat:
        return f"{where}: the {written(lemma)} is neither RUP nor RAT"
    variable = abs(lemma[0])
    return (
        f"{where}: the {written(lemma)} is not RUP, and goals forbid RAT on the variable "
        f"{variable} of the formula"
    )
