"""A chain of certificates: each cell of a generated board is certified safe before it is opened.

The verdicts come from ``satsweeper.search.session``, which shares no code with the generator.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from satsweeper.board.codes import Cell
from satsweeper.board.planes import indices
from satsweeper.certificate.certify import Certificate, certify
from satsweeper.certificate.folder import FolderTakenError, with_manifest, write_whole
from satsweeper.notation.error import printable
from satsweeper.play.generation.board import GeneratedBoard

CHAIN: Final = "chain.json"
SCHEMA: Final = "satsweeper/chain/1"


@dataclass(frozen=True, slots=True)
class Chain:
    """A certificate of each position of a game without guesses on ``board``.

    ``safe[i]``: the cells that ``certificates[i]`` proves to be safe, whose opening gives the next
    position. ``total``: whether the positions state the number of mines.
    """

    board: GeneratedBoard
    total: bool
    certificates: tuple[Certificate, ...]
    safe: tuple[tuple[Cell, ...], ...]

    def write(self, folder: Path) -> None:
        """Write a new ``folder``, whole or not at all.

        Raises:
            FolderTakenError: ``folder`` is not empty, or is no folder.
            OSError: ``folder`` cannot be written.
        """
        refuse_taken(folder)
        files = {CHAIN: f"{json.dumps(self.as_json())}\n".encode("ascii")}
        for name, certificate in zip(self._names(), self.certificates, strict=True):
            _, contents = with_manifest(certificate.files, certificate.about)
            files |= {f"{name}/{inner}": content for inner, content in contents.items()}
        write_whole(folder, files)

    def as_json(self) -> dict[str, Any]:
        """The object in ``chain.json``."""
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
    """Raise FolderTakenError if ``folder`` exists and is no folder, or is not empty."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise FolderTakenError(f"{printable(str(folder))} is no folder")
    if folder.exists() and any(folder.iterdir()):
        raise FolderTakenError(f"{printable(str(folder))} is not empty")


def certify_board(board: GeneratedBoard, *, total: bool = True) -> Chain:
    """Certify every position of a game without guesses, where each time all safe cells are opened.

    Args:
        board: a board that needs no guess.
        total: whether the number of mines may be used.

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
    return Chain(board, total, tuple(certificates), tuple(opened))
