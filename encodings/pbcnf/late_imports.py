"""Public names of a package, each imported when it is first used.

An ``__init__.py`` lists its names once, as imports for type checkers, from modules of its package;
at run time the compiled lines are read as a table, so the source need not be there::

    if TYPE_CHECKING:
        from pbcnf.formula import Formula as Formula
        from pbcnf.language import *
    else:
        __getattr__, __dir__, __all__ = late_imports(__spec__)

So ``import pbcnf`` loads none of the modules named there. Names behind a ``*`` belong to another
package with such a list: they can be imported from here as well, and are not in ``__all__``.
"""

import dis
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec
from typing import Any


def late_imports(
    spec: ModuleSpec,
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for the package with the given `spec`."""
    loader: Any = spec.loader
    homes: dict[str, str] = {}
    others: list[str] = []
    names_of_import: tuple[str, ...] = ()
    for step in dis.get_instructions(loader.get_code(spec.name)):
        if isinstance(step.argval, tuple):
            names_of_import = step.argval
        elif step.opname == "IMPORT_NAME" and step.argval.startswith(f"{spec.name}."):
            if step.argval == __name__:
                continue
            for name in names_of_import:
                if name == "*":
                    others.append(step.argval)
                elif not name.startswith("_"):
                    homes[name] = step.argval

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
