"""The best solutions after a time limit: `satsweeper solve` beside CP-SAT and HiGHS.

Each contender gets each problem in a process of its own, within a limit of wall-clock time: run it
on a quiet machine. CP-SAT has two workers and HiGHS two threads; `solve` has one. The time to read
the file counts for `solve` alone: the others have it as constraints, or as MPS that we write.

A value with an asterisk is proved to be the best one; "none": no solution was found. Two proved
values that differ, and a value better than a proved one, are named. Files that cannot be read are
left out, and named.

Exit codes: 0 done; 1 such values (printed), or bad input; 2 wrong usage; 130 interrupted.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf import read_problem, write_problem
from pbcnf.constraints.problem import Problem
from pbcnf.errors import Error
from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits
from scripts.bench.output import describe, lines
from scripts.bench_solve import cp_sat_model
from scripts.frame.arguments import above_zero, ended, names_of, parser_of

_PROCESSORS: Final = 2
_LATE: Final = 30
"""Seconds that a contender may take beyond its limit, to read and to end."""


class Best(NamedTuple):
    """The best value in units of the file, None without a solution, and whether this is proved.

    Without an objective a solution has the value 0.
    """

    value: Fraction | None
    proved: bool

    def __str__(self) -> str:
        """Return the value as it stands in the table."""
        if self.value is None:
            return "infeasible" if self.proved else "none"
        return f"{self.value}{'*' if self.proved else ''}"


def command(path: Path, seconds: float) -> Best:
    """Return the best value of the command, and whether it says that this is the optimum."""
    options = ["--json", "--timeout", f"{seconds}s"]
    call = [sys.executable, "-P", "-m", "satsweeper", "solve", str(path), *options]
    told = json.loads(subprocess.run(call, capture_output=True, check=False).stdout)
    if told["value"] is not None:
        return Best(Fraction(told["value"]), told["status"] == "OPTIMUM FOUND")
    # Without an objective every solution is the best one.
    return Best(Fraction(0) if told["values"] else None, told["status"] != "UNKNOWN")


def cp_sat(path: Path, seconds: float) -> Best:
    """Return the best value of OR-Tools' CP-SAT."""
    from ortools.sat.python import cp_model

    problem = read_problem(path)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = _PROCESSORS
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(cp_sat_model(problem))
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    value = of_file(problem, solver.objective_value) if found else None
    return Best(value, status in (cp_model.OPTIMAL, cp_model.INFEASIBLE))


def highs(path: Path, seconds: float) -> Best:
    """Return the best value of HiGHS."""
    import highspy

    api: Any = highspy
    problem = read_problem(path)
    solver = api.Highs()
    options = {"output_flag": False, "threads": _PROCESSORS, "time_limit": seconds}
    for name, setting in {**options, "mip_rel_gap": 0.0}.items():
        solver.setOptionValue(name, setting)
    with tempfile.NamedTemporaryFile(suffix=".mps") as stream:
        write_problem(problem, stream, "mps")
        stream.flush()
        solver.readModel(stream.name)
    solver.run()
    status, info = solver.getModelStatus(), solver.getInfo()
    found = info.primal_solution_status == api.SolutionStatus.kSolutionStatusFeasible
    value = of_file(problem, info.objective_function_value) if found else None
    ends = (api.HighsModelStatus.kOptimal, api.HighsModelStatus.kInfeasible)
    return Best(value, status in ends)


def of_file(problem: Problem, value: float) -> Fraction:
    """Return a value of the objective, which has integers alone, in the units of the file."""
    return Fraction(round(value), problem.objective.scale) if problem.objective else Fraction(0)


CONTENDERS: Final[dict[str, Callable[[Path, float], Best]]] = {
    "solve": command,
    "CP-SAT": cp_sat,
    "HiGHS": highs,
}

EXAMPLE: Final = """examples:
  python scripts/bench_solve.py --each 1 --kinds knapsack:1000,facilities:100 --write large
  python scripts/bench_solutions.py --seconds 20 large"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = parser_of(__doc__, epilog=EXAMPLE)
    add = parser.add_argument
    add("problems", metavar="FILE", nargs="+", type=Path, help="files and folders")
    add("--contenders", metavar="NAMES", type=names_of(CONTENDERS), default=[*CONTENDERS],
        help=f"separated by commas ({','.join(CONTENDERS)})")  # fmt: skip
    add("--seconds", metavar="N", type=above_zero, default=20.0, help="for a contender (20)")
    arguments = parser.parse_args(argv)
    return ended("bench_solutions", lambda: _bench(arguments))


def _bench(arguments: argparse.Namespace) -> int:
    names = arguments.contenders
    print(*lines(describe()), sep="\n")
    print(f"{'problem':44} " + " ".join(f"{name:>14}" for name in names))
    wrong = 0
    for path in arguments.problems:
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        for file in files:
            try:
                maximise = (objective := read_problem(file).objective) and objective.maximise
            except (Error, ImportError, OSError) as error:
                sys.stderr.write(f"left out: {error}\n")
                continue
            found = [_measured(name, file, arguments.seconds) for name in names]
            wrong += not agree([best for best in found if isinstance(best, Best)], bool(maximise))
            cells = " ".join(f"{cell(best)[:14]:>14}" for best in found)
            print(f"{file.name[-44:]:44} {cells}", flush=True)
    if wrong:
        print(f"{wrong} problems whose values contradict each other")
    return 1 if wrong else 0


def cell(found: Best | Ended) -> str:
    """Return how a contender ended, as it stands in the table."""
    if isinstance(found, Ended) and "ModuleNotFoundError" in str(found):
        return "not installed"
    return str(found)


def _measured(name: str, path: Path, seconds: float) -> Best | Ended:
    limits = Limits(wall=seconds + _LATE)
    with Forked(lambda job: CONTENDERS[job[0]](*job[1:]), limits) as child:
        found: Best | Ended = child.ask((name, path, seconds))
    return found


def agree(found: Sequence[Best], maximise: bool) -> bool:
    """Whether no value is better than a proved one, which may be that there is no solution."""
    values = [-best.value if maximise else best.value for best in found if best.value is not None]
    return all(
        all(value >= (-best.value if maximise else best.value) for value in values)
        if best.value is not None
        else not values
        for best in found
        if best.proved
    )


if __name__ == "__main__":
    sys.exit(main())
