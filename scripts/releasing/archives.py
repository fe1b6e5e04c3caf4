"""The two archives of a release: built, and looked into."""

import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from pathlib import Path

from scripts.releasing.environments import FailedError, install, make, python_of, run_program

_TOOLS = ("build", "hatchling", "twine")
_BUILD = ("build", "--no-isolation")
_PACKED = {"encodings/pbcnf/": "pbcnf/", "satsweeper/": "satsweeper/"}
"""Folders of the checkout in the wheel, and their places there."""
_DESCRIBED = ("Name", "Version", "Summary", "Requires-Python", "License-Expression")


def build(python: Path, checkout: Path, work: Path) -> tuple[Path, Path]:
    """The sdist and the wheel of a checkout, the wheel made of what the sdist holds.

    Raises:
        FailedError: a tool fails, or the wheel made of the checkout is another one.
    """
    tools = make(python, work / "tools")
    install(tools, *_TOOLS)
    first, second = work / "archives", work / "archives again"
    python_m: list[str | Path] = [python_of(tools), "-I", "-m"]
    built = "python -m build failed"
    run_program([*python_m, *_BUILD, "-o", first, checkout], built)
    run_program([*python_m, *_BUILD, "--wheel", "-o", second, checkout], built)
    (sdist,), (wheel,) = first.glob("*.tar.gz"), first.glob("*.whl")
    if wheel.read_bytes() != (second / wheel.name).read_bytes():
        raise FailedError("the wheel made of the sdist is not the one made of the checkout")
    run_program([*python_m, "twine", "check", "--strict", sdist, wheel], "python -m twine failed")
    return sdist, wheel


def wrong_contents(sdist: Path, wheel: Path, tracked: Sequence[str], version: str) -> list[str]:
    """A line for each file that is missing in an archive or one too many, and wrong metadata."""
    return [*_in_sdist(sdist, set(tracked)), *_in_wheel(wheel, tracked, version)]


def _in_sdist(sdist: Path, tracked: set[str]) -> Iterator[str]:
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    for name in sorted(tracked - held):
        yield f"{sdist.name}: {name} is missing"
    for name in sorted(held - tracked - {"PKG-INFO"}):
        yield f"{sdist.name}: {name} is in no commit"


def _in_wheel(wheel: Path, tracked: Sequence[str], version: str) -> Iterator[str]:
    wanted = {
        there + name.removeprefix(here)
        for here, there in _PACKED.items()
        for name in tracked
        if name.startswith(here)
    }
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        [described] = [name for name in names if name.endswith(".dist-info/METADATA")]
        metadata = message_from_bytes(archive.read(described))
    held = {name for name in names if ".dist-info/" not in name}
    for name in sorted(wanted ^ held):
        yield f"{wheel.name}: {name} is {'missing' if name in wanted else 'one too many'}"
    for field in _DESCRIBED:
        if not metadata.get(field):
            yield f"{wheel.name}: no {field}"
    if metadata["Version"] != version:
        yield f"{wheel.name}: version {metadata['Version']}, not {version}"
    if "# SatSweeper" not in str(metadata.get_payload()):
        yield f"{wheel.name}: its description is not README.md"
