"""Write the versions of all packages of this environment as constraints for pip.

One file is for every Python that the project supports: where a version is not for a Python, by what
its package states or for want of a wheel, a marker leaves that package free there. What has changed
against the file that is there is printed.

Example: .venv-newest/bin/python scripts/write_constraints.py --output scripts/constraints.txt
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

# The scripts of this checkout are imported, from any current folder.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from packaging.specifiers import SpecifierSet

from scripts.frame.arguments import parser_of, ran

PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
_LAST: Final = 30
"""A number larger than the third part of the version of any Python."""
_NOT_PINNED: Final = {"satsweeper", "pip", "setuptools"}
HEAD: Final = f"""\
# The versions with which all tests have passed, for Python {PYTHONS[0]} to {PYTHONS[-1]}. What
# scripts/run, scripts/test and scripts/docs install has these. scripts/renew_constraints writes it.
"""
_LINE = re.compile(r"^([\w.-]+)==([\w.+!]+)", re.MULTILINE)
_NO_PACKAGE = re.compile(r"No matching distribution found for ([\w.-]+)==")


def name_of(package: str) -> str:
    """Return the name of a package in the form by which pip compares names."""
    return re.sub(r"[-_.]+", "-", package).lower()


def markers_of(requires_python: str) -> list[str]:
    """Return markers that hold for exactly the `PYTHONS` that ``requires_python`` allows."""
    releases = [f"{python}.{last}" for python in PYTHONS for last in range(_LAST)]
    return [
        f'python_full_version {clause.operator} "{clause.version}"'
        for clause in sorted(SpecifierSet(requires_python), key=str)
        if not all(clause.contains(release) for release in releases)
    ]


def without_wheel(versions: Mapping[str, str], python: str) -> set[str]:
    """Return the packages whose version in ``versions`` has no wheel for ``python``, as "3.14"."""
    lacking: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "wanted.txt"
        pip = [sys.executable, "-I", "-m", "pip", "install", "--dry-run", "--no-deps", "--quiet"]
        pip += ["--disable-pip-version-check", "--no-input", "--ignore-installed"]
        pip += ["--target", folder, "--only-binary", ":all:", "--requirement", str(wanted)]
        while True:
            left = {name: held for name, held in versions.items() if name not in lacking}
            wanted.write_text("".join(_lines(left, {})))
            ended = ran([*pip, "--python-version", f"{python}.{_LAST}"])
            # pip names only the first package that it does not find, so the loop goes on.
            found = {name_of(name) for name in _NO_PACKAGE.findall(ended.stderr)} - lacking
            if ended.returncode and not found:
                sys.exit(f"pip failed for Python {python}:\n{ended.stderr}")
            if not found:
                return lacking
            lacking |= found


def _lines(versions: Mapping[str, str], markers: Mapping[str, list[str]]) -> Iterator[str]:
    for name, version in sorted(versions.items()):
        held = " and ".join(markers.get(name, []))
        yield f"{name}=={version}{'; ' if held else ''}{held}\n"


def versions_in(text: str) -> dict[str, str]:
    """Return the versions in a file of constraints, by the names of the packages."""
    return dict(_LINE.findall(text))


def main() -> None:
    """Write the file of constraints, and print which versions have changed."""
    parser = parser_of(__doc__)
    parser.add_argument("--output", metavar="FILE", type=Path, required=True)
    output: Path = parser.parse_args().output
    old = versions_in(output.read_text("utf-8")) if output.exists() else {}
    versions, markers = {}, {}
    for found in distributions():
        if (name := name_of(found.name)) not in _NOT_PINNED:
            versions[name] = found.version
            markers[name] = markers_of(str(found.metadata.json.get("requires_python", "")))
    for python in PYTHONS:
        for name in sorted(without_wheel(versions, python)):
            markers[name].append(f'python_version != "{python}"')
            print(f"{name} {versions[name]} has no wheel for Python {python}: free there")
    beside = output.with_name(f"{output.name}.new")
    beside.write_text(HEAD + "".join(_lines(versions, markers)), "utf-8")
    os.replace(beside, output)
    moved = [
        f"{name} {old.get(name, '(none)')} -> {versions.get(name, '(none)')}"
        for name in sorted(old.keys() | versions.keys())
        if old.get(name) != versions.get(name)
    ]
    print(*moved or ["the versions are those of before"], sep="\n")


if __name__ == "__main__":
    main()
