"""Branch and bound on the linear relaxation, whose refutations the solver learns as clauses.

A node is a list of decisions. A solver propagates them; what it makes true is fixed in the
relaxation. If the relaxation shows that no better model is left, the sum of rows that shows it is
checked in integers, and the fixed literals that it needs become a clause: every better model
makes one of them false. The solver then refutes the decisions, and its core says where the search
goes on: the tree is nowhere but in the clauses, and the search has ended when they contradict each
other. An integral optimum is a model, which is checked like any other. Nodes and whole problems
that leave few variables undecided are enumerated (`Enumeration`).

In between a neighbourhood of the best model is searched in the same way: most variables are decided
first, as the model has them, those first on which the relaxation agrees.

References: Land, Doig, An automatic method of solving discrete programming problems, Econometrica
28 (1960); Danna, Rothberg, Le Pape, Exploring relaxation induced neighborhoods to
improve MIP solutions, Mathematical Programming 102 (2005); Devriendt, Gleixner, Nordström, Learn to
relax: integrating 0-1 integer linear programming with pseudo-Boolean conflict-driven search,
Constraints 26 (2021).
"""

from collections.abc import Generator
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, Final

from pbcnf.constraints.constraint import Parity
from pbcnf.constraints.normal_form import sum_of
from pbcnf.literals import Lit
from satsweeper.linear.cuts import tightened
from satsweeper.linear.row_relaxation import RelaxationProof, RowRelaxation, relaxed
from satsweeper.optimisation.enumeration import PER, Enumeration, enumeration_of
from satsweeper.optimisation.pseudocosts import Pseudocosts
from satsweeper.optimisation.search import PAUSE, Search, SolverQuestion, Strategy
from satsweeper.solvers.protocol import Answer, Satisfied, Unsatisfied
from satsweeper.solvers.pysat import PysatSolver

if TYPE_CHECKING:
    from satsweeper.linear.highs import ProgramOutcome

_INTEGRAL: Final = 1e-6
_HALF: Final = 0.5
_NODE: Final = 600
"""Microseconds of a node; more for its iterations and for many terms."""
_ROUND: Final = 4_000
"""Microseconds of a round of cuts; more for its iterations and for many terms."""
_ASKED: Final = 200
"""Conflicts of a question about decisions that the relaxation does not settle."""
_FAILURES: Final = 100
"""Unanswered questions after which the strategy ends."""
_AT_ONCE: Final = 25
"""Fractional variables for each of which one more is decided at once before the first integral
optimum."""
_SUGGESTED: Final = 150
"""The node before which HiGHS is asked for a first solution, which takes as long as many nodes;
it is asked again after as many nodes more if it finds none."""
_LATER: Final = 1_000
"""The node before which it is asked where there is a solution."""
_EARLIER: Final = 10
"""The node before which it is asked where enumeration needs a good bound."""
_SMALL: Final = 20_000
"""Terms of a relaxation beyond which it is not asked."""
_LIMIT: Final = 5.0
"""The limit of seconds of the search of HiGHS for a solution."""
_SUGGESTION: Final = 150
"""Microseconds of the search of HiGHS for each term."""
_NEIGHBOURHOOD: Final = 60
"""Nodes of a neighbourhood."""
_BETWEEN: Final = 120
"""Nodes between two neighbourhoods, the first of which found something better."""
_FEW: Final = 20
"""Variables of a problem that is enumerated without a relaxation."""
_FEW_WORK: Final = 2_000_000
"""The limit on the entries of arrays then."""
_UNCUT: Final = 50
"""Undecided variables of a problem that is enumerated before there are cuts."""
_ROOT: Final = 120
"""Variables of a problem that is enumerated with cuts, and again with better bounds."""
_ROOT_WORK: Final = 10_000_000
"""The limit on the entries of arrays then; it is doubled each time."""
_SELDOM: Final = 8
"""Ratio of the other work until it is enumerated again to the work of enumeration."""
_NODE_WORK: Final = 500_000
"""The limit on the entries of arrays of a node."""
_REACH: Final = 24
"""Variables of a node at which it is enumerated, at first."""
_FIRST_DIVE: Final = 30
"""The largest number of nodes before there are cuts."""
_SOON: Final = 10
"""Nodes between the first integral optimum and the first neighbourhood."""
_SHARES: Final = (0.3, 0.98)
"""The least and the largest share of the variables that is fixed in a neighbourhood."""


class _BranchTree:
    """The state of the search: decisions, and the relaxation with what they imply."""

    def __init__(
        self,
        search: Search,
        relaxation: RowRelaxation,
        offset: int,
        enumeration: Enumeration | None,
    ) -> None:
        self.search = search
        self.relaxation = relaxation
        self.failures = 0
        self._enumeration = enumeration
        self._reach = _REACH
        """The limit on undecided variables of a node that is enumerated."""
        self._work = _ROOT_WORK
        """The limit on the entries of arrays when all better models are enumerated."""
        self._seen: int | None = None
        """The cost of the best model at the last enumeration."""
        self._hopeful = enumeration is not None and enumeration.columns <= _ROOT
        """Whether all better models may soon be enumerated."""
        later = search.charged + _SELDOM * _ROOT_WORK // PER
        self._again: float = later if self._hopeful else inf
        """The work of the search after which it is enumerated again."""
        self._offset = offset
        self._solver = skeleton(search)
        self._variables = search.problem.num_vars
        self._decisions: list[Lit] = []
        self._known: dict[Lit, None] = {}
        """Literals of all better models."""
        self._gains = Pseudocosts()
        self._step: tuple[Lit, float, float] | None = None
        """The last decision, its distance from the optimum, and the cost of that."""
        self._chosen: dict[Lit, tuple[Lit, float, float]] = {}
        """For each decision of pseudocosts the last step that took it."""
        self._root: RelaxationProof | None = None
        self._root_values: Any = None
        self._fixed_below: int | None = None
        self._random = Random(1)
        self.diving = True
        """Whether no integral optimum was found so far."""
        self._base = 0
        """The number of decisions that make a neighbourhood, 0 outside of one."""
        self._nodes = 0
        self._between = _BETWEEN
        """Nodes between two neighbourhoods; more of them after each that was in vain."""
        self._before: int | None = None
        """The cost of the best model when the last neighbourhood began."""
        self._left = _BETWEEN
        """Nodes until a neighbourhood begins or ends."""
        self._kept: list[Lit] = []
        """The decisions before the neighbourhood."""
        self._share = 0.8
        self._turned: set[Lit] = set()
        """Decisions whose other value was tried without a proof."""

    def close(self) -> None:
        """Free the solver of the decisions."""
        self._solver.close()

    @property
    def _upper(self) -> int | None:
        """The cost below which a model is better, without the constant part."""
        return None if self.search.upper is None else self.search.upper - self._offset

    def cut(self) -> Strategy:
        """Add cuts to the relaxation, and enumerate once more; decisions are taken back."""
        search, (terms, offset) = self.search, self.search.cost.linear
        self.relaxation.fix([])
        self._decisions, self._step, before = [], None, self.relaxation
        self.diving = True
        cuts = tightened(before, search.rows, terms, self._variables, search.left())
        for self.relaxation, outcome in cuts:
            search.charged += _ROUND + 8 * self.relaxation.terms
            search.charged += self.relaxation.program.iterations * (
                60 + self.relaxation.terms // 100
            )
            # How near the bound is to the best model tells which search is to have longer turns.
            proof = self.relaxation.proved(outcome)
            if proof is not None and proof.factor:
                search.raise_lower(-(-proof.least // proof.factor) + offset)
            yield PAUSE
            if search.closed:
                return
        if self._enumeration and self.relaxation is not before:
            work = _ROOT_WORK if terms else _NODE_WORK
            self._enumeration.finishes(work, _UNCUT, self.relaxation)

    def node(self) -> Generator[SolverQuestion, Answer, None]:
        """Search one node."""
        self._fix_at_root()
        self._nodes += 1
        first = self.search.upper is None
        after = (_EARLIER if self._hopeful else _SUGGESTED) if first else _LATER
        suggested = self._nodes == after or (first and self._nodes == 2 * after)
        if suggested:
            self._suggest(self._nodes > after)
        again = suggested or self._nodes % _SOON == 0
        again = again and self._hopeful and self.search.upper != self._seen
        if again and self._finished(_UNCUT):
            return
        if self.search.charged > self._again and self._finished(_ROOT):
            return
        self._enter_or_leave()
        implied = self._solver.propagate(self._decisions)
        if implied is None:
            answer = self._solver.solve(self._decisions)
            if isinstance(answer, Unsatisfied):
                self._exclude(answer.core)
            return
        # A decision that the solver leaves out follows from the clauses alone.
        self._known.update(dict.fromkeys({*self._decisions} - {*implied}))
        self.relaxation.fix([*self._known, *implied])
        outcome, proof = self._run()
        step, self._step = self._step, None
        if proof is not None and proof.factor:
            self._note(step, outcome, proof)
        if proof is None or self._refuted(proof):
            self.failures += proof is None
            self.diving = self.diving and self.search.upper is None
            return
        if outcome.status == "optimal":
            import numpy as np

            whole = np.array(outcome.values[: self._variables])
            columns = ((whole > _INTEGRAL) & (whole < 1 - _INTEGRAL)).nonzero()[0].tolist()
            if columns and self._enumerated([*self._known, *implied], proof):
                return
            if columns and self.diving:
                # A first model is wanted: what is nearly 1 becomes 1, which decides most.
                columns.sort(key=lambda column: -whole[column])
                self._decisions += [
                    column + 1 for column in columns[: 1 + len(columns) // _AT_ONCE]
                ]
                return
            if columns:
                column = self._gains.best(columns, whole)
                distance = 1 - float(whole[column])
                self._step = column + 1, distance, proof.least / proof.factor
                self._chosen[column + 1] = self._step
                self._decisions.append(column + 1)
                return
            values, most = outcome.values, self._variables
            model = [var if values[var - 1] > _HALF else -var for var in range(1, most + 1)]
            if not self.search.problem.holds({*model}):
                # It breaks a parity, which is not in the relaxation, or the doubles are wrong.
                yield from self._ask(model)
                return
            self.search.take(Satisfied(model))
            if self.diving:
                self.diving, self._left = False, _SOON
            if self._refuted(proof):
                return
        yield from self._ask(self._decisions)

    def _finished(self, most: int) -> bool:
        """Enumerate all better models; return whether that ended the search.

        ``most``: the limit on undecided variables.
        """
        assert self._enumeration is not None
        before, self._seen = self.search.charged, self.search.upper
        known = [*self._known]
        if self._enumeration.finishes(self._work, most, self.relaxation, known):
            return True
        if most == _ROOT:
            self._work *= 2
            self._again = self.search.charged + _SELDOM * (self.search.charged - before + _NODE)
        return False

    def _enumerated(self, known: list[Lit], proof: RelaxationProof) -> bool:
        """Whether all assignments were looked at that have ``known`` and are better."""
        if self._enumeration is None or (self.diving and self._decisions):
            return False
        if self._enumeration.undecided(known, proof) > self._reach:
            return False
        closed, tried = self._enumeration.closes(known, _NODE_WORK, proof, self._reach)
        if closed:
            self._reach += 1
            self._add([-lit for lit in self._decisions])
        elif tried:
            self._reach = max(self._reach - 2, 8)
        return closed

    def _suggest(self, thorough: bool) -> None:
        """Take what HiGHS finds for the whole program, where that is a better model."""
        if self.relaxation.terms > _SMALL:
            return
        self.relaxation.fix([*self._known])
        left = self.search.left()
        seconds = _LIMIT if left is None else min(left, _LIMIT)
        values = self.relaxation.program.whole(self._variables, seconds, thorough)
        self.search.charged += _SUGGESTION * self.relaxation.terms
        model = [
            var if value > _HALF else -var for var, value in enumerate(values[: self._variables], 1)
        ]
        if model and self.search.problem.holds({*model}):
            self.search.take(Satisfied(model))
            self.diving = False

    def _note(
        self,
        step: tuple[Lit, float, float] | None,
        outcome: "ProgramOutcome",
        proof: RelaxationProof,
    ) -> None:
        """Learn from the bound of an optimum: of the last decision, or of all better models."""
        cost = proof.least / proof.factor
        if step is not None:
            lit, distance, before = step
            self._gains.learn(lit, distance, cost - before)
        if not self._decisions:
            if (
                self._root is None
                or proof.least * self._root.factor > self._root.least * proof.factor
            ):
                self._root, self._fixed_below = proof, None
                self.search.note((), proof)
            self._root_values = self.search.relaxed = outcome.values
            self.search.raise_lower(-(-proof.least // proof.factor) + self._offset)

    def _run(self) -> tuple["ProgramOutcome", RelaxationProof | None]:
        """Solve the relaxation; return its outcome, and the bound or refutation that it proves."""
        outcome = self.relaxation.run(self.search.left())
        terms, iterations = self.relaxation.terms, self.relaxation.program.iterations
        self.search.charged += _NODE + terms // 16 + iterations * (30 + terms // 250)
        return outcome, self.relaxation.proved(outcome)

    def _ask(self, decisions: list[Lit]) -> Generator[SolverQuestion, Answer, None]:
        """Ask the solver of all constraints where the relaxation has no answer."""
        answer = yield SolverQuestion(decisions, _ASKED)
        if isinstance(answer, Unsatisfied):
            # The relaxation does not know the clause: its literals are decided, so that the solver
            # refutes them in the next node.
            self._decisions += [lit for lit in answer.core if lit not in self._decisions]
            self._add([-lit for lit in answer.core])
            return
        if isinstance(answer, Satisfied):
            self.search.take(answer)
        self.failures += 1
        # Neither settled: the other value of the last decision is tried, as far as it was not yet.
        while self._decisions:
            lit = self._decisions.pop()
            if -lit not in self._turned:
                self._turned.add(lit)
                self._decisions.append(-lit)
                break

    def _refuted(self, proof: RelaxationProof) -> bool:
        """Whether there is no better model here; the reason becomes a clause."""
        if not proof.reaches(self._upper):
            return False
        needed = proof.needed(self._upper)
        self._add([-lit for lit in needed if lit not in self._known], proof)
        return True

    def _exclude(self, core: list[Lit]) -> None:
        """Add the clause of ``core``, and keep the decisions before its second last one."""
        self._add([-lit for lit in core])
        held = {*core}
        places = [place for place, lit in enumerate(self._decisions) if lit in held]
        left = places[-2] + 1 if len(places) > 1 else 0
        if left == len(self._decisions) - 1 and self._decisions[-1] in self._chosen:
            # The other value follows where the decision was taken, and its gain will be known.
            lit, distance, cost = self._chosen[self._decisions[-1]]
            self._step = -lit, 1 - distance, cost
        del self._decisions[left:]

    def _fix_at_root(self) -> None:
        """Make true what the reduced costs at the root ask of every better model."""
        upper = self._upper
        if self._root is None or upper is None or upper == self._fixed_below:
            return
        self._fixed_below = upper
        for lit in self._root.forced(upper):
            if lit not in self._known and abs(lit) <= self._variables:
                self._add([lit], self._root)

    def _add(self, clause: list[Lit], proof: RelaxationProof | None = None) -> None:
        """Add a clause of all better models to both solvers; an empty one ends the search.

        ``proof``: the sum of rows that proves it, None if a solver has refuted its negation.
        """
        self.search.note(clause, proof)
        if not clause:
            self.search.exhaust()
            return
        if len(clause) == 1:
            # The solver does not tell later what follows from its clauses alone.
            self._known.update(dict.fromkeys(self._solver.propagate(clause) or clause))
            self._known[clause[0]] = None
        self._solver.add_clause(clause)
        self.search.sink.add_clause(clause)

    def _enter_or_leave(self) -> None:
        """Begin a neighbourhood of the best model, or end one, when it is time."""
        self._left -= 1
        if self._base:
            # The decisions that make the neighbourhood were refuted: nothing in it is better.
            closed = len(self._decisions) < self._base
            if closed or self._left <= 0:
                least, most = _SHARES
                self._share = min(max(self._share + (-0.1 if closed else 0.03), least), most)
                vain = self.search.upper == self._before
                self._between = 2 * self._between if vain else _BETWEEN
                self._base, self._left = 0, self._between
                self._decisions, self._step = self._kept, None
        elif self._left <= 0 and self.search.model is not None and self._root_values is not None:
            values = self._root_values
            free = [lit for lit in self.search.model if lit not in self._known]
            key = {
                lit: abs(values[abs(lit) - 1] - (lit > 0)) + _HALF * self._random.random()
                for lit in free
            }
            fixed = sorted(free, key=lambda lit: key[lit])[: round(self._share * len(free))]
            if fixed:
                self._kept, self._decisions, self._step = self._decisions, fixed, None
                self._base, self._before = len(fixed), self.search.upper
            self._left = _NEIGHBOURHOOD


def skeleton(search: Search) -> PysatSolver:
    """Return a solver with the constraints of the problem that are clauses or have no weights.

    They are native constraints there, without variables of an encoding, so that propagation takes
    a fraction of the time that it takes with the whole encoding. Weights are left to the
    relaxation.
    """
    solver = PysatSolver("minicard")
    solver.add_clause([search.problem.num_vars, -search.problem.num_vars])
    for constraint in search.problem.constraints:
        form = None if isinstance(constraint, Parity) else sum_of(constraint)
        if form is None:
            continue
        for lit in form.units:
            solver.add_clause([lit])
        clause = form.clause()
        if clause is not None:
            solver.add_clause(clause)
        elif form.lits and max(form.weights) == 1:
            number = len(form.lits)
            if form.upper < number:
                solver.add_at_most(form.lits, form.upper)
            if form.lower == 1:
                solver.add_clause(form.lits)
            elif form.lower > 1:
                solver.add_at_most([-lit for lit in form.lits], number - form.lower)
    return solver


def branching(search: Search) -> Strategy:
    """Search by decisions on fractional variables: a generator of few questions."""
    # Simple problems end before the relaxation is asked for, which takes long to import.
    yield PAUSE
    terms, offset = search.cost.linear
    # A proof of the answer has no steps for enumerations and cuts, so that none are made for one.
    enumeration = None if search.logs_clauses else enumeration_of(search)
    few = enumeration is not None and enumeration.columns <= _FEW
    if enumeration and few and enumeration.finishes(_FEW_WORK, _FEW):
        return
    relaxation = relaxed(search.rows, terms, search.problem.num_vars)
    if relaxation is None:
        return
    # Without an objective nothing but the rows tells what is left.
    work = _ROOT_WORK if search.cost.terms else _NODE_WORK
    if enumeration is not None and enumeration.finishes(work, _UNCUT, relaxation):
        return
    tree = _BranchTree(search, relaxation, offset, enumeration)
    try:
        # A first solution tells how much cuts have to gain.
        for _ in range(_FIRST_DIVE if search.cost.terms and not search.logs_clauses else 0):
            if search.closed or not tree.diving:
                break
            yield PAUSE
            yield from tree.node()
        if not search.logs_clauses:
            yield from tree.cut()
        while not search.closed and tree.failures < _FAILURES:
            yield PAUSE
            yield from tree.node()
    finally:
        tree.close()
