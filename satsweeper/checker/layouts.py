"""Check of layouts: two that differ at each unknown cell, and all agree with certain verdicts."""

from collections.abc import Sequence
from itertools import compress
from typing import NoReturn

from satsweeper.checker.board import Cell, CheckedBoard, places
from satsweeper.checker.contents import is_integer
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.manifest import LAYOUTS, MANIFEST, LoadedCertificate


def verdicts_of(certificate: LoadedCertificate, board: CheckedBoard) -> str:
    """Return the verdict of every covered cell, row by row: ``S``, ``M`` or ``?``.

    All other cells of the grid must be as on the board.

    Raises:
        WrongCertificateError: the grid is not one of this board.
    """
    grid = certificate.grid
    assert grid is not None
    if [len(row) for row in grid] != [len(row) for row in board.rows]:
        raise WrongCertificateError(MANIFEST, "grid: not the size of the board")
    rest = str.maketrans("SM", "??")
    if any(row.translate(rest) != on for row, on in zip(grid, board.plain_rows, strict=True)):
        _refuse_row(grid, board, "SM?", MANIFEST, "grid")
    return "".join(compress("".join(grid), board.covered))


def check_layouts(certificate: LoadedCertificate, board: CheckedBoard, verdicts: str) -> int:
    """Check every layout against the board, and return the number of layouts.

    Raises:
        WrongCertificateError: a layout breaks the board, or a cell has none of one kind.
    """
    found = certificate.json(LAYOUTS)
    if found.keys() != {"layouts", "cells"}:
        raise WrongCertificateError(LAYOUTS, "not an object of layouts and cells")
    layouts = found["layouts"]
    if not isinstance(layouts, list) or not layouts:
        raise WrongCertificateError(LAYOUTS, "no layout at all, so that the board may have none")
    for at, rows in enumerate(layouts):
        _require_layout(rows, board, f"layout {at}")
    assert certificate.grid is not None
    decided = board.grid.text(certificate.grid)
    certain, mined = places(decided, "SM"), places(decided, "M")
    for at, rows in enumerate(layouts):
        mines = places(board.grid.text(rows), "M")
        broken = board.broken_by_places(mines)
        if broken:
            raise WrongCertificateError(LAYOUTS, f"layout {at}: {broken}")
        # A certain verdict is proved elsewhere; a layout against it would refute that proof.
        other = (mines ^ mined) & certain
        if other:
            cell = board.grid.cell(board.grid.first(other))
            raise WrongCertificateError(
                LAYOUTS, f"layout {at} contradicts the certain verdict at {cell}"
            )
    _require_shown(_shown(found["cells"], len(layouts)), layouts, board, verdicts)
    return len(layouts)


def _require_shown(
    shown: dict[Cell, tuple[int, int]], layouts: Sequence[Sequence[str]], board: CheckedBoard,
    verdicts: str,
) -> None:  # fmt: skip
    """Require a layout with a mine and a layout without for each unknown cell, and no other."""
    left = len(shown)
    for cell, verdict in zip(board.cells, verdicts, strict=True):
        if verdict != "?":
            if cell in shown:
                raise WrongCertificateError(LAYOUTS, f"cells: {cell} is certain")
            continue
        if cell not in shown:
            raise WrongCertificateError(LAYOUTS, f"the unknown cell {cell} has no layouts")
        mine, safe = shown[cell]
        row, column = cell
        if layouts[mine][row][column] != "M" or layouts[safe][row][column] != "S":
            raise WrongCertificateError(
                LAYOUTS, f"layouts {mine} and {safe} do not show {cell} as a mine and as safe"
            )
        left -= 1
    if left:
        cell = next(cell for cell in shown if cell not in board.variable)
        raise WrongCertificateError(LAYOUTS, f"cells: {cell} is no covered cell")


def _require_layout(rows: object, board: CheckedBoard, where: str) -> None:
    """Rows of the board, with ``S`` or ``M`` for each covered cell."""
    if not isinstance(rows, list) or len(rows) != len(board.rows):
        raise WrongCertificateError(LAYOUTS, f"{where}: not the rows of the board")
    rest = str.maketrans("SM?", "??-")
    wrong = False
    for r, (row, on_board) in enumerate(zip(rows, board.plain_rows, strict=True)):
        if not isinstance(row, str) or len(row) != len(on_board):
            raise WrongCertificateError(LAYOUTS, f"{where}: row {r} is not one of the board")
        wrong = wrong or row.translate(rest) != on_board
    if wrong:
        _refuse_row(rows, board, "SM", LAYOUTS, where)


def _refuse_row(
    rows: Sequence[str], board: CheckedBoard, marks: str, file: str, where: str
) -> NoReturn:
    """Raise WrongCertificateError for the first cell that is not as on the board, or not of
    ``marks`` if it is covered."""
    for r, (row, plain) in enumerate(zip(rows, board.plain_rows, strict=True)):
        for c, (found, on_board) in enumerate(zip(row, plain, strict=True)):
            if on_board == "?" and found not in marks:
                raise WrongCertificateError(file, f"{where}: {found!r} at {(r, c)}")
            if on_board != "?" and found != on_board:
                raise WrongCertificateError(
                    file, f"{where}: {found!r} at {(r, c)}, on the board {on_board!r}"
                )
    raise AssertionError("rows that are as on the board")


def _shown(found: object, layouts: int) -> dict[Cell, tuple[int, int]]:
    if not isinstance(found, list):
        raise WrongCertificateError(LAYOUTS, "cells: no list")
    shown: dict[Cell, tuple[int, int]] = {}
    for each in found:
        match each:
            case {"cell": [row, column], "mine": mine, "safe": safe, **rest} if (
                not rest
                and all(map(is_integer, (row, column, mine, safe)))
                and 0 <= mine < layouts
                and 0 <= safe < layouts
                and (row, column) not in shown
            ):
                shown[row, column] = (mine, safe)
            case _:
                raise WrongCertificateError(LAYOUTS, f"cells: {each!r}")
    return shown
