"""Claims of a certificate, and whether they hold on its board: by trying every layout."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

MOST_CELLS: Final = 16
"""Covered cells of the largest board on which every layout is tried."""

Cell = tuple[int, int]
Grid = tuple[str, ...]


def false_claim(folder: Path) -> str | None:
    """The first claim that is not true, or None; the files are those that were accepted."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    board = (folder / "board.txt").read_bytes().decode("ascii")
    head, *rows = board.splitlines()
    mines = head.split()[2]
    if [str(manifest[key]) for key in ("rows", "columns", "mines")] != [
        *head.split()[:2],
        "None" if mines == "?" else mines,
    ]:
        return "the size"
    grid = truth(tuple(rows), None if mines == "?" else int(mines), manifest["flags"], None, True)
    if manifest["status"] != ("inconsistent" if grid is None else "consistent"):
        return f"status {manifest['status']}"
    if manifest["grid"] != (None if grid is None else list(grid)):
        return f"grid {manifest['grid']}, which is {grid}"
    for proof in manifest["cells"]:
        if not _forced(rows, mines, manifest["flags"], proof):
            return f"the proof of {proof['cell']}"
    return None


def _forced(rows: list[str], mines: str, flags: str, proof: dict[str, Any]) -> bool:
    clues = tuple((r, c) for r, c in proof["clues"])
    total = None if mines == "?" or not proof["total"] else int(mines)
    grid = truth(tuple(rows), total, flags, clues, proof["total"])
    row, column = proof["cell"]
    return grid is not None and grid[row][column] == {"safe": "S", "mine": "M"}[proof["verdict"]]


@lru_cache(maxsize=4096)
def truth(
    rows: Grid, mines: int | None, flags: str, clues: tuple[Cell, ...] | None, with_total: bool
) -> Grid | None:
    """The grid of verdicts by these clues (None: all) and perhaps the total; None if there is no
    layout. A board of more than MOST_CELLS covered cells is classified in the plain way."""
    covered = "?" if flags == "trust" else "?F"
    places = [(r, c) for r, row in enumerate(rows) for c in range(len(row))]
    hidden = [(r, c) for r, c in places if rows[r][c] in covered]
    if len(hidden) > MOST_CELLS:
        return _classified(rows, mines, flags)
    flagged = {(r, c) for r, c in places if rows[r][c] == "F" and flags == "trust"}
    layouts = np.arange(1 << len(hidden), dtype=np.uint32)
    for r, c in places if clues is None else clues:
        if rows[r][c].isdigit():
            near = {(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
            here = np.uint32(sum(1 << at for at, cell in enumerate(hidden) if cell in near))
            held = np.bitwise_count(layouts & here) + len(near & flagged)
            layouts = layouts[held == int(rows[r][c])]
    if mines is not None and with_total:
        layouts = layouts[np.bitwise_count(layouts) + len(flagged) == mines]
    if not len(layouts):
        return None
    always = int(np.bitwise_and.reduce(layouts))
    ever = int(np.bitwise_or.reduce(layouts))
    grid = [list(row) for row in rows]
    for at, (r, c) in enumerate(hidden):
        grid[r][c] = "M" if always >> at & 1 else "?" if ever >> at & 1 else "S"
    return tuple("".join(row) for row in grid)


def _classified(rows: Grid, mines: int | None, flags: Any) -> Grid | None:
    from satsweeper import Position, classify

    text = f"{len(rows)} {len(rows[0])} {'?' if mines is None else mines}\n" + "\n".join(rows)
    found = classify(Position.parse(text + "\n"), flags=flags, plain=True)
    return None if found.conflict is not None else tuple(found.grid())
