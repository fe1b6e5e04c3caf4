"""Of a large board the part that is worth looking at, and a line that says which it is."""

from dataclasses import replace
from typing import Final

from pbcnf.wording import are, counted
from satsweeper.show.picture.scene import Ring, Scene

SIDE: Final = 100
"""Rows, or columns, at the most."""
CELLS: Final = 5_000


def part_of(scene: Scene) -> Scene:
    """The scene, or its cells about what stands out: 100 rows and columns and 5,000 cells at most.

    Where nothing stands out, or not all of it has room, the part begins as far up and left as the
    first cell that does.
    """
    tiles = scene.boards[0][1]
    rows, columns = len(tiles), len(tiles[0])
    across = min(columns, SIDE)
    down = min(rows, SIDE, CELLS // (across * len(scene.boards)))
    if (down, across) == (rows, columns):
        return scene
    marked = [
        (r, c)
        for r, row in enumerate(tiles)
        for c, tile in enumerate(row)
        if tile.ring is not Ring.NONE
    ]
    top = _first(rows, down, [row for row, _ in marked])
    left = _first(columns, across, [column for _, column in marked])
    boards = tuple(
        (heading, tuple(row[left : left + across] for row in each[top : top + down]))
        for heading, each in scene.boards
    )
    unseen = sum(not (top <= r < top + down and left <= c < left + across) for r, c in marked)
    more = f"; {counted(unseen, 'marked cell')} {are(unseen)} not" if unseen else ""
    note = (
        f"Rows {top} to {top + down - 1} of 0 to {rows - 1}, columns {left} to {left + across - 1}"
        f" of 0 to {columns - 1} are shown{more}."
    )
    return replace(scene, boards=boards, caption=(note, *scene.caption), corner=(top, left))


def _first(length: int, fit: int, marked: list[int]) -> int:
    """Where to begin, so that the marked ones are in the middle if there is room for all."""
    if not marked:
        return 0
    spare = max(fit - (max(marked) - min(marked) + 1), 0)
    return min(max(min(marked) - spare // 2, 0), length - fit)
