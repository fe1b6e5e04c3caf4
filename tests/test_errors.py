"""Errors raised on purpose: one base, and for each class the built-in class that callers catch."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import pbcnf
import satsweeper


def defined(package: str) -> dict[str, type[BaseException]]:
    """Return every public exception class that a module of the package defines."""
    root = Path(str(import_module(package).__file__)).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        module = ".".join((package, *path.relative_to(root).with_suffix("").parts))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and re.fullmatch(r"(?:[A-Z]\w*)?Error", node.name):
                assert node.name not in found, "class names are unique in a package"
                found[node.name] = getattr(import_module(module), node.name)
    return found


CLASSES = {package: defined(package) for package in ("pbcnf", "satsweeper")}
EVERY = [kind for classes in CLASSES.values() for kind in classes.values()]


def test_both_packages_have_one_base() -> None:
    assert satsweeper.Error is pbcnf.Error
    assert [kind for kind in EVERY if not issubclass(kind, pbcnf.Error)] == []


CAUGHT_AS = {
    ValueError: """
        BoardError CannotHoldError CellError DamagedError EncodingError EngineRefusedError
        FolderTakenError FormatError GameOverError KeysError LocatedError MapMismatchError
        NoCounterError NoLayoutError NoSuchEncodingError ProofError ProofFormatError RefusedError
        SolverError TooLargeError UnboundedError UnderivableError UnprovedError UnreadableError
    """,
    RuntimeError: """
        DefectError OddsLimitError UnsafeCellError UnwitnessedError WorkerDiedError WrongModelError
    """,
    AttributeError: "NoCounterError",
    ChildProcessError: "SolverFailedError",
    ImportError: "EngineMissingError PysmtMissingError",
}
"""The built-in class that a class adds to `Error`, for callers who catch that."""


@pytest.mark.parametrize("caught", CAUGHT_AS)
def test_errors_can_be_caught_as_built_in_ones(caught: type[Exception]) -> None:
    found = {kind.__name__ for kind in EVERY if issubclass(kind, caught)}
    assert found == set(CAUGHT_AS[caught].split())
