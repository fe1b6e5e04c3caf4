"""The table of formats: content, first line, reader and writer of each.

A new format is a reader in `formats/read`, a writer in `formats/write`, and a row here. Readers and
writers are loaded when they are needed: this module alone is light.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, Literal

from pbcnf.errors import EncodingError
from pbcnf.wording import unknown_name

_COMPRESSED: Final = (".gz", ".bz2", ".xz")
_OTHERS: Final = (
    *(".zst", ".zstd", ".zip", ".z", ".lz", ".lz4", ".lzma", ".lzo", ".br", ".sz", ".bz", ".7z"),
    *(".rar", ".tar", ".tgz", ".tbz2", ".txz"),
)
"""File name endings of compressions that are not supported."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files that hold a problem.

    `writer` and `reader` are places below this folder, ``module:function``. A writer of constraints
    is called with the problem, the stream and comments; a writer of clauses with the formula, the
    number of the problem's own variables, the stream, comments, the parities if `keeps_parities`,
    and ``objective=`` if `keeps_objective`. A reader is called with a stream and the name of the
    file and returns a Problem; a `piecewise` reader gets FileLines and returns a ProblemFile.
    """

    name: str
    """The name of the format, and the ending of its file names."""
    summary: str
    holds: Literal["clauses", "constraints"]
    """Whether the format holds constraints, or clauses into which constraints are encoded."""
    writer: str
    """Empty for a format that is read only."""
    reader: str | None = None
    """None for a format that is not read as a problem."""
    piecewise: bool = False
    begins: bytes | None = None
    """A regular expression: the first line that is neither empty nor begins with a star."""
    also: tuple[str, ...] = ()
    """Further endings of its file names."""
    notes: bool = False
    """Whether the reader has a third parameter, a list for notes on doubtful readings."""
    keeps_parities: bool = False
    """Whether parities of two or more literals are written beside the clauses, not encoded."""
    keeps_objective: bool = False
    """Whether the objective is written beside the clauses."""

    def load_writer(self) -> Any:
        """Import the writer."""
        return _load(self.writer)

    def load_reader(self) -> Any:
        """Import the reader. Raises ValueError if there is none."""
        if self.reader is None:
            raise EncodingError(f"{self.name} is written here, but not read as a problem")
        return _load(self.reader)


_EVERY: Final = (
    Format(
        "cnf", "DIMACS CNF, of the SAT competitions", "clauses",
        "write.dimacs:write_clauses", "read.knf:open_knf", True,
        rb"\s*(?:c|p(?!\s+(?:wcnf|cnf\+))|x[ \t]*(?:-?[0-9]+[ \t]+)*0\s*\Z)",
    ),
    Format(
        "xcnf", "CNF with XOR lines, of CryptoMiniSat: parities stay; read as cnf", "clauses",
        "write.xcnf:write_clauses", also=("cnf",), keeps_parities=True,
    ),
    Format("icnf", "clauses, and cubes to assume", "clauses", "write.icnf:write_clauses"),
    Format(
        "pmc", "CNF for model counters, projected on the problem's variables", "clauses",
        "write.counting:write_clauses", also=("cnf",),
    ),
    Format(
        "wcnf", "hard clauses and weighted soft ones, of the MaxSAT Evaluations", "clauses",
        "write.wcnf:write_clauses", "read.wcnf:open_wcnf", True, rb"\s*(?:p\s+wcnf|h\s)",
        keeps_objective=True,
    ),
    Format(
        "knf", "clauses and cardinality constraints", "constraints",
        "write.knf:write_knf", "read.knf:open_knf", True,
        rb"\s*(?:c|p(?!\s+cnf\+))",
    ),
    Format(
        "cnf+", "clauses and bounds on sums, of MiniCard and PySAT", "constraints",
        "write.cnfplus:write_cnfplus", "read.cnfplus:open_cnfplus", True, rb"\s*p\s+cnf\+",
    ),
    Format(
        "opb", "pseudo-Boolean constraints, of the PB competitions", "constraints",
        "write.opb:write_opb", "read.opb:open_opb", True, rb"\s*(?:[-+0-9]|(?:min|max)\s*:)",
    ),
    Format(
        "wbo", "pseudo-Boolean constraints, some of them soft; read as opb", "constraints",
        "write.wbo:write_wbo",
    ),
    Format(
        "lp", "linear programs over 0/1 variables, of CPLEX", "constraints",
        "write.lp:write_lp", "read.lp:read_lp",
        begins=rb"(?i)\s*(?:\\|(?:min|max)(?:imum|imi[sz]e)?(?=\s|\Z)(?!\s*:))",
    ),
    Format(
        "mps", "linear programs over 0/1 variables, column by column", "constraints",
        "write.mps:write_mps", "read.mps:read_mps",
        begins=rb"(?i)(?:NAME|ROWS|OBJSENSE)(?=\s|\Z)", notes=True,
    ),
    Format(
        "smt2", "SMT-LIB, in integers from 0 to 1 (the extra smt)", "constraints",
        "smtlib.script:write_smtlib", "smtlib.script:read_smtlib", begins=rb"\s*[(;]",
    ),
)  # fmt: skip

STATEMENTS: Final = Format(
    "statements", "statements files of the modelling language (docs/language.md)", "constraints",
    "", "statements_file:read_statements_file", begins=rb"\s*\{(?![0-9])",
)  # fmt: skip
"""Read as a problem only: what is written is a builder, not a problem."""

FORMATS: Final[Mapping[str, Format]] = MappingProxyType({row.name: row for row in _EVERY})
"""Name -> format: formats of clauses, then formats of constraints."""


def find_format(name: str) -> Format:
    """Return the format called `name`.

    Raises ValueError for an unknown name; the message lists the known names and the nearest one.
    """
    if name in FORMATS:
        return FORMATS[name]
    raise EncodingError(unknown_name("format", name, FORMATS))


def ending(path: str | os.PathLike[str]) -> str:
    """Return the ending of `path` in small letters, without dot and without a compression's ending.

    Raises EncodingError for a compression that is not supported here.

    >>> ending("problem.OPB.xz"), ending("/dev/null")
    ('opb', '')
    """
    stem, last = os.path.splitext(os.fspath(path))
    if last.lower() in _OTHERS:
        supported = ", ".join(_COMPRESSED)
        raise EncodingError(f"{path}: {last} is not supported; what is: {supported}")
    if last.lower() in _COMPRESSED:
        last = os.path.splitext(stem)[1]
    return last[1:].lower()


def format_to_write(
    path: str | os.PathLike[str], format: str | None = None, otherwise: str | None = None
) -> Format:
    """Return the format of a file to write: `format` if given, or else by the ending of `path`.

    `otherwise` is the format for ``-``, a device or a pipe. Raises ValueError for an unknown
    format, an ending that contradicts `format`, a missing or unknown ending without `format`, and
    an unsupported compression.

    >>> format_to_write("problem.opb.xz").name, format_to_write("-", otherwise="cnf").name
    ('opb', 'cnf')
    """
    named = ending(path)
    if format is None:
        if otherwise and is_unnamed(path):
            return find_format(otherwise)
        if named:
            return find_format(named)
        raise EncodingError(f"{path}: the name says no format; known: {', '.join(FORMATS)}")
    chosen = find_format(format)
    if named in FORMATS and named not in (chosen.name, *chosen.also):
        raise EncodingError(f"{path}: the name says {named}, and the format is to be {format}")
    return chosen


def is_unnamed(path: str | os.PathLike[str]) -> bool:
    """Return whether `path` is ``-``, a device or a pipe, whose ending names no format."""
    name = os.fspath(path)
    return name == "-" or (os.path.exists(name) and not os.path.isfile(name))


def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"pbcnf.formats.{module}"), name)
