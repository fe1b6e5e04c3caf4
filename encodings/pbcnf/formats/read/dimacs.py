"""DIMACS CNF, the format of the SAT competitions: the reader, strict, and fast where it can be.

Read are comments anywhere, several clauses on a line, clauses over several lines, CR LF, tabs, a
byte order mark, and the ``%`` with which files of SATLIB end. Repeated and opposite literals stay.
Reference: the rules of the SAT competitions; the report "Satisfiability: suggested format" of the
DIMACS challenge of 1993.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from typing import IO, Final

import numpy as np

from pbcnf.formats.compressed import MOST_BYTES
from pbcnf.formats.digits import line_feeds, literals_and_zeros
from pbcnf.formats.problem_file import text_blocks
from pbcnf.formats.statements import ClauseStatement, Grammar, Statements
from pbcnf.formula import Formula

_GRAMMAR: Final = Grammar(
    header=rb"p[ \t]+cnf[ \t]+([0-9]{1,18})[ \t]+([0-9]{1,18})",
    header_form="p cnf VARIABLES CLAUSES",
)
_EMPTY_LINES: Final = re.compile(rb"(?:[ \t\r]*+\n)++")
_SMALL: Final = 2**14
"""Length of a piece of text that is parsed strictly instead of being halved again."""


@dataclass(frozen=True, slots=True)
class DimacsFile:
    """The content of a DIMACS CNF file.

    The formula has the declared variables, whether they occur or not. `notes` say in words what a
    strict reader would refuse, and where a ``%`` ended the file.
    """

    formula: Formula = field(repr=False)
    comments: tuple[str, ...] = field(repr=False, default=())
    notes: tuple[str, ...] = ()


def read_dimacs(
    stream: IO[bytes], source: str, *, strict: bool = True, limit: int = MOST_BYTES
) -> DimacsFile:
    r"""Read a binary stream, compressed or not; `source` names it in errors.

    If not `strict`, literals beyond the declared variables (which are then added), a wrong number
    of clauses and a missing header become notes. `limit`: see `pbcnf.formats.compressed`. Memory
    grows with the clauses read, not with the numbers in the header. The stream stays open.

    Raises FormatError with line and column for any violation of the format, and OSError.

    >>> file = read_dimacs(io.BytesIO(b"c hello\np cnf 9 2\n1 -2 0\n0\n"), "a.cnf")
    >>> list(file.formula.clauses()), file.formula.num_vars, file.comments
    ([[1, -2], []], 9, ('hello',))
    """
    formula, statements = read_clauses(stream, source, strict=strict, limit=limit)
    comments = tuple(comment.text for comment in statements.comments)
    return DimacsFile(formula, comments, tuple(statements.notes))


def read_clauses(
    stream: IO[bytes], source: str, *, strict: bool = True, limit: int = MOST_BYTES
) -> tuple[Formula, Statements]:
    """Read as `read_dimacs` does; also return the finished reader, which knows where comments are.

    Raises as `read_dimacs` does.
    """
    clauses = _Clauses(Statements(_GRAMMAR, source, strict), Formula())
    for block in text_blocks(stream, source, limit):
        clauses.take(block)
        if clauses.statements.stopped:
            break
    clauses.statements.finish()
    header = clauses.statements.header
    clauses.allocate(0 if header is None or header.variables is None else header.variables)
    return clauses.formula, clauses.statements


@dataclass(frozen=True, slots=True)
class _Clauses:
    """The state of the reader: text becomes clauses of the formula piece by piece."""

    statements: Statements
    formula: Formula

    def take(self, block: bytes) -> None:
        """Read whole lines: one by one until statements may come, then all at once."""
        state = self.statements
        if not state.ready:
            empty = _EMPTY_LINES.match(block)
            skipped = 0 if empty is None else empty.end()
            state.line += line_feeds(block[:skipped])
            lines = io.BytesIO(block[skipped:])
            for line in lines:
                self._add(state.take(line))
                if state.ready:
                    break
            block = lines.read()
        self._take_statements(block)

    def allocate(self, num_vars: int) -> None:
        """Allocate variables of the formula up to `num_vars`."""
        self.formula.new_vars(max(0, num_vars - self.formula.num_vars))

    def _take_statements(self, block: bytes) -> None:
        """Read regular text by arrays; split irregular text, and read short pieces by tokens."""
        if self.statements.stopped or not block or self._take_regular(block):
            return
        middle = block.rfind(b"\n", 0, len(block) // 2) + 1
        if len(block) <= _SMALL or not middle:
            lines = io.BytesIO(block)
            self._add([done for line in lines for done in self.statements.take(line)])
        else:
            self._take_statements(block[:middle])
            self._take_statements(block[middle:])

    def _take_regular(self, block: bytes) -> bool:
        """Read `block` if its text is regular and valid; otherwise change nothing, return False."""
        state = self.statements
        flat = literals_and_zeros(block)
        if flat is None:
            return False
        largest = max(-int(np.min(flat)), int(np.max(flat))) if len(flat) else 0
        if largest > state.limit:
            return False
        ends = np.flatnonzero(flat == 0)
        end = int(ends[-1]) + 1 if len(ends) else 0
        # Whether the last clause is still open. An open clause counts as a further statement, so
        # that the strict parser gets, and locates, the first clause too many.
        begun = end < len(flat) or (state.begun and not end)
        if state.declared is not None and state.count + len(ends) + begun > state.declared:
            return False
        self.allocate(max(largest, state.largest))
        if end:
            flat.flags.writeable = False
            closed = flat if end == len(flat) else flat[:end]
            if state.begun:
                closed = np.concatenate([np.array(state.pending, np.int32), closed])
                del state.pending[:]
            self.formula.add_flat(closed)
        state.pending.frombytes(flat[end:].tobytes())
        state.count += len(ends)
        state.begun = begun
        state.largest = max(state.largest, largest)
        if begun and len(flat):
            state.end_within(block)
        state.line += line_feeds(block) + (not block.endswith(b"\n"))
        return True

    def _add(self, done: list[ClauseStatement]) -> None:
        if done:
            self.allocate(self.statements.largest)
            flat = [lit for statement in done for lit in (*statement.lits, 0)]
            self.formula.add_terminated(flat, len(done))
