"""``certify``: the verdicts of a position with all that is needed to check them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from pbcnf.proof.gc_pause import gc_paused
from satsweeper.answers.classification import Classification
from satsweeper.board.codes import Cell
from satsweeper.board.view import Flags
from satsweeper.certificate.folder import FoundAndFiles
from satsweeper.certificate.formula import refuse_underivable
from satsweeper.certificate.refutation import DEFAULT_SOLVER, refuse_unproving
from satsweeper.certificate.work import Work
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.search.session import Session
from satsweeper.version import __version__


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
    with Session(position, flags=flags) as session:
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
