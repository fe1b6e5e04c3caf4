"""Automata of constraints: they accept what the constraint holds of, in every order of reading."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from satsweeper.puzzle.board_constraints import board_constraints
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.constraints.clause import Clause
from satsweeper.puzzle.constraints.clause_set import clause_set
from satsweeper.puzzle.constraints.equal_lines import EqualLines
from satsweeper.puzzle.constraints.protocol import Constraint, Part, reads
from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS

PART = Part("rule", "test")
WRAPPED = [each for each in LAYOUTS if each not in ("O", "2S", "2B")]
"""The rules of layouts that need no border and no rows with ends."""


def with_clues(puzzle: Puzzle, rng: random.Random) -> tuple[Puzzle, set[int]]:
    """Put clues on some safe cells of a random layout, some of them wrong; also the layout."""
    size = len(puzzle.geometry)
    mines = {cell for cell in range(size) if rng.random() < rng.choice((0.2, 0.5))}
    kind = clue_kind(puzzle.clue_rules)
    clues = {}
    for cell in range(size):
        if cell in mines or rng.random() < 0.6:
            continue
        site = kind.site(puzzle.board, PART, cell)
        values = kind.shown(site, lambda each: int(each in mines))
        if kind.together is not None:
            values += [rng.randrange(4)]
        if values:
            clues[cell] = Clue(kind, rng.choice(values))
    return replace(puzzle, clues=clues), {cell + 1 for cell in mines}


def layouts(size: int, near: set[int], rng: random.Random) -> Iterator[set[int]]:
    """A layout, those that differ from it in one cell, and random ones."""
    yield near
    for variable in range(1, size + 1):
        yield near ^ {variable}
    for _ in range(25):
        share = rng.random()
        yield {variable for variable in range(1, size + 1) if rng.random() < share}


def check(constraints: list[Constraint], size: int, near: set[int], rng: random.Random) -> None:
    found = [*layouts(size, near, rng)]
    for constraint in constraints:
        order = list(constraint.scope)
        if rng.random() < 0.7:
            rng.shuffle(order)
        automaton = constraint.automaton(order)
        for mines in found if order else ():
            assert reads(automaton, order, mines) == constraint.holds(mines), (constraint, mines)
    clauses = [each for each in constraints if isinstance(each, Clause)]
    order = [*range(1, size + 1)]
    rng.shuffle(order)
    automaton = clause_set([each.literals for each in clauses], order)
    for mines in found:
        assert reads(automaton, order, mines) == all(each.holds(mines) for each in clauses)


@pytest.mark.parametrize("rule", [*LAYOUTS, *CLUES])
def test_an_automaton_accepts_what_its_constraint_holds_of(rule: str) -> None:
    rng = random.Random(rule)
    for rows, columns in ((3, 3), (4, 4), (4, 3), (5, 5), (1, 4)):
        puzzle, near = with_clues(Puzzle(grid("square", rows, columns), (rule,)), rng)
        check(board_constraints(puzzle), rows * columns, near, rng)


@pytest.mark.parametrize("rule", WRAPPED)
def test_automata_are_right_on_a_torus(rule: str) -> None:
    rng = random.Random(rule)
    for rows, columns in ((3, 4), (4, 4)):
        puzzle, near = with_clues(Puzzle(grid("torus", rows, columns), (rule,)), rng)
        check(board_constraints(puzzle), rows * columns, near, rng)


@pytest.mark.parametrize("rule", ["C", "D", "S", "U", "2G", "2A"])
def test_automata_are_right_on_graphs(rule: str) -> None:
    rng = random.Random(rule)
    for _ in range(6):
        links = {node: [m for m in range(9) if m != node and rng.random() < 0.25]
                 for node in range(9)}  # fmt: skip
        puzzle, near = with_clues(Puzzle(graph(links), (rule,)), rng)
        check(board_constraints(puzzle), 9, near, rng)


def test_many_clauses_are_one_automaton() -> None:
    rng = random.Random(3)
    for _ in range(60):
        clauses = [
            [rng.choice((1, -1)) * rng.randint(1, 6) for _ in range(rng.randint(1, 4))]
            for _ in range(rng.randint(0, 9))
        ]
        order = rng.sample(range(1, 7), 6)
        automaton = clause_set(clauses, order)
        for values in product((False, True), repeat=6):
            mines = {variable for variable, value in enumerate(values, start=1) if value}
            held = all(any((abs(x) in mines) == (x > 0) for x in clause) for clause in clauses)
            assert reads(automaton, order, mines) == held, (clauses, order)


def test_a_state_of_clauses_is_what_is_left_of_them() -> None:
    automaton = clause_set([[1, 3], [2, 3], [-1, 2, 3], [3, 4]], [1, 2, 3, 4])
    first = automaton.step(0, automaton.start, False)
    # 3 is left of [1, 3]: the clauses with more literals than this are implied.
    assert first == automaton.step(1, first, False) == automaton.step(1, first, True)
    assert automaton.step(2, first, False) is None


def test_totals_limit_how_many_mines_equal_lines_have() -> None:
    lines = EqualLines.of(PART, [[(1, 2), (3, 4)], [(1, 3), (2, 4)]])
    assert lines.totals == (0, 2, 4)
    two = lines.within((2, 3))
    assert two.totals == (2,)
    automaton = two.automaton([1, 2, 3, 4])
    for values in product((False, True), repeat=4):
        mines = {variable for variable, value in enumerate(values, start=1) if value}
        assert reads(automaton, [1, 2, 3, 4], mines) == (mines in ({1, 4}, {2, 3}))
        assert two.holds(mines) == (mines in ({1, 4}, {2, 3}))
