"""The questions that complete engines share: can this cell be a mine, and can it be safe?

An engine answers one question; this asks as few as it can. Cells under the same clues are
interchangeable, so one of them is asked for all (the interior is one such class), and what a
layout shows is not asked again. Every layout is checked on the board before it is believed.
"""

from collections.abc import Callable
from typing import Final, Literal

from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.facts import WrongModelError, check_layout
from satsweeper.board.view import Flags
from satsweeper.clues import constraints_of
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

Found = frozenset[int] | Literal[False] | None
"""The mines of a layout, as variables; False: there is none; None: not found out in time."""

Ask = Callable[[int, float | None], Found]
"""A layout in which this literal holds (0: any layout), within so many seconds."""

OUT_OF_TIME: Final = "the time was over before every cell was decided"


class Board:
    """A position as equations over variables 1 .. n, its covered cells row by row.

    ``rows`` are the clues that count a covered cell, and the total: so many of these variables are
    true. ``classes`` are the variables that the same clues count.
    """

    def __init__(self, position: Position, flags: Flags) -> None:
        found = constraints_of(position, flags)
        self.cells: list[Cell] = found.cell_list()
        sums = list(found.sums())
        self.rows = [(list(said.variables), said.mines) for said in sums]
        above: list[list[int]] = [[] for _ in self.cells]
        for number, said in enumerate(sums):
            for variable in said.variables if said.clue is not None else ():
                above[variable - 1].append(number)
        classes: dict[tuple[int, ...], list[int]] = {}
        for variable, clues in enumerate(above, 1):
            classes.setdefault(tuple(clues), []).append(variable)
        self.classes = list(classes.values())
        view = position.view(flags)
        self._facts = view.facts()
        self._total = view.total

    @property
    def impossible(self) -> bool:
        """Whether a number is negative or more than its cells, so that nothing needs solving."""
        return any(not 0 <= number <= len(row) for row, number in self.rows)

    def check(self, mines: frozenset[int]) -> None:
        """Raise WrongModelError unless these mines meet every clue and the total on the board."""
        geometry = self._facts.geometry
        indices = [geometry.index(self.cells[variable - 1]) for variable in mines]
        check_layout(self._facts, indices, self._total)


class Evidence:
    """What checked layouts show, and what was proved, a class at a time."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.seen = False
        self.open: set[int] = set()
        """The literals of each class's first variable that no layout has shown."""
        self.refuted: set[int] = set()
        """The literals of each class's first variable that hold in no layout."""
        for group in board.classes:
            self.open |= {group[0], -group[0]}

    def note(self, mines: frozenset[int], literal: int = 0) -> None:
        """Take in a layout in which ``literal`` holds.

        Raises:
            WrongModelError: it is no layout of the board, or the literal does not hold.
        """
        self.board.check(mines)
        if literal and (abs(literal) in mines) is not (literal > 0):
            raise WrongModelError("a solver's layout is not the one that was asked for")
        self.seen = True
        for group in self.board.classes:
            here = sum(variable in mines for variable in group)
            if here:
                self.open.discard(group[0])
            if here < len(group):
                self.open.discard(-group[0])

    def answer(self, notes: tuple[str, ...] = ()) -> EngineAnswer:
        """The verdicts so far; a cell that can be neither makes the board inconsistent."""
        if any(-literal in self.refuted for literal in self.refuted):
            return INCONSISTENT
        cells = self.board.cells
        verdicts: dict[bool, set[Cell]] = {False: set(), True: set()}
        for group in self.board.classes:
            for literal in {group[0], -group[0]} & self.refuted:
                verdicts[literal < 0] |= {cells[variable - 1] for variable in group}
        return EngineAnswer(
            status="consistent" if self.seen else "undecided",
            safe=frozenset(verdicts[False]),
            mines=frozenset(verdicts[True]),
            decided=self.seen and self.open <= self.refuted,
            notes=notes,
        )


INCONSISTENT: Final = EngineAnswer("inconsistent", frozenset(), frozenset(), decided=True)


_OFTEN: Final = 0.1
"""Seconds between two partial answers that are told."""


class PartialAnswers:
    """Partial answers for the caller of an engine, a few a second.

    Args:
        tell: gets the answers; None: nobody does.
    """

    def __init__(self, tell: Callable[[EngineAnswer], object] | None) -> None:
        self._tell = tell
        self._next = Deadline.after(_OFTEN)

    def offer(self, answer: Callable[[tuple[str, ...]], EngineAnswer]) -> None:
        """Tell what ``answer`` returns for the notes of a partial answer, if it is time again."""
        if self._tell is not None and self._next.passed():
            self._next = Deadline.after(_OFTEN)
            self._tell(answer((OUT_OF_TIME,)))


def decide(position: Position, options: Options, begin: Callable[[Board], Ask]) -> EngineAnswer:
    """Classify with at most two questions a class of cells, and one for any layout.

    Args:
        begin: sets up a solver with a board and returns what asks it.

    Raises:
        WrongModelError: a solver's layout is wrong.
    """
    deadline, partial = Deadline.after(options.timeout), PartialAnswers(options.tell)
    board = Board(position, options.flags)
    if board.impossible:
        return INCONSISTENT
    evidence = Evidence(board)
    if not board.cells:
        evidence.note(frozenset())
        return evidence.answer()
    ask = begin(board)
    late = False
    questions = [0, *(sign * group[0] for group in board.classes for sign in (1, -1))]
    for literal in questions:
        if literal and literal not in evidence.open:
            continue
        left = deadline.left()
        found = None if left == 0 else ask(literal, left)
        if found is None:
            late = True
        elif found is not False:
            evidence.note(found, literal)
        elif literal:
            evidence.refuted.add(literal)
        else:
            return INCONSISTENT
        partial.offer(evidence.answer)
    return evidence.answer((OUT_OF_TIME,) if late else ())
