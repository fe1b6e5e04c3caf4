"""The board, total and reading of flags that a caller of ``check`` expects."""

import re
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, Self

from satsweeper.checker.board import BOARD, CheckedBoard
from satsweeper.checker.errors import WrongCertificateError

# The checker's own reader of the plain notation, for the board that a caller expects. A text that
# could be a mistake or in another notation is not read: `satsweeper.notation` reads it instead.

_SYMBOLS: Final = {**dict.fromkeys("?#.H-", "?"), **dict.fromkeys("F!*", "F")}
_SIZE: Final = re.compile(r"[ \t]*([0-9]{1,9})[ \t]+([0-9]{1,9})[ \t]+([0-9]{1,9}|\?)")
_ROW: Final = re.compile(r"[0-8?#.H\-F!*]+")
_CONTROL: Final = re.compile(r"[^\n\r\t -\uffff\U00010000-\U0010ffff]")


class PlainBoard(NamedTuple):
    """Rows of ``0``-``8``, ``?`` and ``F``, and the total; None if the board states none."""

    rows: tuple[str, ...]
    mines: int | None


def plain_board(text: str | bytes) -> PlainBoard | None:
    """Return the board in ``text``, or None if ``text`` is not certainly in the plain notation.

    A row a line: ``0``-``8`` a clue, ``?`` (also ``#``, ``.``, ``H``, ``-``) a covered cell, ``F``
    (also ``!``, ``*``) a flag. The first line may be ``rows columns mines``, mines an integer or
    ``?``. Blanks between cells, empty lines and lines that begin with ``;`` are ignored.

    >>> plain_board("; mine\\n1 2 1\\n1 #\\n")
    PlainBoard(rows=('1?',), mines=1)
    >>> plain_board("8x8:0,0,0004") is None
    True
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            return None
    text = text.removeprefix("\ufeff")
    if _CONTROL.search(text):
        return None
    lines = [line.rstrip(" \t\r") for line in text.split("\n")]
    lines = [line for line in lines if line and line.lstrip(" \t")[0] != ";"]
    rows = [line.replace(" ", "").replace("\t", "") for line in lines]
    if not lines or any(line.startswith("# ") for line in lines):
        return None
    mines = None
    size = _SIZE.fullmatch(lines[0])
    # A single line of three cells is a row, since a header needs rows below.
    alone = len(rows) == 1
    if size is not None and not (alone and len(rows[0]) == len(size.groups())):
        rows = rows[1:]
        if not rows or (len(rows), len(rows[0])) != (int(size[1]), int(size[2])):
            # The line may be a row of three cells, or a header with a mistake.
            return None
        mines = None if size[3] == "?" else int(size[3])
        if mines is not None and mines > len(rows) * len(rows[0]):
            return None
    if any(len(row) != len(rows[0]) or not _ROW.fullmatch(row) for row in rows):
        return None
    plain = str.maketrans(_SYMBOLS)
    return PlainBoard(tuple(row.translate(plain) for row in rows), mines)


Flags = Literal["trust", "ignore"]


class ExpectedBoard(NamedTuple):
    """Board, total and flags that a certificate must be about; None accepts any."""

    board: PlainBoard | None
    mines: int | Literal["unknown"] | None
    flags: Flags | None

    @classmethod
    def of(
        cls,
        board: Sequence[str] | None,
        mines: int | Literal["unknown"] | None,
        flags: Flags | None,
    ) -> Self:
        """Return the expectations given by the arguments of ``check``.

        Args:
            board: a text in the plain notation, or its rows; None: any board.
            mines: the total; None: the total that ``board`` states, unknown for rows alone.
            flags: the reading of flags; None: "trust" with a board, else any.

        Raises:
            ValueError: ``board`` is a text in another notation, or an argument has another value.
        """
        if flags not in (None, "trust", "ignore"):
            raise ValueError(f"flags={flags!r}: 'trust' or 'ignore'")
        if isinstance(mines, str) and mines != "unknown":
            raise ValueError(f"mines={mines!r}: a number, or 'unknown'")
        given = None if board is None else PlainBoard(tuple(board), None)
        if isinstance(board, str) and (given := plain_board(board)) is None:
            raise ValueError("board: no board in the plain notation")
        return cls(given, mines, flags)

    def require(self, about: CheckedBoard, trust_flags: bool) -> None:
        """Refuse a certificate about another board, total, or reading of flags than expected.

        Raises:
            WrongCertificateError: the board, the total or the reading of flags is another one.
        """
        given = self.board
        if given is not None and given.rows != about.rows:
            raise WrongCertificateError(BOARD, "this is another board than the one given")
        if self.mines is not None or given is not None:
            whose, wanted = "asked for is", self.mines
            if self.mines is None and given is not None:
                whose, wanted = "the board says", given.mines
            # An unknown total is None on boards, and "unknown" in arguments and messages.
            about_total, wanted = ("unknown" if n is None else n for n in (about.mines, wanted))
            if about_total != wanted:
                fault = f"the certificate is about total {about_total}, {whose} {wanted}"
                raise WrongCertificateError(BOARD, fault)
        if given is not None or self.flags is not None:
            found, asked = "trust" if trust_flags else "ignore", self.flags or "trust"
            if found != asked:
                fault = f"the certificate is about flags read as {found!r}, asked for is {asked!r}"
                raise WrongCertificateError("manifest.json", fault)


def board_json(rows: Sequence[str], mines: int | None, flags: Flags) -> dict[str, Any]:
    """Return the board that a certificate is about, as ``check --json`` prints it."""
    columns = len(rows[0]) if rows else 0
    return {"rows": len(rows), "columns": columns, "mines": mines, "flags": flags}
