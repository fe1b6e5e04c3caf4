"""``certify``: the verdicts of a position with all that is needed to check them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Literal

from pbcnf.encoders.table import find_encoder
from pbcnf.literals import negate
from pbcnf.proof import LratAddition, LratStep, write_lrat
from pbcnf.proof.gc_pause import gc_paused
from satsweeper.answers.classification import Classification, Verdict
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.errors import CellError
from satsweeper.board.facts import Flags
from satsweeper.certificate.folder import FoundAndFiles
from satsweeper.certificate.formula import (
    CertifiedFormula,
    Statement,
    certified_formula,
    dimacs_line,
    refuse_underivable,
)
from satsweeper.certificate.one_proof import by_both, by_clauses, by_sums
from satsweeper.certificate.refutation import (
    DEFAULT_SOLVER,
    implied,
    refuse_unproving,
    refute,
    refute_if_possible,
)
from satsweeper.certificate.sums import SumsProof, prove_by_sums
from satsweeper.certificate.witnesses import find_witnesses, layouts_json
from satsweeper.clues import BoardConstraints, ClueSum, constraints_of
from satsweeper.export.formula import BoardProblem
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.search.session import PositionSession, classify_by_session
from satsweeper.solvers.protocol import SolverFailedError
from satsweeper.version import __version__

BY_CLAUSES: Final[Mapping[str, str]] = {}
BY_SUMS: Final = {"proof": "sums"}
BY_BOTH: Final = {"proof": "both"}
"""The manifest's entry for the way of proof; proofs by clauses have no entry."""

_LARGE: Final = 100_000
"""The number of clauses of a total above which sums are tried first."""
MANY = 10_000
"""The number of clues above which sums prove what one or two clues decide."""


class Work:
    """The files of a certificate in the making, written one after another: name -> content.

    Where search finds the verdicts, clauses and a solver's refutation prove them. What search did
    not find soon, and what the total decides, is proved by sums of clues where these are enough: a
    few lines, and no clause.
    """

    def __init__(
        self,
        position: Position,
        flags: Flags,
        encoding: str,
        total_encoding: str,
        solver: str,
        clauses: bool = False,
    ) -> None:
        self.position = position
        self.flags: Flags = flags
        self.encoding = encoding
        self.total_encoding: str | None = total_encoding
        self.solver = solver
        self.board: BoardConstraints = constraints_of(position, flags)
        self.variable = {cell: v for v, cell in enumerate(self.board.cell_list(), start=1)}
        self.whole = Statement.of_board(self.board)
        self.files: dict[str, bytes] = {"board.txt": position.text().encode("ascii")}
        self._many = not clauses and len(self.whole.sums) > MANY

    @cached_property
    def sums(self) -> Mapping[Cell | None, ClueSum]:
        """The equations of the board by clue, with the total under None."""
        return {said.clue: said for said in self.board.sums()}

    def prove_verdicts(self, found: Classification) -> Mapping[str, str]:
        """Refute "some certain verdict is wrong"; return the manifest's entry for the way."""
        mines, safe = set(found.mines), set(found.safe)
        certain = [
            v if cell in mines else -v
            for cell, v in self.variable.items()
            if cell in mines or cell in safe
        ]
        needs_total = self._needs_total(found)
        if found.stats.hard_regions or self._many or (needs_total and self._is_large(self.whole)):
            proof = self._by_sums(self.whole, found, total=needs_total, certain=certain)
            way = self._prove_with_sums(proof, certain, needs_total)
            if way is not None:
                self.total_encoding = None
                return way
        if not needs_total:
            self.total_encoding = None
        # The total counts the interior only if it decides a cell there.
        interior = set(self.variable.values()) - self.whole.touched()
        whole = any(abs(literal) in interior for literal in certain)
        return self._by_clauses(self.whole, self.total_encoding, whole, [*negate(certain)], "")

    def prove_contradiction(self, found: Classification) -> Mapping[str, str]:
        """Refute the board itself; return the manifest's entry for the way."""
        conflict = found.conflict
        assert conflict is not None
        if not conflict.total:
            self.total_encoding = None
        if found.stats.hard_regions or (conflict.total and self._is_large(self.whole)):
            proof = self._by_sums(self.whole, found, total=conflict.total)
            if proof.contradiction is not None:
                self.total_encoding = None
                return self._write_sums(proof, self.whole, None, "")
        return self._by_clauses(self.whole, self.total_encoding, False, None, "")

    def show_unknown(self, found: Classification) -> None:
        """Write layouts of the board that show every unknown cell both ways."""
        witnesses = find_witnesses(self.position, self.board, self.whole, self.encoding, found)
        self.files["layouts.json"] = layouts_json(found, witnesses, self.board.cell_list())

    def prove_cell(
        self, session: PositionSession, found: Classification, cell: Cell
    ) -> dict[str, Any]:
        """Write the proof of a cell; return its entry in the manifest."""
        explained = session.explain(cell)
        reason = explained.reason
        if reason is None:
            raise CellError(f"cell {cell} is unknown: only certain verdicts have proofs")
        # A clue that counts trusted flags only, and is met, says nothing of the variables: 0 = 0.
        asked = [*reason.clues, *([None] if reason.total else [])]
        said = Statement.of(
            len(self.variable), [self.sums.get(c, ClueSum((), 0, c)) for c in asked]
        )
        v = self.variable[cell]
        is_mine = explained.verdict is Verdict.MINE
        stem = f"cells/{cell[0]}_{cell[1]}/"
        return {
            "cell": list(cell),
            "verdict": str(explained.verdict),
            "clues": [list(clue) for clue in reason.clues],
            "total": reason.total,
            **self._prove_literal(said, v if is_mine else -v, found, stem),
        }

    def _prove_literal(
        self, said: Statement, literal: int, found: Classification, stem: str
    ) -> Mapping[str, str]:
        """Prove a literal from some clues, by sums or by refuting its negation."""
        total = said.total is not None
        if found.stats.hard_regions or (total and self._is_large(said)):
            proof = self._by_sums(said, found, total=total, wanted=literal)
            if proof.decided.get(abs(literal)) is (literal > 0):
                return self._write_sums(proof, said, [-literal], stem)
        # A cell that none of these clues counts is decided by the total alone.
        encoding = self.total_encoding if total else None
        whole = abs(literal) not in said.touched()
        return self._by_clauses(said, encoding, whole, [-literal], stem)

    def _by_clauses(
        self,
        said: Statement,
        total_encoding: str | None,
        whole: bool,
        claim: list[int] | None,
        stem: str,
    ) -> Mapping[str, str]:
        """Write the clauses, and their refutation together with the clause `claim`, if any.

        An empty claim, "some verdict is wrong" of no verdict, needs no refutation.
        """
        formula = certified_formula(
            said, encoding=self.encoding, total_encoding=total_encoding, whole=whole
        )
        self._write_formula(said, formula, stem)
        if claim is None or claim:
            more = [] if claim is None else [claim]
            clauses = [*formula.clauses, *more]
            lrat = refute(clauses, self.solver)
            self._write_refutation(formula, more, lrat, stem)
            self._add(stem, by_clauses(said, formula, claim, implied(lrat, clauses)))
        return BY_CLAUSES

    def _by_sums(
        self,
        said: Statement,
        found: Classification,
        *,
        total: bool,
        wanted: int | None = None,
        certain: Sequence[int] = (),
    ) -> SumsProof:
        """Return the proof by sums in regions where search took long, and by the total."""
        hard = found.stats.hard_regions
        # Of the clues that explain a cell, a part of such a region is left.
        smallest = min([region.cells for region in hard], default=0) if said is self.whole else 0
        least = smallest if hard else None
        return prove_by_sums(said, total=total, least=least, wanted=wanted, certain=certain)

    def _prove_with_sums(
        self, proof: SumsProof, certain: Sequence[int], needs_total: bool
    ) -> Mapping[str, str] | None:
        """Prove verdicts by sums, the rest by clauses; return None if both are not enough."""
        rest = [lit for lit in certain if proof.decided.get(abs(lit)) is not (lit > 0)]
        claim = [*negate(certain)]
        if not rest:
            return self._write_sums(proof, self.whole, claim, "")
        if not proof.decided and not proof.rows:
            return None
        # What search has to prove: no more than the clues there, and what sums know of their cells.
        near = proof.near(map(abs, rest))
        formula = certified_formula(self.whole, encoding=self.encoding, only=near)
        cells = {cell for index in near for cell in self.whole.sums[index][0]}
        more = [unit for unit in proof.units if abs(unit[0]) in cells]
        more += [*proof.add_rows(cells), [*negate(rest)]]
        clauses = [*formula.clauses, *more]
        lrat = refute_if_possible(clauses, self.solver)
        if lrat is None and needs_total:
            return None
        if lrat is None:
            raise SolverFailedError(f"solver {self.solver!r} finds a model where there can be none")
        self._write_formula(self.whole, formula, "")
        self._write_refutation(formula, more, lrat, "")
        self.files["sums.pbp"] = proof.text()
        self._add("", by_both(self.whole, formula, proof, more, claim, implied(lrat, clauses)))
        return BY_BOTH

    def _is_large(self, said: Statement) -> bool:
        """Whether the total would need more than _LARGE clauses, so that sums are tried first."""
        if said.total is None or self.total_encoding is None:
            return False
        size = find_encoder(self.total_encoding).size(said.cells, said.total, said.total)
        return size.clauses > _LARGE

    def _needs_total(self, found: Classification) -> bool:
        if self.position.mines is None:
            return False
        without = Position.of_padded(self.position.padded, None, self.position.geometry)
        return classify_by_session(without, Options(flags=self.flags)).grid() != found.grid()

    def _write_formula(self, said: Statement, formula: CertifiedFormula, stem: str) -> None:
        self._write_problem(said, formula.auxiliaries, stem)
        self.files[f"{stem}derivation.pbp"] = formula.derivation()
        self.files[f"{stem}formula.cnf"] = _cnf(formula, [])

    def _write_problem(
        self, said: Statement, auxiliaries: Sequence[Mapping[str, Any]], stem: str
    ) -> None:
        names = BoardProblem(self.position, self.board).as_json() | {"auxiliaries": auxiliaries}
        self.files[f"{stem}clues.opb"] = said.opb()
        self.files[f"{stem}map.json"] = json.dumps(names).encode("ascii") + b"\n"

    def _write_sums(
        self, proof: SumsProof, said: Statement, claim: Sequence[int] | None, stem: str
    ) -> Mapping[str, str]:
        """Write the files of a proof by sums alone."""
        self._write_problem(said, [], stem)
        self.files[f"{stem}sums.pbp"] = proof.text()
        if claim is None or claim:
            self._add(stem, by_sums(said, proof, claim))
        return BY_SUMS

    def _add(self, stem: str, files: Mapping[str, bytes]) -> None:
        self.files |= {stem + name: content for name, content in files.items()}

    def _write_refutation(
        self,
        formula: CertifiedFormula,
        more: Sequence[Sequence[int]],
        lrat: Sequence[LratStep],
        stem: str,
    ) -> None:
        """Write the refutation of a formula together with the clauses `more`: as DRUP and LRAT."""
        text = io.StringIO()
        write_lrat(lrat, text)
        lemmas = [dimacs_line(step.literals) for step in lrat if isinstance(step, LratAddition)]
        self.files[f"{stem}refutation.cnf"] = _cnf(formula, more)
        self.files[f"{stem}refutation.drat"] = "".join(lemmas).encode("ascii")
        self.files[f"{stem}refutation.lrat"] = text.getvalue().encode("ascii")


def _cnf(formula: CertifiedFormula, more: Sequence[Sequence[int]]) -> bytes:
    """Return a formula with the clauses `more` behind it as a CNF file."""
    clauses = len(formula.clauses) + len(more)
    last = "".join(map(dimacs_line, more))
    return f"p cnf {formula.variables} {clauses}\n{formula.lines}{last}".encode("ascii")


class Certificate(FoundAndFiles[Classification]):
    """Verdicts with the files that prove all verdicts.

    ``found``: the verdicts; ``about``: the manifest, without the hashes of the files; ``files``:
    name -> content.
    """


@gc_paused()
def certify(
    position: Position,
    *,
    flags: Flags = "trust",
    encoding: str = "direct",
    total_encoding: str = "totalizer",
    solver: str = DEFAULT_SOLVER,
    cells: Sequence[Cell] | Literal["all"] = (),
    clauses: bool = False,
) -> Certificate:
    """Classify a position and certify the answer.

    Args:
        position: the board, with its total if that is known.
        flags: whether flags are trusted to be mines, or ignored.
        encoding: of the clues, one of ``formula.ENCODINGS``.
        total_encoding: of the total, one of ``formula.TOTAL_ENCODINGS``.
        solver: one of PySAT's solvers whose proofs hold.
        cells: certain cells that get a proof of their own from as few clues as explain them;
            "all" of them; passed over on an inconsistent board.
        clauses: prove all verdicts by clauses on large boards too, of more than 10,000 clues beside
            covered cells, where else sums of one or two clues prove most of them.

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
    refuse_underivable(encoding, total_encoding)
    refuse_unproving(solver)
    work = Work(position, flags, encoding, total_encoding, solver, clauses)
    with PositionSession(position, flags=flags) as session:
        found = session.classify()
        chosen = sorted(found.safe + found.mines) if cells == "all" else dict.fromkeys(cells)
        # Of a board without a layout no cell has a verdict: the answer is its own refutation.
        wanted = chosen if found.conflict is None else ()
        proofs = [work.prove_cell(session, found, cell) for cell in wanted]
    if found.conflict is None:
        way = work.prove_verdicts(found)
        work.show_unknown(found)
    else:
        way = work.prove_contradiction(found)
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
        **way,
    }
    return Certificate(found, about, work.files)


def certify_within(seconds: float | None, position: Position, **options: Any) -> Certificate | None:
    """Certify as ``certify`` does, within ``seconds``; return None if that took longer.

    A certificate has no part that would be ready earlier. Without a limit (None) the certificate is
    made in this process.

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
    send: Callable[[object], None], deadline: Deadline, position: Position, options: dict[str, Any]
) -> Certificate:
    return certify(position, **options)
