"""Some regions of the frontier in one live solver, to which clauses are only added."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from satsweeper.board.facts import Facts, Window
from satsweeper.reduce.residual import Residual, cells_of, interchangeable_cells
from satsweeper.solvers.backbone import Backbone
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sink import SolverSink, open_solver


class SolverGroup:
    """A live solver, the variables of its cells, and every model found so far.

    Models are kept across reveals as long as they meet all constraints: a literal that a kept model
    shows needs no question. Invariants: a cell of ``variable`` is either in ``undecided`` or a key
    of ``decided``; the literal of a decided cell is a unit clause of the solver, or follows from
    the solver's clauses; every model in ``models`` meets all constraints so far.

    Args:
        solver: a name of the table of solvers.
        encoding: the name of the encoder of the constraints.
        patient: if a budget stops the question about all candidates, whether to go on with one
            question for each candidate, or to stop the search.
    """

    def __init__(self, solver: str, encoding: str, patient: bool) -> None:
        self.sink = SolverSink(open_solver(solver))
        self.variable: dict[int, int] = {}
        self.constraints: list[Residual] = []
        self.models: list[list[int]] = []
        self.models_found = 0
        self.search: Backbone | None = None
        """The search under way; None if clauses were added since the last search."""
        self.undecided: list[int] = []
        """The group's cells that nothing has decided yet."""
        self.decided: dict[int, bool] = {}
        """The group's other cells: True for a mine, False for a safe cell."""
        self.interchangeable: list[list[int]] = []
        """Groups of interchangeable cells: every open constraint counts all or none of a group."""
        self.accept_model: Callable[[list[int]], None]
        """Checks a model against the clues (WrongModelError) and keeps it; set by `classify`."""
        self.tried_without_search = False
        """Whether elimination and a linear program were run on the constraints."""
        self._refuted = False
        self._suggested: list[list[int]] = []
        """Models that linear programs found, to be checked when a search begins."""
        self.patient = patient
        self._encoding = encoding

    def add(self, constraints: Sequence[Residual]) -> None:
        """Add counting constraints over cells, giving new cells a variable."""
        self.search = None
        self.constraints += constraints
        variable = self.variable
        new = [cell for cell in cells_of(constraints) if cell not in variable]
        self.undecided += new
        first = self.sink.new_vars(len(new))
        variable.update(zip(new, range(first, first + len(new)), strict=True))
        sums = [([variable[cell] for cell in cells], need) for cells, need in constraints]
        self.sink.add_exactly(self._encoding, sums)
        # A model that is too short for a new variable does not say whether the constraint holds,
        # and is dropped like a model that violates the constraint.
        self.models = [
            model
            for model in self.models
            if all(
                max(literals) <= len(model) and sum(model[v - 1] > 0 for v in literals) == need
                for literals, need in sums
            )
        ]

    def settle(self, decided: Mapping[int, bool]) -> None:
        """Fix the cells of ``decided`` (True for a mine), which were decided outside this solver.

        Cells of other groups are ignored.
        """
        own = {
            cell: self.variable[cell] if mine else -self.variable[cell]
            for cell, mine in decided.items()
            if cell in self.variable
        }
        if not own:
            return
        self.search = None
        # One unit clause for each cell. The cell has this value in every layout, so the unit
        # removes no layout. Kept models with the other value are dropped.
        literals = list(own.values())
        for literal in literals:
            self.sink.add_clause((literal,))
        self.models = [
            model for model in self.models if all(model[abs(v) - 1] == v for v in literals)
        ]
        self.decided.update((cell, decided[cell]) for cell in own)
        self.undecided = [cell for cell in self.undecided if cell not in own]

    def absorb(self, other: "SolverGroup") -> None:
        """Add the constraints and decided cells of ``other``, and close its solver."""
        self.add(other.constraints)
        self.settle(other.decided)
        other.sink.solver.close()

    def open_constraints(self) -> list[Residual]:
        """Return the distinct constraints over undecided cells, with decided mines subtracted."""
        decided = self.decided
        if not decided:
            return self.constraints
        found: dict[Residual, None] = {}
        for cells, need in self.constraints:
            left = tuple([cell for cell in cells if cell not in decided])
            if left:
                mines = sum([decided[cell] for cell in cells if cell in decided])
                found[left, need - mines] = None
        return list(found)

    def classify(self, facts: Facts, limit: SearchBudget) -> bool:
        """Search for the backbone of the undecided cells; False when a limit stopped the search."""
        cells = self.undecided
        if not cells:
            return True
        # A stopped search is continued, unless clauses were added since: the candidates of the old
        # search come from models that the new clauses may exclude.
        if self.search is None:
            variables = [self.variable[cell] for cell in cells]
            window = Window.around(facts, cells)
            pick = picker(variables)

            # Invariant: each model in ``models`` was checked against the clues on the board, not
            # against the clauses, so that neither a wrong encoding nor a wrong solver can show a
            # cell in a way that no layout has.
            def accept(model: list[int]) -> None:
                window.check([cell for cell, v in zip(cells, pick(model), strict=True) if v > 0])
                self.models.append(model)
                self.models_found += 1

            self.accept_model = accept
            self.interchangeable = interchangeable_cells(self.open_constraints())
            exchange = [[self.variable[cell] for cell in group] for group in self.interchangeable]
            self.search = Backbone(self.sink, variables, self.accept_model, exchange)
            for model in self._suggested:
                self.accept_model(model)
            self._suggested = []
            self.search.start(self.models)
        return self.search.run(limit, self.patient)

    def learn(
        self,
        decided: Mapping[int, bool],
        clauses: Iterable[Sequence[int]],
        layouts: Iterable[Container[int]],
        *,
        refuted: bool,
    ) -> dict[int, bool]:
        """Add consequences of the constraints' sums; return the cells decided, True for a mine.

        Args:
            decided: variables that are decided, True for a mine.
            clauses: clauses that hold in every layout.
            layouts: for each layout found, the undecided variables that are mines; the layouts
                spare questions.
            refuted: whether there is no layout.
        """
        self.tried_without_search = True
        self.search = None
        cell_of = {self.variable[cell]: cell for cell in self.undecided}
        own = {cell_of[v]: value for v, value in decided.items() if v in cell_of}
        self.settle(own)
        for clause in clauses:
            self.sink.add_clause(clause)
        mines = {self.variable[cell] for cell, mine in self.decided.items() if mine}
        variables = range(1, self.sink.num_vars + 1)
        self._suggested = [
            [v if v in mines or v in layout else -v for v in variables] for layout in layouts
        ]
        # With no undecided cell left no search follows, so the constraints are evaluated here.
        self._refuted = refuted or (
            not self.undecided
            and any(
                sum([self.decided[cell] for cell in cells]) != need
                for cells, need in self.constraints
            )
        )
        return own

    @property
    def consistent(self) -> bool | None:
        """Whether the group's clues have a layout; None as long as neither is proved."""
        if self._refuted:
            return False
        return None if self.search is None else self.search.consistent

    def take_proved(self) -> dict[int, bool]:
        """Return the verdicts proved since the last call: cell -> True for a mine."""
        if self.search is None or not self.search.proved:
            return {}
        true = set(self.search.proved)
        proved = {
            cell: self.variable[cell] in true
            for cell in self.undecided
            if self.variable[cell] in true or -self.variable[cell] in true
        }
        self.decided |= proved
        self.undecided = [cell for cell in self.undecided if cell not in proved]
        return proved


def picker(variables: Sequence[int]) -> Callable[[list[int]], Sequence[int]]:
    """Return a function from a model to the literals of ``variables``, in their order."""
    first, count = variables[0], len(variables)
    if variables[-1] == first + count - 1 and all(v == first + k for k, v in enumerate(variables)):
        return itemgetter(slice(first - 1, first - 1 + count))
    many: Callable[[Any], Sequence[int]] = itemgetter(*[v - 1 for v in variables])
    return many
