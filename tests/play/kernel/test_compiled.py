"""Machine code of the kernel: when it is made, where it is kept, and equal results without it."""

import inspect
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from satsweeper.play.kernel import machine_code
from satsweeper.play.kernel.boxes import room_for_boxes
from satsweeper.play.kernel.compiled import COMPILES
from satsweeper.play.kernel.exact import room_for_exact
from satsweeper.play.kernel.grid import grid_of, octets
from satsweeper.play.kernel.tree import list_layouts, put
from tests.commands import ROOT, environment, python

pytestmark = pytest.mark.skipif(not COMPILES, reason="numba is not installed")

Told = Callable[..., "subprocess.CompletedProcess[str]"]

PAIRS = """
import sys
from argparse import Namespace
from satsweeper.cli.lifetime import compiled_work
from satsweeper.play.kernel.grid import ints, octets
from satsweeper.play.kernel.compiled import foresee
from satsweeper.play.kernel.grid import grid_of
from satsweeper.play.kernel.proof import find_pair
arguments = Namespace(command="odd", time_limit=None)
for _ in range(2):
    with compiled_work(arguments, "pairing"):
        foresee(float("inf"))
        find_pair(grid_of(2, 2), octets(4), ints(4), octets(4), 0)
"""
"""A command that compiles one function, and what it calls."""

GAMES = """
import json, sys
if sys.argv[1] == "plain":
    sys.modules["numba"] = None
from fractions import Fraction
from satsweeper import Position
from satsweeper.play import advise, generate, play
from satsweeper.play.kernel.compiled import ENTRIES, foresee
foresee(float("inf"))
names = ("safest", "progress", "second_safety", "exact", "learned")
found = [
    [str(play(board, name, seed=seed)) for name in names]
    for board, seeds in (("9x9/10", 6), ("16x16/40", 3), ("30x16/170", 2))
    for seed in range(seeds)
]
boards = (("9x9/10", "complete"), ("9x9/20", "subset"), ("20x16/60", "single_clue"))
found += [
    generate(board, seed=seed, no_guess=True, strength=strength).as_json()
    for board, strength in boards
    for seed in range(2)
]
found += [
    advise(Position.parse(text)).as_json()
    for text in ("3 4 3\\n????\\n????\\n????", "3 5 14" + 3 * "\\n?????", "2 2 1\\n1?\\n??")
]
print(json.dumps({"games": found, "machine": sum(each.code is not None for each in ENTRIES)}))
"""
"""Games, boards and advice: as plain Python, or all of it as machine code."""


@pytest.fixture
def told(tmp_path):
    def run(*words: str, root: Path = ROOT, **more: str) -> "subprocess.CompletedProcess[str]":
        """A child with an empty cache of its own, unless ``more`` of the environment says other."""
        path = os.pathsep.join([str(root / "encodings"), str(root)])
        found = {"PYTHONPATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache")} | more
        # What is compiled takes minutes where the cache is empty and the machine busy.
        return python(*words, env=environment(**found), check=True, cwd=tmp_path, timeout=None)

    return run


def indices(place: Path) -> list[Path]:
    return sorted(place.rglob("*.nbi"))


@pytest.mark.parametrize(
    "words", ["generate 30x16/99 --no-guess --json", "simulate --games 20 --json"]
)
def test_short_work_compiles_nothing_and_says_nothing(told, tmp_path, words):
    ended = told("-m", "satsweeper", *words.split())
    assert ended.stdout
    assert (ended.stderr, indices(tmp_path)) == ("", [])


def test_what_is_compiled_is_said_once_and_kept_for_every_checkout_with_the_same_files(
    told, tmp_path
):
    line = "satsweeper odd: compiling what takes long\n"
    assert told("-c", PAIRS).stderr == line
    other = tmp_path / "other"
    for package in ("satsweeper", "encodings"):
        shutil.copytree(ROOT / package, other / package, ignore=shutil.ignore_patterns("__pyc*"))
    assert told("-c", PAIRS, root=other).stderr == ""
    # A change of any function is one of what is compiled.
    with open(other / "satsweeper" / "play" / "kernel" / "boxes.py", "a") as stream:
        stream.write("\n")
    assert told("-c", PAIRS, root=other).stderr == line
    # A folder that holds something else is no reason for silence.
    for index in indices(tmp_path):
        index.rename(index.with_name(f"other-{index.name}"))
    assert told("-c", PAIRS).stderr == line


def test_machine_code_and_plain_python_come_to_the_same(told):
    home = {"XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", "")}
    plain, code = (
        json.loads(told("-W", "error::RuntimeWarning", "-c", GAMES, how, **home).stdout)
        for how in ("plain", "machine")
    )
    assert plain["games"] == code["games"]
    assert plain["machine"] == 0 < 5 < code["machine"]


def test_a_function_is_compiled_once_whatever_it_is_called_with(monkeypatch):
    monkeypatch.setattr(machine_code, "_TWINS", {})
    monkeypatch.setattr(machine_code, "kept_file", lambda function: None)
    layouts = room_for_exact(4, 3).layouts
    arguments = (grid_of(2, 2), octets(4), 1, room_for_boxes(4), layouts, 9)
    machine_code.code_of(inspect.unwrap(list_layouts), arguments)
    # It places a cell by a number of eight bits, or by one, and takes it back by a constant.
    assert [len(each.signatures) for each in machine_code._TWINS.values()] == [1, 1]
    assert put in machine_code._TWINS


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders have no owners")
def test_machine_code_is_kept_in_a_folder_that_nobody_else_can_write(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = machine_code.folder.__wrapped__()
    assert (found.parent, found.stat().st_mode & 0o777) == (tmp_path / "satsweeper", 0o700)
    for open_to_all in (found, found.parent):
        open_to_all.chmod(0o777)
        beside = machine_code.folder.__wrapped__()
        assert beside.parent == Path(machine_code.__file__).parent / "__pycache__"
        open_to_all.chmod(0o700)
    assert machine_code.folder.__wrapped__() == found
    # Nor is a folder that somebody else made in a shared place used.
    found.parent.rename(tmp_path / "theirs")
    (tmp_path / "satsweeper").symlink_to("theirs")
    other = machine_code.folder.__wrapped__()
    assert other is None or tmp_path not in other.parents
    assert list((tmp_path / "theirs").iterdir()) == [tmp_path / "theirs" / found.name]


def test_nothing_is_kept_in_the_current_folder_or_where_none_can_be_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "")
    for named in ("", ".", "cache"):
        monkeypatch.setenv("XDG_CACHE_HOME", named)
        machine_code.folder.__wrapped__()
        assert list(tmp_path.iterdir()) == []
    nowhere = tmp_path / "file"
    nowhere.write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(nowhere))
    monkeypatch.setattr(machine_code, "_HERE", nowhere)
    assert machine_code.folder.__wrapped__() is None
