"""The arrays that the kernel works on: numpy's, or lists where numpy is not installed.

As machine code the kernel needs numpy's. As plain Python it takes lists as well, with the same
results: indices, ``fill`` and ``tolist`` are all that it asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from satsweeper.board.lists import listed

__all__ = ["Bytes", "Floats", "Ints", "floats", "ints", "np", "octets"]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    numpy: Any = np
    Bytes = NDArray[np.int8]
    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
else:
    Bytes = Ints = Floats = Any
    try:
        import numpy
    except ImportError:
        numpy = None


def octets(*shape: int) -> Bytes:
    """An array of zeros, a byte each."""
    zeros: Bytes = listed(shape, 0) if numpy is None else numpy.zeros(shape, numpy.int8)
    return zeros


def ints(*shape: int) -> Ints:
    """An array of integer zeros; all have one type, so that every function is compiled once."""
    zeros: Ints = listed(shape, 0) if numpy is None else numpy.zeros(shape, numpy.int64)
    return zeros


def floats(*shape: int) -> Floats:
    """Zeros of floating point."""
    zeros: Floats = listed(shape, 0.0) if numpy is None else numpy.zeros(shape)
    return zeros
