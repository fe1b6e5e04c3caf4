"""The backbone of some variables in a live solver: literals true in every model.

Candidates are struck out by models and proved by an unsatisfiable answer, as in CadiBack (Biere,
Froleyks, Wang, SAT 2023): the first model gives one candidate literal a variable; then the solver
is asked, under one assumption, for a model in which some candidate is false, and told to try the
opposite of all of them first, so that one model strikes out many. When no such model exists, all
that is left is proved at once. Where a budget stops that question, the candidates are asked about
one by one, so that a hard one does not hide the easy ones.
"""

from collections.abc import Callable, Iterable, Sequence

from satsweeper.board.facts import WrongModelError
from satsweeper.solvers.protocol import Answer, Satisfied, Unsatisfied
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sink import SolverSink


class Backbone:
    """One search for a backbone; it can be stopped by a budget and taken up again.

    Args:
        sink: the live solver and its variables.
        variables: the variables to decide.
        believe: called with every model before it is used; raises if the model is wrong.
        classes: sets of variables of which any two can change places in every model. A model in
            which such a set is mixed shows all of it both ways.
        assumptions: hold throughout.

    After :meth:`run`: ``consistent`` is None while it is not known whether any model exists,
    ``proved`` the backbone literals found, ``open`` the candidates neither struck out nor proved.
    """

    def __init__(
        self,
        sink: SolverSink,
        variables: Iterable[int],
        believe: Callable[[list[int]], None],
        classes: Sequence[Sequence[int]] = (),
        assumptions: Sequence[int] = (),
    ) -> None:
        self.consistent: bool | None = None
        self.proved: list[int] = []
        self.open: list[int] = []
        self._sink = sink
        self._variables = variables
        self._believe = believe
        self._classes = classes
        self._assumptions = list(assumptions)

    def start(self, models: Sequence[list[int]]) -> None:
        """Use models that are known already, so that nothing they show is asked again."""
        if models:
            self._first(models[0])
            for model in models[1:]:
                self._strike(model)

    def run(self, limit: SearchBudget, patient: bool = True) -> bool:
        """Search on until all is decided (True) or a budget or the time stops it (False).

        ``patient``: where the question about all candidates is stopped, go on one by one.
        """
        if self.consistent is None:
            answer = self._solve(limit)
            if isinstance(answer, Satisfied):
                self._believe(answer.model)
                self._first(answer.model)
            elif isinstance(answer, Unsatisfied):
                self.consistent = False
            else:
                return False
        solver = self._sink.solver
        while len(self.open) > 1:
            flips = [-literal for literal in self.open]
            selector = self._sink.new_var()
            solver.add_clause((-selector, *flips))
            solver.prefer(flips)
            answer = self._solve(limit, selector)
            solver.add_clause((-selector,))
            if isinstance(answer, Satisfied):
                self._take(answer.model)
            elif isinstance(answer, Unsatisfied):
                self._prove(self.open)
            elif patient:
                break
            else:
                return False
        return self._one_by_one(limit)

    def _one_by_one(self, limit: SearchBudget) -> bool:
        tried: set[int] = set()
        while left := [literal for literal in self.open if literal not in tried]:
            literal = left[0]
            tried.add(literal)
            answer = self._solve(limit, -literal)
            if isinstance(answer, Satisfied):
                self._take(answer.model)
            elif isinstance(answer, Unsatisfied):
                self._prove([literal])
        return not self.open

    def _solve(self, limit: SearchBudget, *assumptions: int) -> Answer:
        return limit.solve(self._sink.solver, [*self._assumptions, *assumptions])

    def _first(self, model: list[int]) -> None:
        self.consistent = True
        # A variable beyond the model's end is in no clause: it is free, hence no candidate.
        length = len(model)
        self.open = [model[v - 1] for v in self._variables if v <= length]
        if self._classes:
            self._strike(model)

    def _take(self, model: list[int]) -> None:
        self._believe(model)
        before = len(self.open)
        self._strike(model)
        if len(self.open) == before:
            raise WrongModelError("a solver's model does not hold the assumptions")

    def _strike(self, model: list[int]) -> None:
        true = set(model)
        mixed: set[int] = set()
        whole = []
        for group in self._classes:
            if 0 < sum([v in true for v in group]) < len(group):
                mixed.update(group)
            else:
                whole.append(group)
        self._classes = whole
        if mixed:
            self.open = [v for v in self.open if v in true and abs(v) not in mixed]
        else:
            self.open = [v for v in self.open if v in true]

    def _prove(self, literals: list[int]) -> None:
        self.proved += literals
        proved = set(literals)
        self.open = [literal for literal in self.open if literal not in proved]
