"""Running the smoke test in one installation."""

import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scripts.releasing.smoke import FILES, ROWS, Row
from scripts.releasing.terminal import typed

_SECONDS = 600.0
"""For one run; where machine code is made first that takes a minute or two."""
_KEPT = ("SSL_CERT_FILE", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")


@dataclass(frozen=True, slots=True)
class Installed:
    """A virtual environment in which the package is installed.

    Args:
        folder: of the environment.
        extras: those that are installed in it.
        version: of the package.
        before: what stands before a command, as a program that takes rights away.
        environment: more of it.
    """

    folder: Path
    extras: frozenset[str]
    version: str
    before: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def program(self, name: str) -> Path:
        """Where a program of the environment is."""
        return self.folder / "bin" / name


def smoke(where: Installed, rows: Sequence[Row] = ROWS) -> list[str]:
    """Run the rows in a folder of their own, without the checkout; a line for each that fails."""
    with tempfile.TemporaryDirectory(prefix="Rauch test é ") as name:
        folder = Path(name)
        for path, text in FILES.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, "utf-8")
        (folder / "home").mkdir()
        wrong = [_from_elsewhere(where, folder)]
        wrong += [_wrong(row, where, folder) for row in rows if wanted(row, where.extras)]
        return list(filter(None, wrong))


def wanted(row: Row, extras: frozenset[str]) -> bool:
    """Whether a row is for an installation with these extras."""
    return (not row.extra or row.extra in extras) and (not row.lacks or row.lacks not in extras)


def environment(where: Installed, folder: Path) -> dict[str, str]:
    """The variables that a run sees: nothing of the checkout, and a home of its own."""
    path = os.pathsep.join([str(where.program("")), os.environ.get("PATH", os.defpath)])
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    own = {"PATH": path, "HOME": str(folder / "home"), "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
    return {**kept, **own, **where.environment}


def run(
    words: Sequence[str | Path], where: Installed, folder: Path
) -> "subprocess.CompletedProcess[str]":
    """Run a program of the environment in the folder."""
    return subprocess.run(
        [*where.before, *map(str, words)],
        cwd=folder,
        env=environment(where, folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=_SECONDS,
        check=False,
    )


def _from_elsewhere(where: Installed, folder: Path) -> str | None:
    code = "import pbcnf, satsweeper; print(pbcnf.__file__, satsweeper.__file__, sep='\\n')"
    ended = run([where.program("python"), "-c", code], where, folder)
    found = ended.stdout.splitlines()
    inside = [path for path in found if Path(path).is_relative_to(where.folder)]
    if len(inside) == 2:
        return None
    return f"the packages are not those of the environment: {ended.stdout}{ended.stderr}"


def _wrong(row: Row, where: Installed, folder: Path) -> str | None:
    """Return the fault of a run; None if the run is as the row says."""
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
