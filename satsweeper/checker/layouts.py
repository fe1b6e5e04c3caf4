"""Every unknown cell has two layouts of the board that differ there; every certain cell agrees."""

from satsweeper.checker.board import Board, Cell
from satsweeper.checker.manifest import LAYOUTS, MANIFEST, Certificate
from satsweeper.checker.strict_json import is_integer
from satsweeper.checker.wrong import WrongCertificateError


def verdicts_of(certificate: Certificate, board: Board) -> dict[Cell, str]:
    """The verdict of every covered cell: ``S``, ``M`` or ``?``; all else must be as on the board.

    Raises:
        WrongCertificateError: the grid is not one of this board.
    """
    grid = certificate.grid
    assert grid is not None
    if [len(row) for row in grid] != [len(row) for row in board.rows]:
        raise WrongCertificateError(MANIFEST, "grid: not the size of the board")
    verdicts = {}
    for r, row in enumerate(grid):
        for c, found in enumerate(row):
            if (r, c) in board.variable:
                if found not in "SM?":
                    raise WrongCertificateError(MANIFEST, f"grid: {found!r} at {(r, c)}")
                verdicts[r, c] = found
            elif found != board.rows[r][c]:
                raise WrongCertificateError(
                    MANIFEST, f"grid: {found!r} at {(r, c)}, on the board {board.rows[r][c]!r}"
                )
    return verdicts


def check_layouts(certificate: Certificate, board: Board, verdicts: dict[Cell, str]) -> int:
    """How many layouts witness the unknown cells, once all of them have been evaluated.

    Raises:
        WrongCertificateError: a layout breaks the board, or a cell has none of one kind.
    """
    found = certificate.json(LAYOUTS)
    if found.keys() != {"layouts", "cells"}:
        raise WrongCertificateError(LAYOUTS, "not an object of layouts and cells")
    layouts = found["layouts"]
    if not isinstance(layouts, list) or not layouts:
        raise WrongCertificateError(LAYOUTS, "no layout at all, so that the board may have none")
    mines = [_mines(rows, board, f"layout {at}") for at, rows in enumerate(layouts)]
    for at, held in enumerate(mines):
        broken = board.broken_by(held)
        if broken:
            raise WrongCertificateError(LAYOUTS, f"layout {at}: {broken}")
    shown = _shown(found["cells"], len(layouts))
    for cell, verdict in verdicts.items():
        v = board.variable[cell]
        if verdict != "?":
            if cell in shown:
                raise WrongCertificateError(LAYOUTS, f"cells: {cell} is certain")
            other = [at for at, held in enumerate(mines) if (v in held) is not (verdict == "M")]
            if other:
                raise WrongCertificateError(
                    LAYOUTS, f"layout {other[0]} contradicts the certain verdict at {cell}"
                )
            continue
        if cell not in shown:
            raise WrongCertificateError(LAYOUTS, f"the unknown cell {cell} has no layouts")
        mine, safe = shown[cell]
        if v not in mines[mine] or v in mines[safe]:
            raise WrongCertificateError(
                LAYOUTS, f"layouts {mine} and {safe} do not show {cell} as a mine and as safe"
            )
    if len(shown) > list(verdicts.values()).count("?"):
        cell = next(cell for cell in shown if cell not in verdicts)
        raise WrongCertificateError(LAYOUTS, f"cells: {cell} is no covered cell")
    return len(layouts)


def _mines(rows: object, board: Board, where: str) -> set[int]:
    if not isinstance(rows, list) or len(rows) != len(board.rows):
        raise WrongCertificateError(LAYOUTS, f"{where}: not the rows of the board")
    held = set()
    for r, (row, on_board) in enumerate(zip(rows, board.rows, strict=True)):
        if not isinstance(row, str) or len(row) != len(on_board):
            raise WrongCertificateError(LAYOUTS, f"{where}: row {r} is not one of the board")
        for c, (found, given) in enumerate(zip(row, on_board, strict=True)):
            if (r, c) in board.variable:
                if found not in "SM":
                    raise WrongCertificateError(LAYOUTS, f"{where}: {found!r} at {(r, c)}")
                if found == "M":
                    held.add(board.variable[r, c])
            elif found != given:
                raise WrongCertificateError(
                    LAYOUTS, f"{where}: {found!r} at {(r, c)}, on the board {given!r}"
                )
    return held


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
