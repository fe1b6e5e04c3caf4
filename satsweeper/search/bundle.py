"""A bundle: some regions of the frontier in one live solver, to which clauses are only added."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from satsweeper.board.facts import Facts, Window
from satsweeper.reduce.regions import cells_of, classes
from satsweeper.reduce.residual import Residual
from satsweeper.solvers.backbone import Backbone
from satsweeper.solvers.opening import open_solver
from satsweeper.solvers.protocol import LiveSolver
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sink import SolverSink


class Bundle:
    """One live solver, the variables of its cells, and every model found in it.

    Models are kept across reveals as long as they still hold: what they show need not be asked.
    """

    def __init__(self, solver: LiveSolver, encoding: str, patient: bool) -> None:
        self.sink = SolverSink(solver)
        self.variable: dict[int, int] = {}
        self.constraints: list[Residual] = []
        self.models: list[list[int]] = []
        self.models_found = 0
        self.search: Backbone | None = None
        """The search under way; None when clauses came since the last one."""
        self.undecided: list[int] = []
        """Its cells that nothing has decided yet."""
        self.decided: dict[int, bool] = {}
        """Its other cells: True for a mine, False for a safe one."""
        self.classes: list[list[int]] = []
        """Cells that can change places with each other in every layout."""
        self.believe: Callable[[list[int]], None]
        """Check a model on the board and keep it; there is one once a search has begun."""
        self.looked_at = False
        """Whether its constraints were looked at without search."""
        self._refuted = False
        self._suggested: list[list[int]] = []
        """Layouts that no search has found, to be checked when one begins."""
        self.patient = patient
        """Whether to go on cell by cell where a question is stopped, or to give up at once."""
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
        self.models = [
            model
            for model in self.models
            if all(
                max(literals) <= len(model) and sum(model[v - 1] > 0 for v in literals) == need
                for literals, need in sums
            )
        ]

    def settle(self, decided: Mapping[int, bool]) -> None:
        """Tell the solver which cells are mines (True) or safe, as decided without it.

        Cells of other bundles are ignored.
        """
        told = {
            cell: self.variable[cell] if mine else -self.variable[cell]
            for cell, mine in decided.items()
            if cell in self.variable
        }
        if not told:
            return
        self.search = None
        literals = list(told.values())
        for literal in literals:
            self.sink.add_clause((literal,))
        self.models = [
            model for model in self.models if all(model[abs(v) - 1] == v for v in literals)
        ]
        self.decided.update((cell, decided[cell]) for cell in told)
        self.undecided = [cell for cell in self.undecided if cell not in told]

    def absorb(self, other: "Bundle") -> None:
        """Take over another bundle, whose solver is then closed."""
        self.add(other.constraints)
        self.settle(other.decided)
        other.sink.solver.close()

    def open_constraints(self) -> list[Residual]:
        """Its distinct constraints on undecided cells, less what is decided."""
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
        """Search for the backbone of its undecided cells; False when a limit stopped it."""
        cells = self.undecided
        if not cells:
            return True
        if self.search is None:
            variables = [self.variable[cell] for cell in cells]
            self._prepare_check(facts, cells, variables)
            self.classes = classes(self.open_constraints())
            exchange = [[self.variable[cell] for cell in group] for group in self.classes]
            self.search = Backbone(self.sink, variables, self.believe, exchange)
            for model in self._suggested:
                self.believe(model)
            self._suggested = []
            self.search.start(self.models)
        return self.search.run(limit, self.patient)

    def open_sums(self) -> list[tuple[list[int], int]]:
        """``open_constraints`` over its variables."""
        return [
            ([self.variable[cell] for cell in cells], need)
            for cells, need in self.open_constraints()
        ]

    def learn(
        self,
        decided: Mapping[int, bool],
        clauses: Iterable[Sequence[int]],
        layouts: Iterable[Container[int]],
        *,
        refuted: bool,
    ) -> dict[int, bool]:
        """Take note of what its constraints prove of its variables; the cells that are decided.

        ``layouts``: as the undecided variables that are mines; they spare questions.
        """
        self.looked_at = True
        self.search = None
        cell_of = {self.variable[cell]: cell for cell in self.undecided}
        told = {cell_of[v]: value for v, value in decided.items() if v in cell_of}
        self.settle(told)
        for clause in clauses:
            self.sink.add_clause(clause)
        mines = {self.variable[cell] for cell, mine in self.decided.items() if mine}
        variables = range(1, self.sink.num_vars + 1)
        self._suggested = [
            [v if v in mines or v in layout else -v for v in variables] for layout in layouts
        ]
        # Nobody searches where no cell is left, so it is seen to here that all numbers are met.
        self._refuted = refuted or (
            not self.undecided
            and any(
                sum([self.decided[cell] for cell in cells]) != need
                for cells, need in self.constraints
            )
        )
        return told

    @property
    def consistent(self) -> bool | None:
        """Whether its clues have a layout; None while the search has not found out."""
        if self._refuted:
            return False
        return None if self.search is None else self.search.consistent

    def _prepare_check(self, facts: Facts, cells: list[int], variables: list[int]) -> None:
        window = Window.around(facts, cells)
        pick = picker(variables)

        def believe(model: list[int]) -> None:
            window.check([cell for cell, v in zip(cells, pick(model), strict=True) if v > 0])
            self.models.append(model)
            self.models_found += 1

        self.believe = believe

    def take_proved(self) -> dict[int, bool]:
        """What the search has proved since the last call: True for a mine, False for safe."""
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

    def mines_in(self, model: list[int], cells: Iterable[int]) -> list[int]:
        """Those of ``cells`` that are mines in a model."""
        return [cell for cell in cells if model[self.variable[cell] - 1] > 0]


def new_bundle(solver: str, encoding: str, patient: bool) -> Bundle:
    """An empty bundle on a solver and with an encoder of these names."""
    return Bundle(open_solver(solver), encoding, patient)


def picker(variables: Sequence[int]) -> Callable[[list[int]], Sequence[int]]:
    """A function that picks the literals of these variables out of a model, in this order."""
    first, count = variables[0], len(variables)
    if variables[-1] == first + count - 1 and all(v == first + k for k, v in enumerate(variables)):
        return itemgetter(slice(first - 1, first - 1 + count))
    if count == 1:
        return itemgetter(slice(first - 1, first))
    many: Callable[[Any], Sequence[int]] = itemgetter(*[v - 1 for v in variables])
    return many
