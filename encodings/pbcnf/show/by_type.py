"""Which module shows a value: found by the name of its class, loaded when it is needed."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def shows(value: object, table: Mapping[str, str], what: str) -> Any:
    """Return a function that shows such values: `what` is ``svg``, ``html`` or ``text``.

    `table` maps classes, as ``module.Class``, to modules. Raises TypeError for values that none of
    them shows so.
    """
    for each in type(value).__mro__:
        module = table.get(f"{each.__module__}.{each.__qualname__}")
        found = module and getattr(import_module(module), what, None)
        if found:
            return found
    raise TypeError(f"there is no {what} of {type(value).__name__} objects")
