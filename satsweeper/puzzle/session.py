"""The incremental session of a board of any shape: verdicts, reasons, conflicts, openings."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Final, Self

from satsweeper.answers.classification import Stats, Status, Verdict
from satsweeper.board.facts import WrongModelError
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.answers import (
    PuzzleClassification,
    PuzzleConflict,
    PuzzleExplanation,
    rows_of,
    symbol,
)
from satsweeper.puzzle.board_constraints import TOTAL, board_constraints
from satsweeper.puzzle.clause_writer import ClauseWriter
from satsweeper.puzzle.constraints.protocol import Constraint, Part
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.lazy_connection import CuttingSolver
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.sentences import reason_sentence, unknown_sentence
from satsweeper.reasons.deletion import shrink
from satsweeper.solvers.backbone import Backbone
from satsweeper.solvers.protocol import Satisfied, Unsatisfied
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sink import SolverSink, open_solver
from satsweeper.solvers.table import line_up

_EFFORT: Final = 200_000
"""The most conflicts for making a reason irreducible."""


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
        self._names = (line_up(solver)[0], encoding, total_encoding)
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
        counted: set[int] = set()
        for constraint in self._constraints:
            if constraint.parts != (TOTAL,):
                constraint.write(self._writer)
                counted.update(constraint.scope)
        self._interior = self._write_total(counted)
        self._solver = CuttingSolver(inner, self._writer, puzzle.board.num_vars)
        self._sink.solver = self._solver
        self._models: list[list[int]] = []
        self._preferred: list[int] = []
        self._stats = Stats(solvers=1, constraints=len(self._constraints))

    def _write_total(self, counted: Container[int]) -> list[int]:
        """Write the total; return the covered cells that only the total counts, by variable.

        Such cells are interchangeable, and any number of them may be mines. So the first of them
        stands for all: with n of them and m mines left, the other cells and the first together have
        m - n + 1 to m mines, as the others of the n have 0 to n - 1.
        """
        total = next((each for each in self._constraints if each.parts == (TOTAL,)), None)
        free = [
            variable
            for cell in range(len(self.puzzle.geometry))
            for variable in self.puzzle.board.variables[cell]
            if variable not in counted and variable not in self.puzzle.known
        ]
        if not isinstance(total, Sum):
            return free
        others = [v for v in total.scope if v not in {*free[1:]}]
        mines = total.allowed[0]
        self._writer.bounds(TOTAL, others, None, mines - max(len(free) - 1, 0), mines)
        return free

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

        ``rule``: the letters of the clue's own rule, where clues have one.

        Raises ValueError for a cell that is not covered, RuleError for a wrong clue.
        """
        puzzle = self.puzzle
        if cell not in puzzle.geometry.numbers:
            raise RuleError(f"cell {cell}: there is no such cell")
        number = puzzle.geometry.numbers[cell]
        if number not in puzzle.hidden():
            raise RuleError(f"cell {cell} is not covered")
        from satsweeper.puzzle.rules.kind import clue_kind

        letters = tuple(rule) or puzzle.clue_rules
        value = clue_kind(letters).parse(str(clue))
        before = self.puzzle
        self.puzzle = puzzle.with_clue(number, value, letters)
        after = board_constraints(self.puzzle, self.flags)
        if clue_kind(letters).together is not None or number + 1 in self._interior:
            # Clues that depend on one another are written together, and the cells that nothing
            # counted stood for one another: the session begins anew.
            self._restart(before)
            return
        part = Part("clue", number)
        for variable in puzzle.board.variables[number]:
            self._sink.add_clause([-variable])
        known = {*self._constraints}
        for constraint in after:
            if part in constraint.parts and constraint not in known:
                # The first interchangeable cell stands for all: none of them may be counted now.
                if len(self._interior) > 1 and not {*self._interior}.isdisjoint(constraint.scope):
                    self._restart(before)
                    return
                constraint.write(self._writer)
        self._constraints = after
        self._models = [m for m in self._models if m[number] < 0]

    def _restart(self, before: Puzzle) -> None:
        after = self.puzzle
        self.puzzle = before
        self.close()
        self.puzzle = after
        stats = self._stats
        self._open()
        self._stats.sat_calls, self._stats.models = stats.sat_calls, stats.models

    def classify(self, timeout: float | None = None) -> PuzzleClassification:
        """Return the verdict of every covered cell, or the parts of the board that clash.

        ``timeout``: seconds after which the answer may be partial (status UNDECIDED).
        """
        begun = perf_counter()
        deadline = Deadline.after(timeout)
        hidden = self.puzzle.hidden(self.flags)
        variables = [cell + 1 for cell in hidden if cell + 1 not in {*self._interior[1:]}]
        search = Backbone(
            self._sink, variables, self._accept, assumptions=[*self.selectors.values()]
        )
        search.start([])
        limit = SearchBudget(deadline)
        while not search.run(limit) and not deadline.passed():
            limit.widen()
        found = dict.fromkeys(hidden, Verdict.UNKNOWN)
        status, conflict = Status.CONSISTENT, None
        if search.consistent is False:
            status, found = Status.INCONSISTENT, {}
            conflict = self._conflict(())
        else:
            free = {*self._interior}
            for lit in search.proved:
                verdict = Verdict.MINE if lit > 0 else Verdict.SAFE
                same = free if abs(lit) in free else (abs(lit),)
                found |= {variable - 1: verdict for variable in same if variable - 1 in found}
            if search.consistent is None or search.open:
                status = Status.UNDECIDED
        self._count(perf_counter() - begun)
        return PuzzleClassification(
            self.puzzle,
            status,
            found,
            replace(self._stats),
            self.flags,
            self._names[0],
            self._names[1],
            conflict=conflict,
        )

    def explain(self, cell: Hashable) -> PuzzleExplanation:
        """Return why a covered cell is safe or a mine, or two layouts that differ there.

        Raises RuleError for a cell that is not covered, and for a board without a layout.
        """
        puzzle = self.puzzle
        number = puzzle.geometry.numbers.get(cell)
        if number is None:
            raise RuleError(f"cell {cell}: there is no such cell")
        if number not in puzzle.hidden(self.flags):
            raise RuleError(f"cell {cell} is not covered")
        free = {*self._interior}
        variable = self._interior[0] if number + 1 in free else number + 1
        selectors = [*self.selectors.values()]
        layouts = []
        # With all rules but one and the cell as it is not, many layouts lack a connection: those
        # like a layout that is known lack few.
        self._solver.prefer(self._preferred)
        for lit in (variable, -variable):
            answer = self._solver.solve([*selectors, lit])
            if isinstance(answer, Satisfied):
                self._accept(answer.model)
                layouts.append(self._layout(answer.model, number, lit > 0))
                continue
            verdict = Verdict.SAFE if lit > 0 else Verdict.MINE
            if not isinstance(self._solver.solve([*selectors, -lit]), Satisfied):
                raise RuleError("the board has no layout")
            reason = self._conflict((lit,))
            sentence = reason_sentence(puzzle, cell, verdict, reason)
            return PuzzleExplanation(puzzle, cell, verdict, reason, None, None, sentence)
        mine, safe = layouts
        return PuzzleExplanation(
            puzzle, cell, Verdict.UNKNOWN, None, mine, safe, unknown_sentence(cell)
        )

    def _conflict(self, literals: Sequence[int]) -> PuzzleConflict:
        """Return an irreducible set of parts that contradicts ``literals``."""
        part_of = {selector: part for part, selector in self.selectors.items()}
        answer = self._solver.solve([*part_of, *literals])
        assert isinstance(answer, Unsatisfied)
        core = [lit for lit in answer.core if lit in part_of]
        # Dropped first: the total, regions and rules, then clues from the last to the first.
        kinds = ("total", "region", "rule", "clue", "flag")
        core.sort(key=lambda selector: (kinds.index(part_of[selector].kind), -selector))
        kept, irreducible = shrink(self._solver, core, literals, self._solver.conflicts() + _EFFORT)
        return conflict_of(self.puzzle, [part_of[each] for each in kept], irreducible)

    def _accept(self, model: list[int]) -> None:
        """Raise WrongModelError unless a model meets the constraints on the board."""
        self._stats.models += 1
        self._preferred = model[: self.puzzle.board.num_vars]
        completed = self._completed(model)
        for constraint in self._constraints:
            if not constraint.holds(completed):
                raise WrongModelError(f"a solver's model violates {constraint.parts[0]}")

    def _completed(self, model: list[int]) -> frozenset[int]:
        """Return the layout of a model, with as many mines in interchangeable cells as are left."""
        mines = frozenset(self._writer.mines(model[: self.puzzle.board.num_vars]))
        total = self.puzzle.mines
        rest = self._interior[1:]
        if total is None or not rest:
            return mines
        mines = mines.difference(rest)
        return mines.union(rest[: total - len(mines)])

    def _layout(self, model: list[int], cell: int, mine: bool) -> tuple[Any, ...]:
        """Return the rows of a model's layout, ``M`` mine and ``S`` safe in covered cells."""
        mines = self._completed(model)
        first = self._interior[0] if self._interior else 0
        if cell + 1 in self._interior and cell + 1 != first and (cell + 1 in mines) != mine:
            # The cell changes places with the one that stands for all.
            mines = mines ^ {cell + 1, first}
        covered = {*self.puzzle.hidden(self.flags)}
        symbols = [
            ("M" if each + 1 in mines else "S") if each in covered else symbol(self.puzzle, each)
            for each in range(len(self.puzzle.geometry))
        ]
        return tuple(rows_of(self.puzzle, symbols))

    def _count(self, seconds: float) -> None:
        self._stats.sat_calls = self._solver.calls
        self._stats.variables = self._sink.num_vars
        self._stats.clauses = self._sink.num_clauses
        self._stats.seconds = seconds


def conflict_of(puzzle: Puzzle, parts: Iterable[Part], irreducible: bool) -> PuzzleConflict:
    """Return parts of a board as a conflict, cells by name in the order of the board."""
    kinds: dict[str, list[Any]] = {}
    for part in parts:
        kinds.setdefault(part.kind, []).append(part.key)
    cells = puzzle.geometry.cells
    return PuzzleConflict(
        clues=tuple([cells[each] for each in sorted(kinds.get("clue", []))]),
        flags=tuple([cells[each] for each in sorted(kinds.get("flag", []))]),
        total="total" in kinds,
        irreducible=irreducible,
        rules=_in_order(puzzle.rules, kinds.get("rule", [])),
        regions=tuple(sorted(kinds.get("region", []))),
    )


def _in_order(rules: Sequence[str], named: Sequence[str]) -> tuple[str, ...]:
    """Return the rules ``named``: rules of the board in its order, then rules of single clues."""
    first = [each for each in rules if each in named]
    return (*first, *sorted({*named} - {*first}))


def classify_puzzle(
    puzzle: Puzzle,
    *,
    solver: str = "auto",
    encoding: str = "direct",
    total_encoding: str = "totalizer",
    flags: str = "trust",
    timeout: float | None = None,
) -> PuzzleClassification:
    """Return the verdict of every covered cell; arguments as `PuzzleSession` takes them."""
    with PuzzleSession(
        puzzle, solver=solver, encoding=encoding, total_encoding=total_encoding, flags=flags
    ) as session:
        return session.classify(timeout)


def explain_puzzle(
    puzzle: Puzzle, cell: Hashable, *, solver: str = "auto", flags: str = "trust"
) -> PuzzleExplanation:
    """Return why a covered cell is safe or a mine, or two layouts that differ there."""
    with PuzzleSession(puzzle, solver=solver, flags=flags) as session:
        return session.explain(cell)
