"""A few layouts that show every unknown cell as a mine and as safe.

The layouts are all there is to check, so nothing of this search needs to be trusted. A solver that
counts by itself is led away from what it has shown already. It knows the frontier and one cell of
the interior; the mines that are left go to the rest of the interior, in turn to every cell.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice

from satsweeper.answers.classification import Classification
from satsweeper.board.codes import Cell
from satsweeper.board.errors import DefectError
from satsweeper.board.facts import check_layout
from satsweeper.certificate.formula import Statement, clue_clauses
from satsweeper.clues import BoardConstraints
from satsweeper.position import Position
from satsweeper.solvers.backbone import Backbone
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sink import SolverSink

_COUNTING = "minicard"
"""A solver with "at most k of these" in its own code."""

_BATCH = 1000
"""Cells on the frontier that are searched together, where there are more."""

Layout = tuple[int, ...]
"""The variables of the mines among the unknown cells, ascending."""


class UnwitnessedError(DefectError):
    """Raised for a defect of the session: an unknown cell has one value in every layout."""


@dataclass(frozen=True)
class Witnesses:
    """At least one layout, and for every unknown cell two layouts that differ there.

    ``shown``: cell -> (a layout with a mine there, one without), indices into ``layouts``.
    """

    layouts: tuple[Layout, ...] = field(repr=False)
    shown: dict[Cell, tuple[int, int]] = field(repr=False)


def find_witnesses(
    position: Position,
    board: BoardConstraints,
    said: Statement,
    encoding: str,
    found: Classification,
) -> Witnesses:
    """Return layouts for the unknown cells of a classification; certain cells keep their verdict.

    Args:
        position: the position, consistent.
        board: its constraints, whose variables the layouts use.
        said: the board's constraints as equations.
        encoding: for what is left of the clues.
        found: the verdict of every cell.

    Raises:
        UnwitnessedError: a cell has no layout of one kind.
    """
    cells = board.cell_list()
    verdicts = dict.fromkeys(found.safe, False) | dict.fromkeys(found.mines, True)
    known = {v: verdicts[cell] for v, cell in enumerate(cells, start=1) if cell in verdicts}
    unknown = [v for v in range(1, len(cells) + 1) if v not in known]
    left = said.without(known)
    touched = left.touched()
    interior = [v for v in unknown if v not in touched]
    asked = [*sorted(touched), *interior[:1]]
    index = {v: position.geometry.index(cells[v - 1]) for v in unknown}
    facts = position.view(found.flags).facts().decided(found.safe_board, found.mine_board)
    total = None if said.total is None else said.total - sum(known.values())
    near = _by_batches(left, encoding) if len(touched) > _BATCH else []
    # Batches are searched apart and know nothing of the total: their layouts are kept only if the
    # interior can hold what the total leaves, with a cell of either kind.
    fits = total is None or all(0 < total - len(mines) < len(interior) for mines in near)
    if not near or not fits:
        near = []
        clauses, variables = clue_clauses(left, encoding)
        _search(sorted(touched), interior, clauses, variables, total, asked, near.append)
    layouts: list[Layout] = []
    for mines in _filled(near, interior, total):
        layout = tuple(sorted(mines))
        check_layout(facts, [index[v] for v in layout], position.mines)
        layouts.append(layout)
    return Witnesses(tuple(layouts), _shown(layouts, unknown, cells))


def _by_batches(left: Statement, encoding: str) -> list[list[int]]:
    """Return sets of mines on the frontier that show its cells both ways, for any total.

    Clues that share no cell are searched apart, a few of them together: a solver that is told of
    hundreds of thousands of cells that it should change takes long to do it.
    """
    found: list[list[list[int]]] = []
    for sums in _batches(left):
        cells = sorted({v for variables, _ in sums for v in variables})
        name = {v: number for number, v in enumerate(cells, start=1)}
        renamed = tuple((tuple([name[v] for v in variables]), mines) for variables, mines in sums)
        clauses, last = clue_clauses(Statement(len(cells), renamed, None), encoding)
        models: list[list[int]] = []
        asked = list(range(1, len(cells) + 1))
        _search(asked, [], clauses, last, None, asked, models.append)
        found.append([[cells[v - 1] for v in model] for model in models])
    most = max(map(len, found), default=0)
    return [[v for models in found for v in models[at % len(models)]] for at in range(most)]


def _batches(left: Statement) -> Iterator[list[tuple[tuple[int, ...], int]]]:
    """Yield the sums in batches of at least _BATCH cells; sums that share cells stay together."""
    of: dict[int, list[int]] = defaultdict(list)
    for index, (variables, _) in enumerate(left.sums):
        for v in variables:
            of[v].append(index)
    batch: list[tuple[tuple[int, ...], int]] = []
    cells: set[int] = set()
    taken: set[int] = set()
    for first in range(len(left.sums)):
        reached = [] if first in taken else [first]
        taken.update(reached)
        while reached:
            said = left.sums[reached.pop()]
            batch.append(said)
            cells.update(said[0])
            near = {index for v in said[0] for index in of[v]} - taken
            taken |= near
            reached += near
        if len(cells) >= _BATCH:
            yield batch
            batch, cells = [], set()
    if batch:
        yield batch


def _search(
    frontier: list[int],
    interior: list[int],
    clauses: Iterable[Sequence[int]],
    variables: int,
    total: int | None,
    asked: Sequence[int],
    keep: Callable[[list[int]], None],
) -> None:
    """Search models until all variables were seen both ways; pass the mines of each to `keep`."""
    solver = PysatSolver(_COUNTING)
    try:
        sink = SolverSink(solver)
        sink.new_vars(max(variables, len(frontier) + len(interior)))
        for clause in clauses:
            solver.add_clause(clause)
        # The first interior cell stands for all of them; the others may hold any number of mines.
        counted = frontier + interior[:1]
        if total is not None:
            solver.add_at_most(counted, total)
            fewest = max(total - len(interior[1:]), 0)
            solver.add_at_most([-v for v in counted], len(counted) - fewest)
        else:
            for v in interior[:1]:
                solver.add_clause([v, -v])
        # The backbone search asks for models until each asked variable was 0 and 1: the session
        # said that none of them is certain, so none may be proved.
        on_frontier = set(frontier)
        search = Backbone(sink, asked, lambda m: keep([v for v in m if v in on_frontier]))
        limit = SearchBudget()
        limit.widen()
        search.run(limit)
        if search.consistent is not True or search.proved:
            raise UnwitnessedError("a cell called unknown is the same in every layout")
    finally:
        solver.close()


def _filled(
    near: Sequence[list[int]], interior: list[int], total: int | None
) -> Iterator[list[int]]:
    """Yield whole layouts, whose mines in the interior move on from layout to layout.

    They go on until every interior cell has been a mine, and has been safe.
    """
    turns = cycle(interior)
    none_or_all = cycle((0, len(interior)))
    never_mine, never_safe = set(interior), set(interior)

    def filled(mines: list[int]) -> list[int]:
        left = next(none_or_all) if total is None else total - len(mines)
        here = list(islice(turns, left))
        never_mine.difference_update(here)
        never_safe.intersection_update(here)
        return mines + here

    for mines in near:
        yield filled(mines)
    while never_mine or never_safe:
        before = len(never_mine), len(never_safe)
        # Whichever layouts leave some interior cells safe, or hold a mine there, move them on.
        for mines in near:
            yield filled(mines)
            if not never_mine and not never_safe:
                break
        if before == (len(never_mine), len(never_safe)):
            return


def _shown(
    layouts: Sequence[Layout], unknown: Sequence[int], cells: Sequence[Cell]
) -> dict[Cell, tuple[int, int]]:
    mined: dict[int, int] = {}
    safe: dict[int, int] = {}
    never_mine, never_safe = set(unknown), set(unknown)
    for at, layout in enumerate(layouts):
        mined |= dict.fromkeys(never_mine.intersection(layout), at)
        never_mine.difference_update(layout)
        safe |= dict.fromkeys(never_safe.difference(layout), at)
        never_safe.intersection_update(layout)
    lost = [cells[v - 1] for v in unknown if v not in mined or v not in safe]
    if lost:
        raise UnwitnessedError(f"no layout shows the cell at {lost[0]} both ways")
    return {cells[v - 1]: (mined[v], safe[v]) for v in unknown}


def layouts_json(found: Classification, witnesses: Witnesses, cells: Sequence[Cell]) -> bytes:
    """Return boards as rows of text, and for every cell the boards that show it.

    ``cells``: the cell of each variable.
    """
    grid = found.grid()
    width = len(grid[0]) if grid else 0
    at = [row * width + column for row, column in cells]
    base = bytearray("".join(grid), "ascii")
    for row, column in witnesses.shown:
        base[row * width + column] = ord("S")
    boards = []
    for layout in witnesses.layouts:
        whole = base.copy()
        for v in layout:
            whole[at[v - 1]] = ord("M")
        text = whole.decode("ascii")
        boards.append([text[row * width : row * width + width] for row in range(len(grid))])
    shown = [
        {"cell": list(cell), "mine": mine, "safe": safe}
        for cell, (mine, safe) in witnesses.shown.items()
    ]
    return json.dumps({"layouts": boards, "cells": shown}).encode("ascii") + b"\n"
