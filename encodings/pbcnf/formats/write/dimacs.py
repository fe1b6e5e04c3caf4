"""DIMACS CNF, the format of the SAT competitions: the writer."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from typing import IO, TYPE_CHECKING, Final, cast

from pbcnf.formats.names import comment_lines
from pbcnf.formula import Formula
from pbcnf.literals import MAX_VAR, Block, Clause, Var

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_CHUNK = 2**16
_TABLE_DIGITS = 6


def write_dimacs(
    formula: Formula, stream: IO[bytes] | IO[str], comments: Iterable[str] = ()
) -> None:
    """Write `formula` to a binary or text stream: comments, exact header, a clause per line.

    Every line of `comments` becomes a comment line. Raises ValueError, before anything is
    written, for a comment that is not ASCII or contains ``p cnf``: some checkers take that for
    the header (drat-trim issue 39).
    """
    first = head(formula.num_vars, formula.num_clauses, comments)
    write = byte_writer(stream)
    write(first)
    for piece in body(formula):
        write(piece)


def write_clauses(
    formula: Formula, inputs: int, stream: IO[bytes], comments: Iterable[str] = ()
) -> None:
    """Write the formula of a problem, whose variables 1 .. `inputs` are the problem's own."""
    write_dimacs(formula, stream, comments)


def dimacs(formula: Formula) -> str:
    r"""Return `formula` as DIMACS text.

    >>> f = Formula(num_vars=2)
    >>> f.add_clause([1, -2])
    >>> dimacs(f)
    'p cnf 2 1\n1 -2 0\n'
    """
    stream = io.StringIO()
    write_dimacs(formula, stream)
    return stream.getvalue()


def head(num_vars: int, num_clauses: int, comments: Iterable[str] = ()) -> bytes:
    """Return comments and header, the text before the clauses. Raises as `write_dimacs` does."""
    header = f"p cnf {num_vars} {num_clauses}\n"
    return comment_block(comments) + header.encode("ascii")


def comment_block(comments: Iterable[str]) -> bytes:
    """Return every line of `comments` as a comment line. Raises as `write_dimacs` does."""
    lines = [f"{line}\n" for line in comment_lines(comments, "c")]
    for line in lines:
        if re.search(r"p\s+cnf", line):
            raise ValueError(f"a comment must not contain 'p cnf': {line.rstrip()!r}")
    return "".join(lines).encode("ascii")


def byte_writer(stream: IO[bytes] | IO[str]) -> Callable[[bytes], object]:
    """Return a function that writes ASCII bytes to `stream`, a binary or a text stream."""
    if isinstance(stream, io.TextIOBase) or hasattr(stream, "encoding"):
        text = cast("IO[str]", stream)
        return lambda piece: text.write(piece.decode("ascii"))
    return cast("IO[bytes]", stream).write


def body(formula: Formula) -> Iterable[bytes]:
    """Yield the clauses as text, from the flat arrays in which a 0 ends every clause."""
    try:
        import numpy as np
    except ImportError:
        # Without numpy, in a browser for example, clauses are written one by one.
        for clause in formula.clauses():
            yield f"{' '.join(map(str, [*clause, 0]))}\n".encode("ascii")
        return
    # The text of each literal of up to six digits, with sign and separator, is one 64-bit number.
    table: npt.NDArray[np.uint64] | None = None
    if formula.num_vars < 10**_TABLE_DIGITS and formula.num_vars < formula.num_literals:
        every = np.arange(-formula.num_vars, formula.num_vars + 1)
        table = _text(every, _TABLE_DIGITS).view(np.uint64).ravel()
    digits = len(str(MAX_VAR))
    for flat in formula.terminated():
        for start in range(0, len(flat), _CHUNK):
            lits: Block = flat[start : start + _CHUNK]
            padded = _text(lits, digits) if table is None else table[lits + formula.num_vars]
            yield padded.tobytes().translate(None, b"\0")


def _text(lits: npt.NDArray[np.integer], digits: int) -> npt.NDArray[np.uint8]:
    """Return one row of bytes per literal: sign, digits, separator; NUL bytes fill it up.

    The separator is a space after a literal and a line feed after the 0 that ends a clause.
    """
    import numpy as np

    text = np.zeros((len(lits), digits + 2), dtype=np.uint8)
    text[:, 0] = np.where(lits < 0, ord("-"), 0)
    rest = np.abs(lits)
    for column in range(digits, 0, -1):
        higher = rest // 10
        digit = rest - 10 * higher + ord("0")
        text[:, column] = digit if column == digits else np.where(rest > 0, digit, 0)
        rest = higher
    text[:, digits + 1] = np.where(lits == 0, ord("\n"), ord(" "))
    return text


# DIMACS CNF written during encoding: clauses go to a stream, a bounded part stays in memory.

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

    def add_flat(self, flat: Block) -> None:
        """Add clauses of an array with a 0 after each. Raises as `Formula.add_flat` does."""
        self._kept.add_flat(flat)
        self._flush_if_large()

    def flush(self) -> None:
        """Write the clauses that are still in memory. Raises OSError as the stream does."""
        for piece in body(self._kept):
            self._stream.write(piece)
        self._clauses += self._kept.num_clauses
        self._literals += self._kept.num_literals
        self._kept = Formula(self._kept.num_vars)

    def _flush_if_large(self) -> None:
        if self._kept.num_literals >= _MOST_LITERALS:
            self.flush()
