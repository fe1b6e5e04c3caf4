"""``certify`` for boards of other geometries and under rules: verdicts with their proof."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbcnf.proof import LratAddition
from pbcnf.proof.gc_pause import gc_paused
from satsweeper.answers.classification import Status, Verdict
from satsweeper.board.facts import Flags
from satsweeper.certificate.folder import FoundAndFiles
from satsweeper.certificate.one_proof import PROBLEM, PROOF, ProofSteps
from satsweeper.certificate.patterns import DerivationBlock
from satsweeper.certificate.puzzle.clauses import RowClauses
from satsweeper.certificate.puzzle.rows import BoardRow, BoardRows
from satsweeper.certificate.puzzle.text import board_file
from satsweeper.certificate.refutation import (
    DEFAULT_SOLVER,
    ProofInSteps,
    implied,
    refuse_unproving,
)
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.answers import PuzzleClassification
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.sentences import conflict_sentence
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.solvers.protocol import (
    Answer,
    Satisfied,
    SolverFailedError,
    Unknown,
    Unsatisfied,
)
from satsweeper.version import __version__

SCHEMA: Final = "satsweeper/puzzle-certificate/1"
_CONFLICTS: Final = ((30, 300, 3000), (30, 300, 3000, 30_000, None))
"""The most conflicts for the proof of a verdict, round by round: without the total, then with it.

Without it the search is in vain for some verdicts, and has an end.
"""
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


@gc_paused()
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
    with ProofInSteps(solver) as proof:
        numbers = _proved(rows, found, literals, proof)
        claim = None if literals is None else [-lit for lit in literals]
        if claim is not None:
            proof.add([claim])
            numbers.append(0)
        clauses = proof.clauses
        lrat = implied(proof.lrat(), clauses)
    # The cuts that the refutation uses follow the rows, then comes the claim: in the count of
    # `ProofSteps` they have the numbers 0, -1, -2 ... Other cuts are left out.
    hints = {hint for step in lrat if isinstance(step, LratAddition) for hint in step.hints}
    further: list[Sequence[int]] = []
    for place, number in enumerate(numbers):
        if not number:
            numbers[place] = -len(further)
            if place + 1 in hints or clauses[place] is claim:
                further.append(clauses[place])
    steps = ProofSteps(given)
    steps.add_blocks([DerivationBlock(found.steps, given)])
    last = steps.add_refutation(lrat, numbers)
    behind = [BoardRow(tuple([(1, lit) for lit in clause]), 1) for clause in further]
    return {
        PROBLEM: _problem(rows.variables, [*rows.rows, *behind]),
        PROOF: steps.proof(len(behind), last),
    }


def _proved(
    rows: BoardRows, found: RowClauses, literals: Sequence[int] | None, proof: ProofInSteps
) -> list[int]:
    """Prove the literals one by one, or that the board has no layout.

    First without the total, whose clauses are most of all, and long to propagate; and those first
    that take few conflicts: what they prove shortens the others. Models without a connection are
    cut off until there are none.

    Returns the number of each clause that was added, 0 for a cut.
    """
    numbers: list[int] = []
    # None: no assumption, the board has no layout.
    left: list[int | None] = [None] if literals is None else [*literals]
    for stage, rounds in enumerate(_CONFLICTS):
        if stage:
            found.add(rows.total)
        added = found.numbers[len(numbers) - numbers.count(0) :]
        proof.add(found.clauses[len(found.clauses) - len(added) :])
        numbers += added
        possible = set[int | None]()
        for conflicts in rounds:
            for lit in [each for each in left if each not in possible]:
                answer, cuts = _cut_off(rows, proof, [] if lit is None else [-lit], conflicts)
                numbers += [0] * cuts
                if isinstance(answer, Unsatisfied):
                    left.remove(lit)
                    if lit is not None:
                        proof.conclude(lit)
                elif isinstance(answer, Satisfied):
                    possible.add(lit)
        if not left:
            return numbers
    raise SolverFailedError(f"solver {proof.name!r} finds a model where there can be none")


def _cut_off(
    rows: BoardRows, proof: ProofInSteps, assumed: Sequence[int], conflicts: int | None
) -> tuple[Answer, int]:
    """Return an answer whose model, if any, has all connections, and the number of new cuts.

    ``conflicts``: of all searches for it together; a model without a connection counts as one.
    """
    added, end = 0, None if conflicts is None else proof.conflicts() + conflicts
    while True:
        left = None if end is None else end - proof.conflicts() - added
        if left is not None and left <= 0:
            return Unknown("conflicts"), added
        answer = proof.solve(assumed, left)
        cuts = rows.cuts({*answer.model}) if isinstance(answer, Satisfied) else []
        if not cuts:
            return answer, added
        proof.add(cuts)
        added += len(cuts)


def _problem(variables: int, rows: Sequence[BoardRow]) -> bytes:
    """Return rows as an OPB problem."""
    largest = max(
        [sum([abs(weight) for weight, _ in row.terms]) + abs(row.degree) for row in rows], default=0
    )
    head = f"* #variable= {variables} #constraint= {len(rows)} #equal= 0"
    head = f"{head} intsize= {largest.bit_length()}\n"
    return (head + "".join([row.opb() for row in rows])).encode("ascii")
