"""The name map of a formula: variables 1 .. n are the covered cells, the others auxiliary.

What an auxiliary variable stands for is not checked, and nothing depends on it.
"""

from collections.abc import Mapping
from typing import Final

from satsweeper.checker.board import Cell, CheckedBoard
from satsweeper.checker.contents import is_integer, json_object
from satsweeper.checker.errors import WrongCertificateError, counted
from satsweeper.checker.manifest import LoadedCertificate

_SCHEMA: Final = "satsweeper/map/1"
_KEYS: Final = ("schema", "rows", "columns", "mines", "flags", "variables", "auxiliaries")


def check_map(
    certificate: LoadedCertificate, board: CheckedBoard, variables: int, name: str
) -> None:
    """Compare a map with the board, and with the number of variables of its formula.

    Raises:
        WrongCertificateError: it is another map.
    """
    content, cells = certificate.files[name], _cells_as_written(board)
    before, mark, behind = content.partition(b'"variables": ')
    as_written = behind.startswith(cells)
    if as_written:
        # What was compared need not be read; of a key that is there twice, both would be.
        content = b"%b%b{}%b" % (before, mark, behind[len(cells) :])
    found = json_object(name, content)
    if found.keys() != set(_KEYS) or found["schema"] != _SCHEMA:
        raise WrongCertificateError(name, f"not a map of schema {_SCHEMA!r}")
    expected = {
        "rows": len(board.rows),
        "columns": len(board.rows[0]) if board.rows else 0,
        "mines": board.mines,
        "flags": [list(cell) for cell in board.flags],
    }
    for key, value in expected.items():
        # The text of both, since true == 1 in Python.
        if repr(found[key]) != repr(value):
            raise WrongCertificateError(name, f"{key}: not {value!r}, as on the board")
    _check_cells(found["variables"], {} if as_written else board.variable, name)
    _check_auxiliaries(found["auxiliaries"], len(board.cells), variables, name)


def _cells_as_written(board: CheckedBoard) -> bytes:
    """Return the text of the cells of all variables, as certificates write it."""
    listed = [f'"{v}": {{"cell": [{r}, {c}]}}' for v, (r, c) in enumerate(board.cells, start=1)]
    return f"{{{', '.join(listed)}}}".encode("ascii")


def _check_cells(found: object, variable: Mapping[Cell, int], name: str) -> None:
    if not isinstance(found, dict):
        raise WrongCertificateError(name, "variables: no object")
    expected = {str(v): {"cell": list(cell)} for cell, v in variable.items()}
    for v in {**expected, **found}:
        if repr(found.get(v)) != repr(expected.get(v)):
            raise WrongCertificateError(
                name, f"variable {v} is {expected.get(v)}, not {found.get(v)}"
            )


def _check_auxiliaries(found: object, cells: int, variables: int, name: str) -> None:
    """Require that auxiliary variables follow the cells without a gap, up to the last variable."""
    last = cells
    for each in found if isinstance(found, list) else [None]:
        match each:
            case {"first": first, "last": end, "role": "clue" | "total", "encoding": str(), **rest}:
                if not rest and is_integer(first) and is_integer(end) and last + 1 == first <= end:
                    last = end
                    continue
        raise WrongCertificateError(name, f"auxiliaries: {each!r} behind variable {last}")
    if last != variables:
        raise WrongCertificateError(
            name, f"it names {counted(last, 'variable')}, the formula has {variables}"
        )
