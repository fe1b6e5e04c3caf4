"""Byte code for the page, made by the Python that runs here."""

import importlib
import io
import zipfile

import pytest

from scripts.bytecode.archive import compiled


def test_byte_code_of_the_page_does_what_its_files_do_without_what_nobody_reads(
    tmp_path, monkeypatch
):
    source = '''"""A module."""
from __future__ import annotations
from dataclasses import dataclass

@dataclass
class Point:
    """A point."""
    x: int = 3

def checked(number):
    """Only a docstring, and an assertion."""
    assert number, "nothing"
    return lambda: number + Point().x

def empty():
    """Nothing else."""
'''
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("paged/__init__.py", source)
        archive.writestr("paged/data.txt", "left as it is")
    made = tmp_path / "made.zip"
    made.write_bytes(compiled(packed.getvalue()))
    with zipfile.ZipFile(made) as archive:
        assert archive.namelist() == ["paged/__init__.pyc", "paged/data.txt"]
        assert archive.read("paged/data.txt") == b"left as it is"
    monkeypatch.syspath_prepend(str(made))
    paged = importlib.import_module("paged")
    assert (paged.checked(2)(), paged.empty(), paged.Point(4).x) == (5, None, 4)
    assert (paged.__doc__, paged.checked.__doc__, paged.empty.__doc__) == (None, None, None)
    with pytest.raises(AssertionError, match="nothing"):
        paged.checked(0)
    assert compiled(packed.getvalue()) == made.read_bytes()
