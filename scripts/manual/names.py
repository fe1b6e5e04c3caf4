"""The public names and where their docstrings are: one page of the manual for each package.

A name is public if a package lists it in ``__all__``, or if the manual imports or mentions it. A
name that several packages list is shown on the page of the first of them.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FACES = {"pbcnf": ROOT / "encodings/pbcnf", "satsweeper": ROOT / "satsweeper"}
MORE = "-more"
"""Suffix of a package's name for the page of its other names: those that the manual mentions, or
that signatures use, without being listed in any ``__all__``."""


class Name(NamedTuple):
    """A public name: the public module, and the defining module."""

    module: str
    name: str
    home: str

    @property
    def value(self) -> Any:
        """The value of the name."""
        return getattr(import_module(self.module), self.name)


@cache
def pages() -> dict[str, tuple[Name, ...]]:
    """Return the names on each page: the two packages, the packages below, and other names."""
    seen: set[tuple[str, str]] = set()
    found: dict[str, tuple[Name, ...]] = {}
    for module in [*FACES, *_below()]:
        new = [name for name in _listed(module) if (name.home, name.name) not in seen]
        seen.update((name.home, name.name) for name in new)
        found[module] = tuple(new)
    rest: list[Name] = []
    listed = [name for names in found.values() for name in names]
    waiting = [*_named(), *(each for name in listed for each in _types(name))]
    while waiting:
        name = waiting.pop(0)
        if (name.home, name.name) not in seen:
            seen.add((name.home, name.name))
            rest.append(name)
            waiting += _types(name)
    more = {face: tuple(sorted(n for n in rest if n.home.split(".")[0] == face)) for face in FACES}
    return found | {face + MORE: names for face, names in more.items()}


@cache
def documented() -> dict[str, str]:
    """Return, for the full name of each definition, the full name that the manual shows."""
    names = [name for page in pages().values() for name in page]
    shown = {f"{name.home}.{name.name}": f"{name.module}.{name.name}" for name in names}
    # A signature shows the bare name of a class that a module imports only for type checking, so
    # bare names are keys, too.
    return {name.rpartition(".")[2]: face for name, face in shown.items()} | shown


def _below() -> Iterator[str]:
    """Yield the packages and modules below `FACES` that have ``__all__``."""
    for face, folder in FACES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            inner = parts[-1] == "__init__" or parts[0] == "pysat"
            listed = re.search(r"^(    __getattr__.*)?__all__ ", path.read_text("utf-8"), re.M)
            if parts != ("__init__",) and inner and listed:
                yield ".".join([face, *(part for part in parts if part != "__init__")])


def _listed(module: str) -> Iterator[Name]:
    for name in import_module(module).__all__:
        value = getattr(import_module(module), name)
        home = _home(module, name, value)
        # Names of other projects belong to the manuals of those projects.
        if not inspect.ismodule(value) and home.partition(".")[0] in FACES:
            yield Name(module, name, home)


def _home(module: str, name: str, value: Any) -> str:
    """Return the module that defines ``name``, which ``module`` has with ``value``.

    Values other than classes and functions have no ``__module__``, so the imports of ``module`` are
    followed.
    """
    if is_ours(value):
        return str(value.__module__)
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
            origin = str(node.module)
            return _home(origin, name, value) if origin.partition(".")[0] in FACES else origin
    return module


def is_ours(value: Any) -> bool:
    """Return whether ``value`` is a class or a function that our packages define."""
    code = inspect.isclass(value) or inspect.isfunction(value)
    return code and value.__module__.partition(".")[0] in FACES


def _named() -> Iterator[Name]:
    """Yield the names that the manual imports or mentions with their modules."""
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md"))]
    texts.append((ROOT / "encodings/README.md").read_text("utf-8"))
    text = "\n".join(texts)
    imported = re.findall(r"^>>> from ((?:pbcnf|satsweeper)\.[\w.]+) import (.+)$", text, re.M)
    spoken = re.findall(r"`((?:pbcnf|satsweeper)(?:\.[a-z]\w*)+)\.(\w+)(?:\(.*?\))?`", text)
    for module, names in sorted({*imported, *spoken}):
        for name in names.split(", "):
            value = getattr(import_module(module), name, None)
            if value is not None and not inspect.ismodule(value):
                yield Name(module, name, _home(module, name, value))


def _types(name: Name) -> Iterator[Name]:
    """Yield our names in the annotations of ``name``: types of parameters, fields and results."""
    module = tree(name.home)
    imports = [node for node in ast.walk(module) if isinstance(node, ast.ImportFrom)]
    homes = {each.name: str(node.module) for node in imports for each in node.names}
    homes = {name: home for name, home in homes.items() if home.partition(".")[0] in FACES}
    homes |= {defined: name.home for node in module.body for defined in defines(node)}
    for node in module.body:
        if name.name in defines(node):
            for word in _annotated(node):
                # Type variables have one letter, and modules have lower-case names: neither is a
                # type of ours.
                if word in homes and word[0].isupper() and len(word) > 1:
                    value = getattr(import_module(homes[word]), word)
                    home = _home(homes[word], word, value)
                    if any(word in defines(each) for each in tree(home).body):
                        yield Name(home, word, home)


def defines(node: ast.stmt) -> set[str]:
    """Return the names that a statement of a module defines."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _annotated(node: ast.stmt) -> Iterator[str]:
    """Yield the names in the public annotations of a definition, or in the value of an alias."""
    if isinstance(node, ast.Assign):
        yield from (part.id for part in ast.walk(node.value) if isinstance(part, ast.Name))
    hidden = {
        below
        for each in ast.walk(node)
        if isinstance(each, ast.FunctionDef) and re.match(r"_(?!_init__)", each.name)
        for below in ast.walk(each)
    }
    for each in ast.walk(node):
        for field in ("annotation", "returns"):
            kind = getattr(each, field, None)
            if kind is not None and each not in hidden:
                yield from (part.id for part in ast.walk(kind) if isinstance(part, ast.Name))


@cache
def tree(module: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(inspect.getsource(import_module(module)))


_INDEX = """Names
=====

All public names, from their docstrings: what stands there, runs. `pbcnf` turns constraints into
clauses and knows no board; `satsweeper` stands on it.

.. toctree::
   :maxdepth: 1

"""


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
    parts = [f"{title}\n{'=' * len(title)}\n", f"{head}\n"]

    def folder_of(name: Name) -> str:
        return name.home.split(".")[1]

    for folder, group in groupby(sorted(names, key=folder_of), folder_of):
        # Only the two packages have several folders; a package below is a single folder.
        if "." not in module:
            parts.append(f"{folder}\n{'-' * len(folder)}\n")
        parts += map(entry, group)
    return "\n".join(parts)


def entry(name: Name) -> str:
    """Return the directive of Sphinx that shows ``name``."""
    value = name.value
    if not is_ours(value):
        return _data(name)
    if inspect.isfunction(value):
        return f".. autofunction:: {name.module}.{name.name}\n"
    kind = "exception" if issubclass(value, Exception) else "class"
    return f".. auto{kind}:: {name.module}.{name.name}\n   :members:\n"


def _data(name: Name) -> str:
    """Return the directive of a constant or an alias: its type, its value, and its docstring."""
    body = tree(name.home).body
    place = next(i for i, node in enumerate(body) if name.name in defines(node))
    node, after = body[place], body[place + 1 : place + 2]
    lines = [f".. py:data:: {name.name}", f"   :module: {name.module}"]
    kind = getattr(node, "annotation", None)
    declared = "" if kind is None else re.sub(r"^Final(?:\[(.*)\])?$", r"\1", ast.unparse(kind))
    if declared not in ("", "TypeAlias"):
        lines.append(f"   :type: {declared}")
    given = getattr(node, "value", None)
    value = "" if given is None else ast.unparse(given).strip("'")
    if "lambda" not in value and len(value) <= 100:
        lines.append(f"   :value: {value}")
    docstring = inspect.getdoc(type(name.value)) if is_ours(type(name.value)) else None
    for each in after:
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
            docstring = inspect.cleandoc(str(each.value.value))
    lines += ["", *(f"   {line}".rstrip() for line in (docstring or "").splitlines()), ""]
    return "\n".join(lines)
