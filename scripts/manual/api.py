"""The pages of public names: reStructuredText, in which Sphinx puts the docstrings."""

import ast
import inspect
import re
from importlib import import_module
from itertools import groupby
from pathlib import Path

from scripts.manual.names import MORE, Name, defines, is_ours, pages, tree

_INDEX = """Names
=====

All public names, from their docstrings: what stands there, runs. `pbcnf` turns constraints into
clauses and knows no board; `satsweeper` stands on it.

.. toctree::
   :maxdepth: 1

"""
_LONGEST = 100
"""Longer values of aliases are not shown."""


def write(into: Path) -> None:
    """Write a page for each package, and the index of them."""
    shown = {module: names for module, names in pages().items() if names}
    for module, names in shown.items():
        (into / f"{module}.rst").write_text(page(module, names), "utf-8")
    (into / "index.rst").write_text(_INDEX + "".join(f"   {module}\n" for module in shown), "utf-8")


def page(module: str, names: tuple[Name, ...]) -> str:
    """Return the docstring of the package, then its names, by the folder that defines them."""
    if module.endswith(MORE):
        module = module.removesuffix(MORE)
        title = f"More of {module}"
        head = "What the manual names from other modules, and what the names above take and return."
    else:
        title, head = module, inspect.getdoc(import_module(module)) or ""
    parts = [_heading(title, "="), f"{head}\n"]
    # Packages below the two are one folder each.
    deep = len(module.split("."))
    for folder, group in groupby(sorted(names, key=_folder), _folder):
        if deep == 1:
            parts.append(_heading(folder, "-"))
        parts += map(entry, group)
    return "\n".join(parts)


def _folder(name: Name) -> str:
    return name.home.split(".")[1]


def _heading(title: str, line: str) -> str:
    return f"{title}\n{line * len(title)}\n"


def entry(name: Name) -> str:
    """The directive that shows a name."""
    value = name.value
    if not is_ours(value):
        return _data(name)
    if inspect.isfunction(value):
        return f".. autofunction:: {name.module}.{name.name}\n"
    kind = "exception" if issubclass(value, Exception) else "class"
    return f".. auto{kind}:: {name.module}.{name.name}\n   :members:\n"


def _data(name: Name) -> str:
    """A constant or an alias: its type or what it stands for, and the docstring below it."""
    body = tree(name.home).body
    place = next(i for i, node in enumerate(body) if name.name in defines(node))
    node, after = body[place], body[place + 1 : place + 2]
    lines = [f".. py:data:: {name.name}", f"   :module: {name.module}"]
    kind = getattr(node, "annotation", None)
    declared = "" if kind is None else re.sub(r"^Final(?:\[(.*)\])?$", r"\1", ast.unparse(kind))
    if declared not in ("", "TypeAlias"):
        lines.append(f"   :type: {declared}")
    given = getattr(node, "value", None)
    stands_for = "" if given is None else ast.unparse(given).strip("'")
    if "lambda" not in stands_for and len(stands_for) <= _LONGEST:
        lines.append(f"   :value: {stands_for}")
    said = inspect.getdoc(type(name.value)) if is_ours(type(name.value)) else None
    for each in after:
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
            said = inspect.cleandoc(str(each.value.value))
    lines += ["", *(f"   {line}".rstrip() for line in (said or "").splitlines()), ""]
    return "\n".join(lines)
