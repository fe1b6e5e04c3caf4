"""A board divided for counting: cells that single clues decide, boxes, regions, interior.

A *box* is the set of undecided cells under the same clues: only the number of its mines matters. A
*region* is a set of boxes that share no clue with any other box.
"""

from typing import NamedTuple

from satsweeper.checker.board import BOARD, CellCount, CheckedBoard
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.second_opinion import components

_NO_LAYOUT = "its clues contradict one another: there are no odds"


class BoxRegion(NamedTuple):
    """Boxes that are connected by clues, and the clues that connect them.

    ``boxes``: the cells of each box, ascending, boxes in the order of their least cells; ``clues``:
    for each box, indices into ``needs``; ``needs``: for each clue, its mines among its boxes.
    """

    boxes: tuple[tuple[int, ...], ...]
    clues: tuple[tuple[int, ...], ...]
    needs: tuple[int, ...]


class Split(NamedTuple):
    """A board divided: decided cells, regions, and cells beside no clue.

    ``known``: decided cell -> whether it is a mine; each follows from one clue and earlier cells.
    ``regions``: ordered by their least cell. ``interior``: cells beside no clue.
    """

    known: dict[int, bool]
    regions: list[BoxRegion]
    interior: list[int]


def split_board(board: CheckedBoard) -> Split:
    """Decide cells by single clues, and divide the other cells into regions and interior.

    Raises:
        WrongCertificateError: single clues already show that there is no layout.
    """
    counts = board.counts
    known = _decided(counts)
    needs: dict[frozenset[int], int] = {}
    for count in counts:
        rest = count.variables.difference(known)
        need = count.mines - sum([known.get(v, False) for v in count.variables])
        if needs.setdefault(rest, need) != need or not 0 <= need <= len(rest):
            raise WrongCertificateError(BOARD, _NO_LAYOUT)
    under: dict[int, list[int]] = {}
    left = [(rest, need) for rest, need in needs.items() if rest]
    for number, (rest, _) in enumerate(left):
        for v in rest:
            under.setdefault(v, []).append(number)
    boxes: dict[tuple[int, ...], list[int]] = {}
    for v in sorted(under):
        boxes.setdefault(tuple(under[v]), []).append(v)
    # Boxes that share a clue, directly or by other boxes, are one region.
    parts = components({clues: clues for clues in boxes})
    regions = []
    for part in parts:
        # The clues of a region get numbers of their own, in their order on the board.
        numbers = sorted({clue for clues in part for clue in clues})
        place = {clue: at for at, clue in enumerate(numbers)}
        held = tuple([tuple(boxes[clues]) for clues in part])
        under_each = tuple([tuple([place[clue] for clue in clues]) for clues in part])
        regions.append(BoxRegion(held, under_each, tuple([left[clue][1] for clue in numbers])))
    cells = range(1, len(board.cells) + 1)
    return Split(known, regions, [v for v in cells if v not in known and v not in under])


def _decided(counts: list[CellCount]) -> dict[int, bool]:
    """Return the cells decided by clues without a choice: all undecided cells are equal."""
    known: dict[int, bool] = {}
    left = [set(count.variables) for count in counts]
    need = [count.mines for count in counts]
    of: dict[int, list[int]] = {}
    for at, count in enumerate(counts):
        for v in count.variables:
            of.setdefault(v, []).append(at)
    waiting = list(range(len(counts)))
    while waiting:
        at = waiting.pop()
        # Each cell is decided once and wakes its clues, so the loop ends after as many wakings as
        # there are pairs of cell and clue.
        if left[at] and need[at] in (0, len(left[at])):
            mine = need[at] > 0
            for v in tuple(left[at]):
                known[v] = mine
                for other in of[v]:
                    left[other].remove(v)
                    need[other] -= mine
                    waiting.append(other)
    return known
