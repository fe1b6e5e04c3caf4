"""Work without Python's search for cycles of garbage, which has none to find here.

It walks over all that was made so far again and again: a fifth of the time of a long proof.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Pause the search where it is on; to be used as a decorator, too."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
