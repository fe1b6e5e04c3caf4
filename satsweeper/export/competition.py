"""A board as an entry to the SAT Competition: exact numbers, a name, hashes, provenance."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from pbcnf.formats.write.dimacs import body, head
from pbcnf.formula import Formula
from satsweeper.answers.classification import Status
from satsweeper.answers.options import Options
from satsweeper.board.facts import Flags
from satsweeper.board.size import size_text
from satsweeper.export.formula import Export, distinct
from satsweeper.export.name_map import renumbered
from satsweeper.position import Position
from satsweeper.search.session import classify_by_session
from satsweeper.version import __version__

_SCHEMA: Final = "satsweeper/competition/1"
_STEP: Final = 2**18
"""Number of literals that `compacted` renames at once, as a Python list."""


@dataclass(frozen=True, eq=False)
class BoardEntry:
    """A formula without unused variables, with names, hashes and metadata of the entry.

    Args:
        export: the exported board.
        formula: the formula of ``export`` after `compacted`, with variables 1 .. n.
        old: the variable of ``export`` that became variable v of ``formula``, at ``[v - 1]``.
        family: name of the family of boards.
        seed: seed of the board, or another text that tells boards of a family apart.
    """

    export: Export = field(repr=False)
    formula: Formula = field(repr=False)
    old: NDArray[np.int32] = field(repr=False)
    family: str
    seed: str

    @property
    def stem(self) -> str:
        """Name of the entry's files without endings: family, parameters, seed."""
        position, export = self.export.position, self.export
        mines = "u" if position.mines is None else position.mines
        encodings = [export.encoding]
        if export.board.total is not None:
            encodings.append(export.total_encoding)
        names = "-".join(encodings).replace("_", "")
        size = size_text(position.rows, position.columns)
        return f"{self.family}_{size}-m{mines}-{names}_{self.seed}"

    def comments(self) -> Iterator[str]:
        """Yield the provenance: comments of the export without names of variables, family, seed."""
        for comment in self.export.comments():
            if not comment.startswith(("var ", "aux ")):
                yield comment
        yield f"family {self.family}"
        yield f"seed {self.seed}"
        yield f"variables that occur in no clause are left out: {self.left_out}"

    @property
    def left_out(self) -> int:
        """Number of variables of the export that occur in no clause."""
        return self.export.formula.num_vars - self.formula.num_vars

    def write_cnf(self, stream: IO[bytes]) -> dict[str, str]:
        """Write the file; return its hashes: the GBD hash and the SHA-256 of the text.

        The GBD hash is the MD5 of the clauses with single spaces between all numbers, without
        comments and header: Iser, Sinz, A problem meta-data library for research in SAT, 2018.
        """
        text, clauses = hashlib.sha256(), hashlib.md5(usedforsecurity=False)
        first = head(self.formula.num_vars, self.formula.num_clauses, self.comments())
        stream.write(first)
        text.update(first)
        # The hash has no space after the last number, so each piece waits for the next one before
        # it is hashed, and the last piece is stripped.
        held = b""
        for piece in body(self.formula):
            stream.write(piece)
            text.update(piece)
            clauses.update(held)
            held = piece.replace(b"\n", b" ")
        clauses.update(held.rstrip())
        return {"gbd_hash": clauses.hexdigest(), "sha256": text.hexdigest()}

    def name_map(self) -> dict[str, Any]:
        """Return the name map of ``formula``; cells whose variable was left out are ``free``."""
        new = {int(old): number for number, old in enumerate(self.old.tolist(), start=1)}
        found = renumbered(self.export.as_json(), new)
        ranges, found["auxiliaries"] = found["auxiliaries"], []
        for aux in ranges:
            # New numbers are given in the order of the old ones, so the kept variables of a range
            # are again a range.
            first, end = np.searchsorted(self.old, [aux["first"], aux["last"] + 1]).tolist()
            if first < end:
                found["auxiliaries"].append({**aux, "first": first + 1, "last": end})
        return found

    def metadata(self, hashes: dict[str, str], status: str) -> dict[str, Any]:
        """Return the metadata of the entry, schema ``satsweeper/competition/1``.

        Args:
            hashes: the hashes of the file, as `write_cnf` returns them.
            status: ``satisfiable``, ``unsatisfiable`` or ``unknown``, as `status_of` returns it.
        """
        position, export = self.export.position, self.export
        return {
            "schema": _SCHEMA,
            "file": f"{self.stem}.cnf.xz",
            "version": __version__,
            "family": self.family,
            "seed": self.seed,
            "rows": position.rows,
            "columns": position.columns,
            "mines": position.mines,
            "board_sha256": export.digest,
            "encoding": export.encoding,
            "total_encoding": None if export.board.total is None else export.total_encoding,
            "shapes": [
                {"n": n, "k": k, "clues": len(group.inputs)}
                for group in export.board.groups
                for n, k in [group.shape]
            ],
            "variables": self.formula.num_vars,
            "clauses": self.formula.num_clauses,
            "literals": self.formula.num_literals,
            "left_out": self.left_out,
            "one_model_a_layout": export.parsimonious,
            "status": status,
            **hashes,
        }


def entry_of(export: Export, family: str = "minesweeper", seed: str | None = None) -> BoardEntry:
    """Return the entry of an exported board; ``seed`` is by default the start of its hash."""
    formula, old = compacted(export.formula)
    return BoardEntry(export, formula, old, family, seed or export.digest[:8])


def status_of(position: Position, flags: Flags, seconds: float) -> str:
    """Decide the board by our session within ``seconds``: satisfiable, unsatisfiable or unknown."""
    status = classify_by_session(position, Options(flags=flags, timeout=seconds)).status
    answers = {Status.CONSISTENT: "satisfiable", Status.INCONSISTENT: "unsatisfiable"}
    return answers.get(status, "unknown")


def compacted(formula: Formula) -> tuple[Formula, NDArray[np.int32]]:
    """Return the formula without repeated clauses, its occurring variables as 1 .. n, in order.

    The second value is the array of the variables of ``formula`` that occur, in ascending order:
    variable v of the new formula was variable ``old[v - 1]``. Two clauses with the same set of
    literals are one clause.

    >>> formula = Formula(num_vars=9)
    >>> for clause in ([2, -7], [-7, 2], [7]):
    ...     formula.add_clause(clause)
    >>> smaller, old = compacted(formula)
    >>> list(smaller.clauses()), smaller.num_vars, old.tolist()
    ([[1, -2], [2]], 2, [2, 7])
    """
    parts = list(distinct(formula).terminated())
    # All clauses in a row, each ended by 0.
    flat = np.concatenate(parts) if parts else np.zeros(0, np.int32)
    occurs = np.zeros(formula.num_vars + 1, np.bool_)
    occurs[np.abs(flat)] = True
    occurs[0] = False
    old = np.flatnonzero(occurs).astype(np.int32)
    # Old variables ascend with their new numbers, so `old` is sorted; 0 stays 0.
    new = np.zeros(formula.num_vars + 1, np.int32)
    new[old] = np.arange(1, len(old) + 1)
    smaller = Formula(num_vars=len(old))
    for start in range(0, len(flat), _STEP):
        lits = flat[start : start + _STEP]
        renamed = np.sign(lits) * new[np.abs(lits)]
        smaller.add_terminated(renamed.tolist(), int(np.count_nonzero(lits == 0)))
    return smaller, old
