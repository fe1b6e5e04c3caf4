#!/usr/bin/env python3
"""Build a release, try it on every Python here, and only then put it into a folder.

Whatever states the version, the date or what is needed is compared first. The sdist and the wheel
are built from the last commit, copied to a place with blanks and letters beyond ASCII in its name;
scripts/run sets itself up there. Each archive is then installed by pip into new environments of
every Python on PATH (from 3.11 on), with all extras too, and every command is run far from the
checkout; once more where nobody can write into what is installed.
An extra that has no package for a Python is left out there, and said to be.

--prepare VERSION gives what stands under Unreleased in the changelog that version and a date, in
every file that states them, and does nothing else; commit that, then make the release with --final.

Exit codes: 0 it could go out; 1 it could not, for the reasons that are printed; 2 wrong usage.

Example: scripts/release --python /usr/bin/python3.12 --no-extras
"""

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from time import monotonic
from typing import Any

# The scripts of this checkout are imported, from any current folder.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.frame.arguments import parser_of, ran
from scripts.releasing import environments as releases
from scripts.releasing.trials import Trials

ROOT = Path(__file__).resolve().parents[1]
ODD = "Frei gabe é ü"
"""Beginning of the name of the working folder, with blanks and letters outside ASCII."""


def main(argv: Sequence[str] | None = None) -> int:
    """Make a release; return the exit code."""
    parser = parser_of(__doc__)
    add = parser.add_argument
    add("--prepare", metavar="VERSION", help="only give a version to what is new")
    add("--final", action="store_true", help="refuse what is still unreleased")
    add("--python", metavar="PATH", type=Path, action="append", help="this one, not those on PATH")
    add("--no-extras", dest="extras", action="store_false", help="try no extras: quicker")
    add("-o", "--output", metavar="DIR", type=Path, default=ROOT / "dist", help="(dist)")
    add("--work", metavar="DIR", type=Path, help="where environments are made")
    arguments = parser.parse_args(argv)
    try:
        if arguments.prepare is not None:
            print("changed:", *releases.prepare(ROOT, arguments.prepare, date.today()))
            return 0
        wrong = releases.disagreements(ROOT)
        if arguments.final and releases.unreleased(ROOT):
            why = "CHANGELOG.md: what is unreleased needs a version: scripts/release --prepare"
            wrong.append(why)
        if wrong:
            raise releases.FailedError("\n".join(wrong))
        say("agreement: version, changelog, citation and documents say the same")
        options: dict[str, Any] = {"dir": arguments.work, "ignore_cleanup_errors": True}
        with tempfile.TemporaryDirectory(prefix=f"{ODD} ", **options) as work:
            return _made(arguments, Path(work))
    except releases.FailedError as error:
        print(error, file=sys.stderr)
        return 1


def say(line: str) -> None:
    """Print ``line`` without buffering."""
    print(line, flush=True)


def _made(arguments: argparse.Namespace, work: Path) -> int:
    pythons = releases.named(arguments.python) if arguments.python else releases.found()
    if not pythons:
        raise releases.FailedError("no Python from 3.11 on, with venv, is on PATH")
    say("Pythons: " + ", ".join(f"{python.name} ({python.path})" for python in pythons))
    checkout, tracked = _copied(work)
    sdist, wheel = releases.build(pythons[0].path, checkout, work)
    number = releases.version(checkout)
    wrong = releases.wrong_contents(sdist, wheel, tracked, number)
    if wrong:
        raise releases.FailedError("\n".join(wrong))
    say(f"built and looked into: {sdist.name}, {wheel.name}; twine takes their metadata")
    ended = ran([checkout / "scripts" / "run", "--version"])
    if ended.stdout != f"satsweeper {number}\n":
        last = (ended.stderr.strip() or ended.stdout.strip() or "nothing").splitlines()[-1]
        raise releases.FailedError(f"scripts/run --version in {checkout}: {last}")
    say("scripts/run sets itself up in a place with blanks and letters beyond ASCII in its name")
    project = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))["project"]
    known = frozenset(project["optional-dependencies"]) - {"all", "dev"}
    extras = known if arguments.extras else frozenset()
    trials = Trials(work, sdist, wheel, number, extras, say)
    for python in pythons:
        began = monotonic()
        trials.on(python)
        say(f"{python.name}: {monotonic() - began:.0f} s")
    wrong = [*trials.wrong, *trials.never_whole()]
    if wrong:
        why = f"{len(wrong)} wrong, so nothing goes out; the last: {wrong[-1]}"
        raise releases.FailedError(why)
    arguments.output.mkdir(parents=True, exist_ok=True)
    for path in (sdist, wheel):
        shutil.copy(path, arguments.output)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        say(f"{digest}  {arguments.output / path.name} ({path.stat().st_size} bytes)")
    if releases.unreleased(ROOT):
        say(
            "a rehearsal: the changelog holds what is unreleased; scripts/release --prepare VERSION"
        )
    return 0


def _copied(work: Path) -> tuple[Path, list[str]]:
    """Copy the last commit into a folder in ``work``; return the folder and its files."""
    checkout = work / "Quelle ß"
    checkout.mkdir()

    def git(*words: str) -> bytes:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout

    try:
        if git("status", "--porcelain"):
            say("what is not committed is not in it")
        archive = git("archive", "HEAD")
    except (OSError, subprocess.CalledProcessError):
        raise releases.FailedError(f"{ROOT}: not a checkout of git") from None
    subprocess.run(["tar", "-x", "-C", str(checkout)], input=archive, check=True)
    files = [path for path in checkout.rglob("*") if path.is_file() or path.is_symlink()]
    return checkout, sorted(path.relative_to(checkout).as_posix() for path in files)


if __name__ == "__main__":
    sys.exit(main())
