"""Games on small squares by trying all layouts: an oracle that shares no code with the product."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, permutations

from tests.puzzle.plain_rules import (
    AROUND,
    LAYOUTS,
    PAIRS,
    Cell,
    Mines,
    cells,
    counted,
    shown,
    steps,
)

Shown = Mapping[Cell, str]
"""The text of each open cell; under ``#`` with the letters before it."""
HIDDEN = ("2I", "2E", "2L")
OWN = ["V", "M", "L", "W", "N", "X", "P", "E"]


def parted(rules: Iterable[str]) -> tuple[list[str], str]:
    """The rules of layouts, and the rules of clues as `shown` has them."""
    names = [*rules]
    layouts = [each for each in names if each in LAYOUTS]
    clues = [each for each in names if each not in LAYOUTS]
    pair = next((each for each in PAIRS if sorted(each.split()) == sorted(clues)), "")
    return layouts, pair or " ".join(clues) or "V"


def fits(clues: str, opened: Shown, mines: Mines, rows: int, columns: int) -> bool:
    """Whether a layout, without a mine in an open cell, shows what is open."""
    if clues == "2I":
        return any(
            all(
                str(counted(cell, mines, AROUND[:missing] + AROUND[missing + 1 :])) == text
                for cell, text in opened.items()
            )
            for missing in range(8)
        )
    if clues == "2E":
        pairs = {(text, counted(cell, mines, AROUND)) for cell, text in opened.items()}
        letters, numbers = {letter for letter, _ in pairs}, {number for _, number in pairs}
        return len(pairs) == len(letters) == len(numbers)
    if clues == "2L":
        off = {c: abs(counted(c, mines, AROUND) - int(text)) for c, text in opened.items()}
        return any(
            all((row, column) not in mines for row, column in enumerate(liars))
            and all(far == (liars[cell[0]] == cell[1]) for cell, far in off.items())
            for liars in permutations(range(columns))
        )
    if clues == "#":
        return all(own_shown(cell, text, mines, rows, columns) for cell, text in opened.items())
    return all(text in shown(clues, cell, mines, rows, columns) for cell, text in opened.items())


def own_shown(cell: Cell, text: str, mines: Mines, rows: int, columns: int) -> bool:
    letter = text[0]
    return letter in OWN and text[1:] in shown(letter, cell, mines, rows, columns)


def all_layouts(
    rules: Iterable[str],
    opened: Shown,
    rows: int,
    columns: int,
    total: int | None,
    safe: Iterable[Cell] = (),
) -> Iterator[Mines]:
    """Every layout under the rules that shows what is open and has no mine in ``safe``."""
    layouts, clues = parted(rules)
    covered = [each for each in cells(rows, columns) if each not in opened and each not in {*safe}]
    sizes = range(len(covered) + 1) if total is None else [total]
    for size in sizes:
        for chosen in combinations(covered, size):
            mines = frozenset(chosen)
            if all(LAYOUTS[rule](mines, rows, columns) for rule in layouts) and fits(
                clues, opened, mines, rows, columns
            ):
                yield mines


def safe_cells(
    rules: Iterable[str], opened: Shown, rows: int, columns: int, total: int | None
) -> set[Cell]:
    """The covered cells that are a mine in no layout."""
    left = {*cells(rows, columns)} - opened.keys()
    for mines in all_layouts(rules, opened, rows, columns, total):
        left -= mines
        if not left:
            break
    return left


def stuck(
    rules: Iterable[str], opened: Shown, solution: Shown, rows: int, columns: int, total: int | None
) -> set[Cell]:
    """The cells that are open in the end of a game of certain moves."""
    seen = dict(opened)
    while found := safe_cells(rules, seen, rows, columns, total):
        seen |= {cell: solution[cell] for cell in found}
    return {*seen}


def texts(rows: Iterable[str | list[str]]) -> dict[Cell, str]:
    """The cells of rows of text that show something, ``*`` and ``?`` left out."""
    return {
        (row, column): text
        for row, line in enumerate(rows)
        for column, text in enumerate(line)
        if text not in ("*", "?")
    }


def beside(cell: Cell) -> list[Cell]:
    return steps(cell, AROUND)
