"""``certify`` for boards of other geometries and under rules: verdicts with their proof."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbcnf.proof import LratAddition
from satsweeper.answers.classification import Status, Verdict
from satsweeper.board.facts import Flags
from satsweeper.certificate.folder import FoundAndFiles
from satsweeper.certificate.one_proof import PROBLEM, PROOF, ProofSteps
from satsweeper.certificate.patterns import DerivationBlock
from satsweeper.certificate.puzzle.clauses import RowClauses
from satsweeper.certificate.puzzle.rows import BoardRow, BoardRows
from satsweeper.certificate.puzzle.text import board_file
from satsweeper.certificate.refutation import DEFAULT_SOLVER, implied, refuse_unproving, refute
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.answers import PuzzleClassification
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.sentences import conflict_sentence
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.solvers.protocol import Satisfied
from satsweeper.solvers.sink import open_solver
from satsweeper.solvers.table import line_up
from satsweeper.version import __version__

SCHEMA: Final = "satsweeper/puzzle-certificate/1"
_LETTERS: Final = {Verdict.SAFE: "S", Verdict.MINE: "M", Verdict.UNKNOWN: "?"}


@dataclass(frozen=True)
class PuzzleAnswer:
    """The answer that a certificate of a puzzle proves, as plain data.

    ``counts``: the number of cells of each verdict; ``conflict``: of an inconsistent board the
    parts that clash, as JSON, and ``sentence``, which names them.
    """

    counts: dict[str, int]
    conflict: dict[str, Any] | None
    sentence: str = ""


class PuzzleCertificate(FoundAndFiles[PuzzleAnswer]):
    """Verdicts of a puzzle with the files that prove them; fields as of `FoundAndFiles`."""


def certify_puzzle(
    puzzle: Puzzle, *, flags: Flags = "trust", solver: str = DEFAULT_SOLVER
) -> PuzzleCertificate:
    """Classify a board of any geometry under any rules of the table, and certify the answer.

    Args:
        puzzle: the board, with its total if that is known.
        flags: whether flags are trusted to be mines, or ignored.
        solver: one of PySAT's solvers whose proofs hold; it refutes.

    Raises:
        ValueError: a board that has no certificate (RuleError), a solver without proofs.
        SolverFailedError: the solver's proof does not hold.

    >>> found = certify_puzzle(Puzzle.parse("rules: C\\nmines: 3\\n1 ? ?\\n? ? ?\\n? ? 1\\n"))
    >>> found.about["verdicts"], sorted(found.files)
    ('???????', ['board.txt', 'layouts.json'])
    """
    refuse_unproving(solver)
    name, text = board_file(puzzle)
    files = {name: text.encode("ascii")}
    rows = BoardRows(puzzle, flags)
    with PuzzleSession(puzzle, flags=flags) as session:
        found = session.classify()
        if found.status is Status.CONSISTENT:
            files["layouts.json"] = _layouts(session, found)
    literals = [
        -(cell + 1) if verdict is Verdict.SAFE else cell + 1
        for cell, verdict in found.by_cell.items()
        if verdict is not Verdict.UNKNOWN
    ]
    consistent = found.conflict is None
    if literals or not consistent:
        files |= _proof(rows, literals if consistent else None, solver)
    verdicts = "".join([_LETTERS[verdict] for _, verdict in sorted(found.by_cell.items())])
    about = {
        "schema": SCHEMA,
        "satsweeper": __version__,
        "flags": flags,
        "status": str(found.status),
        "verdicts": verdicts if consistent else None,
        "solver": solver,
    }
    conflict = found.conflict
    answer = PuzzleAnswer(
        found.counts,
        None if conflict is None else conflict.as_json(),
        "" if conflict is None else conflict_sentence(puzzle, conflict),
    )
    return PuzzleCertificate(answer, about, files)


def certify_puzzle_within(
    seconds: float | None, puzzle: Puzzle, flags: Flags, solver: str
) -> PuzzleCertificate | None:
    """Certify as `certify_puzzle` does, within ``seconds``; return None if that took longer.

    Without a limit (None) the certificate is made in this process.

    Raises:
        WorkerDiedError: there is no certificate, since the solver crashed or failed.
        ValueError: as `certify_puzzle`.
    """
    if seconds is None:
        return certify_puzzle(puzzle, flags=flags, solver=solver)
    from satsweeper.processes.worker import within

    # Rules hold functions, which no other process can be sent: it reads the board's file.
    _, text = board_file(puzzle)
    found: PuzzleCertificate | None = within(seconds, solver, _in_worker, text, flags, solver)
    return found


def _in_worker(
    send: Callable[[object], None], deadline: Deadline, text: str, flags: Flags, solver: str
) -> PuzzleCertificate:
    return certify_puzzle(Puzzle.parse(text), flags=flags, solver=solver)


def _layouts(session: PuzzleSession, found: PuzzleClassification) -> bytes:
    """Return layouts in which each unknown cell is a mine and is safe; one at least."""
    puzzle = session.puzzle
    unknown = [cell for cell, verdict in found.by_cell.items() if verdict is Verdict.UNKNOWN]
    missing = {(cell, mine) for cell in unknown for mine in (True, False)}
    layouts: dict[frozenset[int], None] = {}
    while missing or not layouts:
        cell = puzzle.geometry.cells[min(missing)[0]] if missing else None
        for mines in session.layouts_of(cell):
            layouts[mines] = None
            missing.difference_update([(each, each in mines) for each in unknown])
    width = puzzle.columns
    several = puzzle.board.num_vars > len(puzzle.geometry)
    shown = []
    for mines in layouts:
        # Of a cell with several mines as many variables are true.
        counts = [sum([v - 1 in mines for v in cell]) for cell in puzzle.board.variables]
        marks: Any = counts if several else "".join([".*"[count] for count in counts])
        shown.append([marks[start : start + width] for start in range(0, len(marks), width)])
    return json.dumps({"layouts": shown}).encode("ascii") + b"\n"


def _proof(rows: BoardRows, literals: Sequence[int] | None, solver: str) -> dict[str, bytes]:
    """Return the problem and the proof that some verdict's being wrong contradicts the board.

    ``literals``: what the certain verdicts say; None: the board has no layout.
    """
    given = len(rows.rows)
    found = RowClauses(rows, given)
    claim = [] if literals is None else [[-lit for lit in literals]]
    cuts = _cuts(rows, [*found.clauses, *claim])
    clauses = [*found.clauses, *cuts, *claim]
    lrat = implied(refute(clauses, solver), clauses)
    # The cuts that the refutation uses follow the rows, then comes the claim: in the count of
    # `ProofSteps` they have the numbers 0, -1, -2 ... Other cuts are left out.
    hints = {hint for step in lrat if isinstance(step, LratAddition) for hint in step.hints}
    further: list[Sequence[int]] = []
    numbers = [*found.numbers]
    for place, clause in enumerate(clauses[len(numbers) :], start=len(numbers) + 1):
        numbers.append(-len(further))
        if place in hints or clause in claim:
            further.append(clause)
    steps = ProofSteps(given)
    steps.add_blocks([DerivationBlock(found.steps, given)])
    last = steps.add_refutation(lrat, numbers)
    behind = [BoardRow(tuple([(1, lit) for lit in clause]), 1) for clause in further]
    return {
        PROBLEM: _problem(rows.variables, [*rows.rows, *behind]),
        PROOF: steps.proof(len(behind), last),
    }


def _cuts(rows: BoardRows, clauses: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return cuts with which the clauses have no model: each cuts off a model without connection.

    A clause set without a model needs none.
    """
    cuts: list[list[int]] = []
    if not rows.connections:
        return cuts
    solver = open_solver(line_up("auto")[0])
    try:
        for clause in clauses:
            solver.add_clause(clause)
        while isinstance(answer := solver.solve(), Satisfied):
            mines = {lit for lit in answer.model if lit > 0}
            new = rows.cuts(mines)
            if not new:
                # A layout against the verdicts: `refute` finds it again and says so.
                return cuts
            for cut in new:
                solver.add_clause(cut)
            cuts += new
    finally:
        solver.close()
    return cuts


def _problem(variables: int, rows: Sequence[BoardRow]) -> bytes:
    """Return rows as an OPB problem."""
    largest = max(
        [sum([abs(weight) for weight, _ in row.terms]) + abs(row.degree) for row in rows], default=0
    )
    head = f"* #variable= {variables} #constraint= {len(rows)} #equal= 0"
    head = f"{head} intsize= {largest.bit_length()}\n"
    return (head + "".join([row.opb() for row in rows])).encode("ascii")
