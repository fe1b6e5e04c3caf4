"""What the suites of the three peers share: their facts, plain sums, solvers asked, a tally."""

import json
from collections import Counter
from contextlib import contextmanager
from functools import cache
from itertools import product
from pathlib import Path

from pysat.solvers import Solver

from pbcnf import Cardinality, Formula, PseudoBoolean, encode
from satsweeper.solvers.sink import SolverSink

DATA = Path(__file__).parents[1] / "data" / "peers"


def facts(peer):
    """The table of a peer by its name."""
    return json.loads((DATA / f"{peer}.json").read_text("utf-8"))


def literals_of(row):
    """The literals of a row: given, or inputs 1 .. n with the row's pattern of signs."""
    signs = row.get("signs", "+")
    inputs = range(1, row.get("inputs", 0) + 1)
    return row.get("lits", [-v if signs[(v - 1) % len(signs)] == "-" else v for v in inputs])


def bounds_of(row):
    """The lower and the upper bound of a row; None where there is none."""
    exactly = row.get("exactly")
    return row.get("at_least", exactly), row.get("at_most", exactly)


def constraint_of(row):
    lits = literals_of(row)
    if "weights" in row:
        return PseudoBoolean(lits, row["weights"], *bounds_of(row))
    return Cardinality(lits, *bounds_of(row))


def meets(row):
    """The oracle: a predicate of the frozen set of true variables, whether the bounds are met."""
    lits = literals_of(row)
    terms = [*zip(lits, row.get("weights", [1] * len(lits)), strict=True)]
    lower, upper = bounds_of(row)

    @cache
    def holds(true):
        value = sum(weight for lit, weight in terms if (abs(lit) in true) == (lit > 0))
        return (lower is None or lower <= value) and (upper is None or value <= upper)

    return holds


def table_of(n, holds):
    """All assignments of inputs 1 .. n, as literals, and whether each is allowed."""
    layouts = product((1, -1), repeat=n)
    fixed = [[sign * var for var, sign in enumerate(signs, start=1)] for signs in layouts]
    return [(lits, holds(frozenset(lit for lit in lits if lit > 0))) for lits in fixed]


def among(sat, n):
    """A predicate of the set of true variables, by the published list of what is allowed."""
    return lambda true: "".join("01"[var in true] for var in range(1, n + 1)) in sat


def live_through(steps, total, solver, tally, *case):
    """Take a counter through the steps of a case: hard clauses, inputs, bounds built and asked."""
    for number, (kind, *given) in enumerate(steps):
        if kind == "clauses":
            for clause in given[0]:
                solver.add_clause(clause)
            tally.check(solver.solve(), True, *case, "before the first bound")
        elif kind in {"add", "bounds"}:
            getattr(total, kind)(*given)
        else:
            bound, expected = given
            assumed = getattr(total, kind)(bound)
            step = f"step {number}: {kind} {bound}"
            tally.check(solver.solve(assumptions=assumed), expected, *case, step)


def clauses_of(row, encoder):
    """The clauses an encoder makes of a row; None where it cannot express the bounds."""
    when = row.get("when")
    formula = Formula(num_vars=max([abs(lit) for lit in literals_of(row)] + [when or 0]))
    try:
        encode(constraint_of(row), formula, encoder, when=when)
    except ValueError:
        return None
    return list(formula.clauses())


def models_of(row, holds, clauses, solver):
    """Enumerate the models, each assignment of the inputs once; return their number.

    Any model in which the bounds are not met is returned instead. One model more than the row
    promises ends the enumeration.
    """
    inputs = sorted({abs(lit) for lit in literals_of(row)})
    last = max([*inputs, *(abs(lit) for clause in clauses for lit in clause)], default=0)
    with Solver(solver, bootstrap_with=clauses) as asked:
        # Models tell the value of every input up to the last variable that the solver has met.
        asked.add_clause([last + 1])
        for number in range(row["models"] + 1):
            if not asked.solve():
                return number
            model = asked.get_model()
            found = [model[var - 1] for var in inputs]
            if not holds(frozenset(lit for lit in found if lit > 0)):
                return found
            asked.add_clause([-lit for lit in found])
    return row["models"] + 1


@contextmanager
def live(solver, num_vars, clauses=()):
    """A live solver and itself as the sink of clauses, with so many variables and these clauses."""
    with Solver(solver, bootstrap_with=clauses) as asked:
        sink = SolverSink(asked)
        sink.new_vars(num_vars)
        yield asked, sink


class Tally:
    """Counts what was checked, and remembers by name what is not as expected."""

    def __init__(self):
        self.checks = Counter()
        self.wrong = []

    def check(self, found, expected, part, *case):
        self.checks[part] += 1
        if found != expected:
            self.wrong.append(" ".join([part, *map(str, case)]) + f": {found}, not {expected}")

    def truth_table(self, solver, assumed, table, *case):
        """Ask for every assignment of a table: is there a model with it?"""
        for fixed, expected in table:
            self.check(solver.solve(assumptions=assumed + fixed), expected, *case, fixed)

    def settle(self, **least):
        """All was right, and no less was checked, part by part: nobody refused what it could do."""
        assert not self.wrong, "\n".join([f"{len(self.wrong)} wrong:", *self.wrong[:20]])
        assert self.checks.keys() == least.keys()
        missing = {part: least[part] - n for part, n in self.checks.items() if n < least[part]}
        assert not missing, f"so many checks were refused: {missing}"
