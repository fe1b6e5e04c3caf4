"""The incremental session over a position: built once, extended while cells are opened.

The rules come first, on bit boards. The clues that still touch undecided cells become counting
constraints in tables and live solvers, to which clauses are only ever added: one solver for a
usual board, several for a large frontier, because each question costs time in proportion to the
variables of its solver. The total comes last, and only if it can change a verdict (``total.py``).
`classify_by_session` and `explain` open a session for one question.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from typing import IO, Final, Self

from satsweeper.answers.classification import (
    Classification,
    Explanation,
    Stats,
    Status,
    Verdict,
)
from satsweeper.answers.options import PORTFOLIO, SESSION, Options
from satsweeper.board.codes import MAX_CLUE, Cell
from satsweeper.board.errors import LimitError
from satsweeper.board.facts import Facts, Flags, covered_index
from satsweeper.board.planes import board_of, indices
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.reduce.single_clue import single_clue
from satsweeper.search.frontier import Frontier, check_encodings, with_verdicts
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.table import AUTO, line_up

_WAITING: Final = "the clues alone decide no other cell; the total is not taken into account yet"
"""The note of a partial answer after the search and before the total was applied."""


class PositionSession:
    """Classifies a position, also after further cells are opened, without building solvers anew.

    Args:
        position: the position at the start.
        encoding: the name of the encoder of the clues, in ``pbcnf.ENCODERS``.
        total_encoding: the name of the encoder of counters for the total.
        solver: a name of ``satsweeper.solvers.table.SOLVERS``.
        flags: ``"trust"`` takes flags for mines; ``"ignore"`` takes them for covered cells.
        proof: a path, or a binary stream that stays open, for a proof of every verdict that grows
            with the game: ``satsweeper check`` reads it (LIDRUP).
        beyond: whether, for regions that search does not settle within its first budget,
            elimination modulo 2 and 3 and, if HiGHS is installed, a linear program are tried.

    Raises:
        ValueError: an unknown name, a solver that cannot do the job, or a proof for a board whose
            geometry is not `Square`.
        OSError: the proof cannot be written; also raised by the methods.

    >>> from satsweeper import Position, Session
    >>> with Session(Position.parse("1??\\n12?\\n01?")) as session:
    ...     print(session.classify().grid())
    ...     session.reveal((0, 2), 1)
    ...     print(session.classify().grid())
    ['1MS', '12?', '01?']
    ['1M1', '12S', '01M']
    """

    def __init__(
        self,
        position: Position,
        *,
        encoding: str = "direct",
        total_encoding: str = "totalizer",
        solver: str = AUTO,
        flags: Flags = "trust",
        beyond: bool = True,
        proof: str | os.PathLike[str] | IO[bytes] | None = None,
    ) -> None:
        self.encoding = encoding
        self.total_encoding = total_encoding
        self.solver = solver
        first, strong = line_up(solver)
        named = (encoding, total_encoding, solver) != ("direct", "totalizer", AUTO)
        if named:
            check_encodings(encoding, total_encoding)
        self._frontier = Frontier(encoding, first, strong, tabulate=not named, algebraic=beyond)
        self._engine = PORTFOLIO if beyond else SESSION
        self._view = position.view(flags)
        self._facts = self._view.facts()
        self._near: Iterable[int] | None = None
        """Board indices of clues near a contradiction; None while no contradiction is known."""
        self._answer: Classification | None = None
        self._by_rules = self._by_tables = 0
        self._total_asked = False
        self._notes: tuple[str, ...] = ()
        self._started = perf_counter()
        self._proof = None
        if proof is not None:
            from satsweeper.search.game_proof import GameProof

            self._proof = GameProof(self._view, proof)

    def classify(
        self,
        limit: SearchBudget | None = None,
        progress: Callable[[Classification], object] | None = None,
    ) -> Classification:
        """Return the verdict of every covered cell; cells that ``limit`` leaves open are unknown.

        ``progress`` is called with a partial answer (status undecided) whenever more cells may have
        been proved. An answer that is not undecided is kept and returned until the next `reveal`.
        Raises LimitError if a question of the proof takes too many conflicts.
        """
        if self._answer is not None:
            return self._answer
        self._started = perf_counter()
        limit = limit or SearchBudget()
        status = self._decide(limit, progress)
        answer = self._classification(status)
        if status is Status.INCONSISTENT:
            from satsweeper.reasons import conflict, linear_conflict

            near = self._near or ()
            if self._engine == SESSION:
                found = conflict.find_conflict(self._view, near, limit.deadline)
            else:
                # A region refuted by sums used up a budget of conflicts before, so that searching
                # for its core would be slow as well.
                search = not any(region.refuted for region in self._frontier.hard_regions)
                found = linear_conflict.find_either_way(
                    self._view, near, limit.deadline, search=search
                )
            answer = answer.replaced(conflict=found)
        if self._proof is not None:
            self._proof.classify(self._view, answer)
        if status is not Status.UNDECIDED:
            self._answer = answer
        answer.stats.seconds = perf_counter() - self._started
        return answer

    def reveal(self, cell: Cell, clue: int) -> None:
        """Open the covered ``cell``, which shows ``clue``; solvers and their clauses are kept.

        A clue that contradicts the position makes the position inconsistent; :meth:`classify`
        reports that as a status, and no error is raised.

        Raises:
            ValueError: ``cell`` is not on the board or not covered, or ``clue`` is not 0 to 8.
        """
        index = covered_index(self._view, cell)
        if isinstance(clue, bool) or clue not in range(MAX_CLUE + 1):
            raise ValueError(f"{clue!r} is not a clue: a clue is 0 to {MAX_CLUE}")
        bit = 1 << index
        before, self._facts = self._facts, self._facts.opened(index, clue)
        self._view = self._view.opened(index, clue)
        self._answer = None
        if self._proof is not None:
            self._proof.open(index, clue)
        # The cell was proved to be a mine and has now been opened: no layout is left.
        if before.mines & bit:
            self._near = [index]
        if before.undecided & bit:
            self._frontier.settle(bit, self._facts)

    def explain(self, cell: Cell, deadline: Deadline | None = None) -> Explanation:
        """Return the reason for the verdict of ``cell``, or two layouts that differ there.

        Raises:
            ValueError: the cell is not on the board or not covered, or the position has no layout.
            LimitError: the deadline came before the verdict.
        """
        index = covered_index(self._view, cell)
        answer = self.classify(SearchBudget(deadline))
        if answer.status is Status.INCONSISTENT:
            raise ValueError("the board is inconsistent: no cell of it has a verdict")
        verdict = answer.verdict[cell]
        if verdict is not Verdict.UNKNOWN:
            from satsweeper.reasons.reason import find_reason

            reason, sentence = find_reason(self._view, index, verdict, deadline)
            return Explanation(cell, verdict, reason, None, None, sentence, answer)
        if answer.status is Status.UNDECIDED:
            raise LimitError(f"{cell}: no verdict within the limit")
        from satsweeper.search.total import both_layouts

        mine, safe = both_layouts(self._view, self._frontier, self._facts, index)
        sentence = f"{cell} can be a mine or safe: here is a layout of each kind."
        return Explanation(cell, verdict, None, mine, safe, sentence, answer)

    def close(self) -> None:
        """Free the solvers, and end the proof."""
        self._frontier.close()
        if self._proof is not None:
            self._proof.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _decide(
        self, limit: SearchBudget, progress: Callable[[Classification], object] | None
    ) -> Status:
        def report() -> None:
            if progress is not None:
                progress(self._classification(Status.UNDECIDED))

        def learn(proved: Mapping[int, bool]) -> None:
            self._facts = with_verdicts(self._facts, proved)
            report()

        self._notes = ()
        if self._near is not None:
            return Status.INCONSISTENT
        # The single-clue rules, on the whole board at once. A cell that the rules decide has its
        # value in every layout, also after more cells are opened, so the facts may keep it.
        geometry, clues, values, undecided, mines = self._facts
        found = single_clue(geometry, clues, values, undecided, mines)
        if found.clash:
            self._near = indices(found.clash, geometry.size)[:1]
            return Status.INCONSISTENT
        self._rules_decided(found.undecided, found.mines)
        report()
        # The residuals of new clues: tables decide small regions here.
        ended = self._extend_frontier(limit)
        if ended is not None:
            return ended
        report()
        # The backbone of every other region, by the live solvers.
        frontier = self._frontier
        if not frontier.search(self._facts, limit, learn):
            return Status.UNDECIDED
        if self._contradicted_near(frontier.inconsistent):
            return Status.INCONSISTENT
        # The search is complete: all verdicts that follow from the clues are proved. The total only
        # removes layouts, so that it can add verdicts and change none.
        if self._view.total is None:
            return Status.CONSISTENT
        self._notes = (_WAITING,)
        report()
        status = self._apply_total(self._view.total, limit)
        if status is not Status.UNDECIDED:
            self._notes = ()
        return status

    def _extend_frontier(self, limit: SearchBudget) -> Status | None:
        """Add new clues to the frontier; None: no contradiction is known, and time is left."""
        new = self._frontier.reduce(self._facts, limit)
        if new.clash:
            self._near = indices(new.clash, self._facts.geometry.size)[:1]
            return Status.INCONSISTENT
        self._rules_decided(new.undecided, new.mines)
        if limit.deadline.passed():
            return Status.UNDECIDED
        decided, complete = self._frontier.add(new.constraints, self._facts, limit)
        # A table without a layout reports all of its cells as safe, so ``decided`` is used only
        # after the check that every table has a layout.
        if self._frontier.tables and self._contradicted_near(self._frontier.inconsistent):
            return Status.INCONSISTENT
        self._by_tables += len(decided)
        self._facts = with_verdicts(self._facts, decided)
        return None if complete else Status.UNDECIDED

    def _contradicted_near(self, cells: Iterable[int] | None) -> bool:
        """Whether ``cells`` is not None; if so, keep the clues next to these cells in ``_near``.

        ``cells``: cells of a region without a layout, as `Frontier.inconsistent` returns them.
        """
        if cells is None:
            return False
        neighbours, clues = self._facts.geometry.neighbours, self._facts.clues
        self._near = [clue for cell in cells for clue in neighbours(cell) if clues >> clue & 1]
        return True

    def _rules_decided(self, undecided: int, mines: int) -> None:
        facts = self._facts
        decided = facts.undecided ^ undecided
        if decided:
            self._by_rules += decided.bit_count()
            self._facts = Facts(facts.geometry, facts.clues, facts.values, undecided, mines)
            self._frontier.settle(decided, self._facts)

    def _apply_total(self, total: int, limit: SearchBudget) -> Status:
        from satsweeper.search.total import Remainder, apply_total

        facts, frontier = self._facts, self._frontier
        cells = frontier.undecided()
        # All undecided cells outside the frontier are the interior: no clue touches them.
        left, undecided = total - facts.mines.bit_count(), facts.undecided.bit_count()
        remainder = Remainder(left, len(cells), undecided - len(cells))
        found = apply_total(remainder, frontier, self.total_encoding, limit)
        while not (found.complete or limit.deadline.passed()):
            # A budget of conflicts stopped a question. The layouts found so far are kept, so that
            # the next round asks only for literals that no known layout shows.
            limit.widen()
            found = apply_total(remainder, frontier, self.total_encoding, limit)
        self._total_asked |= found.asked
        # The clues have a layout, only no layout has this total: there is no clue to start from.
        if not found.consistent:
            self._near = ()
            return Status.INCONSISTENT
        if found.interior is not None:
            far = facts.undecided & ~board_of(cells, facts.geometry.size)
            self._facts = facts.decided(0, far) if found.interior else facts.decided(far, 0)
        if found.decided:
            self._facts = with_verdicts(self._facts, found.decided)
            frontier.settle(board_of(found.decided, facts.geometry.size), self._facts)
        return Status.CONSISTENT if found.complete else Status.UNDECIDED

    def _classification(self, status: Status) -> Classification:
        covered, facts = self._view.covered, self._facts
        stats = Stats(
            by_rules=self._by_rules,
            by_tables=self._by_tables,
            total_asked=self._total_asked,
            seconds=perf_counter() - self._started,
            **self._frontier.cost(),
        )
        return Classification.of(
            self._view,
            status,
            covered & ~(facts.undecided | facts.mines),
            covered & facts.mines,
            stats=stats,
            solver=self.solver,
            encoding=self.encoding,
            engine=self._engine,
            notes=self._notes,
        )


def classify_by_session(position: Position, options: Options) -> Classification:
    """Classify by one session, or by the slow oracle if ``options.plain``.

    ``options.tell`` is called with partial answers. Raises the errors of ``satsweeper.classify``.
    """
    limit = SearchBudget(Deadline.after(options.timeout))
    if options.plain:
        from satsweeper.search.naive import classify_naive

        return classify_naive(position, options, limit)
    with PositionSession(
        position,
        encoding=options.encoding,
        total_encoding=options.total_encoding,
        solver=options.solver,
        flags=options.flags,
        beyond=options.engine == PORTFOLIO,
    ) as session:
        return session.classify(limit, options.tell)


def explain(
    position: Position,
    cell: Cell,
    *,
    solver: str = AUTO,
    flags: Flags = "trust",
) -> Explanation:
    """Return the reason for the verdict of one covered cell.

    Raises:
        ValueError: ``cell`` is not a covered cell, or the position has no layout.

    >>> from satsweeper import Position, explain
    >>> explain(Position.parse("1??\\n12?\\n01?"), (0, 2)).reason
    Conflict(clues=((0, 0), (1, 1), (2, 1)), flags=(), total=False, irreducible=True)
    """
    with PositionSession(position, solver=solver, flags=flags) as session:
        return session.explain(cell)


PartialExplanation = tuple[Classification | None, Explanation | None]
"""All verdicts, and the reason for one verdict; each is None if it was not found in time."""


def explain_within(
    seconds: float | None, position: Position, cell: Cell, solver: str, flags: Flags
) -> PartialExplanation:
    """Return the verdicts of ``position`` and the explanation of ``cell``, within ``seconds``.

    The work runs in a process that is ended at the limit; with ``seconds`` None it runs in this
    process. An inconsistent position has no explanation (None). A reason that is not irreducible
    when the time is over is returned, marked as not irreducible. If ``cell`` is proved before the
    other cells, at most half of the time goes to verdicts, and the rest to the reason.

    Raises:
        WorkerDiedError: the process ended without an answer.
        ValueError: ``cell`` is not on the board or not covered.
    """
    covered_index(position.view(flags), cell)
    if seconds is None:
        return _explain_partly(lambda part: None, Deadline(), position, cell, solver, flags)
    from satsweeper.processes.worker import within

    found: PartialExplanation | None = within(
        seconds,
        solver,
        _explain_partly,
        position,
        cell,
        solver,
        flags,
        external=solver.startswith(EXTERNAL),
    )
    return found or (None, None)


def _explain_partly(
    send: Callable[[PartialExplanation], object],
    deadline: Deadline,
    position: Position,
    cell: Cell,
    solver: str,
    flags: Flags,
) -> PartialExplanation:
    left = deadline.left()
    # The verdict of ``cell`` may be proved long before all other verdicts: at most half of the time
    # is spent on verdicts before the search for the reason begins.
    first = SearchBudget(Deadline.after(None if left is None else left / 2))
    with PositionSession(position, solver=solver, flags=flags) as session:
        result = session.classify(first, lambda partial: send((partial, None)))
        if result.status is Status.UNDECIDED and result.verdict[cell] is Verdict.UNKNOWN:
            result = session.classify(SearchBudget(deadline), lambda partial: send((partial, None)))
        send((result, None))
        if result.status is Status.INCONSISTENT:
            return result, None
        try:
            if left is not None and result.verdict[cell] is not Verdict.UNKNOWN:
                # With the deadline passed, `explain` returns the whole position as the reason: the
                # caller gets at least this reason if the time ends before a smaller one is found.
                send((result, session.explain(cell, Deadline.after(0.0))))
            return result, session.explain(cell, deadline)
        except LimitError:
            return result, None
