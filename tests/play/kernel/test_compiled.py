"""What is compiled, and how often."""

from pathlib import Path
from typing import Any

import pytest

from satsweeper.play.kernel import compiled as door


@pytest.mark.skipif(not door.COMPILES, reason="numba is not installed")
def test_constants_among_the_arguments_are_no_reason_to_compile_again(tmp_path, monkeypatch):
    monkeypatch.setattr(door, "_FOLDER", str(tmp_path))

    def twice(number, doubled):
        return number * 2 if doubled else number

    callee: Any = door.compiled(twice)

    def caller(number):
        return callee(1, True) + callee(2, False) + callee(3, number > 0) + callee(number, True)

    assert door.compiled(caller)(4) == 2 + 2 + 6 + 8
    assert len(callee.signatures) == 1


def test_where_no_folder_can_be_written_nothing_is_kept(tmp_path, monkeypatch):
    nowhere = tmp_path / "file"
    nowhere.write_bytes(b"")
    monkeypatch.setattr(door, "__file__", str(nowhere / "compiled.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = door._folder()
    assert folder is not None
    assert Path(folder).parent == tmp_path / "satsweeper"
    monkeypatch.setenv("XDG_CACHE_HOME", str(nowhere))
    assert door._folder() is None
    monkeypatch.setattr(door, "_FOLDER", None)
    assert door.compiled(abs_of)(-3) == 3


def abs_of(number):
    return -number if number < 0 else number
