"""Random optimisation problems of six kinds, of any size, each as a file of its format."""

import io
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from random import Random
from time import process_time
from typing import Any, Final, NamedTuple

from pbcnf import read_problem
from pbcnf.constraints.constraint import Cardinality, Parity, PseudoBoolean
from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import encode_problem
from pbcnf.formula import Formula
from satsweeper.optimisation import Settings, solve
from satsweeper.optimisation.search import Cost


class Measured(NamedTuple):
    """The optimum, None if there is no model; CPU seconds from the constraints to the answer."""

    value: int | None
    seconds: float


def ours(problem: Problem, settings: Settings) -> int | None:
    """The answer of a contender."""
    return solve(problem, settings).value


def rc2(problem: Problem) -> int | None:
    """PySAT's RC2 on the clauses of our encoders, with the objective as soft clauses."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    assert problem.objective is not None
    cost = Cost.of(problem.objective)
    formula = Formula(problem.num_vars)
    for _ in encode_problem(problem.constraints, formula):
        pass
    wcnf = WCNF()
    for clause in formula.clauses():
        if not clause:
            return None
        wcnf.append(clause)
    for lit, weight in cost.terms.items():
        wcnf.append([-lit], weight=weight)
    wcnf.nv = max(wcnf.nv, formula.num_vars)
    with RC2(wcnf) as search:
        return None if search.compute() is None else cost.objective(search.cost)


def cp_sat(problem: Problem) -> int | None:
    """OR-Tools' CP-SAT on the constraints as they are."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables = [model.new_bool_var(f"x{i}") for i in range(problem.num_vars + 1)]

    def literal(lit: int) -> Any:
        return variables[lit] if lit > 0 else ~variables[-lit]

    for constraint in problem.constraints:
        lits = [literal(lit) for lit in constraint.lits]
        match constraint:
            case Cardinality(lower=1, upper=upper) if upper >= len(lits):
                model.add_bool_or(lits)
            case Parity(odd=odd):
                model.add_bool_xor([*lits, not odd])
            case Cardinality() | PseudoBoolean():
                weights = getattr(constraint, "weights", (1,) * len(lits))
                total = cp_model.LinearExpr.weighted_sum(lits, weights)
                model.add_linear_constraint(total, constraint.lower, constraint.upper)
    objective = problem.objective
    assert objective is not None
    aim = model.maximize if objective.maximise else model.minimize
    lits = [literal(lit) for lit in objective.lits]
    aim(cp_model.LinearExpr.weighted_sum(lits, objective.weights) + objective.constant)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL:
        raise ChildProcessError(f"CP-SAT: {solver.status_name(status)}")
    return round(solver.objective_value)


CONTENDERS: Final[dict[str, Callable[[Problem], int | None]]] = {
    "auto": partial(ours, settings=Settings()),
    "core-guided": partial(ours, settings=Settings("core-guided")),
    "linear": partial(ours, settings=Settings("linear")),
    "RC2": rc2,
    "CP-SAT": cp_sat,
}


def measured(request: tuple[str, Problem]) -> Measured:
    """Ask a contender, in this process."""
    name, problem = request
    begun = process_time()
    value = CONTENDERS[name](problem)
    return Measured(value, process_time() - begun)


def prepare() -> None:
    """Import the modules of all contenders, so that children inherit these modules."""
    import_module("ortools.sat.python.cp_model")
    import_module("pysat.examples.rc2")


class Named(NamedTuple):
    """A problem and where it comes from."""

    name: str
    problem: Problem


def knapsack(draw: Random, size: int) -> str:
    """OPB: the most value in two dimensions."""
    n = size
    rows = [f"max: {_sum((draw.randint(1, 50), i) for i in range(1, n + 1))} ;"]
    for _ in range(2):
        weights = [draw.randint(1, 30) for _ in range(n)]
        terms = _sum((weight, i) for i, weight in enumerate(weights, start=1))
        rows.append(f"{terms} <= {sum(weights) // 3} ;")
    return "\n".join(rows)


def set_cover(draw: Random, size: int) -> str:
    """OPB: the cheapest sets that hold every element twice."""
    sets, elements = 3 * size, 2 * size
    rows = [f"min: {_sum((draw.randint(1, 9), i) for i in range(1, sets + 1))} ;"]
    for _ in range(elements):
        chosen = draw.sample(range(1, sets + 1), 5)
        rows.append(f"{_sum((1, i) for i in chosen)} >= 2 ;")
    return "\n".join(rows)


def vertex_cover(draw: Random, size: int) -> str:
    """WCNF of 2022: the smallest vertex cover of a random graph."""
    n = 3 * size
    edges = {tuple(sorted(draw.sample(range(1, n + 1), 2))) for _ in range(3 * n)}
    hard = [f"h {a} {b} 0" for a, b in sorted(edges)]
    return "\n".join([*hard, *(f"1 -{i} 0" for i in range(1, n + 1))])


def max_sat(draw: Random, size: int) -> str:
    """WCNF of 2022: random clauses of three literals, a third of them hard, weights 1 to 10."""
    n = size
    rows = []
    for place in range(5 * n):
        lits = " ".join(str(draw.choice((-1, 1)) * i) for i in draw.sample(range(1, n + 1), 3))
        rows.append(f"h {lits} 0" if place % 3 == 0 else f"{draw.randint(1, 10)} {lits} 0")
    return "\n".join(rows)


def soft_sums(draw: Random, size: int) -> str:
    """WBO: random weighted sums, two thirds of them soft."""
    n = size
    rows = ["soft: ;"]
    for place in range(2 * n):
        chosen = draw.sample(range(1, n + 1), 5)
        weights = [draw.choice((-1, 1)) * draw.randint(1, 7) for _ in chosen]
        most = sum(weight for weight in weights if weight > 0)
        least = sum(weight for weight in weights if weight < 0)
        terms = _sum(zip(weights, chosen, strict=True))
        if place % 3 == 0:
            rows.append(f"{terms} >= {(most + 3 * least) // 4} ;")
        else:
            rows.append(f"[{draw.randint(1, 20)}] {terms} >= {(3 * most + least) // 4} ;")
    return "\n".join(rows)


def facilities(draw: Random, size: int) -> str:
    """OPB: which of many places are opened, and from which each customer is served."""
    customers, places = size, max(size // 3, 2)
    served = [[places * (1 + c) + p + 1 for p in range(places)] for c in range(customers)]
    opening = [(draw.randint(20, 60), place) for place in range(1, places + 1)]
    serving = [(draw.randint(1, 30), var) for row in served for var in row]
    rows = [f"min: {_sum([*opening, *serving])} ;"]
    for row in served:
        rows.append(f"{_sum((1, var) for var in row)} = 1 ;")
        rows += [f"-1 x{var} +1 x{place} >= 0 ;" for place, var in enumerate(row, start=1)]
    return "\n".join(rows)


KINDS: Final[dict[str, Callable[[Random, int], str]]] = {
    "knapsack": knapsack,
    "set_cover": set_cover,
    "vertex_cover": vertex_cover,
    "max_sat": max_sat,
    "soft_sums": soft_sums,
    "facilities": facilities,
}
_FORMATS: Final = {"vertex_cover": "wcnf", "max_sat": "wcnf", "soft_sums": "wbo"}


def written(kind: str, size: int, seed: int) -> tuple[str, str]:
    """Return a problem as a file: its name and text."""
    text = KINDS[kind](Random(f"{kind} {size} {seed}"), size) + "\n"
    return f"{kind}_{size}_{seed}.{_FORMATS.get(kind, 'opb')}", text


def drawn(kind: str, size: int, seed: int) -> Named:
    """Return a problem, read from its text."""
    name, text = written(kind, size, seed)
    return Named(name, read_problem(io.BytesIO(text.encode("ascii")), name))


def _sum(terms: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{weight:+d} x{i}" for weight, i in terms)
