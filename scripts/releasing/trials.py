"""The archives of a release, tried on one Python after the other."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scripts.releasing.environments import (
    FailedError,
    NoPackageError,
    Python,
    consistent,
    install,
    lacking,
    make,
    read_only,
)
from scripts.releasing.running import Installed, smoke, wanted
from scripts.releasing.smoke import ROWS, Row

_COMPILES = [row for row in ROWS if row.command == "advise"]


@dataclass
class Trials:
    """The trials of a release, and their outcomes.

    Args:
        work: a folder for the environments.
        sdist: an archive.
        wheel: an archive.
        version: of both.
        extras: to be tried.
        say: told of each step.
        wrong: what went wrong, a line each.
        had: the Pythons that it could be installed for.
        whole: those that had all extras.
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

    def on(self, python: Python) -> None:
        """Install and try everything on a Python."""
        with self._environment(python, "wheel") as folder:
            install(folder, self.wheel)
            self.had.append(python.name)
            consistent(folder)
            self._smoke(python, "wheel", folder)
            self._read_only(python, "wheel", folder)
        if python.name not in self.had:
            return
        with self._environment(python, "sdist") as folder:
            install(folder, self.sdist)
            self._smoke(python, "sdist", folder)
        if self.extras:
            with self._environment(python, "extras") as folder:
                self._with_extras(python, folder)

    def never_whole(self) -> list[str]:
        """Complain of extras that no Python could install: no single Python is to blame then."""
        if not self.had:
            return ["satsweeper could be installed for none of these Pythons"]
        if not self.extras or self.whole:
            return []
        return ["satsweeper[all] could be installed for none of these Pythons"]

    def _with_extras(self, python: Python, folder: Path) -> None:
        had = self.extras
        try:
            install(folder, f"{self.wheel}[all]")
            self.whole.append(python.name)
            had |= {"all"}
        except FailedError as error:
            without = lacking(folder, self.wheel, sorted(had))
            for extra, why in without.items():
                self.say(f"{python.name}: the extra {extra} cannot be had: {why}")
            had -= frozenset(without)
            if not without or not had:
                self.wrong.append(f"{python.name}: {error}")
                return
            install(folder, f"{self.wheel}[{','.join(sorted(had))}]")
        consistent(folder)
        what = "wheel[all]" if "all" in had else f"wheel[{','.join(sorted(had))}]"
        self._smoke(python, what, folder, had)
        # Here machine code is kept, in the user's folder or nowhere.
        self._read_only(python, what, folder, had)

    def _read_only(
        self, python: Python, what: str, folder: Path, extras: frozenset[str] = frozenset()
    ) -> None:
        with read_only(folder) as before:
            if before is None:
                self.say(f"{python.name}: {what}, read-only: not tried, as root without setpriv")
                return
            self._smoke(python, f"{what}, read-only", folder, extras, before)
            if "fast" in extras:
                more = {"HOME": os.devnull}
                label = f"{what}, read-only and no home"
                self._smoke(python, label, folder, extras, before, more, _COMPILES)

    def _smoke(
        self,
        python: Python,
        what: str,
        folder: Path,
        extras: frozenset[str] = frozenset(),
        before: tuple[str, ...] = (),
        more: Mapping[str, str] | None = None,
        rows: "list[Row] | tuple[Row, ...]" = ROWS,
    ) -> None:
        where = Installed(folder, extras, self.version, before, more or {})
        wrong = smoke(where, rows)
        tried = sum(wanted(row, extras) for row in rows)
        self.say(f"{python.name}: {what}: {tried} runs, {len(wrong)} wrong")
        for line in wrong:
            self.say(f"  {line}")
            self.wrong.append(f"{python.name}: {what}: {line}")

    @contextmanager
    def _environment(self, python: Python, what: str) -> Iterator[Path]:
        folder = self.work / f"Umgebung {python.name} {what} ä"
        try:
            yield make(python.path, folder)
        except NoPackageError as error:
            self.say(f"{python.name}: {what}: left out, as others have no package: {error}")
        except FailedError as error:
            self.say(f"{python.name}: {what}: {error}")
            self.wrong.append(f"{python.name}: {what}: {error}")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
