"""Work without Python's cyclic garbage collector.

Proofs and certificates are millions of objects without cycles; the collector walks over all of
them again and again, a fifth of the time of a long proof or a large board.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Switch the cyclic garbage collector off in the block, if it is on; also a decorator."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
