"""The archives of a release, tried on one Python after the other."""

import os
import re
import select
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from scripts.frame.arguments import Ran, ran
from scripts.releasing import environments
from scripts.releasing.smoke import FILES, ROWS, Row

_KEPT = ("SSL_CERT_FILE", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
_SECONDS = 600.0
"""Time limit of one run in seconds; compiling functions first takes a minute or two."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A virtual environment in which the package is installed.

    Args:
        folder: the folder of the environment.
        extras: the extras that are installed.
        version: the version of the package.
        before: words before every command, for example of a program that takes rights away.
        environment: additional environment variables.
    """

    folder: Path
    extras: frozenset[str]
    version: str
    before: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def program(self, name: str) -> Path:
        """Return the path of the program ``name`` of the environment."""
        return self.folder / "bin" / name


def smoke(where: Installed, rows: Sequence[Row] = ROWS) -> list[str]:
    """Run ``rows`` in a new folder, without the checkout; return a line for each row that fails."""
    with tempfile.TemporaryDirectory(prefix="Rauch test é ") as name:
        folder = Path(name)
        for path, text in FILES.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, "utf-8")
        (folder / "home").mkdir()
        code = "import pbcnf, satsweeper; print(pbcnf.__file__, satsweeper.__file__, sep='\\n')"
        ended = run([where.program("python"), "-c", code], where, folder)
        inside = [Path(path).is_relative_to(where.folder) for path in ended.stdout.splitlines()]
        wrong = [_wrong(row, where, folder) for row in rows if wanted(row, where.extras)]
        if inside != [True, True]:
            found = ended.stdout + ended.stderr
            wrong.insert(0, f"the packages are not those of the environment: {found}")
        return list(filter(None, wrong))


def wanted(row: Row, extras: frozenset[str]) -> bool:
    """Return whether a row is run in an installation with ``extras``."""
    return (not row.extra or row.extra in extras) and (not row.lacks or row.lacks not in extras)


def environment(where: Installed, folder: Path) -> dict[str, str]:
    """Return the environment variables of a run: none of the checkout, and a new home."""
    path = os.pathsep.join([str(where.program("")), os.environ.get("PATH", os.defpath)])
    kept = {k: v for k, v in os.environ.items() if k in _KEPT}
    own = {"PATH": path, "HOME": str(folder / "home"), "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
    return {**kept, **own, **where.environment}


def run(words: Sequence[str | Path], where: Installed, folder: Path) -> Ran:
    """Run a program of the environment in the folder."""
    variables = environment(where, folder)
    return ran([*where.before, *words], cwd=folder, env=variables, timeout=_SECONDS)


def _wrong(row: Row, where: Installed, folder: Path) -> str | None:
    """Return the fault of a run; None if exit code and output match the row."""
    words: list[str | Path] = [where.program(row.program), *row.words]
    told = " ".join([row.program, *map(shlex.quote, row.words)]).partition("\n")[0]
    fact = row.fact.replace("{version}", re.escape(where.version))
    try:
        if row.keys:
            command = [*where.before, *map(str, words)]
            code, said = typed(command, row.keys, fact, environment(where, folder), folder)
        else:
            ended = run(words, where, folder)
            code, said = ended.returncode, ended.stdout + ended.stderr
            if row.into:
                (folder / row.into).write_text(ended.stdout, "utf-8")
    except subprocess.TimeoutExpired:
        return f"{told}: not done within {_SECONDS:g} s"
    except OSError as error:
        return f"{told}: {error}"
    last = (said.strip() or "nothing").splitlines()[-1]
    if code != row.code:
        return f"{told}: exit code {code}, not {row.code}; it said last: {last}"
    if "Traceback" in said:
        return f"{told}: a traceback, which ends in: {last}"
    if not re.search(fact, said, re.MULTILINE):
        return f"{told}: nothing in what it said is {fact!r}; it said last: {last}"
    return None


def typed(
    command: Sequence[str], keys: str, fact: str, environment: Mapping[str, str], folder: Path
) -> tuple[int, str]:
    """Run a program on a terminal of 80x24, and type ``keys`` once its output matches ``fact``.

    Returns the exit code and the whole output.

    Raises:
        subprocess.TimeoutExpired: the program has not ended within two minutes.
    """
    import pty

    ours, theirs = pty.openpty()
    lines = {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    ends: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    own = {**environment, **lines}
    process = subprocess.Popen(command, **ends, env=own, cwd=folder, start_new_session=True)
    os.close(theirs)
    said, waiting, deadline = "", True, monotonic() + 120
    try:
        # Reading from the terminal raises OSError when the program has closed its end.
        with suppress(OSError):
            while process.poll() is None or select.select([ours], [], [], 0)[0]:
                if monotonic() > deadline:
                    raise subprocess.TimeoutExpired(command, 120)
                if select.select([ours], [], [], 0.1)[0]:
                    said += os.read(ours, 2**16).decode("utf-8", "replace")
                if waiting and re.search(fact, said):
                    os.write(ours, keys.encode())
                    waiting = False
        return process.wait(120), said
    finally:
        process.kill()
        process.wait()
        os.close(ours)


@dataclass
class Trials:
    """The trials of a release, and their outcomes.

    Args:
        work: a folder for the environments.
        sdist: the source archive.
        wheel: the wheel.
        version: the version of both archives.
        extras: the extras that are tried.
        say: called with a line about each step.
        wrong: a line for each fault.
        had: names of the Pythons for which the wheel could be installed.
        whole: names of the Pythons for which all extras could be installed.
    """

    work: Path
    sdist: Path
    wheel: Path
    version: str
    extras: frozenset[str]
    say: Callable[[str], None]
    wrong: list[str] = field(default_factory=list)
    had: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)

    def on(self, python: environments.Python) -> None:
        """Install and try wheel, sdist and extras on ``python``."""
        with self._environment(python, "wheel") as folder:
            environments.install(folder, self.wheel)
            self.had.append(python.name)
            environments.consistent(folder)
            self._smoke(python, "wheel", Installed(folder, frozenset(), self.version))
            self._read_only(python, "wheel", Installed(folder, frozenset(), self.version))
        if python.name not in self.had:
            return
        with self._environment(python, "sdist") as folder:
            environments.install(folder, self.sdist)
            self._smoke(python, "sdist", Installed(folder, frozenset(), self.version))
        if self.extras:
            with self._environment(python, "extras") as folder:
                self._with_extras(python, folder)

    def never_whole(self) -> list[str]:
        """Return a line if no Python could install the package, or none could install all extras.

        A single Python for which an extra has no package is no fault.
        """
        if self.had and (self.whole or not self.extras):
            return []
        what = "[all]" if self.had else ""
        return [f"satsweeper{what} could be installed for none of these Pythons"]

    def _with_extras(self, python: environments.Python, folder: Path) -> None:
        had = self.extras
        try:
            environments.install(folder, f"{self.wheel}[all]")
            self.whole.append(python.name)
            had |= {"all"}
        except environments.FailedError as error:
            without = environments.lacking(folder, self.wheel, sorted(had))
            for extra, why in without.items():
                self.say(f"{python.name}: the extra {extra} cannot be had: {why}")
            had -= frozenset(without)
            if not without or not had:
                self.wrong.append(f"{python.name}: {error}")
                return
            environments.install(folder, f"{self.wheel}[{','.join(sorted(had))}]")
        environments.consistent(folder)
        what = "wheel[all]" if "all" in had else f"wheel[{','.join(sorted(had))}]"
        where = Installed(folder, had, self.version)
        self._smoke(python, what, where)
        # With the extra fast, compiled functions are kept in the user's folder, as the environment
        # is read-only.
        self._read_only(python, what, where)

    def _read_only(self, python: environments.Python, what: str, where: Installed) -> None:
        with environments.read_only(where.folder) as before:
            if before is None:
                self.say(f"{python.name}: {what}, read-only: not tried, as root without setpriv")
                return
            where = replace(where, before=before)
            self._smoke(python, f"{what}, read-only", where)
            if "fast" in where.extras:
                homeless = replace(where, environment={"HOME": os.devnull})
                compiles = [row for row in ROWS if row.command == "advise"]
                self._smoke(python, f"{what}, read-only and no home", homeless, compiles)

    def _smoke(
        self, python: environments.Python, what: str, where: Installed, rows: Sequence[Row] = ROWS
    ) -> None:
        wrong = smoke(where, rows)
        tried = sum(wanted(row, where.extras) for row in rows)
        self.say(f"{python.name}: {what}: {tried} runs, {len(wrong)} wrong")
        for line in wrong:
            self.say(f"  {line}")
            self.wrong.append(f"{python.name}: {what}: {line}")

    @contextmanager
    def _environment(self, python: environments.Python, what: str) -> Iterator[Path]:
        folder = self.work / f"Umgebung {python.name} {what} ä"
        try:
            yield environments.make(python.path, folder)
        except environments.NoPackageError as error:
            self.say(f"{python.name}: {what}: left out, as others have no package: {error}")
        except environments.FailedError as error:
            self.say(f"{python.name}: {what}: {error}")
            self.wrong.append(f"{python.name}: {what}: {error}")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
