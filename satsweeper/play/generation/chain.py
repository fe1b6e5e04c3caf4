"""A chain of certificates: from the first click to the last cell, all is proved before it opens.

Verdicts come from the session, which shares nothing with what generated the board.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from satsweeper.board.codes import Cell
from satsweeper.board.planes import indices
from satsweeper.certificate.certify import Certificate, certify
from satsweeper.certificate.folder import FolderTakenError
from satsweeper.notation.error import printable
from satsweeper.play.generation.board import GeneratedBoard

CHAIN: Final = "chain.json"
SCHEMA: Final = "satsweeper/chain/1"


@dataclass(frozen=True, slots=True)
class Chain:
    """One certificate for each position; ``safe``: what it proves to be safe, opened for the next.

    ``total``: whether the positions tell the number of mines.
    """

    board: GeneratedBoard
    total: bool
    certificates: tuple[Certificate, ...]
    safe: tuple[tuple[Cell, ...], ...]

    def write(self, folder: Path) -> None:
        """Write a new folder: all of it, or nothing.

        Raises:
            FolderTakenError: there is something in it.
            OSError: it cannot be written.
        """
        refuse_taken(folder)
        beside = folder.parent / f".satsweeper-{token_hex(8)}.part"
        try:
            beside.mkdir()
            for name, certificate in zip(self._names(), self.certificates, strict=True):
                certificate.write(beside / name)
            (beside / CHAIN).write_text(json.dumps(self.as_json()) + "\n", "ascii")
            if folder.exists():
                folder.rmdir()
            beside.rename(folder)
        finally:
            shutil.rmtree(beside, ignore_errors=True)

    def as_json(self) -> dict[str, Any]:
        """What ``chain.json`` says."""
        board = self.board
        return {
            "schema": SCHEMA,
            "rows": board.board.rows,
            "columns": board.board.columns,
            "mines": board.board.mines,
            "start": list(board.start),
            "layout": board.rows,
            "total": self.total,
            "positions": [
                {"folder": name, "safe": [list(cell) for cell in safe]}
                for name, safe in zip(self._names(), self.safe, strict=True)
            ],
        }

    def _names(self) -> list[str]:
        return [f"{number:03d}" for number in range(1, len(self.certificates) + 1)]


def refuse_taken(folder: Path) -> None:
    """Raise FolderTakenError for what is no folder, or not empty."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise FolderTakenError(f"{printable(str(folder))} is no folder")
    if folder.exists() and any(folder.iterdir()):
        raise FolderTakenError(f"{printable(str(folder))} is not empty")


def certify_board(
    board: GeneratedBoard, *, total: bool = True, reach: Callable[[float], object] = lambda _: None
) -> Chain:
    """Certify every position of a game without a guess, each time with all safe cells opened.

    Args:
        board: one that needs no guess.
        total: whether the number of mines may be used.
        reach: told the share of the cells that are open.

    Raises:
        ValueError: a guess is needed.
    """
    field, geometry = board.opened(), board.layout.geometry
    certificates, opened = [], []
    while not field.won:
        certificate = certify(field.position(total=total))
        safe = certificate.found.safe_board
        if not safe:
            raise ValueError(f"board {board.board}: a guess is needed")
        certificates.append(certificate)
        opened.append(tuple(geometry.cell(index) for index in indices(safe, geometry.size)))
        field.open(safe)
        if field.lost:
            raise AssertionError("a cell that was certified to be safe is a mine")
        reach(field.opened.bit_count() / board.layout.free.bit_count())
    return Chain(board, total, tuple(certificates), tuple(opened))
