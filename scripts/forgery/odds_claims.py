"""Whether the claims of a certificate of odds hold on its board: by trying every layout."""

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Final

MOST_CELLS: Final = 16
"""Covered cells of the largest board on which every layout is tried."""


def false_odds(folder: Path) -> str | None:
    """The first claim that is not true, or None; the files are those that were accepted."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    head, *rows = (folder / "board.txt").read_bytes().decode("ascii").splitlines()
    size = head.split()
    mines = None if size[2] == "?" else int(size[2])
    if [manifest[key] for key in ("rows", "columns", "mines")] != [*map(int, size[:2]), mines]:
        return "the size"
    density = None if manifest["density"] is None else Fraction(manifest["density"])
    claims = json.loads((folder / "odds.json").read_bytes())
    solutions, chances = truth(tuple(rows), mines, manifest["flags"] == "trust", density)
    if not solutions:
        # Of no layouts, no chances are the right ones: that there is one is a claim of its own.
        return "odds of a board that has no layout"
    if int(claims["solutions"]) != solutions:
        return f"{claims['solutions']} layouts, which are {solutions}"
    claimed = [Fraction(claims["chances"][at]) for at in claims["cells"]]
    return None if claimed == list(chances) else f"chances {claimed}, which are {chances}"


@lru_cache(maxsize=4096)
def truth(
    rows: Sequence[str], mines: int | None, trust: bool, density: Fraction | None
) -> tuple[int, tuple[Fraction, ...]]:
    """The number of layouts, and the chance of a mine in each covered cell; (0, ()) for none.

    Raises:
        ValueError: there are more than MOST_CELLS covered cells.
    """
    places = [(r, c) for r, row in enumerate(rows) for c in range(len(row))]
    hidden = [(r, c) for r, c in places if rows[r][c] in ("?" if trust else "?F")]
    if len(hidden) > MOST_CELLS:
        raise ValueError(f"{len(hidden)} covered cells")
    flagged = {(r, c) for r, c in places if rows[r][c] == "F" and trust}
    clues = []
    for r, c in places:
        if rows[r][c].isdigit():
            near = {(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
            here = [at for at, cell in enumerate(hidden) if cell in near]
            clues.append((here, int(rows[r][c]) - len(near & flagged)))
    mine = Fraction(1, 2) if density is None else density
    layouts, whole, mined = 0, Fraction(0), [Fraction(0)] * len(hidden)
    for layout in product((0, 1), repeat=len(hidden)):
        held = sum(layout)
        if mines is not None and held + len(flagged) != mines:
            continue
        if all(sum([layout[at] for at in here]) == need for here, need in clues):
            layouts += 1
            weight = mine**held * (1 - mine) ** (len(hidden) - held)
            whole += weight
            for at, value in enumerate(layout):
                mined[at] += weight * value
    return layouts, tuple(each / whole for each in mined) if whole else ()
