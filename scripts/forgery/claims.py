"""Claims of certificates, and whether they hold on the board: by trying every layout."""

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from scripts.fuzzing.truth import Truth

MOST_CELLS: Final = 16
"""Covered cells of the largest board on which every layout is tried."""
_LETTERS: Final = {"safe": "S", "mine": "M"}


def _read(folder: Path, manifest: dict[str, Any]) -> tuple[tuple[str, ...], int | None] | None:
    """Return the rows and the total of the board; None if the manifest states another size."""
    head, *rows = (folder / "board.txt").read_bytes().decode("ascii").splitlines()
    *size, total = head.split()
    mines = None if total == "?" else int(total)
    stated = [manifest[key] for key in ("rows", "columns", "mines")]
    return (tuple(rows), mines) if stated == [*map(int, size), mines] else None


@lru_cache(maxsize=256)
def _truth(rows: Sequence[str], mines: int | None, trust: bool) -> Truth:
    return Truth(rows if trust else [row.replace("F", "?") for row in rows], mines)


def false_claim(folder: Path) -> str | None:
    """Return the first false claim of an accepted certificate of verdicts; None for none.

    A board of more than MOST_CELLS covered cells is classified in the plain way.
    """
    manifest = json.loads((folder / "manifest.json").read_bytes())
    board = _read(folder, manifest)
    if board is None:
        return "the size"
    rows, mines = board
    flags = manifest["flags"]
    large = sum(char in "?F" for row in rows for char in row) > MOST_CELLS
    if large:
        grid = _classified(rows, mines, flags)
    else:
        truth = _truth(rows, mines, flags == "trust")
        grid = truth.grid if truth.layouts else None
    if manifest["status"] != ("inconsistent" if grid is None else "consistent"):
        return f"status {manifest['status']}"
    if manifest["grid"] != grid:
        return f"grid {manifest['grid']}, which is {grid}"
    for proof in manifest["cells"]:
        row, column = proof["cell"]
        if large:
            forced = grid is not None and grid[row][column] == _LETTERS[proof["verdict"]]
        else:
            forced = _forced(truth, (row, column), proof)
        if not forced:
            return f"the proof of {proof['cell']}"
    return None


def _forced(truth: Truth, cell: tuple[int, int], proof: dict[str, Any]) -> bool:
    """Whether the clues of a proof, all flags and perhaps the total force the verdict."""
    clues = [(r, c) for r, c in proof["clues"] if (r, c) in truth.clue]
    layouts = truth.meeting(clues, truth.flags, proof["total"])
    mine = truth.with_mine(cell)
    return bool(layouts) and not layouts & (~mine if proof["verdict"] == "mine" else mine)


def _classified(rows: tuple[str, ...], mines: int | None, flags: Any) -> list[str] | None:
    from satsweeper import Position, classify

    text = f"{len(rows)} {len(rows[0])} {'?' if mines is None else mines}\n" + "\n".join(rows)
    found = classify(Position.parse(text + "\n"), flags=flags, plain=True)
    return None if found.conflict is not None else list(found.grid())


def false_odds(folder: Path) -> str | None:
    """Return the first false claim of an accepted certificate of odds; None for none."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    board = _read(folder, manifest)
    if board is None:
        return "the size"
    density = None if manifest["density"] is None else Fraction(manifest["density"])
    claims = json.loads((folder / "odds.json").read_bytes())
    solutions, chances = true_odds(*board, manifest["flags"] == "trust", density)
    if not solutions:
        # Of no layouts, no chances are the right ones: that there is one is a claim of its own.
        return "odds of a board that has no layout"
    if int(claims["solutions"]) != solutions:
        return f"{claims['solutions']} layouts, which are {solutions}"
    claimed = [Fraction(claims["chances"][at]) for at in claims["cells"]]
    return None if claimed == list(chances) else f"chances {claimed}, which are {chances}"


def true_odds(
    rows: Sequence[str], mines: int | None, trust: bool, density: Fraction | None
) -> tuple[int, tuple[Fraction, ...]]:
    """Return the number of layouts and the chance of a mine in each covered cell; (0, ()) for none.

    Raises:
        ValueError: there are more than MOST_CELLS covered cells.
    """
    truth = _truth(tuple(rows), mines, trust)
    if not truth.layouts:
        return 0, ()
    return truth.layouts.bit_count(), tuple(truth.chances(density).values())
