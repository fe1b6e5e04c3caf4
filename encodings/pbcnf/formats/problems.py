"""Whole problems from files and to files, of every format in the table."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable
from contextlib import closing
from typing import IO, Any, Final

from pbcnf.constraints.constraint import Parity
from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.errors import EncodingError
from pbcnf.formats.error import FormatError
from pbcnf.formats.names import legal_names, names_in_comments
from pbcnf.formats.problem_file import FileLines, Opener, ProblemFile
from pbcnf.formats.table import FORMATS, STATEMENTS, Format, find_format, format_to_write
from pbcnf.formats.writing import replacing
from pbcnf.formula import Formula
from pbcnf.literals import Var

_NUMBERS: Final = re.compile(rb"\s*-?[0-9]+(?:\s+-?[0-9]+)*\s*")

_DEFINING: Final = (FORMATS["smt2"], STATEMENTS)
"""Formats of formulas: variables behind those with names are of gates."""

Path = str | os.PathLike[str]


def read_problem(
    source: Path | IO[bytes] | Opener, name: str | None = None, *, strict: bool = False
) -> Problem:
    r"""Read a file of any format that is read here, compressed or not; the content decides which.

    That is every format of the table, and statements files of the modelling language.

    `source` is a path, a binary stream (which stays open), or a function that returns a new binary
    stream of the whole file at each call. `name` is for errors. Names of variables are read from
    OPB, KNF and CNF where comments give them, ``* x1 = name`` or ``c var 1 name``. A header of OPB
    that is wrong about the file, or integer columns of MPS without bounds, which are read as 0/1,
    make a note of the ProblemFile, or an error if `strict`. If the content is ambiguous, the ending
    of the name decides: ``.wcnf`` for numbers alone, and ``.opb`` or ``.lp`` where lp_solve's LP is
    possible (`pbcnf.formats.opb.variables`).

    Raises FormatError for any violation of the format, PysmtMissingError for SMT-LIB without the
    extra, and OSError if the file cannot be read.

    >>> read_problem(io.BytesIO(b"+1 x1 +2 x2 >= 2 ;")).constraints
    (PseudoBoolean(lits=(1, 2), weights=(1, 2), lower=2, upper=3),)
    """
    with open_problem(source, name, strict=strict) as file:
        return read_whole(file)


def read_whole(file: ProblemFile) -> Problem:
    """Read all constraints of an open file. Raises as `read_problem` does."""
    constraints = tuple(file.constraints)
    names, objective = file.names(), file.parsed_objective
    return Problem(file.num_vars, constraints, names, objective, file.integers)


def open_problem(
    source: Path | IO[bytes] | Opener,
    name: str | None = None,
    *,
    strict: bool = False,
    path: Path | None = None,
) -> ProblemFile:
    """Open what `read_problem` reads, to be read constraint by constraint.

    `path` is the whole path of the file where `name` is a shorter name for errors: the ending of
    the path may decide the format. LP, MPS, SMT-LIB and statements are read completely now. Raises
    as `read_problem` does, now or while the constraints are read.
    """
    opened, shown = _opener(source, name)
    if path is None:
        path = source if isinstance(source, str | os.PathLike) else shown
    lines = FileLines(opened, shown, strict, os.fspath(path))
    file: ProblemFile
    try:
        found = recognised(lines)
        if not found.piecewise:
            notes: list[FormatError] = []
            with closing(lines.opened()) as stream:
                more = (notes,) if found.notes else ()
                problem = found.load_reader()(stream, lines.source, *more)
            if strict and notes:
                raise notes[0]
            return ProblemFile(
                format=found.name,
                num_vars=problem.num_vars,
                declared=len(problem.constraints),
                constraints=iter(problem.constraints),
                objective=None if problem.objective is None else "an objective",
                parsed_objective=problem.objective,
                names=lambda: problem.names,
                spelled=lambda: problem.names,
                integers=problem.integers,
                notes=list(map(str, notes)),
                own=max(problem.names, default=0) if found in _DEFINING else None,
            )
        file = found.load_reader()(lines)
    except BaseException:
        lines.close()
        raise
    within = file.spelled = file.names

    def names() -> dict[Var, str]:
        with closing(lines.again()) as again:
            found = names_in_comments(again).items()
        return {**{var: name for var, name in found if var <= file.num_vars}, **within()}

    file.lines, file.names = lines, names
    return file


def write_problem(
    problem: Problem,
    target: Path | IO[bytes],
    format: str | None = None,
    *,
    comments: Iterable[str] = (),
    choices: Choices | None = None,
) -> None:
    r"""Write a problem in a format of constraints, or encode it for a format of clauses.

    `target` is a path or a binary stream. The end of the path says how to compress the file, and
    the format unless that is given: ``problem.opb.xz``. A file appears whole or not at all.
    `choices` names the encoders for clauses. A comment names each part that the format cannot hold
    and that is left out; variables 1 .. `problem.num_vars` of the clauses are the problem's.

    Raises ValueError, before anything is written, for an unknown format, a path that says another
    one or a compression that is not supported, a constraint that the format or the encoder cannot
    express, and a comment that is not ASCII; PysmtMissingError for
    SMT-LIB without the extra; and OSError.

    >>> stream = io.BytesIO()
    >>> write_problem(read_problem(io.BytesIO(b"p knf 3 1\nk 2 1 2 3 0\n")), stream, "opb")
    >>> stream.getvalue().splitlines()[-1]
    b'+1 x1 +1 x2 +1 x3 >= 2 ;'
    """
    if isinstance(target, str | os.PathLike):
        chosen = format_to_write(target, format)
        with replacing(target) as stream:
            _write(problem, stream, chosen, tuple(comments), choices)
    elif format is None:
        raise ValueError("a stream does not say its format: it must be given")
    else:
        _write(problem, target, find_format(format), tuple(comments), choices)


def write_formula(formula: Formula, target: Path, *, comments: Iterable[str] = ()) -> None:
    """Write the clauses of `formula` to the path `target`, as `pbcnf.Formula.write` does.

    The ending of the path says the format, which must be a format of clauses, and the compression:
    ``formula.cnf.xz``. Where a format makes a difference, all variables are counted and all clauses
    are hard. A file appears whole or not at all. Raises ValueError, before anything
    is written, for a path that says no such format, and a comment that is not ASCII; and OSError.
    """
    chosen = format_to_write(target)
    if chosen.holds != "clauses":
        able = ", ".join(row.name for row in FORMATS.values() if row.holds == "clauses")
        message = f"{target}: {chosen.name} is no format of clauses; these are: {able}"
        raise EncodingError(message)
    with replacing(target) as stream:
        chosen.load_writer()(formula, formula.num_vars, stream, tuple(comments))


def _write(
    problem: Problem,
    stream: IO[bytes],
    format: Format,
    comments: tuple[str, ...],
    choices: Choices | None,
) -> None:
    write = format.load_writer()
    if problem.objective is not None and problem.objective.scale != 1:
        comments += (f"an objective here is {problem.objective.scale} times what was read",)
    if format.holds == "constraints":
        write(problem, stream, comments)
        return
    formula = Formula(problem.num_vars)
    kept: list[Parity] | None = [] if format.keeps_parities else None
    for _ in encode_problem(problem.constraints, formula, choices or Choices(), kept=kept):
        pass
    if problem.names:
        legal = legal_names(problem)
        comments += tuple(f"var {var} {legal[var - 1]}" for var in sorted(problem.names))
    parities = () if kept is None else (kept,)
    objective: dict[str, Any] = {}
    if format.keeps_objective:
        objective = {"objective": problem.objective}
    elif problem.objective is not None:
        comments += ("the objective is left out",)
    write(formula, problem.num_vars, stream, comments, *parities, **objective)


def _opener(source: Path | IO[bytes] | Opener, name: str | None) -> tuple[Opener, str]:
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        return lambda: open(path, "rb"), path if name is None else name
    shown = "<stream>" if name is None else name
    if callable(source):
        return source, shown
    data = source.read()
    return lambda: io.BytesIO(data), shown


def recognised(lines: FileLines) -> Format:
    """Return the format whose pattern matches the first line of content; OPB if none does.

    Comments with c are of CNF, KNF and WCNF. WCNF without a header may begin with soft clauses, a
    weight and literals, which look like clauses without a header: then a later line must begin with
    h, or the name of the file end in ``.wcnf``.
    """
    otherwise: Format | None = None
    numbers: tuple[int, int] | None = None
    with closing(lines.again()) as opened:
        for place, line in enumerate(opened, start=1):
            # A line with a star is a comment of OPB and of MPS.
            start = line.lstrip()
            if not start or start.startswith((b"*", b"c")):
                if start:
                    otherwise = FORMATS["cnf" if start.startswith(b"c") else "opb"]
                continue
            if _NUMBERS.fullmatch(line):
                numbers = numbers or (place, len(line) - len(start) + 1)
                continue
            if numbers is not None and not start.startswith(b"h"):
                return FORMATS["opb"]
            for format in (*FORMATS.values(), STATEMENTS):
                if format.begins is not None and re.match(format.begins, line):
                    return format
            return FORMATS["opb"]
    if numbers is not None:
        if re.search(r"\.wcnf(?:\.\w+)?\Z", lines.path):
            return FORMATS["wcnf"]
        message = (
            "numbers alone: a header, 'p cnf', 'p knf' or 'p wcnf', is needed, or a name in .wcnf"
        )
        raise FormatError(lines.source, *numbers, message)
    if otherwise is None:
        message = "the file is empty: a problem is needed"
        raise FormatError(lines.source, None, None, message)
    return otherwise
