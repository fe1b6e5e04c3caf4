"""Moves of generated boards refuted by CP-SAT: rows of the checker's own reading, or plain ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

import pytest

from satsweeper.checker.puzzle.clue_rows import statement_of
from satsweeper.checker.puzzle.connections import ConnectedCells
from satsweeper.checker.puzzle.reading import read_puzzle_board
from tests.puzzle.plain_boards import LAYOUTS, Cell, parted
from tests.puzzle.play.plain_play import texts

AROUND_HEXAGON = {
    0: [(-1, -1), (-1, 0), (0, 1), (1, 0), (1, -1), (0, -1)],
    1: [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (0, -1)],
}
"""Steps to the six neighbours in the order of the circle, in even rows and in odd ones."""


class Model:
    """Linear constraints on mines, and connections that a layout found is held to."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._cp = pytest.importorskip("ortools.sat.python.cp_model")
        self._model = self._cp.CpModel()
        self.mine = {cell: self._model.NewBoolVar(f"{cell}") for cell in cells}
        self._connections: list[ConnectedCells] = []

    def safe(self, cells: Iterable[Cell]) -> None:
        for cell in cells:
            self._model.Add(self.mine[cell] == 0)

    def total(self, cells: Iterable[Cell], number: int) -> None:
        self._model.Add(sum(self.mine[cell] for cell in cells) == number)

    def rows_of(self, cells: list[Cell], text: str) -> None:
        """Add what the checker reads in the text of a board; ``cells``: in reading order."""
        statement = statement_of(read_puzzle_board(text), True)
        of = {number: self.mine[cell] for number, cell in enumerate(cells, start=1)}
        for number in range(len(cells) + 1, statement.variables + 1):
            of[number] = self._model.NewBoolVar(f"{number}")
        for row in statement.rows.values():
            terms = [w * (of[v] if v > 0 else 1 - of[-v]) for v, w in row.terms.items()]
            self._model.Add(sum(terms) >= row.degree)
        self._connections += statement.connections

    def circle(self, ring: list[Cell], accepts: Callable[[list[bool]], bool]) -> None:
        """Add that the mines of a circle, outside the board none, are accepted."""
        rows = []
        for values in product((False, True), repeat=len(ring)):
            if accepts([*values]) and not any(
                value for cell, value in zip(ring, values, strict=True) if cell not in self.mine
            ):
                rows.append([v for c, v in zip(ring, values, strict=True) if c in self.mine])
        inside = [self.mine[cell] for cell in ring if cell in self.mine]
        self._model.AddAllowedAssignments(inside, rows)

    def refutes(self, cells: Iterable[Cell]) -> bool:
        """Whether no layout has a mine in any of ``cells``."""
        self._model.Add(sum(self.mine[cell] for cell in cells) >= 1)
        every = [*self.mine]
        while True:
            solver = self._cp.CpSolver()
            solver.parameters.num_workers = 1
            status = solver.Solve(self._model)
            if status == self._cp.INFEASIBLE:
                return True
            assert status in (self._cp.OPTIMAL, self._cp.FEASIBLE)
            mines = [solver.Value(self.mine[cell]) == 1 for cell in every]
            cut = [self._cut(each, every, mines) for each in self._connections]
            if not any(cut):
                return False

    def _cut(self, of: ConnectedCells, every: list[Cell], mines: list[bool]) -> bool:
        """Add clauses that a layout without the connection breaks; whether there are any."""
        near = {every[n]: [every[each] for each in found] for n, found in enumerate(of.near)}
        member = {c: self.mine[c] if of.sign > 0 else 1 - self.mine[c] for c in every}
        left = {c for c, mine in zip(every, mines, strict=True) if mine == (of.sign > 0)}
        parts: list[set[Cell]] = []
        while left:
            edge = [min(left)]
            left -= {*edge}
            for cell in edge:
                more = [each for each in near[cell] if each in left]
                left -= {*more}
                edge += more
            parts.append({*edge})
        if of.anchors is None:
            lost = [(part, [min(other)]) for part in parts for other in parts if part is not other]
        else:
            anchors = {every[each] for each in of.anchors}
            lost = [(part, []) for part in parts if not part & anchors]
        for part, other in lost:
            beside = {each for cell in part for each in near[cell]} - part
            for cell in sorted(part)[:3]:
                outside = [1 - member[each] for each in (cell, *other)]
                self._model.Add(sum([*outside, *[member[each] for each in beside]]) >= 1)
        return bool(lost)


def in_circle(cell: Cell) -> list[Cell]:
    return [(cell[0] + i, cell[1] + j) for i, j in AROUND_HEXAGON[cell[0] % 2]]


def runs(circle: list[bool]) -> int:
    return 1 if all(circle) else sum(circle[n] and not circle[n - 1] for n in range(len(circle)))


def hexagon_clue(model: Model, rule: str, cell: Cell, text: str) -> None:
    """Add a clue of Hexcells; its number stands between braces, between dashes, or alone."""
    number = int(text.strip("{}-"))
    near = in_circle(cell)
    if rule == "HB":
        around = {each for beside in near for each in (beside, *in_circle(beside))} - {cell}
        model.total([each for each in around if each in model.mine], number)
    else:
        model.circle(near, lambda c: sum(c) == number and (runs(c) < 2) == (rule == "HC"))


def fixed(found: Mapping[str, Any], mines: Iterable[Cell]) -> Model:
    """The model in which exactly ``mines`` are mines."""
    every = [(r, c) for r in range(found["rows"]) for c in range(found["columns"])]
    model = Model(every)
    model.safe({*every} - {*mines})
    model.total(mines, len([*mines]))
    return model


def state(
    model: Model, found: Mapping[str, Any], clues: Mapping[Cell, str], rules: Iterable[str],
    total: bool,
) -> None:  # fmt: skip
    """Add some clues of a board, some of its rules of layouts, and perhaps its total."""
    every = [*model.mine]
    of_clues = [each for each in found["rules"] if each not in LAYOUTS]
    if found["geometry"] == "hexagonal":
        for cell, text in clues.items():
            hexagon_clue(model, of_clues[0], cell, text)
        model.safe(clues)
        if total:
            model.total(every, found["mines"])
        return
    head = [f"rules: {' '.join([*rules, *of_clues])}"] if [*rules, *of_clues] else []
    head += [f"mines: {found['mines']}"] if total else []
    lines = [
        " ".join(clues.get((row, column), "?") for column in range(found["columns"]))
        for row in range(found["rows"])
    ]
    model.rows_of(every, "\n".join([*head, *lines]) + "\n")


def replay(found: Mapping[str, Any]) -> None:
    """Hold the layout to all rules and clues, and each move to what its reason alone says."""
    mines = {
        (r, c) for r, line in enumerate(found["layout"]) for c, x in enumerate(line) if x == "*"
    }
    solution, seen = texts(found["solution"]), texts(found["grid"])
    rules = parted(found["rules"])[0]
    assert len(mines) == found["mines"]
    assert mines.isdisjoint(solution)
    assert len(mines) + len(solution) == found["rows"] * found["columns"]
    truth = fixed(found, mines)
    state(truth, found, solution, rules, True)
    assert not truth.refutes(mines)
    for move in found["moves"]:
        cells = {(row, column) for row, column in move["cells"]}
        clues = {(row, column) for row, column in move["clues"]}
        assert clues <= seen.keys()
        assert cells <= solution.keys() - seen.keys()
        model = Model(truth.mine)
        model.safe(seen)
        kept = {cell: seen[cell] for cell in clues}
        state(model, found, kept, [r for r in move["rules"] if r in LAYOUTS], move["total"])
        assert model.refutes(cells)
        seen |= {cell: solution[cell] for cell in cells}
    assert seen == solution
