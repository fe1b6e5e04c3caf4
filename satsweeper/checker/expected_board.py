"""The board, total and reading of flags that a caller of ``check`` expects."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Self

from satsweeper.checker.board import BOARD, CheckedBoard
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.plain_board_reader import PlainBoard, plain_board

Flags = Literal["trust", "ignore"]

_MANIFEST = "manifest.json"


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
            board: a text in the plain notation, or its rows.
            mines: the total; None: the one that ``board`` states, unknown for rows alone.
            flags: None: "trust" with a board.

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
            WrongCertificateError: it is about another one.
        """
        given = self.board
        if given is not None and given.rows != about.rows:
            raise WrongCertificateError(BOARD, "this is another board than the one given")
        if self.mines is not None:
            wanted = None if self.mines == "unknown" else self.mines
            _require_total(about.mines, wanted, "asked for is")
        elif given is not None:
            _require_total(about.mines, given.mines, "the board says")
        if given is not None or self.flags is not None:
            _require_flags(trust_flags, self.flags or "trust")


def board_json(rows: Sequence[str], mines: int | None, flags: Flags) -> dict[str, Any]:
    """Return the board that a certificate is about, as ``check --json`` prints it."""
    columns = len(rows[0]) if rows else 0
    return {"rows": len(rows), "columns": columns, "mines": mines, "flags": flags}


def _require_total(found: int | None, wanted: int | None, whose: str) -> None:
    if found != wanted:
        about, other = ("unknown" if total is None else total for total in (found, wanted))
        raise WrongCertificateError(
            BOARD, f"the certificate is about total {about}, {whose} {other}"
        )


def _require_flags(trusted: bool, wanted: Flags) -> None:
    if trusted != (wanted == "trust"):
        found = "trust" if trusted else "ignore"
        fault = f"the certificate is about flags read as {found!r}, asked for is {wanted!r}"
        raise WrongCertificateError(_MANIFEST, fault)
