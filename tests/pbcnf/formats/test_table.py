"""The one table: every row has what it says, and nothing is loaded before it is needed."""

import subprocess
import sys
from pathlib import Path

import pytest

from pbcnf.formats import read, write
from pbcnf.formats.table import FORMATS, find_format, format_to_write


@pytest.mark.parametrize("format", FORMATS.values(), ids=list(FORMATS))
def test_every_row_has_its_reader_and_writer(format) -> None:
    assert callable(format.load_writer())
    assert format.summary
    assert (format.begins is None) == (format.reader is None)
    if format.reader is None:
        with pytest.raises(ValueError, match="not read as a problem"):
            format.load_reader()
    else:
        assert callable(format.load_reader())


def test_clauses_come_before_constraints() -> None:
    holds = [format.holds for format in FORMATS.values()]
    assert holds == sorted(holds)


def test_readers_and_writers_have_the_same_names() -> None:
    readers, writers = (
        {path.stem for path in Path(folder.__path__[0]).glob("*.py")} for folder in (read, write)
    )
    assert writers - readers == {"dimacs_stream", "wbo", "xcnf"}
    assert readers <= writers


def test_the_table_is_light() -> None:
    code = "import sys, pbcnf.formats.table; print(*sys.modules)"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(child.stdout.split())
    assert "numpy" not in loaded
    assert {name.removeprefix("pbcnf.") for name in loaded if name.startswith("pbcnf.")} == {
        "errors", "formats", "formats.table", "late_imports", "wording"
    }  # fmt: skip


def test_the_name_of_a_file_says_its_format() -> None:
    for name, format in FORMATS.items():
        assert find_format(name) is format
        for suffix in ("", ".gz", ".bz2", ".xz"):
            assert format_to_write(f"a.b/problem.{name}{suffix}") is format


@pytest.mark.parametrize("name", ["opbb", "", "OPB"])
def test_an_unknown_format_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"unknown format '{name}'.*known: cnf, "):
        find_format(name)
