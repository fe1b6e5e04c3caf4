"""Answers and CPU time of `solve` beside PySAT's RC2 and OR-Tools' CP-SAT with one worker.

Problems are files, folders of files, and random ones: knapsacks, set covers, vertex covers, MaxSAT,
soft weighted sums and facility locations, a seed each. Every contender gets every problem in a
process of its own, within a limit of CPU time; the encoding counts for those that need it. Every
two optima must agree. --write keeps the random ones as files, for `satsweeper solve`.

Exit codes: 0 done; 1 optima differ (printed), or bad input; 2 wrong usage; 130 interrupted.
"""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from typing import Any, Final, NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf import read_problem
from pbcnf.constraints.constraint import Cardinality, Parity, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.emission.whole_problems import encode_problem
from pbcnf.errors import Error
from pbcnf.formula import Formula
from satsweeper.optimisation import Settings, solve
from satsweeper.optimisation.search import Cost
from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits
from scripts.bench.output import describe, lines
from scripts.frame.arguments import above_zero, ended, names_of, parser_of


class Measured(NamedTuple):
    """The optimum, 0 without an objective, None if there is no model; CPU seconds to the answer.

    The time is that from the constraints on.
    """

    value: int | None
    seconds: float


def rc2(problem: Problem) -> int | None:
    """Return the optimum by PySAT's RC2, on the clauses of our encoders; None without a model.

    The objective becomes soft clauses.
    """
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    cost = Cost.of(problem.objective or Objective((), ()))
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


def cp_sat_model(problem: Problem) -> Any:
    """Return the model of OR-Tools' CP-SAT with the constraints and the objective as given."""
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
    objective = problem.objective or Objective((), ())
    aim = model.maximize if objective.maximise else model.minimize
    lits = [literal(lit) for lit in objective.lits]
    if lits:
        aim(cp_model.LinearExpr.weighted_sum(lits, objective.weights) + objective.constant)
    return model


def cp_sat(problem: Problem) -> int | None:
    """Return the optimum by OR-Tools' CP-SAT with one worker; None without a model."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(cp_sat_model(problem))
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL:
        raise ChildProcessError(f"CP-SAT: {solver.status_name(status)}")
    objective = problem.objective or Objective((), ())
    return round(solver.objective_value) if objective.lits else objective.constant


def ours(strategy: str) -> Callable[[Problem], int | None]:
    """Return a function that solves a problem by ``strategy``."""

    def answer(problem: Problem) -> int | None:
        found = solve(problem, Settings(strategy))
        return found.value if found.model is None or problem.objective else 0

    return answer


CONTENDERS: Final[dict[str, Callable[[Problem], int | None]]] = {
    **{name: ours(name) for name in ("auto", "core-guided", "branching", "linear")},
    "RC2": rc2,
    "CP-SAT": cp_sat,
}


def measured(request: tuple[str, Problem]) -> Measured:
    """Run a contender on a problem in this process; ``request`` is its name and the problem."""
    name, problem = request
    # Modules that are imported on first use do not count: small problems of all kinds import them.
    # HiGHS, in the extra `ilp`, and OR-Tools exclude each other. The smallest are enumerated, and
    # others get cuts.
    small = [drawn(kind, size, 1).problem for kind in KINDS for size in (9, 15)]
    for each in [*small, replace(small[0], objective=None)]:
        CONTENDERS[name](each)
    begun = cpu_time()
    value = CONTENDERS[name](problem)
    return Measured(value, cpu_time() - begun)


def cpu_time() -> float:
    """Return the CPU seconds of this process, exact where a limit on them is set."""
    # Under a limit the clock of the process goes on only with the ticks of the kernel.
    usage = getrusage(RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Named(NamedTuple):
    """A problem and its name, which is the name of a file."""

    name: str
    problem: Problem


def knapsack(draw: Random, size: int) -> str:
    """Return in OPB a knapsack problem with two weights for each item."""
    rows = [f"max: {_sum((draw.randint(1, 50), i) for i in range(1, size + 1))} ;"]
    for _ in range(2):
        weights = [draw.randint(1, 30) for _ in range(size)]
        terms = _sum((weight, i) for i, weight in enumerate(weights, start=1))
        rows.append(f"{terms} <= {sum(weights) // 3} ;")
    return "\n".join(rows)


def set_cover(draw: Random, size: int) -> str:
    """Return in OPB a set cover problem: the cheapest sets that hold every element twice."""
    sets, elements = 3 * size, 2 * size
    rows = [f"min: {_sum((draw.randint(1, 9), i) for i in range(1, sets + 1))} ;"]
    for _ in range(elements):
        chosen = draw.sample(range(1, sets + 1), 5)
        rows.append(f"{_sum((1, i) for i in chosen)} >= 2 ;")
    return "\n".join(rows)


def vertex_cover(draw: Random, size: int) -> str:
    """Return in WCNF of 2022 the problem of the smallest vertex cover of a random graph."""
    n = 3 * size
    edges = {tuple(sorted(draw.sample(range(1, n + 1), 2))) for _ in range(3 * n)}
    hard = [f"h {a} {b} 0" for a, b in sorted(edges)]
    return "\n".join([*hard, *(f"1 -{i} 0" for i in range(1, n + 1))])


def max_sat(draw: Random, size: int) -> str:
    """Return in WCNF of 2022 random clauses of three literals, a third hard, weights 1 to 10."""
    rows = []
    for place in range(5 * size):
        lits = " ".join(str(draw.choice((-1, 1)) * i) for i in draw.sample(range(1, size + 1), 3))
        rows.append(f"h {lits} 0" if place % 3 == 0 else f"{draw.randint(1, 10)} {lits} 0")
    return "\n".join(rows)


def soft_sums(draw: Random, size: int) -> str:
    """Return in WBO random weighted sums, two thirds of them soft."""
    rows = ["soft: ;"]
    for place in range(2 * size):
        chosen = draw.sample(range(1, size + 1), 5)
        weights = [draw.choice((-1, 1)) * draw.randint(1, 7) for _ in chosen]
        most, least = sum(w for w in weights if w > 0), sum(w for w in weights if w < 0)
        terms = _sum(zip(weights, chosen, strict=True))
        if place % 3 == 0:
            rows.append(f"{terms} >= {(most + 3 * least) // 4} ;")
        else:
            rows.append(f"[{draw.randint(1, 20)}] {terms} >= {(3 * most + least) // 4} ;")
    return "\n".join(rows)


def facilities(draw: Random, size: int) -> str:
    """Return in OPB a facility location problem: opening places, and serving each customer."""
    customers, places = size, max(size // 3, 2)
    served = [[places * (1 + c) + p + 1 for p in range(places)] for c in range(customers)]
    opening = [(draw.randint(20, 60), place) for place in range(1, places + 1)]
    serving = [(draw.randint(1, 30), var) for row in served for var in row]
    rows = [f"min: {_sum([*opening, *serving])} ;"]
    for row in served:
        rows.append(f"{_sum((1, var) for var in row)} = 1 ;")
        rows += [f"-1 x{var} +1 x{place} >= 0 ;" for place, var in enumerate(row, start=1)]
    return "\n".join(rows)


_ALL: Final = (knapsack, set_cover, vertex_cover, max_sat, soft_sums, facilities)
KINDS: Final[dict[str, Callable[[Random, int], str]]] = {each.__name__: each for each in _ALL}
_FORMATS: Final = {"vertex_cover": "wcnf", "max_sat": "wcnf", "soft_sums": "wbo"}


def written(kind: str, size: int, seed: int) -> tuple[str, str]:
    """Return the name and the text of the file of a random problem of ``kind``."""
    text = KINDS[kind](Random(f"{kind} {size} {seed}"), size) + "\n"
    return f"{kind}_{size}_{seed}.{_FORMATS.get(kind, 'opb')}", text


def drawn(kind: str, size: int, seed: int) -> Named:
    """Return the problem of `written`, parsed."""
    name, text = written(kind, size, seed)
    return Named(name, read_problem(io.BytesIO(text.encode("ascii")), name))


def _sum(terms: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{weight:+d} x{i}" for weight, i in terms)


EXAMPLE = """examples:
  python scripts/bench_solve.py --each 40 --size 12
  python scripts/bench_solve.py --each 2 --kinds max_sat:80,soft_sums:45,set_cover:28 --limit 10
  python scripts/bench_solve.py --each 0 FOLDER --limit 20"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = parser_of(__doc__, epilog=EXAMPLE)
    add = parser.add_argument
    add("problems", metavar="FILE", nargs="*", type=Path, help="files and folders")
    add("--each", metavar="N", type=int, default=10, help="of each kind (10)")
    add("--size", metavar="N", type=_size, default=15, help="of these (15)")
    add("--kinds", metavar="KIND:SIZE,...", type=_kinds, default=[(kind, None) for kind in KINDS],
        help=f"the kinds, also with a size of their own ({','.join(KINDS)})")  # fmt: skip
    add("--seed", metavar="N", type=int, default=1, help="of the first (1)")
    add("--write", metavar="DIR", type=Path, help="write the random problems there, and end")
    add("--contenders", metavar="NAMES", type=names_of(CONTENDERS), default=[*CONTENDERS],
        help=f"separated by commas ({','.join(CONTENDERS)})")  # fmt: skip
    add("--limit", metavar="SECONDS", type=above_zero, default=60.0, help="CPU time of a run (60)")
    add("--json", action="store_true", help="one JSON object a problem")
    arguments = parser.parse_args(argv)
    work = _write if arguments.write else _bench
    return ended("bench_solve", lambda: work(arguments))


def _bench(arguments: argparse.Namespace) -> int:
    names = arguments.contenders
    if not arguments.json:
        print(*lines(describe()), sep="\n")
        print(f"{'problem':44} {'optimum':>12} " + " ".join(f"{name:>12}" for name in names))
    wrong = agreed = 0
    for title, problem in _problems(arguments):
        found: dict[str, Measured | Ended] = {}
        for name in names:
            with Forked(measured, Limits(arguments.limit, memory=3 * 2**30)) as child:
                found[name] = child.ask((name, problem))
        values = {each.value for each in found.values() if isinstance(each, Measured)}
        wrong += len(values) > 1
        agreed += len(values) == 1 and all(isinstance(f, Measured) for f in found.values())
        optimum = " != ".join(map(str, values)) if values else "?"
        if arguments.json:
            cpu = {who: f.seconds if isinstance(f, Measured) else None for who, f in found.items()}
            how = {who: str(f) for who, f in found.items() if isinstance(f, Ended)}
            told = json.dumps({"problem": title, "optimum": optimum, "cpu": cpu, "ended": how})
        else:
            of = [f"{f.seconds:.3f}" if isinstance(f, Measured) else str(f) for f in found.values()]
            shown = title if len(title) <= 44 else f"...{title[-41:]}"
            told = f"{shown:44} {optimum:>12} " + " ".join(f"{cell[:12]:>12}" for cell in of)
        print(told, flush=True)
    if not arguments.json:
        print(f"{agreed} problems solved by all with one optimum, {wrong} with different ones")
    return 1 if wrong else 0


def _problems(arguments: argparse.Namespace) -> Iterator[Named]:
    for path in arguments.problems:
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        for file in files:
            try:
                problem = read_problem(file)
            except (Error, ImportError, OSError) as error:
                sys.stderr.write(f"left out: {error}\n")
                continue
            yield Named(os.path.relpath(file, path) if path != file else file.name, problem)
    yield from (drawn(*wanted) for wanted in _wanted(arguments))


def _wanted(arguments: argparse.Namespace) -> Iterator[tuple[str, int, int]]:
    """Yield kind, size and seed of each random problem."""
    for kind, size in arguments.kinds:
        for place in range(arguments.each):
            yield kind, size or arguments.size, arguments.seed + place


def _write(arguments: argparse.Namespace) -> int:
    arguments.write.mkdir(parents=True, exist_ok=True)
    for name, text in (written(*wanted) for wanted in _wanted(arguments)):
        (arguments.write / name).write_text(text, "ascii")
        print(arguments.write / name)
    return 0


def _kinds(text: str) -> list[tuple[str, int | None]]:
    """Return kinds, each with its size if the text gives a size."""
    words = [word.partition(":") for word in text.split(",")]
    for kind, _, _ in words:
        if kind not in KINDS:
            raise argparse.ArgumentTypeError(f"unknown kind {kind!r} (known: {', '.join(KINDS)})")
    return [(kind, _size(size) if colon else None) for kind, colon, size in words]


def _size(text: str) -> int:
    if text.isascii() and text.isdigit() and 5 <= int(text) <= 10_000:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no size: 5 to 10000")


if __name__ == "__main__":
    sys.exit(main())
