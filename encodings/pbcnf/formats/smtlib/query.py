"""What a script has said so far, and what it asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from pbcnf.formats.smtlib.term_reader import Meaning

Place = tuple[int, int]
"""Line and column, from 1."""


class Asserted(NamedTuple):
    """A term that must hold."""

    term: Any
    place: Place


class Goal(NamedTuple):
    """What is minimised or maximised, or a soft assertion of a group and what it costs."""

    command: str
    term: Any
    place: Place
    weight: Fraction = Fraction(1)
    group: str = ""


@dataclass(slots=True)
class Query:
    """What a check-sat asks."""

    declared: dict[Any, Place]
    """The symbols of Bools and Ints."""
    names: dict[Any, str]
    """What the symbols are called."""
    asserted: list[Asserted]
    goals: list[Goal]


@dataclass(slots=True)
class State:
    """What holds after some commands; whatever is added last is at the end."""

    meanings: dict[str, Meaning] = field(default_factory=dict)
    declared: dict[Any, Place] = field(default_factory=dict)
    asserted: list[Asserted] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)

    def lengths(self) -> list[int]:
        """Return the lengths of what a pop shortens."""
        return [len(each) for each in (self.meanings, self.declared, self.asserted, self.goals)]
