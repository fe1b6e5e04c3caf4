"""What a checker found."""

from __future__ import annotations

from dataclasses import dataclass

from pbcnf.proof.steps import Literals


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer of a checker; true if and only if the proof proves what it should.

    `reason` is one line: what was proved, or the first thing wrong. `step` (from 0), `line` (0 if
    unknown) and `clause` say where, and are None if no single step is wrong. `lemmas` were checked,
    `rat` of them were not implied and needed the RAT check. `ignored` deletions were those of unit
    clauses and of reasons, `missing` those of clauses that were not there. `core`, known after an
    LRAT check only: the original clauses that the proof uses, by identifier.
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

    def __bool__(self) -> bool:
        return self.verified


def written(clause: Literals) -> str:
    """Return a clause as it stands in a message."""
    return f"clause '{' '.join(map(str, clause))}'" if clause else "empty clause"


def place(step: int, line: int) -> str:
    """Return a place as it stands in a message."""
    return f"line {line}" if line else f"step {step}"
