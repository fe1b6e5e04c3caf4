"""Two families of errors: each has one base, is drawn whole, and keeps the second bases drawn."""

import ast
import builtins
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import pbcnf.errors
import satsweeper.board.errors

DRAWINGS = {"pbcnf": pbcnf.errors, "satsweeper": satsweeper.board.errors}
LINE = re.compile(r"^( +(?:[|` ]+- )?)(\w*Error)\b(?: \((\w+)\))?", re.M)


def defined(package: str) -> dict[str, type[BaseException]]:
    """Every public exception class that a module of the package defines."""
    root = Path(str(import_module(package).__file__)).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        module = ".".join((package, *path.relative_to(root).with_suffix("").parts))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and re.fullmatch(r"(?:[A-Z]\w*)?Error", node.name):
                found[node.name] = getattr(import_module(module), node.name)
    return found


CLASSES = {package: defined(package) for package in DRAWINGS}
EVERY = [(package, name) for package, classes in CLASSES.items() for name in sorted(classes)]


def drawn(module: ModuleType) -> dict[str, str]:
    """Name -> the second base that the drawing shows, "" if it shows none."""
    return {name: second for _, name, second in LINE.findall(module.__doc__ or "")}


@pytest.mark.parametrize("package", DRAWINGS)
def test_the_drawing_is_complete(package: str) -> None:
    assert drawn(DRAWINGS[package]).keys() == CLASSES[package].keys()
    assert len(CLASSES[package]) > 8


@pytest.mark.parametrize(("package", "name"), EVERY)
def test_every_error_has_the_base_and_the_second_base_that_is_drawn(
    package: str, name: str
) -> None:
    kind = CLASSES[package][name]
    assert issubclass(kind, DRAWINGS[package].Error)
    second = drawn(DRAWINGS[package])[name]
    if second:
        assert issubclass(kind, getattr(builtins, second))
    else:
        assert all(
            base.__name__ in CLASSES[package] or base is Exception for base in kind.__bases__
        )


@pytest.mark.parametrize("package", DRAWINGS)
def test_the_indentation_of_the_drawing_is_the_inheritance(package: str) -> None:
    classes = CLASSES[package]
    above: list[tuple[int, str]] = []
    for indent, name, _ in LINE.findall(DRAWINGS[package].__doc__ or ""):
        above = [(depth, other) for depth, other in above if depth < len(indent)]
        if above:
            assert issubclass(classes[name], classes[above[-1][1]])
        above.append((len(indent), name))
