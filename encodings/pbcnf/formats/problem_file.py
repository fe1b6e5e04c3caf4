"""Problems of any format that is read here: detected, opened, and read constraint by constraint."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import IO, Final

from pbcnf.constraints.constraint import Constraint
from pbcnf.formats.error import FormatError
from pbcnf.formats.read import knf, opb
from pbcnf.formats.reading import text_lines
from pbcnf.literals import MAX_VAR

_VARIABLE: Final = re.compile(rb"x([1-9][0-9]*)")


@dataclass(slots=True)
class ProblemFile:
    """A problem whose constraints are read while they are used; a context that closes its file.

    `objective` is known once the constraints have been read; it does not touch what is a model.
    """

    format: str
    """``opb``, ``knf`` or ``cnf``."""
    num_vars: int
    """Variables 1 .. num_vars are the problem's own; in OPB, i is called x<i>."""
    declared: int | None
    """The number of constraints, if the file says it."""
    constraints: Iterator[Constraint] = field(repr=False)
    objective: str | None = None
    _streams: list[IO[bytes]] = field(default_factory=list, repr=False)

    def __enter__(self) -> ProblemFile:
        return self

    def __exit__(self, *exception: object) -> None:
        for stream in self._streams:
            stream.close()


def open_problem(opened: Callable[[], IO[bytes]], source: str) -> ProblemFile:
    """Open an OPB, KNF or DIMACS CNF file, compressed or not; the content decides which it is.

    `opened` returns a new binary stream of the whole file each time; it is called up to four times
    for an OPB file, twice else. `source` names the file in errors.

    Raises FormatError, now or while the constraints are read,
    for whatever is not of the format or is damaged, and OSError if the file cannot be read.
    """
    streams: list[IO[bytes]] = []

    def lines() -> Generator[bytes]:
        streams.append(opened())
        return _lines(streams[-1], source)

    try:
        first = _first_byte(lines, source)
        problem = _knf(lines(), source) if first in b"cp" else _opb(lines, source)
    except BaseException:
        for stream in streams:
            stream.close()
        raise
    problem._streams = streams
    return problem


def _first_byte(lines: Callable[[], Generator[bytes]], source: str) -> bytes:
    with closing(lines()) as opened:
        for line in opened:
            if line.strip():
                return line.strip()[:1]
    raise FormatError(source, None, None, "the file is empty: an OPB or KNF problem is needed")


def _knf(lines: Iterator[bytes], source: str) -> ProblemFile:
    header = knf.read_header(lines, source)
    constraints = knf.read_constraints(lines, source, header)
    return ProblemFile(header.kind, header.variables, header.constraints, constraints)


def _opb(lines: Callable[[], Generator[bytes]], source: str) -> ProblemFile:
    with closing(lines()) as opened:
        header = opb.read_header(opened, source)
    num_vars = header.variables
    if num_vars is None:
        num_vars = _largest_variable(lines())
    statements = opb.read_constraints(lines(), source, header)
    problem = ProblemFile("opb", min(num_vars, MAX_VAR), header.constraints, iter(()))
    problem.constraints = _constraints(statements, problem)
    return problem


def _constraints(
    statements: Iterator[Constraint | opb.Objective], problem: ProblemFile
) -> Iterator[Constraint]:
    for statement in statements:
        if isinstance(statement, opb.Objective):
            problem.objective = statement.text
        else:
            yield statement


def _largest_variable(lines: Iterator[bytes]) -> int:
    """Return the largest i of all x<i>; a number too long to be one is left to the reader."""
    return max(
        (
            int(name)
            for line in lines
            if not line.startswith(b"*")
            for name in _VARIABLE.findall(line)
            if len(name) < 12
        ),
        default=0,
    )


def _lines(raw: IO[bytes], source: str) -> Generator[bytes]:
    """Yield the lines of a stream, decompressed, without a byte order mark; then close it."""
    try:
        yield from text_lines(raw, source)
    finally:
        raw.close()
