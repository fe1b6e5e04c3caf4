"""The family of errors: one base, drawn whole, second bases kept for those who catch them."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import satsweeper
from satsweeper.board import errors
from satsweeper.board.errors import Error

ROOT = Path(satsweeper.__file__).parent


def defined() -> dict[str, type[BaseException]]:
    """Every public exception class that a module of the package defines."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        module = ".".join(("satsweeper", *path.relative_to(ROOT).with_suffix("").parts))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and re.fullmatch(r"[A-Z]\w*Error|Error", node.name):
                kind = getattr(import_module(module), node.name)
                if issubclass(kind, BaseException):
                    found[node.name] = kind
    return found


DRAWN = re.findall(r"^ +(?:[|` ]+- )?(\w+)(?: \((\w+)\))?", errors.__doc__ or "", re.M)
CLASSES = defined()


def test_the_drawing_is_complete() -> None:
    drawn = {name for name, _ in DRAWN if name.endswith("Error")}
    assert drawn == set(CLASSES)
    assert len(drawn) > 15


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_error_has_the_base_and_the_second_base_that_is_drawn(name: str) -> None:
    kind = CLASSES[name]
    assert issubclass(kind, Error)
    second = dict(DRAWN)[name]
    builtin = {base.__name__ for base in kind.__mro__ if base.__module__ == "builtins"}
    if second:
        assert second in builtin
    else:
        # What is not drawn here is the second base of a class that is drawn above it.
        inherited = [base for base in kind.__mro__[1:] if base.__name__ in CLASSES]
        assert builtin - {"Exception", "BaseException", "object"} <= {
            found.__name__ for base in inherited for found in base.__mro__
        }


def test_the_indentation_of_the_drawing_is_the_inheritance() -> None:
    above: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"^( +(?:[|` ]+- )?)(\w*Error)\b", line)
        if match is None:
            continue
        depth, name = len(match[1]), match[2]
        above = [(d, n) for d, n in above if d < depth]
        if above:
            assert issubclass(CLASSES[name], CLASSES[above[-1][1]]), name
        above.append((depth, name))
