"""``check_game``: the proof of a game checked from its file, as far as it is written."""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final, Literal

from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.contents import read_lines
from satsweeper.checker.errors import WrongCertificateError, wrong_at
from satsweeper.checker.expected_board import plain_board
from satsweeper.checker.external import External, accepts
from satsweeper.checker.game.steps import CheckedGame, GameChecker

LIDRUP: Final = External("lidrup-check", ("game.lidrup",), "s VERIFIED")
_CLAIMS: Final = (b"c proved ", b"c classified ", b"c inconsistent")
"""Beginnings of claims; every query before a claim is answered, so a proof may be cut behind it."""


@dataclass(frozen=True)
class CheckedFile:
    """The proved claims, the hash of the checked bytes, and other checkers that accepted them."""

    game: CheckedGame
    sha256: str
    external: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The object that ``check --json`` prints."""
        return self.game.as_json() | {"sha256": self.sha256, "external": self.external}


def check_game(
    path: str | PathLike[str],
    *,
    board: str | None = None,
    mines: int | Literal["unknown"] | None = None,
    flags: Literal["trust", "ignore"] | None = None,
    external: bool = True,
    seconds: float = 600,
) -> CheckedFile:
    """Check a game's proof as far as it is written; an incomplete last line is ignored.

    Args:
        path: the file.
        board: the last position that the proof must reach, in the plain notation, with its flags
            and total; None accepts any position.
        mines: the total that the proof must be about, or "unknown"; overrides that of ``board``.
        flags: "ignore" refuses a proof that takes any flag for a mine.
        external: whether lidrup-check is run as well, if it is on PATH.
        seconds: the time limit of lidrup-check.

    Raises:
        ValueError: ``board`` is in another notation.
        WrongCertificateError: the first defect, also a file of another kind or too large a file.
        OSError: the file cannot be read.
    """
    name = Path(path).name
    checker, digest = GameChecker(name), hashlib.sha256()
    program = shutil.which(LIDRUP.program) if external else None
    accepted = []
    with TemporaryDirectory(prefix="satsweeper-") as place:
        copy = Path(place, LIDRUP.files[0])
        try:
            with copy.open("wb") as other:
                lines = read_lines(Path(path))
                checker.read(_whole(lines, digest.update, other if program else None))
            found = checker.checked()
        except ProofFormatError as error:
            raise wrong_at(name, error.line, error.message) from None
        # What the caller expects of the last position: its rows, its total, and its flags.
        given = None if board is None else plain_board(board)
        if board is not None and given is None:
            raise ValueError("board: no board in the plain notation")
        if given is not None and given.rows != found.rows:
            fault = "its last position is another board than the one given"
            raise WrongCertificateError(name, fault)
        if mines is not None or given is not None:
            wanted = None if mines == "unknown" else mines
            if mines is None and given is not None:
                wanted = given.mines
            if wanted != found.mines:
                about, asked = ("unknown" if n is None else n for n in (found.mines, wanted))
                raise WrongCertificateError(name, f"it is about total {about}, not {asked}")
        if flags == "ignore" and any("F" in row for row in found.rows):
            raise WrongCertificateError(name, "it takes flags for mines")
        if program and copy.stat().st_size:
            accepts(LIDRUP, str(Path(program).absolute()), place, name, seconds)
            accepted.append(LIDRUP.program)
    return CheckedFile(found, digest.hexdigest(), tuple(accepted))


def _whole(
    lines: Iterable[bytes], update: Callable[[bytes], object], copy: IO[bytes] | None
) -> Iterator[bytes]:
    """Yield whole lines without their ends; write them to ``copy`` up to the last claim.

    ``update`` receives every whole line, for the hash.
    """
    end = 0
    for line in lines:
        if not line.endswith(b"\n"):
            break
        update(line)
        if copy is not None:
            copy.write(line)
            if line.startswith(_CLAIMS):
                end = copy.tell()
        yield line[:-1]
    if copy is not None:
        copy.truncate(end)
