"""Public names of a package, each imported when it is first used.

An ``__init__.py`` lists its public names once, as imports under ``if TYPE_CHECKING``. At run time
`late_imports` reads these lines as a table from name to module or, where there is no source file,
the bytecode of these lines::

    if TYPE_CHECKING:
        from pbcnf.formula import Formula as Formula
        from pbcnf.language import *
    else:
        __getattr__, __dir__, __all__ = late_imports(__spec__)

So ``import pbcnf`` loads none of the modules in the list. A ``*`` stands for the names of a package
with a list of its own: these names can be imported from here too, but are not in ``__all__``.
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
    starred: list[str] = []
    for module, name in _imports(spec):
        if name == "*":
            starred.append(module)
        else:
            homes[name] = module

    def home_of(name: str) -> str | None:
        if name in homes or name.startswith("_"):
            return homes.get(name)
        return next((module for module in starred if name in import_module(module).__all__), None)

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

    # Before an import the tuple of the imported names is loaded: `names` is the last tuple so far.
    names: tuple[str, ...] = ()
    for step in dis.get_instructions(loader.get_code(spec.name)):
        if isinstance(step.argval, tuple):
            names = step.argval
        elif step.opname == "IMPORT_NAME" and step.argval.startswith(f"{spec.name}."):
            yield from ((step.argval, name) for name in names if step.argval != __name__)
