"""Clicks that a board needs and a game took: 3BV, ZiNi, efficiency.

3BV (Bechtel's board benchmark value) is the least number of clicks that open a board without flags:
one for each *opening*, an area of zeros that are neighbours, and one for each other free cell that
touches no zero. ZiNi (E. Zimmermann and C. Nikolaus) counts clicks with flags and chords, by a
greedy choice: the least number is hard to find. Its definition, with the terms "premium", "Greedy
ZiNi" and "Human ZiNi", is E. Zimmermann's, in "New benchmark: 3bv for flaggers" of 30 July 2009,
https://minesweepergame.com/forum/viewtopic.php?t=70. Where it leaves a choice, programs of players
agree, and so does ``zini``: cells are compared column by column; a closed cell costs a click more
only if it is not one of the clicks of the 3BV itself; and where no chord pays, the first click of
the 3BV that is left is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, NamedTuple

from pbcnf.wording import counted
from satsweeper.board.layout import Layout
from satsweeper.board.planes import indices
from satsweeper.play.game import Action, Game, Move


class BoardClicks:
    """The clicks that a layout needs, by its openings and the free cells outside of them.

    ``openings``: of each opening the cells that it opens, in an arbitrary order, zeros first.
    ``alone``: the free cells that no opening opens. Cells are board indices.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        geometry = layout.geometry
        self._near = {
            index: list(geometry.neighbours(index))
            for index in indices(layout.free | layout.mines, geometry.size)
        }
        self.openings: list[list[int]] = []
        self._of_cell: dict[int, list[int]] = {}
        """The openings that open a cell, for cells that some opening opens."""
        zeros = set(indices(layout.zeros, geometry.size))
        seen: set[int] = set()
        for zero in sorted(zeros):
            if zero in seen:
                continue
            seen.add(zero)
            area = [zero]
            for each in area:
                fresh = [near for near in self._near[each] if near in zeros and near not in seen]
                seen.update(fresh)
                area += fresh
            edge = {near for each in area for near in self._near[each]} - zeros
            for each in [*area, *edge]:
                self._of_cell.setdefault(each, []).append(len(self.openings))
            self.openings.append([*area, *edge])
        free = indices(layout.free, geometry.size)
        self.alone = {each for each in free if each not in self._of_cell}

    @property
    def bbbv(self) -> int:
        """The 3BV of the board."""
        return len(self.openings) + len(self.alone)

    def done(self, opened: int) -> int:
        """Return how many of the clicks of the 3BV the cells of the bit board ``opened`` stand for.

        An opening is done when a zero of it is open.
        """
        zeros = sum(opened >> area[0] & 1 for area in self.openings)
        return zeros + sum(opened >> each & 1 for each in self.alone)

    @cached_property
    def zini(self) -> list[Move]:
        """The clicks of Greedy ZiNi, which open the whole board."""
        return _GreedyClicks(self, self._near, self._of_cell).clicks()

    @cached_property
    def human_zini(self) -> list[Move]:
        """The clicks of Human ZiNi: all openings first, then chords on open cells alone."""
        return _GreedyClicks(self, self._near, self._of_cell, human=True).clicks()

    def sentence(self) -> str:
        """The clicks that the board needs in words."""
        many = counted(len(self.openings), "opening")
        zini = f"ZiNi {len(self.zini)}, Human ZiNi {len(self.human_zini)}"
        return f"3BV {self.bbbv} with {many}, {zini}"

    def as_json(self) -> dict[str, Any]:
        """The entries of a board: 3BV, openings, both ZiNi."""
        return {
            "3bv": self.bbbv,
            "openings": len(self.openings),
            "zini": len(self.zini),
            "human_zini": len(self.human_zini),
        }


class _GreedyClicks:
    """The state while the clicks of a ZiNi are found.

    The premium of a clue is the number of clicks of the 3BV that a chord on it makes, less what the
    chord costs: itself, a flag for each mine around that has none, and a click to open the clue
    unless that is a click of the 3BV. The heap holds the premiums of all clues; a changed premium
    is pushed anew, and an old entry is dropped when it comes up.
    """

    def __init__(
        self,
        board: BoardClicks,
        near: dict[int, list[int]],
        of_cell: dict[int, list[int]],
        *,
        human: bool = False,
    ) -> None:
        self._board, self._near, self._of_cell, self._human = board, near, of_cell, human
        layout = board.layout
        size, self._cell = layout.geometry.size, layout.geometry.cell
        self._bare = set(indices(layout.mines, size))
        """The mines without a flag."""
        self._closed = set(indices(layout.free, size))
        self._zeros = set(indices(layout.zeros, size))
        self._clues = self._closed - self._zeros
        self._open_areas: set[int] = set()
        self._order = {
            index: at for at, index in enumerate(sorted(near, key=lambda i: self._cell(i)[::-1]))
        }
        self._moves: list[Move] = []
        self._heap: list[tuple[int, int, int]] = []

    def clicks(self) -> list[Move]:
        """Return the clicks, in their order."""
        if self._human:
            for area in self._board.openings:
                self._click(area[0])
        # The clicks of the 3BV, for where no chord pays; an opening is its first zero.
        first = [
            min(self._zeros.intersection(area), key=self._order.__getitem__)
            for area in self._board.openings
        ]
        rest = sorted([*first, *self._board.alone], key=self._order.__getitem__, reverse=True)
        self._push(self._clues)
        while self._closed:
            clue = self._best()
            if clue is not None:
                self._chord(clue)
                continue
            while rest[-1] not in self._closed:
                rest.pop()
            self._click(rest.pop())
        return self._moves

    def _premium(self, clue: int) -> int:
        closed, alone, bare = self._closed, self._board.alone, self._bare
        premium = -1 - (clue in closed and clue not in alone)
        areas = set()
        for each in self._near[clue]:
            if each in closed:
                if each in alone:
                    premium += 1
                elif each in self._zeros:
                    areas.add(self._of_cell[each][0])
            elif each in bare:
                premium -= 1
        return premium + len(areas)

    def _push(self, clues: set[int]) -> None:
        # Human ZiNi has chords on open clues alone.
        for clue in clues - self._closed if self._human else clues:
            premium = self._premium(clue)
            if premium >= 0:
                heappush(self._heap, (-premium, self._order[clue], clue))

    def _best(self) -> int | None:
        """The clue with the largest premium, the first of equal ones; None if no chord pays."""
        while self._heap:
            premium, _, clue = heappop(self._heap)
            if self._premium(clue) == -premium:
                return clue
        return None

    def _chord(self, clue: int) -> None:
        if clue in self._closed:
            self._click(clue)
        flagged = [each for each in self._near[clue] if each in self._bare]
        for each in flagged:
            self._bare.remove(each)
            self._moves.append(Move(Action.FLAG, self._cell(each)))
        self._moves.append(Move(Action.CHORD, self._cell(clue)))
        self._open([each for each in self._near[clue] if each in self._closed])
        self._changed(flagged)

    def _click(self, index: int) -> None:
        self._moves.append(Move(Action.OPEN, self._cell(index)))
        self._open([index])

    def _open(self, cells: list[int]) -> None:
        opened = set(cells)
        for each in cells:
            if each in self._zeros:
                (area,) = self._of_cell[each]
                if area not in self._open_areas:
                    self._open_areas.add(area)
                    opened.update(self._board.openings[area])
        opened &= self._closed
        self._closed -= opened
        self._changed(opened)

    def _changed(self, cells: Iterable[int]) -> None:
        """Count the premiums anew of the clues at and around ``cells``."""
        touched = {near for each in cells for near in (each, *self._near[each])}
        self._push(touched & self._clues)


class ClickCount(NamedTuple):
    """The clicks of a game by button; moves that were taken back are none."""

    left: int
    right: int
    chord: int

    @classmethod
    def of(cls, moves: Sequence[Move]) -> ClickCount:
        """Count the clicks of ``moves``, but for those that an undo takes back."""
        actions = [moves[at].action for at in lasting(moves)]
        return cls(*map(actions.count, (Action.OPEN, Action.FLAG, Action.CHORD)))


def lasting(moves: Iterable[Move]) -> list[int]:
    """Return the places of the moves that no undo takes back.

    >>> lasting([Move(Action.OPEN, (0, 0)), Move(Action.FLAG, (0, 1)), Move(Action.UNDO)])
    [0]
    """
    places: list[int] = []
    for at, move in enumerate(moves):
        if move.action is Action.UNDO:
            places.pop()
        else:
            places.append(at)
    return places


class Efficiency(NamedTuple):
    """Clicks of a game beside what its board needs; ``done`` is the part of the 3BV that it did."""

    board: BoardClicks
    clicks: ClickCount
    done: int

    @classmethod
    def of(cls, game: Game) -> Efficiency | None:
        """Count the clicks of a game; None if no cell was opened."""
        if game.layout is None or not game.opened | game.exploded:
            return None
        board = BoardClicks(game.layout)
        return cls(board, ClickCount.of(game.moves), board.done(game.opened))

    @property
    def efficiency(self) -> float:
        """The part of the 3BV that was done, divided by all clicks."""
        return self.done / sum(self.clicks)

    def as_json(self) -> dict[str, Any]:
        """The object ``efficiency`` of ``advise GAME --json``."""
        clicks = {**self.clicks._asdict(), "all": sum(self.clicks)}
        board = self.board.as_json()
        return {**board, "done": self.done, "clicks": clicks, "efficiency": self.efficiency}

    def sentence(self) -> str:
        """Clicks and efficiency in a sentence."""
        bbbv, zini, clicks = self.board.bbbv, len(self.board.zini), sum(self.clicks)
        part = "" if self.done == bbbv else f"{self.done} of "
        ratio = f"{100 * self.efficiency:.0f} %"
        return f"3BV {part}{bbbv} in {clicks} clicks: efficiency {ratio}. ZiNi {zini}."
