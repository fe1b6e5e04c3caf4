"""The backbone of some variables in a live solver: literals true in every model.

Candidates are struck out by models and proved by an unsatisfiable answer, as in CadiBack (Biere,
Froleyks, Wang, SAT 2023). The first model gives one candidate literal for each variable. Then the
solver is called with a temporary clause "some candidate is false", enabled by a selector, and
prefers all candidates false. A model strikes out every candidate that is false in the model; if
there is no model, all remaining candidates are proved at once. If a budget stops this question, the
solver is called once for each candidate, so that a hard candidate does not block the easy ones.
"""

from collections.abc import Callable, Iterable, Sequence

from satsweeper.board.facts import WrongModelError
from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.protocol import Answer, Satisfied, Unsatisfied
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sink import SolverSink


class Backbone:
    """A search for a backbone that a budget can stop, and that can be resumed.

    Invariant: every backbone literal is in ``open`` or in ``proved``, once a model is known.

    Args:
        sink: the live solver and its variables.
        variables: the variables to decide.
        accept_model: called with every model before it is used; raises if the model is wrong.
        interchangeable: sets of variables of which any two can change places in every model. A
            model in which some variables of a set are true and some are false shows that no
            variable of the set is in the backbone.
        assumptions: literals that are assumed in every question.

    After :meth:`run`: ``consistent`` is None while it is not known whether any model exists,
    ``proved`` the backbone literals found, ``open`` the candidates neither struck out nor proved.
    """

    def __init__(
        self,
        sink: SolverSink,
        variables: Iterable[int],
        accept_model: Callable[[list[int]], None],
        interchangeable: Sequence[Sequence[int]] = (),
        assumptions: Sequence[int] = (),
    ) -> None:
        self.consistent: bool | None = None
        self.proved: list[int] = []
        self.open: list[int] = []
        self._sink = sink
        self._variables = variables
        self._accept_model = accept_model
        self._interchangeable = interchangeable
        self._assumptions = list(assumptions)

    def start(self, models: Sequence[list[int]]) -> None:
        """Use known ``models``: strike out candidates that a model contradicts."""
        if models:
            self._first(models[0])
            for model in models[1:]:
                self._strike(model)

    def run(self, limit: SearchBudget, patient: bool = True) -> bool:
        """Search until all candidates are decided (True), or a budget or the time is used up.

        ``patient``: whether to go on with one question for each candidate if the question about all
        candidates is stopped. True is also the result if there is no model (``consistent``).
        """
        if self.consistent is None:
            answer = self._solve(limit)
            if isinstance(answer, Satisfied):
                self._accept_model(answer.model)
                self._first(answer.model)
            elif isinstance(answer, Unsatisfied):
                self.consistent = False
            else:
                return False
        solver = self._sink.solver
        while len(self.open) > 1:
            # "Some candidate is false" if the selector is true. Afterwards the unit clause
            # -selector satisfies the temporary clause for good.
            flips = [-literal for literal in self.open]
            selector = self._sink.new_var()
            solver.add_clause((-selector, *flips))
            solver.prefer(flips)
            answer = self._solve(limit, selector)
            solver.add_clause((-selector,))
            if isinstance(answer, Satisfied):
                self._take(answer.model)
            elif isinstance(answer, Unsatisfied):
                # In no model is any candidate false: all candidates are backbone literals.
                self._prove(self.open)
            elif patient:
                break
            else:
                return False
        return self._one_by_one(limit)

    def run_until(self, deadline: Deadline) -> None:
        """Search with larger and larger budgets, to the end or to the ``deadline``."""
        limit = SearchBudget(deadline)
        while not self.run(limit) and not deadline.passed():
            limit.widen()

    def _one_by_one(self, limit: SearchBudget) -> bool:
        """Ask one question for each open candidate; whether all of them are decided."""
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
        # A variable beyond the model's end is in no clause, so its literals are not in the
        # backbone.
        length = len(model)
        self.open = [model[v - 1] for v in self._variables if v <= length]
        if self._interchangeable:
            self._strike(model)

    def _take(self, model: list[int]) -> None:
        self._accept_model(model)
        before = len(self.open)
        self._strike(model)
        # The selector, or the assumed negation, requires some candidate to be false in the model;
        # a model that strikes out none is wrong.
        if len(self.open) == before:
            raise WrongModelError("a solver's model does not hold the assumptions")

    def _strike(self, model: list[int]) -> None:
        """Remove the candidates that are false in ``model``, or in one with cells exchanged."""
        true = set(model)
        mixed: set[int] = set()
        whole = []
        # All candidates of a set with true and false variables are struck out, so the set is
        # dropped from the list.
        for group in self._interchangeable:
            if 0 < sum([v in true for v in group]) < len(group):
                mixed.update(group)
            else:
                whole.append(group)
        self._interchangeable = whole
        if mixed:
            self.open = [v for v in self.open if v in true and abs(v) not in mixed]
        else:
            self.open = [v for v in self.open if v in true]

    def _prove(self, literals: list[int]) -> None:
        self.proved += literals
        proved = set(literals)
        self.open = [literal for literal in self.open if literal not in proved]
