"""Layouts of one region by backtracking: what cells can be, for every number of mines.

Cells under the same clues are exchangeable, so they are counted together, as a box: a step of the
search chooses how many mines a box holds, and is pruned when a clue has too many or too few left.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from satsweeper.engines.parts.cell_sums import Sum

_PROBES: Final = 60


class Box:
    """Cells under the same sums."""

    def __init__(self, cells: list[int], sums: Sequence[int]) -> None:
        self.cells = cells
        self.sums = sums


class Region:
    """A connected part of the sums.

    After :meth:`search`, ``can`` maps every number of mines of a layout to two bits a box: bit
    ``2 * b`` if a cell of box ``b`` can be safe, bit ``2 * b + 1`` if it can be a mine.
    """

    def __init__(self, sums: Sequence[Sum]) -> None:
        of_cell: dict[int, list[int]] = {}
        for i, (cells, _) in enumerate(sums):
            for cell in cells:
                of_cell.setdefault(cell, []).append(i)
        boxes: dict[tuple[int, ...], list[int]] = {}
        for cell in sorted(of_cell):
            boxes.setdefault(tuple(of_cell[cell]), []).append(cell)
        self.size = len(of_cell)
        self.cells = sorted(of_cell)
        self.boxes = _in_order([Box(cells, sums) for sums, cells in boxes.items()])
        self.can: dict[int, int] = {}
        self._need = [need for _, need in sums]
        self._left = [len(cells) for cells, _ in sums]

    def estimate(self, seed: int = 0) -> float:
        """Steps that the search may take, by random descents (Knuth's estimate)."""
        random = Random(seed)
        total = 0.0
        for _ in range(_PROBES):
            width = 1.0
            chosen: list[int] = []
            for b in range(len(self.boxes)):
                choices = list(self._choices(b))
                width *= len(choices)
                total += width / _PROBES
                if not choices:
                    break
                chosen.append(random.choice(choices))
                self._place(b, chosen[-1], 1)
            for b in reversed(range(len(chosen))):
                self._place(b, chosen[b], -1)
        return total

    def search(self, stop: Callable[[], bool]) -> bool:
        """Find every layout, up to exchanges within boxes; False if it was stopped before."""
        last = len(self.boxes)
        options = [iter(self._choices(0))]
        placed: list[int] = []
        while options:
            depth = len(options) - 1
            if len(placed) > depth:
                self._place(depth, placed.pop(), -1)
            k = next(options[-1], -1)
            if k < 0:
                options.pop()
                continue
            self._place(depth, k, 1)
            placed.append(k)
            if depth + 1 < last:
                if stop():
                    return False
                options.append(iter(self._choices(depth + 1)))
            else:
                self._note(placed)
        return True

    def _choices(self, b: int) -> Iterator[int]:
        """The numbers of mines that a box may hold by what its sums have left."""
        box = self.boxes[b]
        size = len(box.cells)
        low = max([0, *(self._need[i] - self._left[i] + size for i in box.sums)])
        high = min([size, *(self._need[i] for i in box.sums)])
        return iter(range(low, high + 1))

    def _place(self, b: int, k: int, sign: int) -> None:
        box = self.boxes[b]
        for i in box.sums:
            self._need[i] -= sign * k
            self._left[i] -= sign * len(box.cells)

    def _note(self, placed: Sequence[int]) -> None:
        seen = 0
        for b, k in enumerate(placed):
            seen |= ((k < len(self.boxes[b].cells)) | (k > 0) << 1) << 2 * b
        number = sum(placed)
        self.can[number] = self.can.get(number, 0) | seen


def _in_order(boxes: list[Box]) -> list[Box]:
    """Boxes so that sums are used up soon: next is one that shares most sums already begun."""
    order: list[Box] = []
    begun: set[int] = set()
    waiting = list(boxes)
    while waiting:
        best = max(waiting, key=lambda box: sum(1 if i in begun else -1 for i in box.sums))
        waiting.remove(best)
        order.append(best)
        begun.update(best.sums)
    return order


def split(sums: Sequence[Sum]) -> list[list[Sum]]:
    """The sums by connected region: regions share no cell."""
    of_cell: dict[int, list[int]] = {}
    for i, (cells, _) in enumerate(sums):
        for cell in cells:
            of_cell.setdefault(cell, []).append(i)
    found: list[list[Sum]] = []
    seen: set[int] = set()
    for start in range(len(sums)):
        if start in seen:
            continue
        seen.add(start)
        part = [start]
        for i in part:
            for cell in sums[i][0]:
                for other in of_cell.pop(cell, ()):
                    if other not in seen:
                        seen.add(other)
                        part.append(other)
        found.append([sums[i] for i in sorted(part)])
    return found
