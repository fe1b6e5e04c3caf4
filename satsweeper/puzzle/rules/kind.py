"""The meaning of a clue under one or two rules of clues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from satsweeper.puzzle.board import Board, MinesAt
from satsweeper.puzzle.constraints.protocol import Constraint, Part
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.rules.clues.mine_sum import SUM
from satsweeper.puzzle.rules.clues.pair import OneOfPair
from satsweeper.puzzle.rules.rule import ClueMeasure, ClueRule, Relation, Site, Value
from satsweeper.puzzle.rules.table import OWN_LETTERS, clue_rule, own_rules, parted


@dataclass(frozen=True)
class ClueKind:
    """Rules of clues combined: which cells count, with what weight, what is measured and shown."""

    letters: tuple[str, ...]
    rules: tuple[ClueRule, ...]

    @cached_property
    def measure(self) -> ClueMeasure:
        """The measure of the clue."""
        return next((rule.measure for rule in self.rules if rule.measure is not None), SUM)

    @cached_property
    def relation(self) -> Relation | None:
        """The relation of the number shown to the true number; None: equality."""
        return next((rule.relation for rule in self.rules if rule.relation is not None), None)

    @cached_property
    def together(self) -> ClueRule | None:
        """The rule under which clues depend on one another; None: each stands for itself."""
        return next((rule for rule in self.rules if rule.together is not None), None)

    def site(self, board: Board, part: Part, cell: int) -> Site:
        """Return the place of a clue. Raises RuleError for a board that lacks what a rule needs."""
        counted: Iterable[int] = board.geometry.neighbours[cell]
        weights = [board.weights.get(near, 1) for near in counted]
        for rule in self.rules:
            if rule.cells is not None:
                counted = tuple(rule.cells(board, cell))
                weights = [board.weights.get(near, 1) for near in counted]
        for rule in self.rules:
            if rule.weight is not None:
                weights = [
                    weight * rule.weight(board, near)
                    for weight, near in zip(weights, counted, strict=True)
                ]
        return Site(board, part, cell, tuple(zip(counted, weights, strict=True)))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the letters alone: rules hold functions."""
        return clue_kind, (self.letters,)

    def parse(self, text: str) -> Value:
        """Return the value that ``text`` shows. Raises RuleError for what is no such value."""
        try:
            return self.measure.parse(text)
        except Exception as error:
            if isinstance(error, RuleError) or not own_rules(self.letters):
                raise
            from satsweeper.board.errors import one_line

            rule = f"rule {' '.join(self.letters)}"
            raise RuleError(f"{rule} fails on {text!r}: {one_line(error)}") from None

    def text(self, value: Value) -> str:
        """Return the text that shows ``value``."""
        return self.measure.text(value)

    def constraints(self, site: Site, value: Value) -> Iterator[Constraint]:
        """Yield the constraints of a clue that shows ``value``."""
        allowed = [value]
        if self.relation is not None:
            allowed = self.relation.allowed(value, self.measure.most(site))
        return self.measure.constraints(site, allowed)

    def shown(self, site: Site, mines: MinesAt) -> list[Value]:
        """Return the values that the cell may show in a layout; none if there is no value.

        Where clues depend on one another the values are those without the dependence.
        """
        if isinstance(self.measure, OneOfPair):
            return list(self.measure.values(site, mines))
        value = self.measure.value(site, mines)
        if value is None:
            return []
        if self.relation is not None:
            return list(self.relation.shown(value, self.measure.most(site)))
        return [value]


@lru_cache(maxsize=256)
def clue_kind(letters: tuple[str, ...]) -> ClueKind:
    """Return the meaning of clues under the rules ``letters``; V without any.

    Raises RuleError for rules that do not combine.
    """
    kept = tuple([each for each in letters if each != "V"]) or ("V",)
    rules = tuple(map(clue_rule, kept))
    _require_combination(kept, rules)
    return ClueKind(letters or ("V",), rules)


def required(letters: Sequence[str]) -> None:
    """Raise RuleError unless the rules ``letters`` of a board exist and combine."""
    clues = parted(letters)[1]
    if OWN_LETTERS not in clues:
        clue_kind(clues)
    elif len(clues) > 1:
        raise RuleError(f"rules {' '.join(clues)}: with # each clue has its own letters")


def _require_combination(letters: Sequence[str], rules: Sequence[ClueRule]) -> None:
    both = " and ".join(letters)
    changed = [name for rule in rules for name in rule.changed]
    for name in changed:
        if changed.count(name) > 1:
            raise RuleError(f"rules {both} do not combine: each says {_SAID[name]}")
    if len(rules) < 2:
        return
    measure = next((rule.measure for rule in rules if rule.measure is not None), SUM)
    if "together" in changed:
        raise RuleError(f"rules {both} do not combine: under one of them clues depend on another")
    if "relation" in changed and not measure.numeric:
        raise RuleError(f"rules {both} do not combine: the {measure.name} is no number")
    if ("cells" in changed or "weight" in changed) and not measure.counts:
        raise RuleError(f"rules {both} do not combine: the {measure.name} has cells of its own")


_SAID = {
    "cells": "which cells count",
    "weight": "what a mine counts",
    "measure": "what is measured",
    "relation": "how the number is related to the true one",
    "together": "how clues depend on one another",
}
