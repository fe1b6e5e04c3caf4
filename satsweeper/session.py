"""One incremental session over a position: built once, added to while the game goes on.

The rules come first, on bit boards. What they leave becomes counting constraints in live solvers,
to which clauses are only ever added: one solver for a usual board, several where the frontier is
so large that one would pay for every variable at each question. The total comes last, and only
where it can matter (``total.py``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from types import TracebackType
from typing import Literal, Self

from pbcnf.registry import find_encoder
from satsweeper.board.codes import FLAG, MAX_CLUE, Cell
from satsweeper.board.planes import board_of, members
from satsweeper.bundle import Bundle
from satsweeper.classification import Classification, Stats, Status, Verdict
from satsweeper.conflict import find_conflict
from satsweeper.facts import Facts, check_layout
from satsweeper.guarded import View
from satsweeper.limit import Limit
from satsweeper.position import Position
from satsweeper.reasons import Explanation, find_reason
from satsweeper.reduce.regions import cells_of, regions
from satsweeper.reduce.residual import Residual, reduce_clues
from satsweeper.reduce.single_clue import single_clue
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.table import DEFAULT
from satsweeper.total import Remainder, apply_total
from satsweeper.witness import layout_with

_BUNDLE = 400
"""Cells above which regions are spread over several solvers; see ``scripts/bench_classify.py``."""


class Session:
    """Classifies a position, and goes on doing so while cells are opened.

    Args:
        position: the position at the start.
        encoding: the encoder of the clues, by its name in ``pbcnf.ENCODERS``.
        total_encoding: the counter of the total.
        solver: a name of ``satsweeper.solvers.table.SOLVERS``.
        flags: ``"trust"`` takes flags for mines; ``"ignore"`` takes them for covered cells.

    Raises:
        ValueError: an unknown name, or a solver that cannot do the job (the reason is given).

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
        solver: str = DEFAULT,
        flags: Literal["trust", "ignore"] = "trust",
    ) -> None:
        self._encoder = find_encoder(encoding)
        self.encoding = encoding
        self.total_encoding = total_encoding
        self.solver = solver
        self._bundles: list[Bundle] = []
        self._first: PysatSolver | None = PysatSolver(solver)
        planes = position.planes
        trusted = planes.flags if flags == "trust" else 0
        self._cells = position.cells
        self._covered = (planes.covered | planes.flags) & ~trusted
        self._facts = Facts(
            position.geometry, planes.clues, planes.values, self._covered, trusted
        )
        self._total = position.mines
        self._encoded = 0
        self._contradicted = False
        self._near: list[int] = []
        """Clues near which a contradiction was met."""
        self._answer: Classification | None = None
        self._flags = trusted
        self._stats = Stats()

    def classify(
        self,
        limit: Limit | None = None,
        progress: Callable[[Classification], None] | None = None,
    ) -> Classification:
        """The verdict of every covered cell, as far as the limit lets it be found.

        ``progress`` is called with what has been proved whenever that may be more.
        """
        if self._answer is not None:
            return self._answer
        started = perf_counter()
        status = self._decide(limit or Limit(), progress)
        answer = self._classification(status)
        if status is Status.INCONSISTENT:
            conflict = find_conflict(self._view(), self._near)
            answer = replace(answer, conflict=conflict)
        if status is not Status.UNDECIDED:
            self._answer = answer
        answer.stats.seconds = perf_counter() - started
        return answer

    def reveal(self, cell: Cell, clue: int) -> None:
        """Take note that a covered cell was opened and shows a clue. Nothing is built anew.

        A clue that contradicts what is known makes the position inconsistent; that is an answer
        of :meth:`classify`, not an error.

        Raises:
            ValueError: the cell is not on the board or not covered, or no such clue exists.
        """
        index = self._covered_index(cell)
        if isinstance(clue, bool) or clue not in range(MAX_CLUE + 1):
            raise ValueError(f"{clue!r} is not a clue: a clue is 0 to {MAX_CLUE}")
        bit = 1 << index
        geometry, clues, values, undecided, mines = self._facts
        b0, b1, b2, b3 = (plane | bit * (clue >> k & 1) for k, plane in enumerate(values))
        self._cells = self._cells.copy()
        self._cells[cell] = clue
        self._covered ^= bit
        self._answer = None
        if mines & bit:
            self._contradicted = True
        self._facts = Facts(geometry, clues | bit, (b0, b1, b2, b3), undecided & ~bit, mines & ~bit)
        self._near = [index]
        if undecided & bit:
            for bundle in self._bundles:
                bundle.settle({index: False})

    def explain(self, cell: Cell) -> Explanation:
        """The reason for a covered cell's verdict, or two layouts that differ there.

        Raises:
            ValueError: the cell is not on the board or not covered, or the position has no layout.
        """
        index = self._covered_index(cell)
        answer = self.classify()
        if answer.status is not Status.CONSISTENT:
            raise ValueError("the board is inconsistent: no cell of it has a verdict")
        verdict = answer.verdict[cell]
        if verdict is not Verdict.UNKNOWN:
            reason, sentence = find_reason(self._view(), index, verdict)
            return Explanation(cell, verdict, reason, None, None, sentence)
        mine, safe = (self._witness(index, mine) for mine in (True, False))
        sentence = f"{cell} can be a mine or safe: here is a layout of each kind."
        return Explanation(cell, verdict, None, mine, safe, sentence)

    def _witness(self, index: int, mine: bool) -> tuple[str, ...]:
        facts = self._facts
        frontier = {cell for bundle in self._bundles for cell in bundle.undecided}
        undecided = members(facts.undecided, facts.geometry.size).tolist()
        interior = [cell for cell in undecided if cell not in frontier]
        left = None if self._total is None else self._total - facts.mines.bit_count()
        mines = layout_with(self._bundles, interior, left, index, mine)
        if mines is None:
            raise AssertionError("an unknown cell has no layout of one kind")
        layout = check_layout(facts, mines, self._total)
        if bool(layout >> index & 1) is not mine:
            raise AssertionError("a layout does not show what it was asked for")
        whole = self._classification(Status.CONSISTENT)
        board = layout & self._covered
        return tuple(replace(whole, safe_board=self._covered & ~board, mine_board=board).grid())

    def _covered_index(self, cell: Cell) -> int:
        geometry = self._facts.geometry
        row, column = cell
        if not (0 <= row < geometry.rows and 0 <= column < geometry.columns):
            raise ValueError(
                f"cell ({row}, {column}) is not on the board: rows are 0 to {geometry.rows - 1}, "
                f"columns 0 to {geometry.columns - 1}"
            )
        index = geometry.index(cell)
        if not self._covered >> index & 1:
            code = int(self._cells[row, column])
            what = "carries a trusted flag" if code == FLAG else f"is a clue, {code}"
            raise ValueError(f"cell ({row}, {column}) {what}: a covered cell is needed")
        return index

    def _view(self) -> View:
        facts = self._facts
        return View(
            facts.geometry, facts.clues, facts.values, self._covered, self._flags, self._total
        )

    def close(self) -> None:
        """Free the solvers."""
        for bundle in self._bundles:
            bundle.sink.solver.close()
        if self._first is not None:
            self._first.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _decide(
        self, limit: Limit, progress: Callable[[Classification], None] | None
    ) -> Status:
        if self._contradicted or not self._apply_rules() or not self._encode_new_clues():
            return Status.INCONSISTENT
        status = self._search(limit, progress)
        if status is Status.CONSISTENT and self._total is not None:
            status = self._apply_total(self._total, limit)
        return status

    def _apply_rules(self) -> bool:
        geometry, clues, values, undecided, mines = self._facts
        found = single_clue(geometry, clues, values, undecided, mines)
        if found.clash:
            self._contradicted = True
            self._near = members(found.clash & clues, geometry.size).tolist()[:1]
            return False
        self._rules_decided(found.undecided, found.mines)
        return True

    def _rules_decided(self, undecided: int, mines: int) -> None:
        decided = self._facts.undecided ^ undecided
        if decided:
            self._stats.by_rules += decided.bit_count()
            self._facts = self._facts._replace(undecided=undecided, mines=mines)
            if self._bundles:
                self._settle(decided)

    def _settle(self, decided: int) -> None:
        """Tell the solvers about cells that were decided without them."""
        geometry, mines = self._facts.geometry, self._facts.mines
        told = {cell: bool(mines >> cell & 1) for cell in members(decided, geometry.size).tolist()}
        for bundle in self._bundles:
            bundle.settle(told)

    def _encode_new_clues(self) -> bool:
        geometry, clues, values, undecided, mines = self._facts
        new = reduce_clues(geometry, clues & ~self._encoded, values, undecided, mines)
        self._encoded |= clues
        if new.clash:
            self._contradicted = True
            self._near = members(new.clash, geometry.size).tolist()[:1]
            return False
        self._rules_decided(new.undecided, new.mines)
        self._stats.constraints += len(new.constraints)
        older = list(self._bundles)
        for part in _parts(new.constraints):
            self._bundle_for(part, older).add(part)
        return True

    def _bundle_for(self, constraints: Sequence[Residual], older: list[Bundle]) -> Bundle:
        """The bundle that takes these constraints; older bundles that they join become one."""
        touched = [
            bundle
            for bundle in older
            if any(cell in bundle.variable for cells, _ in constraints for cell in cells)
        ]
        if not touched:
            touched = [b for b in self._bundles[-1:] if len(b.variable) < _BUNDLE]
        if not touched:
            solver = self._first or PysatSolver(self.solver)
            self._first = None
            touched = [Bundle(solver, self._encoder)]
            self._bundles += touched
        touched.sort(key=lambda bundle: -len(bundle.variable))
        for other in touched[1:]:
            touched[0].absorb(other)
            self._bundles.remove(other)
            older.remove(other)
        return touched[0]

    def _search(
        self, limit: Limit, progress: Callable[[Classification], None] | None
    ) -> Status:
        waiting = list(self._bundles)
        while waiting and not limit.expired:
            if progress is not None:
                progress(self._classification(Status.UNDECIDED))
            stopped = [b for b in waiting if not b.classify(self._facts, limit)]
            waiting = [part for bundle in stopped for part in self._split(bundle)]
            for bundle in self._bundles:
                if bundle.inconsistent:
                    self._contradicted = True
                    near = self._facts.geometry.neighbours
                    self._near = [
                        clue
                        for cell in bundle.undecided
                        for clue in near(cell)
                        if self._facts.clues >> clue & 1
                    ]
                    return Status.INCONSISTENT
            self._learn()
            limit.widen()
        return Status.UNDECIDED if waiting else Status.CONSISTENT

    def _split(self, bundle: Bundle) -> list[Bundle]:
        """One bundle a region where a search stopped before its first model.

        A region that no solver decides in time must not keep its neighbours' verdicts back.
        """
        parts = regions(bundle.constraints)
        if bundle.search is None or bundle.search.consistent is not None or len(parts) == 1:
            return [bundle]
        pieces = []
        for part in parts:
            piece = Bundle(PysatSolver(self.solver), self._encoder)
            piece.add(part)
            piece.settle(bundle.decided)
            pieces.append(piece)
        bundle.sink.solver.close()
        self._bundles.remove(bundle)
        self._bundles += pieces
        return pieces

    def _learn(self) -> None:
        """Take over what the searches have proved."""
        proved: dict[int, bool] = {}
        for bundle in self._bundles:
            proved |= bundle.take_proved()
        self._record(proved)

    def _record(self, proved: Mapping[int, bool]) -> None:
        if proved:
            size = self._facts.geometry.size
            mines = board_of([cell for cell, mine in proved.items() if mine], size)
            self._facts = self._facts._replace(
                undecided=self._facts.undecided & ~board_of(proved, size),
                mines=self._facts.mines | mines,
            )

    def _apply_total(self, total: int, limit: Limit) -> Status:
        remainder = Remainder.of(total, self._facts, self._bundles)
        found = apply_total(remainder, self._bundles, self.total_encoding, limit)
        self._stats.total_asked |= found.asked
        if not found.consistent:
            self._contradicted = True
            return Status.INCONSISTENT
        if found.interior is not None:
            frontier = board_of(
                [cell for bundle in self._bundles for cell in bundle.undecided],
                self._facts.geometry.size,
            )
            interior = self._facts.undecided & ~frontier
            self._facts = self._facts._replace(
                undecided=frontier,
                mines=self._facts.mines | (interior if found.interior else 0),
            )
        if found.frontier:
            self._record(found.frontier)
            for bundle in self._bundles:
                bundle.settle(found.frontier)
        return Status.CONSISTENT if found.complete else Status.UNDECIDED

    def _classification(self, status: Status) -> Classification:
        facts = self._facts
        mines = facts.mines & self._covered
        if status is Status.INCONSISTENT:
            safe = mines = 0
        else:
            safe = self._covered & ~facts.undecided & ~mines
        return Classification(
            status=status,
            geometry=facts.geometry,
            cells=self._cells,
            mines_total=self._total,
            covered=self._covered,
            safe_board=safe,
            mine_board=mines,
            stats=self._count(),
            solver=self.solver,
            encoding=self.encoding,
        )


    def _count(self) -> Stats:
        """The statistics so far, as a copy of their own."""
        bundles = self._bundles
        return replace(
            self._stats,
            sat_calls=sum(bundle.sink.solver.calls for bundle in bundles),
            models=sum(bundle.models_found for bundle in bundles),
            variables=sum(bundle.sink.num_vars for bundle in bundles),
            clauses=sum(bundle.sink.num_clauses for bundle in bundles),
            solvers=len(bundles),
        )


def _parts(constraints: list[Residual]) -> list[list[Residual]]:
    """The constraints in parts of about ``_BUNDLE`` cells that share none."""
    if not constraints:
        return []
    if len(constraints) < _BUNDLE // 8 or len(cells_of(constraints)) <= _BUNDLE:
        return [constraints]
    parts: list[list[Residual]] = []
    size = _BUNDLE
    for region in regions(constraints):
        if size >= _BUNDLE:
            parts.append([])
            size = 0
        parts[-1] += region
        size += len(cells_of(region))
    return parts
