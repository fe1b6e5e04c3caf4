"""Proofs of games in one file: each cell is proved to be safe before it is opened, if it can be.

The session that proves gets the clues of open cells, and the total unless the proof is to do
without; the layout is used only to look up the clue of an opened cell.
"""

from __future__ import annotations

from typing import IO, Final

from satsweeper.board.errors import Error
from satsweeper.board.layout import Layout
from satsweeper.board.planes import indices
from satsweeper.play.game import Game, Minefield
from satsweeper.search.session import PositionSession

HEAD: Final = b"p lidrup\nc satsweeper game 1 "
"""The beginning of every proof of a game; rows, columns and mines of the board follow."""


class OtherProofError(Error):
    """A file is not a proof of the present game."""


class ProvedGame:
    """Follows a game on ``layout`` while it is played, and writes its proof to ``stream``.

    ``total``: whether the proof may use the number of mines.
    """

    def __init__(self, layout: Layout, stream: IO[bytes], *, total: bool = True) -> None:
        self._field = Minefield(layout)
        self._session = PositionSession(self._field.position(total=total), proof=stream)

    @property
    def opened(self) -> int:
        """The cells that are open in the proof, as a bit board."""
        return self._field.opened

    def follow(self, opened: int, *, guess: bool = True) -> None:
        """Continue the proof until the cells ``opened`` are open; those proved safe open first.

        Args:
            opened: free cells, including those that are open already, as a bit board.
            guess: whether all remaining cells may be opened at once where none is proved.

        Raises:
            ValueError: no cell is proved, and ``guess`` is False.
            LimitError: a verdict is too hard to prove.
        """
        # Each round opens all cells of ``opened`` that are proved to be safe on the clues so far.
        # The proof so depends on the set ``opened``, and not on the order in which cells came.
        while True:
            safe = self._session.classify().safe_board & opened
            if self._field.opened == opened:
                return
            if not safe and not guess:
                raise ValueError("a guess is needed")
            self._open(safe or opened, opened)

    def replay(self, proof: bytes) -> None:
        """Open the cells that an unfinished ``proof`` opens, in the order of the proof.

        Raises:
            OtherProofError: ``proof`` is not a proof of this game.
        """
        layout, width = self._field.layout, self._field.layout.geometry.columns
        total = layout.mines.bit_count()
        if not proof.startswith(HEAD + f"{layout.geometry.rows} {width} {total}\n".encode()):
            raise OtherProofError("this is no proof of a game on such a board")
        cells = 0
        for line in proof.split(b"\n")[:-1]:
            if line.startswith(b"c open "):
                row, column, clue = map(int, line[7:].split())
                index = layout.geometry.index((row, column))
                if not layout.free >> index & 1 or self._field.clue(index) != clue:
                    raise OtherProofError("this is the proof of another game")
                cells |= 1 << index
            elif line.startswith(b"c classified"):
                self._open(cells, self._field.opened | cells)
                self._session.classify()

    def close(self) -> None:
        """Free the solvers; the stream stays open."""
        self._session.close()

    def _open(self, cells: int, only: int) -> None:
        geometry = self._field.layout.geometry
        for index in indices(self._field.open(cells, ~only), geometry.size):
            self._session.reveal(geometry.cell(index), self._field.clue(index))


class ProofOfLast:
    """Writes the proof of the present game; when another game begins, the stream is emptied.

    An undone move stays in the proof, because the player has seen the clues that it opened.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._game: Game | None = None
        self._proved: ProvedGame | None = None
        self.error: Exception | None = None
        """The error that ended the proof, if any."""

    def follow(self, game: Game) -> None:
        """Continue the proof with the cells of ``game`` that are open now."""
        if game.layout is None or self.error is not None:
            return
        try:
            if game is not self._game or self._proved is None:
                self.close()
                self._stream.seek(0)
                self._stream.truncate()
                self._game, self._proved = game, ProvedGame(game.layout, self._stream)
            self._proved.follow(game.opened | self._proved.opened)
        except (OSError, ValueError, Error) as error:
            self.error = error

    def close(self) -> None:
        """Free the solvers; the stream stays open."""
        if self._proved is not None:
            self._proved.close()
            self._proved = None
