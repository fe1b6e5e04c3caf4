"""Which module shows a value: found by the name of its class, loaded when it is needed."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def shows(value: object, table: Mapping[str, str], what: str) -> Any:
    """Return a function that shows such values: `what` is ``svg``, ``html`` or ``text``.

    `table` maps the names of classes to modules. Raises TypeError for values that none shows so.
    """
    package = next(iter(table.values())).partition(".")[0]
    for each in type(value).__mro__:
        if each.__module__.startswith(f"{package}.") and each.__name__ in table:
            found = getattr(import_module(table[each.__name__]), what, None)
            if found is not None:
                return found
    raise TypeError(f"there is no {what} of {type(value).__name__} objects")
