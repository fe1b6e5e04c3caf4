"""``certify``: the verdicts of a position with all that is needed to check them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from pbcnf.proof import write_lrat
from satsweeper.answers.classification import Classification, Verdict
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.errors import CellError
from satsweeper.board.view import Flags
from satsweeper.certificate.folder import write_folder
from satsweeper.certificate.formula import (
    CertifiedFormula,
    certified_formula,
    dimacs_line,
    refuse_underivable,
    some_verdict_wrong,
)
from satsweeper.certificate.refutation import DEFAULT_SOLVER, Refutation, refuse_unproving, refute
from satsweeper.certificate.statement import Statement
from satsweeper.certificate.witnesses import Witnesses, find_witnesses
from satsweeper.clues import BoardConstraints, Sum, constraints_of
from satsweeper.export.formula import name_map
from satsweeper.position import Position
from satsweeper.search.classify import classify_by_session
from satsweeper.search.session import Session
from satsweeper.version import __version__


@dataclass(frozen=True)
class Certificate:
    """What a certificate says and its files: name -> content.

    ``found``: the verdicts; ``about``: the manifest, without the hashes of the files.
    """

    found: Classification
    about: Mapping[str, Any] = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False)

    def write(self, folder: str | PathLike[str]) -> dict[str, Any]:
        """Write it as a folder, which ``satsweeper.check`` reads; returns its manifest.

        Raises:
            FolderTakenError: the folder holds something that is not a certificate.
            OSError: it cannot be written; what was there is still there.
        """
        return write_folder(Path(folder), self.files, self.about)


def certify(
    position: Position,
    *,
    flags: Flags = "trust",
    encoding: str = "direct",
    total_encoding: str = "totalizer",
    solver: str = DEFAULT_SOLVER,
    cells: Sequence[Cell] | Literal["all"] = (),
) -> Certificate:
    """Classify a position and certify the answer.

    Args:
        position: the board, with its total if that is known.
        flags: whether flags are trusted to be mines, or ignored.
        encoding: of the clues; its clauses must be derivable (``formula.ENCODINGS``).
        total_encoding: of the total, likewise.
        solver: one of PySAT's solvers whose proofs hold.
        cells: certain cells that get a proof of their own from as few clues as explain them;
            "all" of them.

    Raises:
        ValueError: an unknown name, an encoding without derivations, a solver without proofs, a
            cell without a certain verdict.
        SolverFailedError: the solver's proof does not hold.

    >>> from tempfile import TemporaryDirectory
    >>> from satsweeper import Position, certify, check
    >>> with TemporaryDirectory() as folder:
    ...     manifest = certify(Position.parse("1??\\n12?\\n01?")).write(folder)
    ...     checked = check(folder, external=False)
    >>> manifest["grid"], checked.proved, checked.witnessed
    (['1MS', '12?', '01?'], 2, 2)
    """
    refuse_underivable((encoding, total_encoding))
    refuse_unproving(solver)
    work = _Work(position, flags, encoding, total_encoding, solver)
    with Session(position, flags=flags) as session:
        found = session.classify()
        chosen = sorted(found.safe + found.mines) if cells == "all" else dict.fromkeys(cells)
        proofs = [work.prove_cell(session, found, cell) for cell in chosen]
    if found.conflict is None:
        formula = work.prove_verdicts(found)
        work.show_unknown(found, formula)
    else:
        work.prove_contradiction(found.conflict.total)
    about = {
        "satsweeper": __version__,
        "rows": position.rows,
        "columns": position.columns,
        "mines": position.mines,
        "flags": flags,
        "status": str(found.status),
        "grid": None if found.conflict else found.grid(),
        "solver": solver,
        "encoding": encoding,
        "total_encoding": work.total_encoding,
        "cells": proofs,
    }
    return Certificate(found, about, work.files)


def certify_within(seconds: float | None, position: Position, **options: Any) -> Certificate | None:
    """What ``certify`` returns with these options; None if that took longer than ``seconds``.

    There is no part of a certificate that could be had earlier. Without a limit (None) it is made
    in this process.

    Raises:
        WorkerDiedError: there is no certificate, since the solver crashed or failed.
        ValueError: as ``certify``.
    """
    if seconds is None:
        return certify(position, **options)
    from satsweeper.processes.worker import within

    solver = str(options.get("solver", "certify"))
    found: Certificate | None = within(seconds, solver, _in_worker, position, options)
    return found


def _in_worker(
    send: Callable[[object], None], deadline: float, position: Position, options: dict[str, Any]
) -> Certificate:
    return certify(position, **options)


class _Work:
    """The files of a certificate in the making."""

    def __init__(
        self, position: Position, flags: Flags, encoding: str, total_encoding: str, solver: str
    ) -> None:
        self.position = position
        self.flags: Flags = flags
        self.encoding = encoding
        self.total_encoding: str | None = total_encoding
        self.solver = solver
        self.board: BoardConstraints = constraints_of(position, flags)
        self.variable = {cell: v for v, cell in enumerate(self.board.cell_list(), start=1)}
        self.sums = {said.clue: said for said in self.board.sums()}
        self.whole = Statement.of(len(self.variable), self.sums.values())
        self.files: dict[str, bytes] = {"board.txt": position.text().encode("ascii")}

    def prove_verdicts(self, found: Classification) -> CertifiedFormula:
        """The formula, and the refutation of "some certain verdict is wrong"."""
        certain = self._literals(found)
        interior = set(self.variable.values()) - self.whole.touched()
        if not self._needs_total(found):
            self.total_encoding = None
        whole = any(abs(literal) in interior for literal in certain)
        formula = self._formula(self.whole, self.total_encoding, whole, "")
        if certain:
            self._refute(formula, some_verdict_wrong(certain), "")
        return formula

    def prove_contradiction(self, total: bool) -> None:
        """The formula, which is contradictory itself."""
        if not total:
            self.total_encoding = None
        formula = self._formula(self.whole, self.total_encoding, False, "")
        self._refute(formula, None, "")

    def show_unknown(self, found: Classification, formula: CertifiedFormula) -> None:
        """Layouts of the board, which show every unknown cell both ways."""
        clues = formula.clauses[: formula.of_clues]
        witnesses = find_witnesses(self.position, self.board, clues, formula.variables, found)
        self.files["layouts.json"] = _layouts(found, witnesses, self.variable)

    def prove_cell(self, session: Session, found: Classification, cell: Cell) -> dict[str, Any]:
        """The entry of a cell in the manifest; its files beside."""
        explained = session.explain(cell)
        reason = explained.reason
        if reason is None:
            raise CellError(f"cell {cell} is unknown: only certain verdicts have proofs")
        # A clue that counts trusted flags only, and is met, says nothing of the variables: 0 = 0.
        asked = [*reason.clues, *([None] if reason.total else [])]
        said = Statement.of(len(self.variable), [self.sums.get(c, Sum((), 0, c)) for c in asked])
        v = self.variable[cell]
        # A cell that none of these clues counts is decided by the total alone.
        total = self.total_encoding if reason.total else None
        stem = f"cells/{cell[0]}_{cell[1]}/"
        formula = self._formula(said, total, v not in said.touched(), stem)
        wrong = -v if explained.verdict is Verdict.MINE else v
        self._refute(formula, [wrong], stem)
        return {
            "cell": list(cell),
            "verdict": str(explained.verdict),
            "clues": [list(clue) for clue in reason.clues],
            "total": reason.total,
        }

    def _needs_total(self, found: Classification) -> bool:
        if self.position.mines is None:
            return False
        cells = self.position.cells
        without = Position(cells, geometry=self.position.geometry)
        return classify_by_session(without, Options(flags=self.flags)).grid() != found.grid()

    def _literals(self, found: Classification) -> list[int]:
        mines, safe = set(found.mines), set(found.safe)
        return [
            v if cell in mines else -v
            for cell, v in self.variable.items()
            if cell in mines or cell in safe
        ]

    def _formula(
        self, said: Statement, total_encoding: str | None, whole: bool, stem: str
    ) -> CertifiedFormula:
        formula = certified_formula(
            said, encoding=self.encoding, total_encoding=total_encoding, whole=whole
        )
        names = name_map(self.position, self.board) | {"auxiliaries": formula.auxiliaries}
        self.files[f"{stem}clues.opb"] = said.opb()
        self.files[f"{stem}derivation.pbp"] = formula.derivation
        self.files[f"{stem}formula.cnf"] = _cnf(formula, None)
        self.files[f"{stem}map.json"] = json.dumps(names).encode("ascii") + b"\n"
        return formula

    def _refute(self, formula: CertifiedFormula, against: list[int] | None, stem: str) -> None:
        """Refute a formula, together with a clause if one is given."""
        clauses = [*formula.clauses, *([] if against is None else [against])]
        refutation: Refutation = refute(clauses, self.solver)
        lrat = io.StringIO()
        write_lrat(refutation.lrat, lrat)
        lemmas = "".join([dimacs_line(lemma.literals) for lemma in refutation.lemmas])
        self.files[f"{stem}refutation.cnf"] = _cnf(formula, against)
        self.files[f"{stem}refutation.drat"] = lemmas.encode("ascii")
        self.files[f"{stem}refutation.lrat"] = lrat.getvalue().encode("ascii")


def _cnf(formula: CertifiedFormula, against: Sequence[int] | None) -> bytes:
    """A formula, and another clause if one is given."""
    clauses = len(formula.clauses) + (against is not None)
    last = "" if against is None else dimacs_line(against)
    return f"p cnf {formula.variables} {clauses}\n{formula.lines}{last}".encode("ascii")


def _layouts(found: Classification, witnesses: Witnesses, variable: Mapping[Cell, int]) -> bytes:
    """Whole boards as rows of text, and which of them serve which cell."""
    base = [list(row) for row in found.grid()]
    rows = []
    for layout in witnesses.layouts:
        mines = set(layout)
        for (row, column), v in variable.items():
            base[row][column] = "M" if v in mines else "S"
        rows.append(["".join(row) for row in base])
    cells = [
        {"cell": list(cell), "mine": mine, "safe": safe}
        for cell, (mine, safe) in witnesses.shown.items()
    ]
    return json.dumps({"layouts": rows, "cells": cells}).encode("ascii") + b"\n"
