"""Which encoders a problem gets where none is named, how often, why, and what each adds."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pbcnf.constraints.constraint import Constraint
from pbcnf.emission.choose import choose
from pbcnf.encoders.choice import Budget
from pbcnf.formula import EncodingSize
from pbcnf.wording import counted


@dataclass
class Chosen:
    """So many constraints of a kind get this encoder for this reason; None needs no encoder."""

    kind: str
    encoder: str | None
    reason: str
    constraints: int
    size: EncodingSize
    """What all of them add; units and clauses without an encoder count 0."""

    def as_json(self) -> dict[str, Any]:
        """An entry of ``satsweeper/choices/1``."""
        return {
            "kind": self.kind,
            "encoder": self.encoder,
            "reason": self.reason,
            "constraints": self.constraints,
            "variables": self.size.variables,
            "clauses": self.size.clauses,
            "literals": self.size.literals,
        }

    def __str__(self) -> str:
        """A line for a person."""
        how = self.reason if self.encoder is None else f"{self.encoder}: {self.reason}"
        size = f"{counted(self.size.variables, 'variable')}, {counted(self.size.clauses, 'clause')}"
        return f"{self.constraints} x {self.kind}, {how} ({size})"


def chosen(constraints: Iterable[Constraint]) -> list[Chosen]:
    """What is chosen, in the order in which each kind, encoder and reason comes first.

    >>> from pbcnf import Cardinality
    >>> found = chosen([Cardinality([1, 2, 3], 0, 1), Cardinality([2, 3, 4], 0, 1)])
    >>> [(one.constraints, one.encoder, one.size.clauses) for one in found]
    [(2, 'pairwise', 6)]
    """
    found: dict[tuple[str, str | None, str], Chosen] = {}
    budget = Budget()
    for constraint in constraints:
        choice = choose(constraint, budget)
        key = choice.kind.value, choice.encoder, choice.reason
        if key not in found:
            found[key] = Chosen(*key, 0, EncodingSize(0, 0, 0))
        found[key].constraints += 1
        found[key].size += choice.size
    return [*found.values()]
