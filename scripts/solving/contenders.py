"""Who optimises: our strategies, PySAT's RC2 on our clauses, and CP-SAT with one worker."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from time import process_time
from typing import Any, Final, NamedTuple

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
    """What `solve` answers."""
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
    """Ask one of them, in this process."""
    name, problem = request
    begun = process_time()
    value = CONTENDERS[name](problem)
    return Measured(value, process_time() - begun)


def prepare() -> None:
    """Import what contenders need, so that children have it already."""
    import_module("ortools.sat.python.cp_model")
    import_module("pysat.examples.rc2")
