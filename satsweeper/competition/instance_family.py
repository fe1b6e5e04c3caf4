"""The families of instances of an entry, and questions whose answer a family proves.

A family of consistent boards may prove the verdict of certain cells. With one of them held to the
other verdict nothing is left: a *question*, as hard as the proof of that cell.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

from satsweeper.board.codes import Cell
from satsweeper.families.family import Family
from satsweeper.families.table import FAMILIES

TRACKS: Final = ("sat", "pb", "counting")
"""Clauses for the SAT Competition, sums for the Pseudo-Boolean one, models to be counted."""


@dataclass(frozen=True, slots=True)
class Series:
    """The instances of a family, or of the question about a certain cell (``asked``)."""

    family: Family
    asked: bool = False

    @property
    def name(self) -> str:
        """The name of the family, with ``_asked`` for a question about a cell."""
        return f"{self.family.name}_asked" if self.asked else self.family.name

    @property
    def satisfiable(self) -> bool:
        """The expected answer, for every size and seed."""
        return self.family.satisfiable and not self.asked

    @property
    def seeded(self) -> bool:
        """Whether seeds give different instances; a question draws its cell."""
        return self.family.seeded or self.asked

    @property
    def why(self) -> str:
        """The argument for the expected answer."""
        if self.asked:
            return f"a cell has the verdict that it cannot have: {self.family.why}"
        return self.family.why

    def question(self, size: int, seed: int) -> tuple[Cell, bool] | None:
        """The cell that is held, and whether to be a mine; None if none is."""
        if not self.asked:
            return None
        certain = self.family.certain(size, seed)
        cell = Random(f"asked {self.family.name} {size} {seed}").choice(sorted(certain))
        return cell, not certain[cell]


def series_of(track: str) -> dict[str, Series]:
    """Every series of a track by its name; those to be counted are consistent boards."""
    plain = [Series(family) for family in FAMILIES.values()]
    if track == "counting":
        found = [each for each in plain if each.satisfiable and each.family.of == "board"]
    else:
        asked = [each for each in plain if each.family.certain(each.family.small[-1], 0)]
        found = plain + [Series(each.family, asked=True) for each in asked]
    return {each.name: each for each in found}
