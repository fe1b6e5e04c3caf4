"""Import of a user's own code, named ``MODULE:NAME``."""

import os
import sys
from importlib import import_module
from typing import Any


def load_named(name: str) -> Any:
    """The object of a name; its module may lie in the current folder.

    Whatever the module raises is raised.

    >>> load_named("os.path:sep") in "/\\\\"
    True
    """
    place, _, rest = name.partition(":")
    if os.getcwd() not in sys.path and "" not in sys.path:
        # Last, so that no file there takes the place of a module of Python or of ours.
        sys.path.append(os.getcwd())
    found: Any = import_module(place)
    for part in rest.split("."):
        found = getattr(found, part)
    return found
