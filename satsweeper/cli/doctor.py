"""State of this installation: versions, packages, extras and how to get them, solvers, checkers.

Solvers are tried, each in a process of its own; programs on PATH answer two small questions. The
exit code is 0 if all that every command needs works, and 1 otherwise.
With the extra fast, play compiles what takes long, and keeps it for all environments of a user with
the same versions: --warm does all of that beforehand.

--json prints {"schema": "satsweeper/doctor/1", "works", "faults": [LINE], "versions": {NAME:
VERSION}, "packages": [{"name", "wanted", "version", "fault"}], "extras": [{"name", "brings",
"packages", "installed", "install"}], "libraries": [{"name", "package", "version", "install"}],
"solvers": [{"name", "works", "features", "why"}], "programs": [{"name", "path", "works", "why"}],
"checkers": [{"name", "path"}], "compiled": {"folder", "functions", "kept"}}. What is not there or
not known is null.
"""

import argparse
import platform
import re
import shutil
from collections.abc import Callable
from importlib import import_module, metadata
from typing import TYPE_CHECKING, Any, Final

from pbcnf.wording import install_hint
from satsweeper.cli.arguments import take_over_time_left
from satsweeper.cli.exit_codes import DONE, FAILED, LIMIT_REACHED, InputError
from satsweeper.cli.files import print_json
from satsweeper.cli.lifetime import compiled_work
from satsweeper.cli.options import JSON, option, timeout
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.standard_output import print_answer
from satsweeper.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLE: Final = """\
examples:
  satsweeper doctor
  satsweeper doctor --json
  satsweeper doctor --warm
"""

BRINGS: Final = {
    "smt": "files in SMT-LIB, engine smt",
    "cp": "engine cp_sat",
    "ilp": "engines ilp, lp and lp_relaxation",
    "scip": "engine scip",
    "plot": "report --html",
    "cluster": "compare --backend dask",
    "fast": "long simulate, generate and advise, fifty times faster",
    "tui": "play",
    "render": "render to PNG, GIF and WebP",
    "all": "all of these",
    "docs": "the manual: scripts/docs",
    "dev": "the tests and what checks the source code",
}
"""Extra -> what a user can do once the extra is installed."""

_IMPORTED: Final = {"python-sat": "pysat"}
"""Package -> module, for packages whose module has a different name."""

_REQUIREMENT: Final = re.compile(
    r"""([\w.-]+)(?:\[([\w,-]+)\])?\s*([^;]*?)\s*(?:;.*\bextra\s*==\s*["']([\w-]+)["'])?"""
)
_SECONDS: Final = 30.0
"""Limit in seconds of the trial of one solver, which normally takes half a second."""
_UNTRIED: Final = "not tried: the time was over"
"""The fault of a solver that was not tried before the time limit of the command."""


OPTIONS: Final = (
    timeout("what was not tried by then does not work, it says (exit code 124)"),
    option("--warm", "compile all that play may need, in half a minute or so"),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Examine the installation and print the result; return the exit code, 1 at a fault."""
    if arguments.warm:
        from satsweeper.play.kernel.compiled import COMPILES

        if not COMPILES:
            hint = install_hint("satsweeper[fast]")
            raise InputError(f"there is nothing to compile with: {hint}")
        from satsweeper.play.warm import STEPS, warm

        with compiled_work(arguments, "compiling", STEPS) as reach:
            warm(reach)
    found = examined(take_over_time_left(arguments))
    if arguments.json:
        print_json(found)
    else:
        from satsweeper.show.doctor import doctor_lines

        print_answer(*doctor_lines(found))
    if take_over_time_left(arguments) == 0:
        return LIMIT_REACHED
    return DONE if found["works"] else FAILED


def examined(seconds: float | None = None) -> dict[str, Any]:
    """Return the object that ``--json`` prints.

    Solvers that have not been tried after ``seconds`` are listed as not working, with the reason
    `_UNTRIED`; None is no limit.
    """
    from satsweeper.checker.external import programs
    from satsweeper.peers import PEERS
    from satsweeper.play.kernel.compiled import COMPILES
    from satsweeper.solvers.table import FAST, STRONG

    deadline = Deadline.after(seconds)

    def left() -> float:
        """Return the seconds for the next trial; 0 after the deadline."""
        seconds = deadline.left()
        return _SECONDS if seconds is None else min(_SECONDS, seconds)

    needs = _requirements()
    packages = [_package(name, wanted) for name, wanted in needs.pop("", [])]
    solvers = _solvers(left)
    faults = [f"{each['name']}: {each['fault']}" for each in packages if each["fault"]]
    # Commands need the two default solvers alone. A session is tried only if both of them work.
    needed = [each for each in solvers if each["name"] in (FAST, STRONG) and each["why"]]
    faults += [f"{each['name']}: {each['why']}" for each in needed] or _faults_of_a_session()
    compiled = None
    if COMPILES:
        from satsweeper.play.warm import kept

        compiled = kept()
    return {
        "schema": "satsweeper/doctor/1",
        "works": not faults,
        "faults": faults,
        "versions": {
            "satsweeper": __version__,
            "pbcnf": import_module("pbcnf").__version__,
            "python": platform.python_version(),
            "platform": f"{platform.system()} {platform.machine()}",
        },
        "packages": packages,
        "extras": [_extra(name, needed) for name, needed in needs.items()],
        "libraries": [
            {
                "name": name,
                "package": package,
                "version": _version(package),
                "install": install_hint(package),
            }
            for name, package in PEERS.items()
            if package != "satsweeper"
        ],
        "solvers": solvers,
        "programs": list(_programs(left)),
        "checkers": [{"name": name, "path": shutil.which(name)} for name in programs()],
        "compiled": compiled,
    }


def _requirements() -> dict[str, list[tuple[str, str]]]:
    """Return, for each extra, its packages and the versions required.

    The packages that every command needs are under the key "". The result is empty if the source
    code is used without being installed.
    """
    needs: dict[str, list[tuple[str, str]]] = {}
    try:
        lines = metadata.requires("satsweeper") or []
    except metadata.PackageNotFoundError:
        return needs
    for line in lines:
        if match := _REQUIREMENT.fullmatch(line):
            name, parts, wanted, extra = match.groups(default="")
            rows = needs.setdefault(extra, [])
            rows.append((name, wanted))
            # A part in brackets is a package, too: ``dask[distributed]`` needs distributed.
            rows += [(part, "") for part in parts.split(",") if part and name != "satsweeper"]
    # In the order of `BRINGS`; extras that `BRINGS` lacks come last.
    named = {extra: needs.pop(extra) for extra in ("", *BRINGS) if extra in needs}
    return named | needs


def _package(name: str, wanted: str) -> dict[str, Any]:
    """Return the state of a required package: its version, and the fault of its import, or None."""
    version, fault = _version(name), None
    try:
        import_module(_IMPORTED.get(name, name))
    except Exception as error:
        fault = f"cannot be imported: {error}"
    if version is None:
        fault = f"is not installed: {install_hint(name + wanted)}"
    return {"name": name, "wanted": wanted, "version": version, "fault": fault}


def _extra(name: str, needed: list[tuple[str, str]]) -> dict[str, Any]:
    packages = [
        {"name": package, "wanted": wanted, "version": _version(package)}
        for package, wanted in needed
    ]
    return {
        "name": name,
        "brings": BRINGS.get(name),
        "packages": packages,
        "installed": all(package["version"] is not None for package in packages),
        "install": install_hint(f"satsweeper[{name}]"),
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _solvers(left: Callable[[], float]) -> list[dict[str, Any]]:
    """Return the features of every solver in the table, each found by a trial."""
    import os
    from concurrent.futures import ThreadPoolExecutor

    from satsweeper.show.progress import progress
    from satsweeper.solvers.probe import probe
    from satsweeper.solvers.table import SOLVERS

    rows = []
    with progress("doctor", len(SOLVERS)) as reach, ThreadPoolExecutor(os.cpu_count()) as threads:
        tried = threads.map(lambda name: probe(name, left()) if left() else _UNTRIED, SOLVERS)
        for name, answer in zip(SOLVERS, tried, strict=True):
            why = answer if isinstance(answer, str) else None
            features = None if isinstance(answer, str) else answer._asdict()
            rows.append({"name": name, "works": why is None, "features": features, "why": why})
            reach(len(rows))
    return rows


def _faults_of_a_session() -> list[str]:
    """Return the faults of a session on a small board whose answer is known."""
    try:
        from satsweeper.engines.classify import classify
        from satsweeper.position import Position

        grid = classify(Position.parse("01?\n12?\n???\n"), plain=True).grid()
    except Exception as error:
        return [f"classify: {type(error).__name__}: {error}"]
    return [] if grid == ["01?", "12?", "??S"] else [f"classify: wrong verdicts {grid}"]


def _programs(left: Callable[[], float]) -> "Iterator[dict[str, Any]]":
    """Yield the known external programs, and whether each decides two small formulas correctly."""
    from satsweeper.solvers.programs import DIALECTS

    for name in DIALECTS:
        path = shutil.which(name)
        why = None if path is None else _wrong_with(name, left()) if left() else _UNTRIED
        yield {"name": name, "path": path, "works": path is not None and why is None, "why": why}


def _wrong_with(program: str, seconds: float) -> str | None:
    """Return why ``program`` does not work; None if it decides two small formulas correctly."""
    from pbcnf.formula import Formula
    from satsweeper.solvers.output import Claim
    from satsweeper.solvers.programs import EXTERNAL
    from satsweeper.solvers.solve_formula import solve_formula

    for clauses, right in (([[1, 2], [-1]], Claim.SATISFIABLE), ([[1], [-1]], Claim.UNSATISFIABLE)):
        formula = Formula(2)
        for clause in clauses:
            formula.add_clause(clause)
        try:
            claim = solve_formula(formula, EXTERNAL + program, seconds).claim
        except Exception as error:
            return str(error)
        if claim is not right:
            return f"it answers {claim.value}, where {right.value} is right"
    return None
