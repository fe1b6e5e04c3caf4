"""DIMACS CNF written during encoding: clauses go to a stream, a bounded part stays in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Final

from pbcnf.formats.write.dimacs import body
from pbcnf.formula import Formula
from pbcnf.literals import Block, Clause, Var

_MOST_LITERALS: Final = 2**20
_CLAUSES_BETWEEN_LOOKS: Final = 1024


class DimacsStream:
    """A clause sink that writes the clauses to `stream` and forgets them.

    The header needs the number of clauses and is therefore not written: the caller writes it before
    the clauses, see `pbcnf.formats.write.dimacs.head`. Call `flush` at the end.

    >>> import io
    >>> stream = io.BytesIO()
    >>> clauses = DimacsStream(stream, num_vars=2)
    >>> clauses.add_clause([1, -2])
    >>> clauses.flush()
    >>> stream.getvalue(), clauses.num_clauses, clauses.num_literals
    (b'1 -2 0\\n', 1, 2)
    """

    def __init__(self, stream: IO[bytes], num_vars: int = 0) -> None:
        """Start with the variables 1 .. num_vars."""
        self._stream = stream
        self._kept = Formula(num_vars)
        self._clauses = 0
        self._literals = 0
        self._unseen = 0

    @property
    def num_vars(self) -> int:
        """The number of allocated variables."""
        return self._kept.num_vars

    @property
    def num_clauses(self) -> int:
        """The number of clauses, written or not."""
        return self._clauses + self._kept.num_clauses

    @property
    def num_literals(self) -> int:
        """The number of literal occurrences, written or not."""
        return self._literals + self._kept.num_literals

    def new_var(self) -> Var:
        """Allocate the next variable."""
        return self._kept.new_var()

    def new_vars(self, count: int) -> Var:
        """Allocate `count` consecutive variables and return the first."""
        return self._kept.new_vars(count)

    def add_clause(self, clause: Clause) -> None:
        """Add one clause. Raises as `Formula.add_clause` does."""
        self._kept.add_clause(clause)
        self._unseen += 1
        if self._unseen >= _CLAUSES_BETWEEN_LOOKS:
            self._unseen = 0
            self._flush_if_large()

    def add_terminated(self, lits: Sequence[int], count: int) -> None:
        """Add `count` clauses at once, see `Formula.add_terminated`."""
        self._kept.add_terminated(lits, count)
        self._flush_if_large()

    def add_block(self, block: Block) -> None:
        """Add the rows of an array. Raises as `Formula.add_block` does."""
        self._kept.add_block(block)
        self._flush_if_large()

    def flush(self) -> None:
        """Write what has been kept back. Raises OSError as the stream does."""
        for piece in body(self._kept):
            self._stream.write(piece)
        self._clauses += self._kept.num_clauses
        self._literals += self._kept.num_literals
        self._kept = Formula(self._kept.num_vars)

    def _flush_if_large(self) -> None:
        if self._kept.num_literals >= _MOST_LITERALS:
            self.flush()
