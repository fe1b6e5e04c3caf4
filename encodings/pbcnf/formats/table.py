"""The one table of formats: what a file holds, how it is recognised, who reads and writes it.

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


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files that hold a whole problem.

    `writer` and `reader` are places below this folder, ``module:function``. A writer of constraints
    is called with the problem, the stream and comments; one of clauses with the formula, the number
    of the problem's own variables, the stream and comments. A reader is called with a stream and
    the name of the file and returns a Problem; if it is `piecewise`, with FileLines, and returns a
    ProblemFile.
    """

    name: str
    """The name of the format, and how names of its files end."""
    summary: str
    holds: Literal["clauses", "constraints"]
    """Constraints stay as they are; for clauses they are encoded."""
    writer: str
    reader: str | None = None
    """None for a format that is not read as a problem."""
    piecewise: bool = False
    begins: bytes | None = None
    """A regular expression: the first line that is neither empty nor begins with a star."""

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
        "write.dimacs:write_clauses", "read.knf:open_knf", True, rb"\s*[cp]",
    ),
    Format("icnf", "clauses, and cubes to assume", "clauses", "write.icnf:write_clauses"),
    Format(
        "pmc", "CNF for model counters, projected on the problem's variables", "clauses",
        "write.counting:write_clauses",
    ),
    Format("wcnf", "hard clauses, of the MaxSAT Evaluations", "clauses",
           "write.wcnf:write_clauses"),
    Format(
        "knf", "clauses and cardinality constraints", "constraints",
        "write.knf:write_knf", "read.knf:open_knf", True, rb"\s*[cp]",
    ),
    Format(
        "opb", "linear pseudo-Boolean constraints, of the PB competitions", "constraints",
        "write.opb:write_opb", "read.opb:open_opb", True, rb"\s*(?:[-+0-9]|(?:min|max)\s*:)",
    ),
    Format(
        "lp", "linear programs over 0/1 variables, of CPLEX", "constraints",
        "write.lp:write_lp", "read.lp:read_lp",
        begins=rb"(?i)\s*(?:\\|(?:min|max)(?:imum|imi[sz]e)?(?=\s|\Z)(?!\s*:))",
    ),
    Format(
        "mps", "linear programs over 0/1 variables, column by column", "constraints",
        "write.mps:write_mps", "read.mps:read_mps",
        begins=rb"(?i)(?:NAME|ROWS|OBJSENSE)(?=\s|\Z)",
    ),
    Format(
        "smt2", "SMT-LIB, in integers from 0 to 1 (the extra smt)", "constraints",
        "smtlib.script:write_smtlib", "smtlib.script:read_smtlib", begins=rb"\s*[(;]",
    ),
)  # fmt: skip

FORMATS: Final[Mapping[str, Format]] = MappingProxyType({row.name: row for row in _EVERY})
"""Name -> format: those of clauses, then those of constraints."""


def find_format(name: str) -> Format:
    """Return the format of that name.

    Raises ValueError for an unknown name, with the known ones and the nearest of them.
    """
    if name in FORMATS:
        return FORMATS[name]
    raise EncodingError(unknown_name("format", name, FORMATS))


def format_of_name(path: str | os.PathLike[str]) -> Format:
    """Return the format that the name of a file says. Raises ValueError if it says none.

    >>> format_of_name("problem.opb.xz").name
    'opb'
    """
    stem, suffix = os.path.splitext(os.fspath(path))
    if suffix in _COMPRESSED:
        suffix = os.path.splitext(stem)[1]
    return find_format(suffix[1:])


def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"pbcnf.formats.{module}"), name)
