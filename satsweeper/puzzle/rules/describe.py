"""Rules and geometries in words, for those who look for one."""

from __future__ import annotations

import inspect
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any, Literal

from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import GRIDS
from satsweeper.puzzle.rules.rule import ClueRule
from satsweeper.puzzle.rules.table import (
    CLUES,
    LAYOUTS,
    OWN_LETTERS,
    clue_rule,
    layout_rule,
    own_rules,
    parted,
)


@dataclass(frozen=True)
class Description:
    """A rule in words: letters, name, kind and meaning."""

    letters: str
    name: str
    kind: Literal["layouts", "clues"]
    summary: str
    text: str = ""
    """The docstring of the rule's code; empty in a list of all rules."""

    def as_json(self) -> dict[str, Any]:
        """Return the description as an object, without an empty text."""
        return {name: value for name, value in asdict(self).items() if name != "text" or value}


_OWN: Description = Description(
    OWN_LETTERS, "labelled", "clues", "each clue begins with the letters of a rule of its own"
)


def known() -> list[Description]:
    """Return all rules in the order of the table: rules of layouts, then rules of clues."""
    return [
        *[Description(row.letters, row.name, "layouts", row.summary) for row in LAYOUTS.values()],
        *[Description(row.letters, row.name, "clues", row.summary) for row in CLUES.values()],
        _OWN,
    ]


def described(letters: str) -> Description:
    """Return one rule, with what its code says. Raises RuleError for no rule."""
    if letters == OWN_LETTERS:
        return _OWN
    of_clues = parted((letters,))[1]
    rule = clue_rule(letters) if of_clues else layout_rule(letters)
    if own_rules((letters,)):
        text = inspect.getdoc(rule) or ""
        summary = rule.summary if isinstance(rule, ClueRule) else text.partition("\n")[0]
        name = letters.partition(":")[2]
        kind: Literal["layouts", "clues"] = "clues" if of_clues else "layouts"
        return Description(letters, name, kind, summary, "" if of_clues else text)
    row = CLUES[letters] if of_clues else LAYOUTS[letters]
    if isinstance(rule, ClueRule):
        module = import_module(f"satsweeper.puzzle.rules.clues.{row.place.partition(':')[0]}")
        return Description(letters, row.name, "clues", rule.summary, inspect.getdoc(module) or "")
    return Description(letters, row.name, "layouts", row.summary, inspect.getdoc(rule) or "")


def geometries() -> list[tuple[str, str]]:
    """Return the geometries, each with a sentence; those that text files name come first."""
    grids = [(name, _sentence(make)) for name, make in GRIDS.items()]
    return [
        *grids,
        ("cubes", f"{_sentence(cubes)} (JSON)"),
        ("graph", f"{_sentence(graph)} (JSON)"),
    ]


def _sentence(make: object) -> str:
    first = (inspect.getdoc(make) or "").partition("\n")[0].removesuffix(".")
    return first.removeprefix("Return ").replace("``", "")
