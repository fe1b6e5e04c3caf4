"""The house rules of the package, read from its syntax trees."""

import ast
import sys
from pathlib import Path

import pytest

import pbcnf

ROOT = Path(pbcnf.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
DOORS = {
    ROOT / "formats" / "smtlib" / "script.py": "pysmt",
    ROOT / "pysat" / "formulas.py": "pysat",
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_standard_library_numpy_and_two_extras_are_imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [str(node.module)]
        else:
            continue
        allowed = {*sys.stdlib_module_names, "numpy", "pbcnf"}
        allowed.add(DOORS.get(path, "numpy"))
        assert {name.partition(".")[0] for name in names} <= allowed


def test_no_file_is_long():
    assert {path.name for path in FILES if len(path.read_text().splitlines()) > 300} == set()


def test_the_source_root_is_no_package():
    assert not (ROOT.parent / "__init__.py").exists()
