"""Build the manual: a folder of static pages that ask no other host for anything.

The documents of the repository, a page for each encoder and the public names from their docstrings
are gathered in a folder, and Sphinx makes pages of them. Its warnings are errors, and every link
between the pages is looked up.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from scripts.manual import api, encoders, pages

ROOT = Path(__file__).resolve().parents[1]
MADE = ".buildinfo"
"""Files by which a folder is recognised as a manual that Sphinx built."""


class CannotBuildError(Exception):
    """Something is missing or wrong; the message says what."""


def gather(into: Path) -> None:
    """Write the sources of all pages into an empty folder."""
    pages.gather(into)
    for folder, write in (("encoders", encoders.write), ("api", api.write)):
        (into / folder).mkdir()
        write(into / folder)


def build(sources: Path, folder: Path) -> None:
    """Make the sources anew, and pages of them; the folder is new or the last build."""
    if folder.exists() and any(folder.iterdir()) and not (folder / MADE).is_file():
        raise CannotBuildError(f"{folder} is not empty, and no manual")
    for old in (sources, folder):
        if old.exists():
            shutil.rmtree(old)
    sources.mkdir(parents=True)
    gather(sources)
    with tempfile.TemporaryDirectory() as cache:
        command = ["-m", "sphinx", "--builder", "html", "--conf-dir", str(ROOT / "docs"), "--quiet"]
        command += ["--fail-on-warning", "--keep-going", "--doctree-dir", cache]
        ended = subprocess.run(
            [sys.executable, "-P", *command, str(sources), str(folder)],
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONHASHSEED": "0"},
            check=False,
        )
    if ended.returncode:
        raise CannotBuildError("Sphinx had something to say, see above")
    if found := pages.faults(folder):
        raise CannotBuildError("\n".join(["links that lead nowhere", *found]))


def main(argv: Sequence[str] | None = None) -> int:
    """Build, and say where the manual is."""
    parser = argparse.ArgumentParser(prog="scripts/docs", description=__doc__)
    add = parser.add_argument
    add("-o", "--output", metavar="DIR", type=Path, default=ROOT / "dist" / "docs")
    add("--sources", metavar="DIR", type=Path, default=ROOT / "build" / "docs", help="of the pages")
    arguments = parser.parse_args(argv)
    folder = arguments.output.absolute()
    try:
        build(arguments.sources.absolute(), folder)
    except (CannotBuildError, OSError) as error:
        print(f"scripts/docs: {error}", file=sys.stderr)
        return 1
    print(f"{folder / 'index.html'}: {len(list(folder.rglob('*.html')))} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
