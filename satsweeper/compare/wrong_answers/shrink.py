"""Shrinking an instance on which contenders went wrong, until it is small enough to be read."""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from random import Random
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from pbcnf.constraints.constraint import Cardinality, Linear, PseudoBoolean
from pbcnf.constraints.normal_form import sums
from pbcnf.constraints.problem import Problem
from pbcnf.formats.write.dimacs import write_dimacs
from pbcnf.formats.write.opb import write_opb
from pbcnf.formula import Formula
from satsweeper.board.codes import COVERED, MAX_CLUE
from satsweeper.clues import constraints_of
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.instances.random_boards import random_position
from satsweeper.compare.job.job import Job, Result
from satsweeper.compare.job.measure import is_wrong
from satsweeper.compare.wrong_answers.disagreement import Disagreement, differ
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

# Boards with less information than a given board: windows, fewer rows, columns or clues.

Cells = NDArray[np.int8]


def windows(position: Position, size: int, total: bool) -> Iterator[Position]:
    """All windows of at most ``size`` x ``size`` cells; if ``total``, with some totals.

    A clue that counts a cell outside the window becomes a covered cell.
    """
    height, width = min(size, position.rows), min(size, position.columns)
    places = list(product(range(position.rows - height + 1), range(position.columns - width + 1)))
    for mines in range(0, height * width + 1, 3) if total else (None,):
        for row, column in places:
            cells = _window(position.cells, row, row + height, column, column + width)
            yield Position(cells, mines)


def boards_of_one_clue(position: Position) -> Iterator[Position]:
    """Boards of 5 x 5 cells that test the clues of ``position`` one by one.

    The clue in the middle has a number, and a number of covered neighbours, as a clue of
    ``position`` has; the clues around it leave one assignment of mines to these neighbours, and
    each assignment has its board. If an encoding of the middle clue accepts a wrong layout or
    excludes a right layout, one of these boards has a wrong model or no model.
    """
    shapes = {group.shape for group in constraints_of(position).groups}
    for covered, number in sorted(shapes):
        for signs in product((0, 1), repeat=covered):
            if not 0 <= number <= MAX_CLUE:
                continue
            around = [(r, c) for r in (1, 2, 3) for c in (1, 2, 3) if (r, c) != (2, 2)]
            rows, columns = np.transpose(around[:covered])
            mines = np.zeros((7, 7), np.int8)
            mines[rows + 1, columns + 1] = signs
            cells = sum(
                (mines[1 + r : 6 + r, 1 + c : 6 + c] for r in (-1, 0, 1) for c in (-1, 0, 1)),
                start=np.zeros((5, 5), np.int8),
            )
            cells[rows, columns] = COVERED
            cells[2, 2] = number
            yield Position(cells)


def random_small_boards(most: int, count: int) -> Iterator[Position]:
    """Yield positions of games on boards from 2 x 2 to ``most`` x ``most``, drawn from fixed seeds.

    Every other position is without its total.
    """
    random = Random(f"small boards {most}")
    for seed in range(count):
        rows, columns = random.randint(2, most), random.randint(2, most)
        mines = random.randint(0, rows * columns)
        position = random_position(rows, columns, mines, seed, random.random())
        yield position if seed % 2 else Position(position.cells, None)


def smaller_boards(position: Position) -> Iterator[Position]:
    """Boards with less information than ``position``, boards with much less first.

    Fewer rows or columns; no total, or a smaller total; covered cells in place of clues and flags.
    """
    cells, mines = position.cells, position.mines
    yield from _cropped(cells, mines)
    if mines is not None:
        yield Position(cells, None)
        for fewer in range(mines):
            yield Position(cells, fewer)
    shown = np.argwhere(cells != COVERED)
    size = len(shown)
    while size:
        for start in range(0, len(shown), size):
            hidden = cells.copy()
            hidden[tuple(shown[start : start + size].T)] = COVERED
            yield Position(hidden, mines)
        size //= 2


def _cropped(cells: Cells, mines: int | None) -> Iterator[Position]:
    """Boards without some rows or columns at an edge, from half of them down to one.

    The removed cells may hold mines, so all possible smaller totals are tried, and the total.
    """
    rows, columns = cells.shape
    cut = max(rows, columns)
    while cut := cut // 2:
        for edge in reversed(range(4)):
            top, left, down, right = (cut * (edge == each) for each in range(4))
            if top + down < rows and left + right < columns:
                part = _window(cells, top, rows - down, left, columns - right)
                lost = cells.size - part.size
                totals = [mines] if mines is None else range(max(mines - lost, 0), mines + 1)
                for total in totals:
                    if total is None or total <= part.size:
                        yield Position(part, total)


def _window(cells: Cells, top: int, bottom: int, left: int, right: int) -> Cells:
    """Part of the cells; a clue that counts a cell outside of the part becomes a covered cell."""
    rows, columns = cells.shape
    part = np.array(cells[top:bottom, left:right])
    lost = np.zeros(part.shape, bool)
    lost[0] |= top > 0
    lost[-1] |= bottom < rows
    lost[:, 0] |= left > 0
    lost[:, -1] |= right < columns
    part[lost & (part >= 0)] = COVERED
    return part


# Problems and CNFs with fewer constraints, then fewer literals. Variables in no constraint are
# removed, and the other variables are renumbered.

X = TypeVar("X")


def smaller_problems(problem: Problem) -> Iterator[Instance]:
    """Problems with fewer constraints, those with the fewest first; then with fewer literals."""
    rows = sums(problem)
    for kept in _without_some(rows):
        yield _problem(kept)
    for number, row in enumerate(rows):
        for shorter in _shorter(row):
            yield _problem([*rows[:number], shorter, *rows[number + 1 :]])


def smaller_formulas(formula: Formula) -> Iterator[Instance]:
    """CNFs with fewer clauses, those with the fewest first; then with fewer literals."""
    clauses = [tuple(clause) for clause in formula.clauses()]
    for kept in _without_some(clauses):
        yield _cnf(kept)
    for number, clause in enumerate(clauses):
        for at in range(len(clause)):
            shorter = clause[:at] + clause[at + 1 :]
            yield _cnf([*clauses[:number], shorter, *clauses[number + 1 :]])


def _without_some(parts: Sequence[X]) -> Iterator[list[X]]:
    """Yield the sequence without each of its halves, quarters ... single elements in turn."""
    size = (len(parts) + 1) // 2
    while size and len(parts) > 1:
        for start in range(0, len(parts), size):
            yield [*parts[:start], *parts[start + size :]]
        size //= 2


def _shorter(row: Linear) -> Iterator[Linear]:
    """Yield the constraint without each literal: with bounds less its weight, then unchanged."""
    for at, _ in enumerate(row.lits):
        lits = row.lits[:at] + row.lits[at + 1 :]
        weight = 1 if isinstance(row, Cardinality) else row.weights[at]
        for less in (weight, 0):
            if isinstance(row, Cardinality):
                yield Cardinality(lits, row.lower - less, row.upper - less)
            else:
                weights = row.weights[:at] + row.weights[at + 1 :]
                yield PseudoBoolean(lits, weights, row.lower - less, row.upper - less)


def _problem(rows: Sequence[Linear]) -> Instance:
    number = _numbers(row.lits for row in rows)
    moved = tuple(replace(row, lits=tuple(number[lit] for lit in row.lits)) for row in rows)
    stream = io.BytesIO()
    write_opb(Problem(len(number) // 2, moved), stream)
    return Instance.of_text(InstanceKind.PROBLEM, stream.getvalue(), "witness")


def _cnf(clauses: Sequence[Sequence[int]]) -> Instance:
    number = _numbers(clauses)
    formula = Formula(len(number) // 2)
    for clause in clauses:
        formula.add_clause([number[lit] for lit in clause])
    stream = io.BytesIO()
    write_dimacs(formula, stream)
    return Instance.of_text(InstanceKind.CNF, stream.getvalue(), "witness")


def _numbers(rows: Iterable[Sequence[int]]) -> dict[int, int]:
    """Old literal -> new literal, for both literals of every variable in ``rows``."""
    variables = sorted({abs(lit) for row in rows for lit in row})
    pairs = list(enumerate(variables, start=1))
    return {old: new for new, old in pairs} | {-old: -new for new, old in pairs}


SMALL: Final = 5
"""Rows and columns of a board that a person can check."""

Evaluate = Callable[[Job, Instance], Result]
"""Returns the result of a job on an instance, as ``measure`` does."""


def moved(job: Job, instance: Instance) -> Job:
    """Return ``job`` on another instance."""
    return replace(job, instance=instance.digest, name=instance.name)


def shrink(
    disagreement: Disagreement, instance: Instance, evaluate: Evaluate, seconds: float = 60.0
) -> Instance:
    """Return the smallest instance found in time on which the jobs still go wrong.

    For a board, windows of at most 5 x 5 cells are tried first, then boards of this size with one
    clue of the board, then random boards, and the board itself last. From the first board on which
    the jobs go wrong, rows, columns, clues and the total are removed as long as the jobs still go
    wrong. From a problem or a CNF, constraints are removed, and then literals.

    The result is ``instance`` itself if the jobs go wrong on no smaller instance.
    """
    deadline = Deadline.after(seconds)

    def goes_wrong(smaller: Instance) -> bool:
        """Whether the jobs differ or give a wrong model; other failures do not count.

        False after the deadline.
        """
        if deadline.passed():
            return False
        results = [evaluate(moved(job, smaller), smaller) for job in disagreement.jobs]
        return any(map(is_wrong, results)) or any(
            differ(results[0], other) for other in results[1:]
        )

    def named(position: Position) -> Instance:
        return Instance.of_board(position, "witness")

    def smaller(now: Instance) -> Iterator[Instance]:
        if now.kind is InstanceKind.BOARD:
            return map(named, smaller_boards(now.position()))
        if now.kind is InstanceKind.PROBLEM:
            return smaller_problems(now.problem())
        return smaller_formulas(now.formula())

    # Small boards first, as shrinking the board itself may take many steps.
    now = instance
    if instance.kind is InstanceKind.BOARD:
        whole = instance.position()
        if max(whole.rows, whole.columns) > SMALL:
            small = chain(
                windows(whole, SMALL, total=False),
                boards_of_one_clue(whole),
                () if whole.mines is None else windows(whole, SMALL, total=True),
                random_small_boards(SMALL, 3000),
            )
            now = next(filter(goes_wrong, map(named, small)), instance)
    while (found := next(filter(goes_wrong, smaller(now)), None)) is not None:
        now = found
    return now
