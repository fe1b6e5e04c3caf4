"""The incremental session of a board of any shape: verdicts, reasons, conflicts, openings.

One live solver holds the clauses of the whole board, each behind the selector of its part: a rule,
a clue, a flag, a region, the total. A question assumes all selectors, so the core of an answer
"unsatisfiable" is a set of parts, which leaving out one after the other makes irreducible.

Cells that nothing but the total counts are interchangeable: one of them stands for all, and the
total is written only when it is asked for, anew if such cells have become fewer. Opening a cell
adds the clauses of its clue and nothing else. Then what was proved stays proved, as a clue only
removes layouts, and a layout that was found stays one if it meets the clue: the next search begins
with both.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from time import perf_counter
from typing import Any, Final, Self

from satsweeper.answers.classification import Stats, Status, Verdict
from satsweeper.board.errors import LimitError
from satsweeper.board.facts import WrongModelError
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.answers import (
    PuzzleClassification,
    PuzzleConflict,
    PuzzleExplanation,
    rows_of,
    symbol,
)
from satsweeper.puzzle.board_constraints import TOTAL, board_constraints, clue_constraints
from satsweeper.puzzle.clause_writer import ClauseWriter
from satsweeper.puzzle.clue import read_clue
from satsweeper.puzzle.constraints.protocol import Constraint, Part
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.lazy_connection import CuttingSolver
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.sentences import reason_sentence
from satsweeper.reasons.deletion import shrink
from satsweeper.solvers.backbone import Backbone
from satsweeper.solvers.protocol import Satisfied, Unknown, Unsatisfied
from satsweeper.solvers.search_budget import LimitedSolver
from satsweeper.solvers.sink import SolverSink, open_solver
from satsweeper.solvers.table import line_up

_EFFORT: Final = 200_000
"""The most conflicts for making a reason irreducible."""
_KEPT: Final = 50
"""The most layouts that are kept for the next question."""
_MANY: Final = 1000
"""The most covered cells of a board that is not first asked without its total."""
_TELL: Final = 0.25
"""Seconds between two partial answers."""


class PuzzleSession:
    """A board in one live solver, in which each rule, clue, flag and total has a selector.

    A verdict assumes all selectors; a reason is a core of them. Connections are added as cuts, when
    a model lacks them. A context manager; `close` frees the solver.

    Args:
        puzzle: the board.
        solver: a name of ``satsweeper.solvers.table.SOLVERS``, or ``auto``.
        encoding: the encoder of sums of clues and rules.
        total_encoding: the encoder of larger sums.
        flags: whether flags are trusted to be mines, or ignored.

    Raises RuleError for a board that lacks what a rule needs, SolverError for an unknown solver.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        solver: str = "auto",
        encoding: str = "direct",
        total_encoding: str = "totalizer",
        flags: str = "trust",
    ) -> None:
        self.puzzle = puzzle
        self.flags = flags
        self.solver = solver
        self._names = (line_up(solver)[0], encoding, total_encoding)
        self._stats = Stats(solvers=1)
        self._calls = 0
        """Calls of solvers that are closed."""
        self._layouts: list[frozenset[int]] = []
        """Layouts of the board, each as the set of its true variables."""
        self._proved: set[int] = set()
        self._refuted = False
        """Whether the board is known to have no layout."""
        self._open()

    def _open(self) -> None:
        puzzle = self.puzzle
        name, encoding, total_encoding = self._names
        self._constraints: list[Constraint] = board_constraints(puzzle, self.flags)
        inner = open_solver(name)
        self._sink = SolverSink(inner)
        every = range(1, puzzle.board.num_vars + 1)
        self._sink.new_vars(len(every))
        # A clause that always holds names all cells: lingeling ends the interpreter if a variable
        # is preferred or assumed before it is in any clause.
        self._sink.add_clause([-1, *every])
        self._writer = ClauseWriter(self._sink, puzzle.known, encoding, total_encoding)
        self._solver = CuttingSolver(inner, self._writer, puzzle.board.num_vars)
        self._sink.solver = self._solver
        self._covered = dict.fromkeys(puzzle.hidden(self.flags))
        self._total = next((each for each in self._constraints if each.parts == (TOTAL,)), None)
        self._total_due = self._total is not None
        # The variables that no constraint but the total counts, see `_write_total`.
        self._interior = dict.fromkeys(
            v for cell in puzzle.board.variables for v in cell if v not in puzzle.known
        )
        for constraint in self._constraints:
            if constraint is not self._total:
                self._write(constraint)

    def _write(self, constraint: Constraint) -> None:
        constraint.write(self._writer)
        for variable in constraint.scope:
            if variable in self._interior:
                del self._interior[variable]
                self._total_due = self._total is not None

    def _write_total(self) -> None:
        """Write the total anew if the cells that only the total counts are others than before.

        Such cells are interchangeable, and any number of them may be mines. So the first of them
        stands for all: with n of them and m mines left, the other cells and the first together have
        m - n + 1 to m mines, as the others of the n have 0 to n - 1.
        """
        if not self._total_due:
            return
        before = self.selectors.pop(TOTAL, None)
        if before is not None:
            # The clauses of the former total are met for good.
            self._sink.add_clause([-before])
        assert isinstance(self._total, Sum)
        rest = {*self._rest()}
        others = [v for v in self._total.scope if v not in rest]
        mines = self._total.allowed[0]
        self._writer.bounds(TOTAL, others, None, mines - len(rest), mines)
        # Not earlier: an interrupted total is written again.
        self._total_due = False

    def _rest(self) -> list[int]:
        """Return the variables that the first one of the interior stands for."""
        return [*self._interior][1:]

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def selectors(self) -> dict[Part, int]:
        """The selector of each part of the board."""
        return self._writer.selectors

    def reveal(self, cell: Hashable, clue: int | str, rule: Sequence[str] = ()) -> None:
        """Open the covered cell called ``cell``, which shows ``clue``.

        ``rule``: the letters of the clue's own rule, where clues have one; without them the clue is
        a text that begins with them, as in a board file.

        Raises ValueError for a cell that is not covered, RuleError for a wrong clue.
        """
        puzzle = self.puzzle
        number = self._number(cell)
        shown = read_clue(str(clue), tuple(rule) or puzzle.clue_rules)
        kind = shown.kind
        new = [] if kind.together else clue_constraints(puzzle.board, number, shown)
        self.puzzle = puzzle.with_clue(number, shown.value, kind.letters)
        try:
            if kind.together is not None:
                # Clues that depend on one another are written together: the session begins anew.
                self._restart()
                return
            del self._covered[number]
            for variable in puzzle.board.variables[number]:
                self._sink.add_clause([-variable])
                if variable in self._interior:
                    del self._interior[variable]
                    self._total_due = self._total is not None
            for constraint in new:
                self._write(constraint)
        except BaseException:
            # Interrupted: a clue that is written in part is taken back.
            self.puzzle = puzzle
            self._restart()
            raise
        self._constraints += new
        # What was proved stays proved: a clue only removes layouts.
        self._proved -= {number + 1, -number - 1}
        layouts = [layout for layout in self._layouts if number + 1 not in layout]
        self._layouts = [each for each in layouts if all(stated.holds(each) for stated in new)]

    def _number(self, cell: Hashable) -> int:
        """Return the number of a covered cell. Raises RuleError for any other."""
        number = self.puzzle.geometry.numbers.get(cell)
        if number is None:
            raise RuleError(f"cell {cell}: there is no such cell")
        if number not in self._covered:
            raise RuleError(f"cell {cell} is not covered")
        return number

    def _restart(self) -> None:
        self.close()
        self._calls += self._solver.calls
        self._layouts, self._proved = [], set()
        self._open()

    def classify(
        self,
        timeout: float | None = None,
        progress: Callable[[PuzzleClassification], object] | None = None,
    ) -> PuzzleClassification:
        """Return the verdict of every covered cell, or the parts of the board that clash.

        ``timeout``: seconds after which the answer may be partial (status UNDECIDED). ``progress``
        is called with partial answers now and then.
        """
        begun = perf_counter()
        deadline = Deadline.after(timeout)
        if self._total_due and len(self._covered) > _MANY:
            self._prove_without_total(deadline)
        self._write_total()
        skipped = {*self._rest(), *map(abs, self._proved)}
        variables = [cell + 1 for cell in self._covered if cell + 1 not in skipped]
        last = begun

        def accept(model: list[int]) -> None:
            nonlocal last
            self._accept(model)
            if progress is not None and perf_counter() - last > _TELL:
                last = perf_counter()
                progress(self._answer(Status.UNDECIDED, search.proved, begun))

        search = Backbone(self._sink, variables, accept, assumptions=[*self.selectors.values()])
        if self._refuted:
            search.consistent = False
        search.start([self._literals(layout) for layout in self._layouts])
        search.run_until(deadline)
        if search.consistent is False:
            self._refuted = True
            found = self._answer(Status.INCONSISTENT, (), begun)
            return found.replaced(conflict=self.conflict(deadline))
        whole = search.consistent is not None and not search.open
        status = Status.CONSISTENT if whole else Status.UNDECIDED
        self._proved |= self._spread(search.proved)
        return self._answer(status, (), begun)

    def _prove_without_total(self, deadline: Deadline) -> None:
        """Prove what follows without the total, which on large boards has most of the clauses.

        What fewer parts prove, all of them do. Layouts are not kept: the total may exclude them.
        """
        skipped = {*self._interior, *map(abs, self._proved)}
        variables = [cell + 1 for cell in self._covered if cell + 1 not in skipped]
        parts = [selector for part, selector in self.selectors.items() if part != TOTAL]
        search = Backbone(self._sink, variables, lambda _: None, assumptions=parts)
        search.run_until(deadline)
        self._refuted |= search.consistent is False
        self._proved |= {*search.proved} if search.consistent else set()

    def _answer(self, status: Status, proved: Iterable[int], begun: float) -> PuzzleClassification:
        """Return the verdicts of the literals ``proved``, and of those proved before."""
        found: dict[int, Verdict] = {}
        if status is not Status.INCONSISTENT:
            found = dict.fromkeys(self._covered, Verdict.UNKNOWN)
            for lit in self._proved | self._spread(proved):
                if abs(lit) - 1 in found:
                    found[abs(lit) - 1] = Verdict.MINE if lit > 0 else Verdict.SAFE
        stats = self._stats
        stats.sat_calls = self._calls + self._solver.calls
        stats.variables, stats.clauses = self._sink.num_vars, self._sink.num_clauses
        stats.constraints = len(self._constraints)
        stats.seconds = perf_counter() - begun
        return PuzzleClassification(
            self.puzzle, status, found, stats.replaced(), self.flags, self.solver, self._names[1]
        )

    def _spread(self, proved: Iterable[int]) -> set[int]:
        """Return literals of one cell of the interior as literals of all of its cells."""
        found = {*proved}
        first = next(iter(self._interior), 0)
        for lit in found & {first, -first}:
            found |= {v if lit > 0 else -v for v in self._interior}
        return found

    def consistent(self, deadline: Deadline | None = None) -> bool | None:
        """Whether the board has a layout; None if the deadline came first."""
        self._write_total()
        if self._layouts or self._refuted:
            return not self._refuted
        solver = LimitedSolver(self._solver, deadline or Deadline(), None)
        answer = solver.solve([*self.selectors.values()])
        if isinstance(answer, Satisfied):
            self._accept(answer.model)
        self._refuted = isinstance(answer, Unsatisfied)
        return None if isinstance(answer, Unknown) else not self._refuted

    def explain(
        self,
        cell: Hashable,
        deadline: Deadline | None = None,
        *,
        reduce_until: Deadline | None = None,
    ) -> PuzzleExplanation:
        """Return why a covered cell is safe or a mine, or two layouts that differ there.

        At the ``deadline``, or at an earlier one ``reduce_until``, a reason may have more parts
        than are needed.

        Raises RuleError for a cell that is not covered, and for a board without a layout;
        LimitError if the deadline came before the verdict.
        """
        puzzle = self.puzzle
        number = self._number(cell)
        self._write_total()
        interior = number + 1 in self._interior
        variable = next(iter(self._interior)) if interior else number + 1
        deadline = deadline or Deadline()
        solver = LimitedSolver(self._solver, deadline, None)
        # With all rules but one and the cell as it is not, many layouts lack a connection: those
        # like a layout that is known lack few.
        if self._layouts:
            self._solver.prefer(self._literals(self._layouts[-1]))
        answers = {}
        for lit in (variable, -variable):
            answers[lit] = answer = solver.solve([*self.selectors.values(), lit])
            if isinstance(answer, Unknown):
                raise LimitError(f"{cell}: no verdict within the limit")
            if isinstance(answer, Satisfied):
                self._accept(answer.model)
        cores = {lit: a.core for lit, a in answers.items() if isinstance(a, Unsatisfied)}
        if len(cores) == 2:
            raise RuleError("the board is inconsistent: no cell of it has a verdict")
        for lit, core in cores.items():
            verdict = Verdict.SAFE if lit > 0 else Verdict.MINE
            reason = self._conflict((lit,), core, reduce_until or deadline)
            sentence = reason_sentence(puzzle, cell, verdict, reason)
            return PuzzleExplanation(puzzle, cell, verdict, reason, None, None, sentence)
        mine, safe = (
            self._layout(answer.model, number, lit > 0)
            for lit, answer in answers.items()
            if isinstance(answer, Satisfied)
        )
        sentence = f"{cell} is a mine in some layouts and safe in others."
        return PuzzleExplanation(puzzle, cell, Verdict.UNKNOWN, None, mine, safe, sentence)

    def conflict(self, deadline: Deadline) -> PuzzleConflict:
        """Return the parts that clash of a board which is known to have no layout.

        The set is irreducible unless the deadline comes first.
        """
        self._write_total()
        return self._conflict((), None, deadline)

    def _conflict(
        self, literals: Sequence[int], core: Sequence[int] | None, deadline: Deadline
    ) -> PuzzleConflict:
        """Return an irreducible set of parts that contradicts ``literals``.

        ``core``: assumptions that contradict each other, None if the solver has to be asked. Until
        the deadline parts are left out; the set is not irreducible if it comes first.
        """
        part_of = {selector: part for part, selector in self.selectors.items()}
        solver = LimitedSolver(self._solver, deadline, self._solver.conflicts() + _EFFORT)
        if core is None:
            answer = solver.solve([*part_of, *literals])
            # All parts together contradict the literals, as the caller has found out.
            core = answer.core if isinstance(answer, Unsatisfied) else [*part_of]
        core = [lit for lit in core if lit in part_of]
        # Dropped first: the total, regions and rules, then clues from the last to the first.
        if self._layouts:
            # Without one rule and with the cell as it is not, many layouts lack a connection: those
            # like a layout that is known lack few.
            self._solver.prefer(self._literals(self._layouts[-1]))
        kinds = ("total", "region", "rule", "clue", "flag")
        core.sort(key=lambda selector: (kinds.index(part_of[selector].kind), -selector))
        kept, irreducible = shrink(solver, core, literals, self._solver.conflicts() + _EFFORT)
        return conflict_of(self.puzzle, [part_of[each] for each in kept], irreducible)

    def _accept(self, model: list[int]) -> None:
        """Raise WrongModelError unless a model meets the constraints on the board; keep it."""
        self._stats.models += 1
        completed = self._completed(model)
        for constraint in self._constraints:
            if not constraint.holds(completed):
                raise WrongModelError(f"a solver's model violates {constraint.parts[0]}")
        self._layouts = [*self._layouts[1 - _KEPT :], completed]

    def _literals(self, layout: Container[int]) -> list[int]:
        """Return a layout as a model of the variables of cells."""
        return [v if v in layout else -v for v in range(1, self.puzzle.board.num_vars + 1)]

    def _completed(self, model: list[int]) -> frozenset[int]:
        """Return the layout of a model, with as many mines in interchangeable cells as are left."""
        mines = frozenset(self._writer.mines(model[: self.puzzle.board.num_vars]))
        total = self.puzzle.mines
        rest = self._rest()
        if total is None or not rest:
            return mines
        mines = mines.difference(rest)
        return mines.union(rest[: total - len(mines)])

    def _layout(self, model: list[int], cell: int, mine: bool) -> tuple[Any, ...]:
        """Return the rows of a model's layout, ``M`` mine and ``S`` safe in covered cells."""
        mines = self._moved(self._completed(model), cell, mine)
        symbols = [
            ("M" if at + 1 in mines else "S") if at in self._covered else symbol(self.puzzle, at)
            for at in range(len(self.puzzle.geometry))
        ]
        return tuple(rows_of(self.puzzle, symbols))

    def _moved(self, mines: frozenset[int], cell: int, mine: bool) -> frozenset[int]:
        """Return a layout in which an interchangeable cell is a mine exactly if ``mine``."""
        first = next(iter(self._interior), 0)
        if cell + 1 in self._interior and cell + 1 != first and (cell + 1 in mines) != mine:
            # The cell changes places with the one that stands for all.
            return mines ^ {cell + 1, first}
        return mines

    def layouts_of(self, cell: Hashable | None) -> list[frozenset[int]]:
        """Return two layouts that differ in a cell, or one of the board, as numbers of cells.

        ``cell``: the name of a covered cell without a certain verdict; None: any layout will do.

        Raises RuleError for a cell with one verdict in all layouts, and a board without layouts.
        """
        self._write_total()
        number, wanted = -1, [0]
        if cell is not None:
            number = self._number(cell)
            interior = number + 1 in self._interior
            variable = next(iter(self._interior)) if interior else number + 1
            wanted = [variable, -variable]
        found = []
        for lit in wanted:
            answer = self._solver.solve([*self.selectors.values(), *([lit] if lit else [])])
            if not isinstance(answer, Satisfied):
                raise RuleError("the board has no such layout")
            self._accept(answer.model)
            mines = self._moved(self._completed(answer.model), number, lit > 0)
            found.append(frozenset([variable - 1 for variable in mines]))
        return found


def conflict_of(puzzle: Puzzle, parts: Iterable[Part], irreducible: bool) -> PuzzleConflict:
    """Return parts of a board as a conflict, cells by name in the order of the board."""
    kinds: dict[str, list[Any]] = {}
    for part in parts:
        kinds.setdefault(part.kind, []).append(part.key)
    cells = puzzle.geometry.cells
    named = {*kinds.get("rule", [])}
    own = [each for each in puzzle.rules if each in named]
    return PuzzleConflict(
        clues=tuple([cells[each] for each in sorted(kinds.get("clue", []))]),
        flags=tuple([cells[each] for each in sorted(kinds.get("flag", []))]),
        total="total" in kinds,
        irreducible=irreducible,
        # Rules of the board in its order, then rules of single clues.
        rules=(*own, *sorted(named.difference(own))),
        regions=tuple(sorted(kinds.get("region", []))),
    )


def classify_puzzle(
    puzzle: Puzzle,
    *,
    solver: str = "auto",
    encoding: str = "direct",
    total_encoding: str = "totalizer",
    flags: str = "trust",
    timeout: float | None = None,
    progress: Callable[[PuzzleClassification], object] | None = None,
) -> PuzzleClassification:
    """Return the verdict of every covered cell; arguments as `PuzzleSession` takes them.

    ``timeout``: seconds after which the answer may be partial. ``progress`` is called with partial
    answers now and then.
    """
    begun = perf_counter()
    deadline = Deadline.after(timeout)
    with PuzzleSession(
        puzzle, solver=solver, encoding=encoding, total_encoding=total_encoding, flags=flags
    ) as session:
        found = session.classify(deadline.left(), progress)
    found.stats.seconds = perf_counter() - begun
    return found
