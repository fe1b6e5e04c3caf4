"""Whole problems of any format that is read here, in memory; the content decides which it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import IO, Final

from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.error import FormatError
from pbcnf.formats.problem_file import ProblemFile, open_problem
from pbcnf.formats.read.lp import read_lp
from pbcnf.formats.read.mps import read_mps
from pbcnf.formats.reading import text_lines
from pbcnf.literals import Var

_LP: Final = re.compile(rb"\\|(?:min|max)(?:imum|imi[sz]e)?(?=\s|\Z)(?!\s*:)", re.IGNORECASE)
_MPS: Final = re.compile(rb"(?:NAME|ROWS|OBJSENSE)(?=\s|\Z)", re.IGNORECASE)
_NAME: Final = re.compile(
    rb"(?:\*\s*x([1-9][0-9]{0,9})\s*=|c\s+var\s+([1-9][0-9]{0,9})\s)\s*(\S+)\s*"
)

Reader = Callable[[IO[bytes], str], Problem]


def read_instance(
    opened: Callable[[], IO[bytes]], source: str, smtlib: Reader | None = None
) -> Problem:
    """Read an OPB, KNF, DIMACS CNF, LP, MPS or SMT-LIB file, compressed or not.

    `opened` returns a new binary stream of the whole file each time it is called; `source` names
    the file in errors. SMT-LIB is read by `smtlib`, and refused without it. Names of variables are
    read from OPB and KNF where comments give them, ``* x1 = name`` or ``c var 1 name``.

    Raises FormatError for whatever is not of the format, and OSError if the file cannot be read.
    """
    reader = _reader(opened, source, smtlib)
    if reader is not None:
        with closing(opened()) as stream:
            return reader(stream, source)
    with open_problem(opened, source) as problem:
        constraints = tuple(problem.constraints)
        num_vars, objective = problem.num_vars, problem.objective
    names = {var: name for var, name in _names(opened, source) if var <= num_vars}
    return Problem(
        num_vars, constraints, names, None if objective is None else _objective(objective)
    )


def open_any_problem(
    opened: Callable[[], IO[bytes]], source: str, smtlib: Reader | None = None
) -> ProblemFile:
    """Open what `read_instance` reads, piece by piece where the format allows it.

    LP, MPS and SMT-LIB are read whole. Raises as `read_instance` does.
    """
    found = _reader(opened, source, smtlib)
    if found is None:
        return open_problem(opened, source)
    kind = "lp" if found is read_lp else "mps" if found is read_mps else "smt2"
    with closing(opened()) as stream:
        problem = found(stream, source)
    objective = None if problem.objective is None else "an objective"
    return ProblemFile(
        kind, problem.num_vars, len(problem.constraints), iter(problem.constraints), objective
    )


def _reader(opened: Callable[[], IO[bytes]], source: str, smtlib: Reader | None) -> Reader | None:
    """Return the reader of the whole file, or None for a format that is read piece by piece."""
    with closing(opened()) as stream:
        for number, line in enumerate(text_lines(stream, source), start=1):
            text = line.strip()
            # A line with a star is a comment of OPB and of MPS.
            if not text or text.startswith(b"*"):
                continue
            if _LP.match(text):
                return read_lp
            if _MPS.match(line):
                return read_mps
            if text.startswith((b"(", b";")):
                if smtlib is None:
                    column = len(line) - len(line.lstrip()) + 1
                    raise FormatError(source, number, column, "SMT-LIB is not read here")
                return smtlib
            break
    return None


def _names(opened: Callable[[], IO[bytes]], source: str) -> Iterator[tuple[Var, str]]:
    """Yield the names that comments give; the first for a variable is the one that counts."""
    found: set[Var] = set()
    with closing(opened()) as stream:
        for line in text_lines(stream, source):
            match = _NAME.fullmatch(line) if line.startswith((b"*", b"c")) else None
            if match is not None and (var := int(match[1] or match[2])) not in found:
                found.add(var)
                yield var, match[3].decode("ascii", "backslashreplace")


def _objective(text: str) -> Objective:
    """Return the objective of a statement that the reader of OPB has checked."""
    sense, _, terms = text.partition(":")
    words = terms.split()
    lits = [-int(name[2:]) if name.startswith("~") else int(name[1:]) for name in words[1::2]]
    return Objective(tuple(lits), tuple(map(int, words[::2])), maximise=sense.strip() == "max")
