"""Report failures with versions of packages that scripts/constraints.txt does not name.

The oldest and the newest versions that pyproject.toml allows are installed, each in an environment
of its own, and the tests of whatever stands on packages of others are run there. What fails is run
again with one package after the other in its tested version: so each failure is told with the
version that brings it. What pytest says is in build/drift. Failures are told and are no error.

Example: .venv/bin/python scripts/drift.py
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree

# The scripts of this checkout are imported, from any current folder.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.frame.arguments import Ran, parser_of, ran
from scripts.write_constraints import name_of, versions_in

ROOT = Path(__file__).resolve().parents[1]
MINUTES: Final = 25
"""Time limit in minutes for the tests of both environments together."""
_LAST_WORDS: Final = 60
"""Time limit in seconds for pytest to report what has failed when it is interrupted."""
STAND_ALONE: Final = {"board", "checker", "data", "notation", "page", "pbcnf", "scripts"}
"""Folders of tests whose subjects import no other package than numpy, or are not installed."""
DOORS_OF_PBCNF: Final = ("pbcnf/formats/smtlib", "pbcnf/pysat")
"""Folders of tests of ``pbcnf`` whose subjects import packages of others."""


class Run(NamedTuple):
    """The result of a run of pytest.

    Args:
        passed: number of tests that passed.
        failed: names of the tests that failed.
        trouble: why pytest did not run to its end; empty if it did.
        shown: the text of the failures.
    """

    passed: int
    failed: tuple[str, ...]
    trouble: str = ""
    shown: str = ""


def folders() -> list[str]:
    """Return the folders of tests whose subjects import packages of others."""
    found = [path.name for path in sorted((ROOT / "tests").iterdir()) if path.is_dir()]
    return [
        f"tests/{name}"
        for name in [*found, *DOORS_OF_PBCNF]
        if name[0] not in "._" and name not in STAND_ALONE
    ]


class Environment:
    """The environment with the ``"oldest"`` or the ``"newest"`` versions.

    Args:
        which: ``"oldest"`` or ``"newest"``.
        deadline: the moment on the clock of ``monotonic`` at which running tests are ended.
    """

    def __init__(self, which: str, deadline: float) -> None:
        self.which = which
        self.deadline = deadline
        self.folder = ROOT / f".venv-{which}"
        self.python = self.folder / "bin" / "python"
        self.log = ROOT / "build" / "drift" / f"{which}.log"

    def prepare(self) -> str:
        """Install the versions; return the error in a line, or an empty text."""
        if self.which == "newest":
            shutil.rmtree(self.folder, ignore_errors=True)
        script = str(ROOT / "scripts" / "environment.sh")
        environment = {**os.environ, "SATSWEEPER_VERSIONS": self.which}
        ended = ran(["bash", "-c", '. "$0"; prepare dev said', script], env=environment)
        lines = ended.stderr.splitlines() or ["nothing said"]
        errors = [line for line in lines if "ERROR" in line] or lines
        return errors[-1] if ended.returncode else ""

    def versions(self) -> dict[str, str]:
        """Return the installed packages and their versions."""
        listed = json.loads(self._pip("list", "--format", "json").stdout)
        return {name_of(package["name"]): package["version"] for package in listed}

    def put(self, package: str, version: str) -> bool:
        """Install ``version`` of ``package`` without dependencies; return whether pip succeeded."""
        return not self._pip("install", "--no-deps", f"{package}=={version}").returncode

    def run(self, *selected: str) -> Run:
        """Run pytest with the arguments ``selected``: files, folders, tests and options."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        found = self.log.with_suffix(".xml")
        found.unlink(missing_ok=True)
        command = [str(self.python), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += ["-m", "not slow", f"--junitxml={found}", "-o", "junit_family=xunit1"]
        if self.which == "oldest":
            command += ["-W", "ignore::DeprecationWarning"]
        environment = {k: v for k, v in os.environ.items() if k != "SATSWEEPER_BROWSER"}
        with self.log.open("a") as log:
            own: dict[str, Any] = {"cwd": ROOT, "env": environment, "start_new_session": True}
            own |= {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": subprocess.STDOUT}
            child = subprocess.Popen([*command, *selected], **own)
            trouble = ""
            try:
                child.wait(max(0, self.deadline - monotonic()))
            except subprocess.TimeoutExpired:
                trouble = "the tests were not done in time"
                # Interrupted, pytest still says what has failed.
                child.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    child.wait(_LAST_WORDS)
            finally:
                if child.poll() is None:
                    os.killpg(child.pid, signal.SIGKILL)
                    child.wait()
        if not found.exists():
            trouble = trouble or f"pytest ended with exit code {child.returncode}: {self.log}"
            return Run(0, (), trouble)
        return results(found)._replace(trouble=trouble)

    def _pip(self, *words: str) -> Ran:
        return ran([self.python, "-I", "-m", "pip", "--disable-pip-version-check", *words])


def results(found: Path) -> Run:
    """Read the results of pytest from its JUnit file ``found``."""
    cases = list(ElementTree.parse(found).iter("testcase"))
    failed = [c for c in cases if c.find("failure") is not None or c.find("error") is not None]
    skipped = sum(case.find("skipped") is not None for case in cases)
    # A case of a module that could not be collected has no file, and the dotted name of the module
    # in place of the name of a test.
    names = [
        f"{case.get('file')}::{case.get('name')}"
        if case.get("file")
        else case.get("name", "").replace(".", "/") + ".py"
        for case in failed
    ]
    shown = "".join("".join(case.itertext()) for case in failed)
    passed = len(cases) - len(failed) - skipped
    return Run(passed, tuple(dict.fromkeys(names)), shown=shown)


def blamed(there: Environment, found: Run, tested: dict[str, str]) -> Iterator[str]:
    """Yield a line for each version that causes failures of ``found``, and one for the rest.

    Args:
        there: the environment in which the tests failed.
        found: the failures.
        tested: package -> the version with which all tests have passed.
    """
    installed = there.versions()
    moved = {name for name in tested.keys() & installed.keys() if installed[name] != tested[name]}
    left = set(found.failed)
    # The file `broken` marks an unfinished installation. If the script is interrupted before all
    # versions are restored, the next run makes the environment again.
    broken = there.folder / "satsweeper" / "installing"
    broken.touch()
    # The packages that occur most often in tracebacks are tried first, as the likeliest causes.
    for name in sorted(moved, key=lambda name: (-found.shown.count(f"/{name}/"), name)):
        if not left:
            break
        again = there.run(*sorted(left)) if there.put(name, tested[name]) else Run(0, (), "no")
        there.put(name, installed[name])
        cured = set() if again.trouble else left - set(again.failed)
        if cured:
            tests = ", ".join(sorted(cured))
            yield f"  {name} {installed[name]} (tested: {tested[name]}): {tests}"
        left -= cured
    broken.unlink()
    if left:
        yield f"  by no one version alone: {', '.join(sorted(left))}"


def report(there: Environment, alone: Sequence[str]) -> Iterator[str]:
    """Yield lines about the failures in an environment.

    ``alone`` are files of tests that must run in a process of their own.
    """
    tested = versions_in((ROOT / "scripts" / "constraints.txt").read_text("utf-8"))
    there.log.unlink(missing_ok=True)
    trouble = there.prepare()
    if trouble:
        yield f"{there.which}: could not be installed: {trouble}"
        return
    first = there.run("-n", "2", "--dist", "loadgroup", *folders())
    second = there.run(*alone) if alone and not first.trouble else Run(0, ())
    failed = (*first.failed, *second.failed)
    trouble = first.trouble or second.trouble
    if trouble:
        yield f"{there.which}: {trouble}"
        if failed:
            yield f"  failed until then: {', '.join(failed)}"
        return
    if not failed:
        yield f"{there.which}: all {first.passed + second.passed} tests passed"
        return
    again = there.run(*failed)
    number = first.passed + second.passed + len(failed)
    told = (
        f"{there.which}: {len(failed)} of {number} tests failed, and {len(again.failed)} of these"
    )
    yield f"{told} when they were run again: {there.log.relative_to(ROOT)}"
    yield from blamed(there, again, tested)


def newer() -> list[str] | None:
    """Return the upgrades that pip would make in this environment without constraints.

    None if pip fails.
    """
    pip = [sys.executable, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-input", "--dry-run", "--report", "-", "--no-build-isolation", "--upgrade"]
    ended = ran([*pip, "--upgrade-strategy", "eager", "hatchling", "-e", ".[dev]"], cwd=ROOT)
    if ended.returncode:
        return None
    found = [package["metadata"] for package in json.loads(ended.stdout)["install"]]
    return [f"{p['name']} {p['version']}" for p in found if name_of(p["name"]) != "satsweeper"]


def main() -> None:
    """Print what fails with the oldest and with the newest versions."""
    parser = parser_of(__doc__)
    parser.add_argument("alone", nargs="*", help="files of tests that need a process of their own")
    alone = parser.parse_args().alone
    deadline = monotonic() + 60 * MINUTES
    for which, left in (("newest", 2), ("oldest", 1)):
        if which == "newest":
            moved = newer()
            if not moved:
                known = "those of scripts/constraints.txt"
                known = known if moved == [] else "not known: pip failed"
                print(f"newest: the newest versions are {known}", flush=True)
                continue
            print(f"newest: what has moved: {', '.join(moved)}", flush=True)
        # Half of the time is for the newest versions, what is left for the oldest.
        now = monotonic()
        for line in report(Environment(which, now + (deadline - now) / left), alone):
            print(line, flush=True)


if __name__ == "__main__":
    main()
