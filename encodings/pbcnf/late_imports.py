"""Public names of a package, each imported when it is first used.

An ``__init__.py`` lists its names once, as imports for type checkers, from modules of its package;
at run time the same lines are read as a table, or what they are compiled to, without a source::

    if TYPE_CHECKING:
        from pbcnf.formula import Formula as Formula
        from pbcnf.language import *
    else:
        __getattr__, __dir__, __all__ = late_imports(__spec__)

So ``import pbcnf`` loads none of the modules named there. Names behind a ``*`` belong to another
package with such a list: they can be imported from here as well, and are not in ``__all__``.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from typing import Any


def late_imports(
    spec: ModuleSpec,
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for the package with the given `spec`."""
    homes: dict[str, str] = {}
    others: list[str] = []
    for module, name in _imports(spec):
        if name == "*":
            others.append(module)
        else:
            homes[name] = module

    def home_of(name: str) -> str | None:
        if name in homes or name.startswith("_"):
            return homes.get(name)
        return next((other for other in others if name in import_module(other).__all__), None)

    def attribute(name: str) -> Any:
        home = home_of(name)
        if home is None:
            raise AttributeError(f"module {spec.name!r} has no attribute {name!r}")
        value = getattr(import_module(home), name)
        setattr(import_module(spec.name), name, value)
        return value

    def names() -> list[str]:
        version = ["__version__"] if hasattr(import_module(spec.name), "__version__") else []
        return sorted([*homes, *version])

    return attribute, names, sorted(homes)


def _imports(spec: ModuleSpec) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each import for type checkers, from the package itself."""
    loader: Any = spec.loader
    if (spec.origin or "").endswith(".py"):
        for line in loader.get_data(spec.origin).decode().splitlines():
            if line.startswith("    from "):
                _, module, _, name, *_ = line.split()
                yield module, name
        return
    import dis

    names: tuple[str, ...] = ()
    for step in dis.get_instructions(loader.get_code(spec.name)):
        if isinstance(step.argval, tuple):
            names = step.argval
        elif step.opname == "IMPORT_NAME" and step.argval.startswith(f"{spec.name}."):
            yield from ((step.argval, name) for name in names if step.argval != __name__)
